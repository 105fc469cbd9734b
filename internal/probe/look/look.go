// Package look is what every part of the probe asks a host with: variables by the rules of the host's system,
// programs on PATH, and the tests "is this a file". It reads through a host.Host and concludes nothing.
package look

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/ospath"
	"cupel/internal/pattern"
)

// Limit is the time any one process of the probe may take.
const Limit = 5 * time.Second

// At is a host with its environment taken apart once.
type At struct {
	host.Host
	System host.System
	Path   ospath.Style
	env    map[string]string // by name; on Windows by upper-case name
	dirs   []string          // of PATH, as spelled
	found  []string          // of PATH, as a shell looks there

	mu       sync.Mutex
	troubles []fact.Trouble
}

// New prepares to ask h.
func New(h host.Host) *At {
	a := &At{Host: h, System: h.System(), env: map[string]string{}}
	a.Path = a.System.Paths()
	for _, e := range h.Environ() {
		name, value, ok := strings.Cut(e, "=")
		if ok && name != "" {
			a.env[a.envKey(name)] = value
		}
	}
	a.seeThrough()
	a.dirs = a.spelled()
	for _, dir := range a.dirs {
		if dir = a.FromCwd(dir); dir != "" {
			a.found = append(a.found, dir)
		}
	}
	return a
}

// spelled splits PATH. On Unix an empty entry is the current folder; Windows passes it over.
func (a *At) spelled() []string {
	value := a.Env("PATH")
	if a.Path.Windows() || value == "" {
		return a.Path.List(value)
	}
	return strings.Split(value, a.Path.ListSeparator())
}

// FromCwd is a folder of PATH as a shell sees it: a relative one starts from the current folder. "" when that
// is not known.
func (a *At) FromCwd(dir string) string {
	switch {
	case dir != "" && a.Path.Abs(dir):
		return dir
	case a.System.Cwd == "":
		return ""
	}
	return a.Path.Join(a.System.Cwd, dir)
}

func (a *At) envKey(name string) string {
	if a.Path.Windows() {
		return strings.ToUpper(name)
	}
	return name
}

// Env returns a variable, "" when it is not set.
func (a *At) Env(name string) string { return a.env[a.envKey(name)] }

// HasEnv tells an empty variable from one that is not set.
func (a *At) HasEnv(name string) bool { _, ok := a.env[a.envKey(name)]; return ok }

// EnvNames lists the names that are set, sorted, as the system spells them.
func (a *At) EnvNames() []string {
	var out []string
	for _, e := range a.Environ() {
		if name, _, ok := strings.Cut(e, "="); ok && name != "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// PathDirs are the folders of PATH in order, as they are spelled there.
func (a *At) PathDirs() []string { return a.dirs }

// SearchDirs are the folders of PATH in order, each as a full path.
func (a *At) SearchDirs() []string { return a.found }

// IsFile, IsDir and Exists follow links; what cannot be looked at is not there for them.
func (a *At) IsFile(path string) bool {
	info, err := a.Stat(path)
	return err == nil && !info.Dir
}

// IsDir says whether path is a folder.
func (a *At) IsDir(path string) bool {
	info, err := a.Stat(path)
	return err == nil && info.Dir
}

// Exists says whether anything is at path.
func (a *At) Exists(path string) bool {
	_, err := a.Stat(path)
	return err == nil
}

// There says whether something is at path, also when it cannot be looked at: only "does not exist" is absent.
func (a *At) There(path string) bool {
	_, err := a.Stat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// FirstFile returns the first of paths that is a file, "" when none is.
func (a *At) FirstFile(paths ...string) string {
	for _, p := range paths {
		if p != "" && a.IsFile(p) {
			return p
		}
	}
	return ""
}

// Which finds a program on PATH as a shell does, "" when it is not there.
func (a *At) Which(name string) string {
	if all := a.WhichAll(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// WhichAll finds every file of that name on PATH, in order, each place once.
func (a *At) WhichAll(name string) []string {
	var out []string
	seen := map[string]bool{}
	for _, dir := range a.found {
		p := a.Path.Join(dir, a.Path.Program(name))
		if seen[a.Path.Key(p)] {
			continue
		}
		if info, err := a.Stat(p); err == nil && !info.Dir && info.Exec {
			seen[a.Path.Key(p)] = true
			out = append(out, p)
		}
	}
	return out
}

// Real resolves links; the path itself when that cannot be done.
func (a *At) Real(path string) string {
	if real, err := a.Resolve(path); err == nil {
		return real
	}
	return path
}

// RealIfOther is the resolved path when it differs, else "".
func (a *At) RealIfOther(path string) string {
	if real := a.Real(path); !a.Path.Same(real, path) {
		return real
	}
	return ""
}

// List is Names with a pattern and full paths.
func (a *At) List(dir string, keep *pattern.Pattern) []string {
	names, err := a.Names(dir, keep)
	if err != nil {
		a.Note("entries of "+dir, dir, err)
		return nil
	}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = a.Path.Join(dir, n)
	}
	return out
}

// Note keeps something that could not be read; what is simply not there is no trouble.
func (a *At) Note(about, source string, err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, host.ErrNotRecorded) || errors.Is(err, host.ErrNoRegistry) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t := fact.Trouble{About: about, Source: source, Why: Reason(err)}
	if !slices.Contains(a.troubles, t) {
		a.troubles = append(a.troubles, t)
	}
}

// Troubles returns what was noted, in a stable order.
func (a *At) Troubles() []fact.Trouble {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := slices.Clone(a.troubles)
	slices.SortFunc(out, func(x, y fact.Trouble) int {
		return cmp.Or(strings.Compare(x.Source, y.Source), strings.Compare(x.About, y.About), strings.Compare(x.Why, y.Why))
	})
	return out
}

// Reason is an error without the path that is told beside it anyway.
func Reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// Kind names a JSON type as a sentence has it.
func Kind(name string) string {
	if name == "array" || name == "object" {
		return "an " + name
	}
	return "a " + name
}

// Plain takes the words of this program's own source out of a parser's error: the reader has a file, no Go.
func Plain(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		field := kind.Field
		if field == "" {
			field = "the whole"
		}
		return fmt.Errorf("%s is %s, which does not belong there", field, Kind(kind.Value))
	}
	if text, _, ok := strings.Cut(err.Error(), " into "); ok && strings.HasPrefix(text, "toml: cannot") {
		return errors.New(text + " there")
	}
	return err
}

// Ask runs a program with the probe's time limit and returns what it printed to stdout. A program that ends
// with a code other than 0, hangs or prints nothing is an error that says so.
func (a *At) Ask(ctx context.Context, path string, args ...string) (string, error) {
	res, err := a.Run(ctx, host.Command{Path: path, Args: args, Timeout: Limit})
	if err != nil {
		return "", err
	}
	if res.Code != 0 {
		return res.Stdout, &ExitError{Path: path, Code: res.Code, Text: firstLine(res.Stderr, res.Stdout)}
	}
	if strings.TrimSpace(res.Stdout) == "" {
		return "", errors.New("run " + path + ": printed nothing")
	}
	return res.Stdout, nil
}

// ExitError is a program that ran and refused.
type ExitError struct {
	Path string
	Code int
	Text string
}

func (e *ExitError) Error() string {
	msg := "exit code " + strconv.Itoa(e.Code)
	if e.Text != "" {
		msg += ": " + e.Text
	}
	return msg
}

func firstLine(texts ...string) string {
	for _, t := range texts {
		for _, l := range strings.Split(t, "\n") {
			if l = strings.TrimSpace(l); l != "" {
				return l
			}
		}
	}
	return ""
}
