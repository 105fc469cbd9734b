package record

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/call"
)

// Env is the environment that the command was given.
func (s Saved) Env() (call.Env, error) { return BaseEnv(s.Dir) }

// BaseEnv reads the environment that a run's command was given. The shim calls it, so it is quick.
func BaseEnv(run string) (call.Env, error) {
	text, err := readBounded(filepath.Join(run, envFile))
	if err != nil {
		return call.Env{}, fmt.Errorf("read the run's environment: %w", err)
	}
	e := call.Env{Values: map[string]string{}}
	for entry := range bytes.SplitSeq(text, []byte{0}) {
		if len(entry) == 0 {
			continue
		}
		// Windows has names that begin with =.
		name, value, has := strings.Cut(string(entry[1:]), "=")
		if name = string(entry[:1]) + name; has {
			e.Values[name] = value
		} else {
			e.Hidden = append(e.Hidden, name)
		}
	}
	return e, nil
}

// envText writes names in their order, so that equal environments are equal files.
func envText(e call.Env) []byte {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(e.Values)) {
		b = append(append(append(append(b, name...), '='), e.Values[name]...), 0)
	}
	for _, name := range e.Hidden {
		b = append(append(b, name...), 0)
	}
	return b
}
