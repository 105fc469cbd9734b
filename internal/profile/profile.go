// Package profile keeps an environment: in a marked block of a shell's start file, in the [env] table of
// .cargo/config.toml, or in the user's part of the Windows registry; and it takes it away again, byte for byte.
// It writes files and the registry. What the environment is was decided by package environ.
//
// A file is written beside its place and renamed over it, so that a reader, or a machine that loses power, sees
// the old file or the new one and nothing between. What undo needs lies in the block itself.
package profile

import (
	"errors"
	"fmt"
	"path/filepath"

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

// ErrEdited: somebody changed the block by hand. It is not overwritten unless Force says so.
var ErrEdited = errors.New("the block was changed by hand since cupel wrote it")

// ErrNothing: there is no block to take away.
var ErrNothing = errors.New("nothing of cupel is kept here")

// Target is one such place.
type Target struct {
	Kind  Kind
	Path  string            // the file; for the registry: the undo record, CUPEL_HOME/env-undo.json
	Env   map[string]string // the environment now; cargo needs it for PATH
	Force bool              // overwrite a block that was changed by hand

	key string // registry: another key than Environment, for tests
}

// Report says what was done.
type Report struct {
	Path    string   `json:"path"`
	Changed bool     `json:"changed"`
	Done    []string `json:"done,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// For is the usual place of a kind. config is XDG_CONFIG_HOME, or empty; project is the folder whose cargo
// configuration is meant; state is CUPEL_HOME.
func For(kind Kind, home, config, project, state string) (Target, error) {
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	paths := map[Kind]string{
		Bash: filepath.Join(home, ".bashrc"), Zsh: filepath.Join(home, ".zshrc"),
		Fish:  filepath.Join(config, "fish", "config.fish"),
		Cargo: filepath.Join(project, ".cargo", "config.toml"), Registry: filepath.Join(state, "env-undo.json"),
	}
	path, ok := paths[kind]
	if !ok {
		return Target{}, fmt.Errorf("no environment can be kept in %q: it is one of bash, zsh, fish, cargo, registry", kind)
	}
	return Target{Kind: kind, Path: path}, nil
}

// Persist keeps the set in the target. Doing it twice leaves one block.
func Persist(target Target, set environ.Set) (Report, error) {
	report, err := persist(target, set)
	if err != nil {
		return report, fmt.Errorf("keep environment in %s: %w", target.Path, err)
	}
	return report, nil
}

func persist(target Target, set environ.Set) (Report, error) {
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
		return report, fmt.Errorf("take environment out of %s: %w", target.Path, err)
	}
	return report, nil
}

func undo(target Target) (Report, error) {
	if target.Kind == Registry {
		return undoRegistry(target)
	}
	return take(target)
}
