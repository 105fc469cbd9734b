package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/nvcc"
)

// rerun is a recorded call as it is run again.
type rerun struct {
	kept
	program string
	args    []string
	dir     string
	env     map[string]string // NAME → value, secrets with those of this shell
	bare    bool              // nothing of this shell's environment is meant to be there (--clean-env)
	notes   []string          // what is not as it was
}

func newRerun(k kept) (*rerun, error) {
	b := k.call.Begin
	if b.Path == "" {
		return nil, fmt.Errorf("replay %s: its record does not tell the program%s", k.id, because(k.call.Torn))
	}
	r := &rerun{kept: k, program: b.Path, dir: b.Dir}
	r.chooseArgs()
	r.fillEnv()
	r.lookAtInputs()
	return r, nil
}

func because(torn string) string {
	if torn == "" {
		return ""
	}
	return ": " + torn
}

func (r *rerun) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// chooseArgs takes the arguments as they were called, so that the command looks as in the build. Where a response file
// says something else by now, what it said then stands in its place.
func (r *rerun) chooseArgs() {
	b := r.call.Begin
	for _, l := range b.Lost {
		r.note("a response file was not recorded: %s", l)
	}
	switch {
	case b.Used != nil:
		r.args = b.Used
		var names []string
		for _, c := range b.Changes {
			names = append(names, c.Fix)
		}
		r.note("with the repairs of the run: %s", strings.Join(slices.Compact(names), ", "))
	case b.Expanded == nil:
		r.args = b.Args
	default:
		r.args = b.Args
		now, lost := nvcc.Expand(b.Args, func(name string) ([]byte, error) { return os.ReadFile(r.from(name)) })
		if len(lost) > 0 || !slices.Equal(now, b.Expanded) {
			r.args = b.Expanded
			r.note("a response file is gone or was changed: what it said then is used")
		}
	}
}

// from is a path as the call meant it.
func (r *rerun) from(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.call.Begin.Dir, path)
}

// fillEnv takes the values that may not be recorded from this shell, and says so.
func (r *rerun) fillEnv() {
	r.env = map[string]string{}
	for name, value := range r.had.Values {
		if !call.OfExec(name) { // a call that is run again is no call of that run
			r.env[name] = value
		}
	}
	var taken, missing []string
	for _, name := range r.had.Hidden {
		if value, ok := os.LookupEnv(name); ok {
			r.env[name] = value
			taken = append(taken, name)
		} else {
			missing = append(missing, name)
		}
	}
	if len(taken) > 0 {
		r.note("not recorded, taken from this shell: %s", strings.Join(taken, ", "))
	}
	if len(missing) > 0 {
		r.note("not recorded and not set in this shell: %s", strings.Join(missing, ", "))
	}
}

// sameName: Windows names have no case.
func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// environ is the environment in the form of a process, sorted.
func (r *rerun) environ() []string { return asList(r.env) }

// lookAtInputs says which inputs are not what they were.
func (r *rerun) lookAtInputs() {
	if slices.Contains(r.call.Begin.Args, "-") {
		r.notes = append(r.notes, "the call read its source from standard input, which is not recorded: it is read from here now")
	}
	for _, in := range r.call.Begin.Inputs {
		info, err := os.Stat(r.from(in.Path))
		switch {
		case errors.Is(err, fs.ErrNotExist) && in.Size >= 0:
			r.note("%s is gone", in.Path)
		case err == nil && in.Size < 0:
			r.note("%s was not there, and is now", in.Path)
		case err == nil && !info.IsDir() && info.Size() != in.Size:
			r.note("%s has %d bytes, it had %d", in.Path, info.Size(), in.Size)
		}
	}
}

// canStart: without its folder or its program a call is another one.
func (r *rerun) canStart() error {
	if info, err := os.Stat(r.dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be run: its folder %s is gone", r.id, r.dir)
	}
	if _, err := os.Stat(r.program); err != nil {
		return fmt.Errorf("%s cannot be run: %s is gone", r.id, r.program)
	}
	return nil
}

// shortCommand is the command on one line, its beginning where it is long.
func (r *rerun) shortCommand() string {
	text := []rune(nvcc.Paste(append([]string{r.program}, call.Shown(r.args)...), runtime.GOOS == "windows"))
	if len(text) > shownCommand {
		return fmt.Sprintf("%s… (%d arguments)", string(text[:shownCommand]), len(r.args))
	}
	return string(text)
}

const shownCommand = 400
