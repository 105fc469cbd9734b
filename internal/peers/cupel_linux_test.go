package peers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cupel/internal/testbed"
)

// cupelEnv is a cache and a home of their own.
func cupelEnv(t testing.TB) []string {
	t.Helper()
	dir := t.TempDir()
	return []string{"CUPEL_CACHE=" + filepath.Join(dir, "cache"), "CUPEL_HOME=" + filepath.Join(dir, "home")}
}

// cupelLaunchers is cupel as a launcher.
func cupelLaunchers(t testing.TB) []launcher {
	t.Helper()
	env := cupelEnv(t)
	return []launcher{{name: "cupel-nvcc", ours: true, argv: []string{filepath.Join(programs(t), "cupel-nvcc")}, env: env, tell: func() tally {
		var s struct{ Hits, Misses, Uncached int }
		out := run(t, "/", env, filepath.Join(programs(t), "cupel"), "cache", "stats", "--json")
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("cupel cache stats: %v\n%s", err, out)
		}
		return tally{s.Hits, s.Misses + s.Uncached}
	}}}
}

// project is a set as a contract, in a folder of its own: what another tool writes beside the sources is none of its business.
type project struct {
	t    testing.TB
	set  set
	argv []string
	env  []string
	peak int64 // bytes, the most of all runs
}

func newProject(t testing.TB, tk toolkit, s set) *project {
	t.Helper()
	s = s.copied(t)
	prefix := map[bool]string{true: "compute_", false: "sm_"}[s.kind == "ptx"]
	var includes, flags, archs []string
	for _, f := range s.flags {
		if dir, is := strings.CutPrefix(f, "-I"); is && filepath.IsAbs(dir) {
			continue // the toolkit's own, where nvcc looks by itself; a contract has no paths of a machine
		} else if is {
			includes = append(includes, dir)
		} else {
			flags = append(flags, f)
		}
	}
	for _, a := range s.archs {
		archs = append(archs, prefix+a)
	}
	write(t, filepath.Join(s.dir, "cupel.toml"), fmt.Sprintf("cupel = 1\n\n[project]\nname = \"peers\"\n\n[[kernels]]\nname = \"set\"\nsources = %s\nkinds = [%q]\nincludes = %s\nflags = %s\narchs = %s\n",
		list(s.sources), s.kind, list(includes), list(flags), list(archs)))
	argv := []string{filepath.Join(programs(t), "cupel"), "build", "--toolkit", tk.root, "--host-compiler", hostCompiler, dash("j")}
	return &project{t: t, set: s, argv: argv, env: cupelEnv(t)}
}

// list is an array of TOML, whose strings are those of JSON.
func list(words []string) string {
	if len(words) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(words)
	return string(text)
}

// clean removes the outputs and what cupel knows of them.
func (p *project) clean() { away(p.t, filepath.Join(p.set.dir, "build")) }

// forget empties the cache; learned says whether the times of earlier builds stay.
func (p *project) forget(learned bool) {
	p.clean()
	cache := strings.TrimPrefix(p.env[0], "CUPEL_CACHE=")
	book := filepath.Join(cache, "store", "learned")
	had, err := os.ReadFile(book)
	away(p.t, cache)
	if learned && err == nil {
		write(p.t, book, string(had))
	}
}

// build runs cupel build; what it says must hold the words of want.
func (p *project) build(want string) error {
	cmd := command(p.t, p.set.dir, p.env, p.argv...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		p.peak = max(p.peak, usage.Maxrss<<10)
	}
	if err == nil && !strings.Contains(out.String(), want) {
		err = fmt.Errorf("it did not say %q", want)
	}
	if err != nil {
		return fmt.Errorf("cupel build: %w\n%s", err, out.String())
	}
	return p.complete()
}

func (p *project) complete() error {
	var missing []error
	for _, source := range p.set.sources {
		if _, err := os.Stat(filepath.Join(p.set.dir, "build", "cupel", "set", filepath.Base(p.set.output(source)))); err != nil {
			missing = append(missing, err)
		}
	}
	return errors.Join(missing...)
}

func (p *project) must(want string) {
	p.t.Helper()
	if err := p.build(want); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) memory() string { return fmt.Sprintf("peak memory %d MB", p.peak>>20) }

// cupelCold is cupel build with an empty cache: as on a new machine, and on one that has built this before and knows how long each
// file takes.
func cupelCold(t testing.TB, tk toolkit, s set) []variant {
	t.Helper()
	p := newProject(t, tk, s)
	n := fmt.Sprintf("%d built", len(s.sources))
	p.must(n) // so that the first run with learned times has them
	return []variant{
		{name: "cupel build, times learned", ours: true, before: func() { p.forget(true) }, run: func() error { return p.build(n) }},
		{name: "cupel build, nothing known", ours: true, before: func() { p.forget(false) }, run: func() error { return p.build(n) }, note: p.memory},
	}
}

// cupelWarm is one cupel build from a warm cache, outputs deleted.
func cupelWarm(t testing.TB, tk toolkit, s set) []variant {
	t.Helper()
	p := newProject(t, tk, s)
	p.must(fmt.Sprintf("%d built", len(s.sources)))
	n := fmt.Sprintf("%d from the cache", len(s.sources))
	for range 2 { // the first two may plan, as what was just written is not trusted by its time, and take more memory
		p.clean()
		p.must(n)
	}
	p.clean()
	programs, counted := started(t, p.set.dir, p.env, p.argv...)
	p.peak = 0
	return []variant{{name: "cupel build, warm", ours: true, before: p.clean, run: func() error { return p.build(n) },
		note: func() string { return startNote(programs, counted) + ", " + p.memory() }}}
}

// cupelNoop is cupel build with nothing to do.
func cupelNoop(t testing.TB, tk toolkit, s set) []variant {
	t.Helper()
	p := newProject(t, tk, s)
	p.must(fmt.Sprintf("%d built", len(s.sources)))
	n := fmt.Sprintf("%d up to date", len(s.sources))
	p.must(n) // the first time outputs are too young to be told by their times, and are read
	p.peak = 0
	return []variant{{name: "cupel build, nothing to do", ours: true, run: func() error { return p.build(n) }, note: p.memory}}
}

// cupelCargo is cargo build under cupel exec.
func cupelCargo(t testing.TB, tk toolkit, c crate) []variant {
	t.Helper()
	env := append(c.with(launcher{}), cupelEnv(t)...)
	return []variant{{name: "cupel exec -- cargo build", ours: true, before: c.clean, run: func() error {
		_, err := try(t, c.dir, env, filepath.Join(programs(t), "cupel"), "exec", "--toolkit", tk.root, "--", "cargo", "build")
		return err
	}}}
}

// TestCupelVariants: each way of cupel in the tables works with a stand-in, and a warm build starts nothing.
func TestCupelVariants(t *testing.T) {
	testbed.Long(t) // the programs are linked for it
	tk := newToolkit(t, "12.4")
	fake, s := standIn(t, tk), small(t, 3)
	for _, v := range append(append(cupelCold(t, fake, s), cupelWarm(t, fake, s)...), cupelNoop(t, fake, s)...) {
		rows := measure(t, 1, []variant{v})
		if note := strings.Join(rows[0].notes, ""); strings.Contains(v.name, "warm") && !strings.Contains(note, "starts nothing") && !strings.Contains(note, "not counted") {
			t.Errorf("%s: %s", v.name, note)
		}
	}
	for _, l := range cupelLaunchers(t) {
		run(t, s.dir, l.env, l.call(fake, s, s.sources[0])...)
		if !hitsNow(t, fake, s, l) {
			t.Errorf("%s: the second call was not answered from the cache: %+v", l.name, l.tell())
		}
	}
}
