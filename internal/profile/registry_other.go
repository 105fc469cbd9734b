//go:build !windows

package profile

import (
	"errors"

	"cupel/internal/environ"
)

var errNoRegistry = errors.New("only Windows has a registry")

func persistRegistry(Target, environ.Set) (Report, error) { return Report{}, errNoRegistry }

func undoRegistry(Target) (Report, error) { return Report{}, errNoRegistry }
