// Package profile keeps an environment: in a marked block of a shell's start file, in the [env] table of
// .cargo/config.toml, or in the user's part of the Windows registry; and it takes it away again, byte for byte.
// It writes files and the registry. What the environment is was decided by package environ.
//
// A file is written beside its place and renamed over it, so that a reader, or a machine that loses power, sees
// the old file or the new one and nothing between. What undo needs lies in the block itself.
package profile

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cupel/internal/environ"
)

// Kind is a place in which an environment can be kept.
type Kind string

const (
	Bash     Kind = "bash"
	Zsh      Kind = "zsh"
	Fish     Kind = "fish"
	Cargo    Kind = "cargo"
	Registry Kind = "registry"
)

// Kinds lists them in the order they are shown.
var Kinds = []Kind{Bash, Zsh, Fish, Cargo, Registry}

// ErrEdited: somebody changed it by hand. It is not overwritten unless Force says so.
var ErrEdited = errors.New("what cupel wrote was changed by hand since")

// ErrOther: a place holds one environment, and that of a build and that of a running program have different
// variables: the one would silently take the other away.
var ErrOther = errors.New("the other kind of environment is kept there")

// ErrNothing: there is no block to take away.
var ErrNothing = errors.New("nothing of cupel is kept here")

// Target is one such place.
type Target struct {
	Kind  Kind
	Path  string // the file; for the registry: the undo record, CUPEL_HOME/env-undo.json
	Force bool   // overwrite what was changed by hand, and the other kind of environment

	key string // registry: another key than Environment, for tests
}

// Report says what was done.
type Report struct {
	Path    string   `json:"path"`
	Changed bool     `json:"changed"`
	Done    []string `json:"done,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// For is the usual place of a kind. config is XDG_CONFIG_HOME, or empty; folder is one of the project whose
// cargo configuration is meant; state is CUPEL_HOME. What is not a full path is refused: a start file in the
// current folder is read by nobody.
func For(kind Kind, home, config, folder, state string) (Target, error) {
	if !filepath.IsAbs(config) { // the XDG specification has a relative one ignored
		config = filepath.Join(home, ".config")
	}
	path, err := "", error(nil)
	switch kind {
	case Bash:
		path = filepath.Join(home, ".bashrc")
	case Zsh:
		path = filepath.Join(home, ".zshrc")
	case Fish:
		path = filepath.Join(config, "fish", "config.fish")
	case Cargo:
		path, err = cargoFile(folder)
	case Registry:
		path = filepath.Join(state, "env-undo.json")
	default:
		err = fmt.Errorf("it is one of %s", strings.Trim(fmt.Sprint(Kinds), "[]"))
	}
	if err == nil && !filepath.IsAbs(path) {
		err = fmt.Errorf("the home folder is not known (HOME is %q, which is no full path): set HOME", home)
	}
	if err != nil {
		return Target{}, fmt.Errorf("no environment can be kept in %q: %w", kind, err)
	}
	return Target{Kind: kind, Path: path}, nil
}

// Place names the target for people: the record is not where the registry's values are.
func (t Target) Place() string {
	if t.Kind != Registry {
		return t.Path
	}
	return `HKCU\` + cmp.Or(t.key, "Environment")
}

// Persist keeps the set in the target. Doing it twice leaves one block.
func Persist(target Target, set environ.Set) (Report, error) {
	report, err := persist(target, set)
	if err != nil {
		return report, fmt.Errorf("keep environment in %s: %w", target.Place(), err)
	}
	return report, nil
}

func persist(target Target, set environ.Set) (Report, error) {
	if err := set.Check(); err != nil {
		return Report{}, err
	}
	if len(set.Vars) == 0 {
		return Report{}, errors.New("there is nothing to keep")
	}
	if target.Kind == Registry {
		return persistRegistry(target, set)
	}
	return edit(target, func(text string, made int) (string, error) {
		if target.Kind == Cargo {
			return mergeCargo(target, text, made, set)
		}
		return putShell(target, text, made, set)
	})
}

// Undo takes the environment away and restores what was there before.
func Undo(target Target) (Report, error) {
	report, err := undo(target)
	if err != nil {
		return report, fmt.Errorf("take environment out of %s: %w", target.Place(), err)
	}
	return report, nil
}

func undo(target Target) (Report, error) {
	if target.Kind == Registry {
		return undoRegistry(target)
	}
	return take(target)
}
