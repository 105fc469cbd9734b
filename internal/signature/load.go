package signature

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/finding"
)

// All is every signature of the program, by file name. They are part of it, so one that cannot be read is a
// programming error that the tests catch: it panics.
var All = sync.OnceValue(func() []*Signature {
	all, err := load()
	if err != nil {
		panic(err)
	}
	return all
})

func load() ([]*Signature, error) {
	names, err := fs.Glob(data.Files, "signatures/*.toml")
	if err != nil {
		return nil, fmt.Errorf("list signatures: %w", err)
	}
	all, errs := make([]*Signature, len(names)), make([]error, len(names))
	together(len(names), func(i int) {
		s := &Signature{ID: strings.TrimSuffix(path.Base(names[i]), ".toml"), Role: Cause}
		errs[i] = data.Read(names[i], s)
		s.Severity = severity(s.Role)
		all[i] = s
	})
	return all, errors.Join(errs...)
}

func severity(r Role) finding.Severity {
	if r == Warning {
		return finding.Warning
	}
	return finding.Error
}

// ByID finds a signature; nil when there is none.
func ByID(id string) *Signature {
	for _, s := range All() {
		if s.ID == id {
			return s
		}
	}
	return nil
}
