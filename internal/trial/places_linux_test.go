package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlaces: what may be covered, and what must not be.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		name          string
		files         []string // a → b is a link
		hide          Hide     // paths below the test's folder
		project       string
		gone, visible []string
	}{
		{"a root and a link to it", []string{"/cuda-12/bin/nvcc", "/cuda -> cuda-12"}, Hide{Roots: []string{"/cuda"}}, "/p", []string{"/cuda", "/cuda-12"}, nil},
		{"a root in the project", []string{"/p/third/cuda/bin/nvcc"}, Hide{Roots: []string{"/p/third/cuda"}}, "/p", nil, []string{"/p/third/cuda: it belongs to the project"}},
		{"a root around the project", []string{"/cuda/bin/nvcc", "/cuda/lib64/x", "/cuda/samples/p/x"}, Hide{Roots: []string{"/cuda"}}, "/cuda/samples/p", []string{"/cuda/bin", "/cuda/lib64"}, nil},
		{"a root around a compiler", []string{"/all/bin/g++", "/all/lib64/x"}, Hide{Roots: []string{"/all"}, Keep: []string{"/all/bin/g++"}}, "/p", []string{"/all/lib64"}, nil},
		{"a root that is gone", nil, Hide{Roots: []string{"/cuda"}}, "/p", nil, nil},
		{"a program among others, and what it leads to", []string{"/bin/nvcc -> ../k/nvcc", "/k/nvcc", "/bin/cc"}, Hide{BinDirs: []string{"/bin"}}, "/p", []string{"/bin/nvcc", "/k/nvcc"}, nil},
		{"a link to a program of another name", []string{"/bin/nvcc -> ccache", "/bin/ccache"}, Hide{BinDirs: []string{"/bin"}}, "/p", []string{"/bin/nvcc"}, nil},
		{"a library beside others", []string{"/lib/libcuda.so.1", "/lib/libz.so.1", "/lib/stubs/libcuda.so"}, Hide{Libraries: []string{"/lib/libcuda.so.1"}}, "/p", []string{"/lib/libcuda.so.1", "/lib/stubs/libcuda.so"}, nil},
		{"headers only where CUDA's are", []string{"/a/cuda.h", "/a/crt/x", "/a/stdio.h", "/b/crt/x"}, Hide{Headers: []string{"/a", "/b"}}, "/p", []string{"/a/crt", "/a/cuda.h"}, nil},
		{"a library in the project", []string{"/p/lib/libcuda.so"}, Hide{LibDirs: []string{"/p/lib"}}, "/p", nil, []string{"/p/lib/libcuda.so: it belongs to the project"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := resolved(t.TempDir())
			for _, f := range append(tt.files, tt.project+"/cupel.toml") {
				plantFile(t, root, f)
			}
			h := tt.hide
			for _, list := range []*[]string{&h.Roots, &h.Keep, &h.BinDirs, &h.Libraries, &h.Headers, &h.LibDirs} {
				*list = inside(root, *list)
			}
			got := findPlaces(h, root+tt.project)
			if diff := cmp.Diff(tt.gone, within(root, got.gone)); diff != "" {
				t.Errorf("gone (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.visible, within(root, got.visible)); diff != "" {
				t.Errorf("visible (-want +got):\n%s", diff)
			}
		})
	}
}

func plantFile(t *testing.T, root, file string) {
	t.Helper()
	name, target, link := strings.Cut(file, " -> ")
	at := filepath.Join(root, name)
	err := os.MkdirAll(filepath.Dir(at), 0o755)
	if link && err == nil {
		err = os.Symlink(target, at)
	} else if err == nil {
		err = os.WriteFile(at, nil, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func inside(root string, list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = root + out[i]
	}
	return out
}

// within leaves out what this machine itself has.
func within(root string, list []string) []string {
	var out []string
	for _, p := range list {
		if rest, ok := strings.CutPrefix(p, root); ok {
			out = append(out, rest)
		}
	}
	return out
}
