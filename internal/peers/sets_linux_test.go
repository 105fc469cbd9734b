package peers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// set is a set of kernels, compiled alike: each source of dir to one file in dir/out.
type set struct {
	name    string
	kind    string   // ptx, fatbin, object: as in the contract
	dir     string   // a copy for this test, with old times: a cache does not trust a file that has just been written
	sources []string // seen from dir
	archs   []string // 80, 86
	flags   []string // further options of nvcc
}

// endings of what is made, by kind.
var endings = map[string]string{"ptx": ".ptx", "fatbin": ".fatbin", "object": ".o"}

// call is the words after nvcc for one source.
func (s set) call(source string) []string {
	args := []string{"-ccbin", hostCompiler}
	args = append(args, s.flags...)
	if s.kind == "ptx" { // bindgen_cuda's spelling
		args = append(args, "--gpu-architecture=sm_"+s.archs[0])
	} else {
		for _, a := range s.archs {
			args = append(args, "-gencode", fmt.Sprintf("arch=compute_%s,code=sm_%s", a, a))
		}
	}
	how := map[string]string{"ptx": "--ptx", "fatbin": "--fatbin", "object": "-c"}[s.kind]
	return append(args, how, "-o", s.output(source), source)
}

// output is the file made of a source, seen from dir.
func (s set) output(source string) string {
	base := filepath.Base(source)
	return "out/" + strings.TrimSuffix(base, filepath.Ext(base)) + endings[s.kind]
}

// clean removes all outputs.
func (s set) clean(t testing.TB) {
	t.Helper()
	away(t, filepath.Join(s.dir, "out"))
	if err := os.Mkdir(filepath.Join(s.dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// complete says which output is missing.
func (s set) complete() error {
	for _, source := range s.sources {
		info, err := os.Stat(filepath.Join(s.dir, s.output(source)))
		if err == nil && info.Size() == 0 {
			err = errors.New("it is empty")
		}
		if err != nil {
			return fmt.Errorf("%s was not made of %s: %w", s.output(source), source, err)
		}
	}
	return nil
}

// candle is the kernels of candle-kernels 0.9.1 with the options of bindgen_cuda 0.1.6, which its build.rs calls (lib.rs, build_ptx).
// They compile as PTX or fatbin only: their guards break in a host pass.
func candle(t testing.TB, tk toolkit, kind string, archs ...string) set {
	t.Helper()
	from := filepath.Join(testbed.Root(t, "candle-0.9"), "candle-kernels-0.9.1", "src")
	s := set{kind: kind, archs: archs, flags: []string{"--default-stream", "per-thread", "-Isrc", "-I" + filepath.Join(tk.root, "include")}}
	s.name = "candle-kernels 0.9.1, " + s.what()
	s.fill(t, from, "src")
	return s
}

// heavy is a set of templates of our own: one algorithm of CUB or Thrust in each file.
func heavy(t testing.TB) set {
	t.Helper()
	s := set{kind: "object", archs: []string{"80", "86", "89", "90"}, flags: []string{"-std=c++17"}}
	s.name = "CUB and Thrust, " + s.what()
	s.fill(t, filepath.Join("testdata", "heavy"), ".")
	return s
}

func (s set) what() string { return s.kind + " for sm_" + strings.Join(s.archs, ", ") }

// fill copies the files of a folder to dir/under and takes its .cu files as sources.
func (s *set) fill(t testing.TB, from, under string) {
	t.Helper()
	s.dir = t.TempDir()
	if err := os.CopyFS(filepath.Join(s.dir, under), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(s.dir, under, "*.cu"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		s.sources = append(s.sources, filepath.Join(under, filepath.Base(f)))
	}
	age(t, filepath.Join(s.dir, under))
	s.clean(t)
}

// copied is the same set in another folder, without what was built.
func (s set) copied(t testing.TB) set {
	t.Helper()
	from := s.dir
	s.dir = t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, filepath.Dir(s.sources[0]), "*.cu*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		write(t, filepath.Join(s.dir, filepath.Dir(s.sources[0]), filepath.Base(f)), string(read(t, f)))
	}
	age(t, s.dir)
	s.clean(t)
	return s
}

// age gives every file below dir a time an hour ago.
func age(t testing.TB, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSets: the sets hold what the tables say.
func TestSets(t *testing.T) {
	tk := newToolkit(t, "13.0")
	for _, tt := range []struct {
		set   set
		files int
		call  string
	}{
		{candle(t, tk, "ptx", "80"), 11, "-ccbin g++-12 --default-stream per-thread -Isrc -I" + tk.root + "/include --gpu-architecture=sm_80 --ptx -o out/affine.ptx src/affine.cu"},
		{candle(t, tk, "fatbin", "80", "86", "89"), 11, "-ccbin g++-12 --default-stream per-thread -Isrc -I" + tk.root + "/include -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 -gencode arch=compute_89,code=sm_89 --fatbin -o out/affine.fatbin src/affine.cu"},
		{heavy(t), 6, "-ccbin g++-12 -std=c++17 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 -gencode arch=compute_89,code=sm_89 -gencode arch=compute_90,code=sm_90 -c -o out/histogram.o histogram.cu"},
	} {
		t.Run(tt.set.name, func(t *testing.T) {
			if len(tt.set.sources) != tt.files {
				t.Errorf("%d sources, want %d: %q", len(tt.set.sources), tt.files, tt.set.sources)
			}
			if got := strings.Join(tt.set.call(tt.set.sources[0]), " "); got != tt.call {
				t.Errorf("call = %s\nwant   %s", got, tt.call)
			}
		})
	}
}

// TestHeavyCompiles: the set is right for both toolkits; PTX for one arch, not optimised, is enough to tell.
func TestHeavyCompiles(t *testing.T) {
	testbed.Long(t)
	for _, release := range []string{"12.4", "13.0"} {
		t.Run(release, func(t *testing.T) {
			tk, s := newToolkit(t, release), heavy(t)
			for _, source := range s.sources {
				out := filepath.Join(t.TempDir(), "k.ptx")
				run(t, s.dir, nil, tk.nvcc, "-ptx", "-arch=sm_"+s.archs[0], "-Xcicc", "-O0", "-o", out, source)
				if info, err := os.Stat(out); err != nil || info.Size() == 0 {
					t.Errorf("%s: no PTX: %v", source, err)
				}
			}
		})
	}
}
