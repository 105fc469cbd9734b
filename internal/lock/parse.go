package lock

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/gpu"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

// ErrNewer: only a newer cupel reads the file. It is whole, and nobody should delete it.
var ErrNewer = errors.New("written by a newer cupel, update cupel")

// Broken is a lock that cannot be used: changed by hand or by a merge, or cut off.
type Broken struct{ err error }

func (b Broken) Error() string { return b.err.Error() }
func (b Broken) Unwrap() error { return b.err }

// Parse reads a lock strictly: it is written by a program, so whatever is not as the program writes it was changed
// by hand or by a merge, and must not be guessed at. The error is a Broken, or wraps ErrNewer.
func Parse(file string, data []byte) (*Lock, error) {
	l, err := parse(file, data)
	if err != nil && !errors.Is(err, ErrNewer) {
		err = Broken{err}
	}
	return l, err
}

func parse(file string, data []byte) (*Lock, error) {
	if err := readable(file, data); err != nil {
		return nil, err
	}
	var l Lock
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, located(file, err)
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &l, nil
}

// readable wants a text of this format, before anything else is made of it: a newer one may have keys that would
// only look wrong.
func readable(file string, data []byte) error {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return fmt.Errorf("%s: the file is empty", file)
	case len(data) > MaxSize:
		return fmt.Errorf("%s: larger than %d MiB, which no lock is", file, MaxSize>>20)
	case !utf8.Valid(data):
		return fmt.Errorf("%s: not UTF-8", file)
	}
	var first struct {
		Cupel *int `toml:"cupel"`
	}
	if err := toml.Unmarshal(data, &first); err != nil {
		return located(file, err)
	}
	switch {
	case first.Cupel == nil:
		return fmt.Errorf("%s: the key cupel is missing, with which every lock begins", file)
	case *first.Cupel > Version:
		return fmt.Errorf("%s: it has format %d, and this build reads %d: %w", file, *first.Cupel, Version, ErrNewer)
	case *first.Cupel != Version:
		return fmt.Errorf("%s: cupel = %d, and this build reads %d", file, *first.Cupel, Version)
	}
	return nil
}

// located puts the place in front of what toml says.
func located(file string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := strict.Errors[0]
		line, col := e.Position()
		return fmt.Errorf("%s:%d:%d: unknown key %s", file, line, col, strings.Join(e.Key(), "."))
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, col := de.Position()
		return fmt.Errorf("%s:%d:%d: %s", file, line, col, strings.TrimPrefix(de.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %w", file, err)
}

func (l *Lock) check() error {
	for _, key := range slices.Sorted(maps.Keys(l.Platforms)) {
		name, machine, _ := strings.Cut(key, "-")
		if !slices.Contains(names, name) || !slices.Contains(machines, machine) {
			return fmt.Errorf("platform.%s: not one of %s with -%s", key, strings.Join(names, ", "), strings.Join(machines, " or -"))
		}
		if err := l.Platforms[key].check(); err != nil {
			return fmt.Errorf("platform.%s.%w", key, err)
		}
	}
	return nil
}

func (p Platform) check() error {
	if !sum.MatchString(p.Contract) {
		return fmt.Errorf("contract: %q is no sha256", p.Contract)
	}
	if err := p.Toolkit.check(); err != nil {
		return fmt.Errorf("toolkit.%w", err)
	}
	for i, c := range p.Components {
		if err := c.check(p.Components[:i]); err != nil {
			return fmt.Errorf("component[%d].%w", i, err)
		}
	}
	if p.Host != nil {
		if err := p.Host.check(); err != nil {
			return fmt.Errorf("host.%w", err)
		}
	}
	if p.Arch != nil {
		if err := p.Arch.check(); err != nil {
			return fmt.Errorf("arch.%w", err)
		}
	}
	return nil
}

var (
	sum      = pattern.New(`^[0-9a-f]{64}$`)
	fileName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._+~%-]*$`) // apt writes the colon of a version as %3a
)

func (t Toolkit) check() error {
	if _, err := version.Parse(t.Release); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if _, err := version.Parse(t.Nvcc); t.Nvcc != "" && err != nil {
		return fmt.Errorf("nvcc: %w", err)
	}
	return oneOf("source", t.Source, Sources)
}

func (c Component) check(before []Component) error {
	switch {
	case !fileName.MatchString(c.Name):
		return fmt.Errorf("name: %q is no name", c.Name)
	case !fileName.MatchString(c.File):
		return fmt.Errorf("file: %q is no file name", c.File)
	case !sum.MatchString(c.SHA256):
		return fmt.Errorf("sha256: %q is none", c.SHA256)
	case c.Size < 0:
		return fmt.Errorf("size: %d", c.Size)
	case c.Version == "":
		return errors.New("version: missing")
	case slices.ContainsFunc(before, func(b Component) bool { return b.Name == c.Name }):
		return fmt.Errorf("name: %s is there twice", c.Name)
	}
	return nil
}

func (h Host) check() error {
	if _, err := version.Parse(h.Version); err != nil {
		return fmt.Errorf("version: %w", err)
	}
	return oneOf("family", h.Family, []string{"gcc", "clang", "msvc"})
}

func (a Arch) check() error {
	if len(a.Targets) == 0 {
		return errors.New("targets: missing")
	}
	for _, t := range a.Targets {
		if arch, err := gpu.ParseArch(t); err != nil || arch.String() != t {
			return fmt.Errorf("targets: %q is not written as sm_86", t)
		}
	}
	if a.PTX == "" {
		return nil
	}
	return oneOf("ptx", a.PTX, []string{"highest", "all", "none"})
}

func oneOf(key, word string, words []string) error {
	if slices.Contains(words, word) {
		return nil
	}
	return fmt.Errorf("%s: %q is not one of %s", key, word, strings.Join(words, ", "))
}
