package host

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/pattern"
)

// FuzzParse: a recorded host is a stranger's file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	paths, _ := filepath.Glob("../../testdata/hosts/*.txtar")
	for _, p := range paths {
		if b, err := os.ReadFile(p); err == nil {
			f.Add(b)
		}
	}
	any := pattern.New(".")
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Parse(b, func(string) ([]byte, error) { return b, nil })
		if err != nil {
			return
		}
		for _, n := range r.tree {
			_, _ = r.Stat(n.path)
			_, _ = r.Resolve(n.path)
			if n.size < 1<<20 {
				_, _ = r.ReadFile(n.path)
				_, _ = r.Search(n.path, any)
			}
		}
		_, _ = r.Names("/", any)
	})
}

type memory struct{ *bytes.Reader }

func (memory) Close() error  { return nil }
func (m memory) Size() int64 { return m.Reader.Size() }

// FuzzSearch: programs, libraries and the loader's cache are foreign bytes (ELF, PE or neither).
func FuzzSearch(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01\x00release 13.0, V13.0.88\x00"))
	f.Add([]byte("MZ\x00\x00release 13.0, V13.0.88\x00"))
	f.Add([]byte("#!/bin/sh\nexec nvcc\n"))
	if exe, err := os.Executable(); err == nil {
		if b, err := os.ReadFile(exe); err == nil && len(b) > 4096 {
			f.Add(b[:4096])
		}
	}
	want := pattern.New(`release \d+\.\d+, V\d+\.\d+\.\d+`)
	f.Fuzz(func(t *testing.T, b []byte) {
		text, _ := searchStrings(memory{bytes.NewReader(b)}, want)
		if text != "" && !want.MatchString(text) {
			t.Errorf("found %q, which does not match", text)
		}
	})
}
