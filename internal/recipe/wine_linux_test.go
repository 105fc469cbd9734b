package recipe

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/nvcc"
	"cupel/internal/testbed"
)

// windows runs NVIDIA's nvcc.exe 13.0 under wine in a folder; what it made is in a file named by -o.
func windows(t *testing.T, dir, keep string, args ...string) result {
	t.Helper()
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "vs")
	prefix := testbed.Wine(t)
	if keep != "" {
		if err := os.MkdirAll(filepath.Join(dir, keep), 0o755); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(filepath.Join(dir, keep))
		args = Kept(args, prefix.Windows(filepath.Join(dir, keep)))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := prefix.Command(ctx, testbed.CUDAFolder+`\v13.0\bin\nvcc.exe`, args...)
	cmd.Dir, cmd.Env = dir, append(cmd.Env, "WINEPATH="+testbed.HostX64)
	// The first program of a prefix starts wine's services, which keep its output open. It goes to a file, so nobody waits.
	out, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	said, _ := os.ReadFile(out.Name())
	if err != nil {
		t.Fatalf("nvcc.exe %q: %v\n%s", args, err, said)
	}
	name, _ := nvcc.Parse(args).Last("output-file")
	made, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	r := result{output: made, said: said, kept: map[string][]byte{}}
	if keep != "" {
		r.keep(t, filepath.Join(dir, keep))
	}
	return r
}

// TestWindowsKept: nvcc.exe leaves its files in a folder whose name has blanks, the same ones as on Linux, and gives the bytes
// that it gives without. Private names are made of the folder there too.
func TestWindowsKept(t *testing.T) {
	testbed.Long(t)
	for _, tt := range []struct{ name, args, preprocessed, source string }{
		{"PTX", "-ptx -arch=sm_80", "k.cpp1.ii", private},
		{"cubin", "-cubin -arch=sm_80", "k.cpp1.ii", public},
		{"fatbin", "-fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90", "k.compute_80.cpp1.ii k.compute_90.cpp1.ii", public},
		{"object", "-c -arch=sm_80", "k.cpp1.ii k.cpp4.ii", public},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, args := project(t, "p", tt.source), append(strings.Fields(tt.args), "k.cu", "-o", "out.x")
			kept := windows(t, dir, "on the way", args...)
			if got := strings.Join(kept.files(".ii"), " "); got != tt.preprocessed {
				t.Errorf("nvcc.exe leaves %s, want %s", got, tt.preprocessed)
			}
			r, refused := For(nvcc.Parse(args), none, true)
			if refused != nil {
				t.Fatal(refused)
			}
			if r.Kind != "object" {
				if plain := windows(t, dir, "", args...); !bytes.Equal(plain.output, kept.output) {
					t.Error("the bytes are not those without --keep")
				}
			}
			inside := r.Private(kept.output)
			for _, name := range slices.Concat(kept.files(".ptx"), kept.files(".cubin")) {
				inside = inside || r.Private(kept.kept[name])
			}
			if want := tt.source == private; inside != want {
				t.Errorf("private names inside: %v, want %v", inside, want)
			}
		})
	}
}
