package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/relay"
)

// program is the name of this program where it stands for no tool.
const program = "cupel-nvcc"

// launcherUsage says what this program is where it stands for no tool.
const launcherUsage = `it stands before nvcc, and answers a call that was made before from the store
  cupel-nvcc nvcc ARGUMENTS                      as ccache is called
  ln -s …/cupel-nvcc nvcc                        the same by its name: the next nvcc on PATH is called
  CMAKE_CUDA_COMPILER_LAUNCHER=cupel-nvcc        every call of a CMake build
  cupel exec -- COMMAND                          puts it in the place of nvcc, and records the calls
variables: CUPEL_CACHE (folder), CUPEL_CACHE_LIMIT (10G), CUPEL_NO_CACHE=1 (off); see cupel cache stats`

// launcher is the target of a call with the compiler as its first argument, as ccache is called: cupel-nvcc nvcc -c k.cu.
func (t target) launcher() (target, error) {
	if len(t.args) == 0 {
		return target{}, errors.New(launcherUsage)
	}
	if t.args[0] == "--help" || t.args[0] == "-h" {
		_, err := os.Stdout.WriteString(program + ": " + launcherUsage + "\n")
		os.Exit(int(lost(err, call.End{}).Code))
	}
	name := t.args[0]
	t.args = t.args[1:]
	if strings.ContainsRune(name, '/') || windows && strings.ContainsAny(name, `\:`) {
		return t.before(atPath(name))
	}
	return t.before(t.onPath(name))
}

// named is the target of a call under the name of nvcc, by a link that is first on PATH: the next one there. One that is
// itself a wrapper and calls nvcc again means the one after it.
func (t target) named(tool string) (target, error) {
	real, err := t.onPath(tool)
	if err != nil {
		return target{}, err
	}
	if nested(tool) {
		t.tool, t.real, t.again = tool, real, true
		t.real, err = t.onPath(tool, real)
		return t, err
	}
	return t.before(real, nil)
}

// nested: a call of the tool by what this program called.
func nested(tool string) bool {
	return slices.Contains(strings.Fields(os.Getenv(call.NestVariable)), tool)
}

// before is the target of a launcher that stands before a program.
func (t target) before(real string, err error) (target, error) {
	if err != nil {
		return target{}, err
	}
	if sameFile(real, t.self) {
		return target{}, fmt.Errorf("find %s: it is this program itself", real)
	}
	t.tool, t.real, t.alone = toolName(real), real, true
	t.onward = shimAt(real)
	return t, nil
}

// onPath finds a program as a shell does; this one and the others named are passed over.
func (t target) onPath(name string, but ...string) (string, error) {
	why := "it is not on PATH"
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir == "" {
			continue
		}
		path, ok := withEnding(filepath.Join(dir, name))
		if ok && !slices.ContainsFunc(append(but, t.self), func(o string) bool { return sameFile(path, o) }) {
			return filepath.Abs(path)
		}
		if ok {
			why = "PATH has no other than this program (" + path + ")"
		}
	}
	return "", fmt.Errorf("find %s: %s", name, why)
}

func atPath(name string) (string, error) {
	if path, ok := withEnding(name); ok {
		return filepath.Abs(path)
	}
	return "", fmt.Errorf("find %s: %w", name, os.ErrNotExist)
}

// withEnding: Windows knows a program without its .exe.
func withEnding(path string) (string, bool) {
	if runs(path) {
		return path, true
	}
	path += ".exe"
	return path, windows && runs(path)
}

// launched makes a call with the store and no record. false: nothing was started.
func (t target) launched() (code int, ok bool) {
	if !t.alone {
		return 0, false
	}
	a := t.ask(t.args, relay.Same(os.Stdout, os.Stderr))
	if a.found != nil {
		e, sig, err := a.tell()
		return finish(lost(err, e), sig), true
	}
	args := a.begin()
	if args == nil {
		return 0, false
	}
	r, err := relay.Open(os.Stdout, os.Stderr, a.keep)
	if err != nil {
		a.work.End()
		return 0, false
	}
	a.merged, t.temp = r.Merged, a.work.Dir
	c, err := t.start(args, stdin(), r.Stdout.Fd(), r.Stderr.Fd())
	r.Started()
	if c.plain {
		a.abandon()
	}
	c.asked = a.signals
	e, sig := t.ending(c, err)
	r.Wait(grace)
	e = lost(r.Err(), e)
	e, again := a.end(e)
	if again != nil {
		complain(again, 0)
		return 0, false
	}
	return finish(e, sig), true
}

// lost says that output did not come where it should, which a tool that ended before could not notice.
func lost(err error, e call.End) call.End {
	if err != nil {
		complain(err, 0)
		if e.Code == 0 {
			e.Code = codeLost
		}
	}
	return e
}
