package pip

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"

	"cupel/internal/child"
	"cupel/internal/source"
)

// candidate is a way to start a client.
type candidate struct {
	words []string
	uv    bool
}

// candidates are the ways to start pip and uv, the active environment's own first.
func (c Config) candidates() []candidate {
	switch {
	case c.Pip != nil:
		return []candidate{{words: c.Pip}}
	case c.UV != "":
		return []candidate{{words: []string{c.UV}, uv: true}}
	}
	var out []candidate
	add := func(words ...string) {
		if path, err := c.Look(words[0]); err == nil {
			out = append(out, candidate{words: append([]string{path}, words[1:]...)})
		}
	}
	for _, python := range c.environments() {
		if _, err := c.Stat(python); err == nil {
			out = append(out, candidate{words: []string{python, "-m", "pip"}})
		}
	}
	if c.OS == "windows" {
		add("py", "-m", "pip")
		add("python", "-m", "pip")
	} else {
		add("python3", "-m", "pip")
		add("pip3")
	}
	add("pip")
	if path, err := c.Look("uv"); err == nil {
		out = append(out, candidate{words: []string{path}, uv: true})
	}
	return out
}

// environments are the Pythons of active virtual environments.
func (c Config) environments() []string {
	tail := "bin/python"
	if c.OS == "windows" {
		tail = "Scripts/python.exe"
	}
	var out []string
	for _, line := range c.Env {
		if dir, ok := strings.CutPrefix(line, "VIRTUAL_ENV="); ok && dir != "" {
			out = append(out, filepath.Join(dir, filepath.FromSlash(tail)))
		}
	}
	return out
}

// noClient is the answer where nothing can be started.
var noClient = source.Unreachable{Source: sourceName, Why: "neither pip nor uv is on PATH", Next: "install Python's pip, or uv"}

// make makes the client of a candidate, once: it remembers what it was told. Nothing is started.
func (s *Source) make(c candidate) client {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := strings.Join(c.words, " ")
	if s.made[name] == nil {
		s.made[name] = newClient(c, s.cfg)
	}
	return s.made[name]
}

func newClient(c candidate, cfg Config) client {
	if c.uv {
		return &uvClient{run: runner{words: c.words, env: with(cfg.Env, uvSettings)}, work: cfg.Work}
	}
	return &pipClient{run: runner{words: c.words, env: with(cfg.Env, pipSettings)}, work: cfg.Work, pages: map[string][]string{}}
}

// Reach finds a client whose index knows the metapackage. Each is started once, for that very question: on a busy machine
// Python alone may take a second.
func (s *Source) Reach(ctx context.Context) error {
	gone := noClient
	var asked bool // an index, by a pip: the other pips would say the same
	for _, candidate := range s.cfg.candidates() {
		c := s.make(candidate)
		if asked && !candidate.uv {
			continue
		}
		var asking atomic.Bool
		err := c.reach(ctx, func() { asking.Store(true) })
		if err == nil {
			s.choose(c)
			return nil
		}
		how := strings.Join(candidate.words, " ")
		switch {
		case ctx.Err() != nil && asking.Load():
			gone.Why, gone.Next = "the index does not answer "+how+" in time", ""
		case ctx.Err() != nil:
			gone.Why, gone.Next = how+" was too slow to start: it had not asked the index in time", ""
		case indexFailed(err):
			gone.Why, gone.Next = "the index of "+how+" does not answer: "+reason(err), how+" config list"
		case !asked:
			gone.Why, gone.Next = how+": "+reason(err), ""
		}
		if ctx.Err() != nil {
			break
		}
		asked = asked || indexFailed(err)
	}
	return gone
}

func (s *Source) choose(c client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chosen = c
}

// client is the one that Reach chose, else the first that starts.
func (s *Source) client(ctx context.Context) (client, error) {
	s.mu.Lock()
	c := s.chosen
	s.mu.Unlock()
	if c != nil {
		return c, nil
	}
	return s.find(ctx, func(client) bool { return true })
}

// find starts the candidates that fit in turn.
func (s *Source) find(ctx context.Context, fits func(client) bool) (client, error) {
	gone := noClient
	for _, candidate := range s.cfg.candidates() {
		c := s.make(candidate)
		if !fits(c) {
			continue
		}
		err := c.starts(ctx)
		if err == nil {
			s.choose(c)
			return c, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		gone.Why, gone.Next = strings.Join(candidate.words, " ")+": "+reason(err), ""
	}
	return nil, gone
}

// runner starts one client.
type runner struct {
	words []string
	env   []string
}

func (r runner) run(ctx context.Context, args ...string) (child.Result, error) {
	return r.with(ctx, child.Command{Args: args})
}

// with fills in how the client is started.
func (r runner) with(ctx context.Context, c child.Command) (child.Result, error) {
	c.Path = r.words[0]
	c.Args = append(append([]string{}, r.words[1:]...), c.Args...)
	if c.Env == nil {
		c.Env = r.env
	}
	return child.Run(ctx, c)
}

// with puts settings after an environment; the last one of a name counts.
func with(env []string, settings []string) []string {
	return append(append([]string{}, env...), settings...)
}
