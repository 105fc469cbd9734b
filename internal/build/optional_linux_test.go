package build

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/cas"
)

// TestOptional: an optional kernel with libraries is built like any other. A source of it that fails is left out of them and told,
// and what it read is among the inputs: whoever mends it wants it built.
func TestOptional(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) +
		"[[kernels]]\nname = \"o\"\nsources = [\"*.cu\"]\nkinds = [\"object\", \"static\", \"shared\"]\noptional = true\ndevice-link = true\n"
	job := realJob(t, "cuda-12.4", "12.4", text, map[string]string{"a.cu": plain, "b.cu": "#include \"b.h\"\nint b() { return B; }\n", "b.h": "#define B 1\n"})
	o := options(t)
	r := ran(t, job, o)
	want := []string{"object build/cupel/o/a.o", "object build/cupel/o/b.o", "device-link build/cupel/o/o-device-link.o", "static build/cupel/o/libo.a", "shared build/cupel/o/libo.so"}
	if got := namesOf(r, job.Root); !r.OK() || len(r.Failed) > 0 || !slices.Equal(got, want) {
		t.Fatalf("made %q, want %q; failed %+v", got, want, r.Failed)
	}
	if b, err := os.ReadFile(filepath.Join(job.Root, "build/cupel/o/a.o")); err != nil || !strings.HasPrefix(string(b), "\x7fELF") {
		t.Errorf("a.o is no object any more: %.8q, %v", b, err)
	}

	write := func(name, body string) {
		if err := os.WriteFile(filepath.Join(job.Root, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("b.h", "#define B missing\n")
	r = ran(t, job, o)
	if got := namesOf(r, job.Root); !r.OK() || len(r.Failed) != 1 || slices.Contains(got, "object build/cupel/o/b.o") || !slices.Contains(got, "static build/cupel/o/libo.a") {
		t.Errorf("with a source that fails: made %q, failed %+v", got, r.Failed)
	}
	for _, name := range []string{"a.cu", "b.cu", "b.h"} {
		if !slices.Contains(r.Inputs, filepath.Join(job.Root, name)) {
			t.Errorf("%s is none of the inputs %q", name, r.Inputs)
		}
	}
	if id, what, _ := Warning(strings.Join(r.Notes, "\n")); id != "optional-kernel-failed" || !strings.Contains(what, "b.cu") {
		t.Errorf("notes %q", r.Notes)
	}
	write("b.h", "#define B 2\n")
	if got := namesOf(ran(t, job, o), job.Root); !slices.Equal(got, want) {
		t.Errorf("mended: made %q, want %q", got, want)
	}
}

// TestStoreWent: a store that is deleted at any moment of a compilation fails no build, and leaves no older output.
func TestStoreWent(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("k"), map[string]string{"k.cu": plain})
	o := options(t)
	for i, after := range []time.Duration{50, 150, 300, 450, 600, 800} {
		value := string(rune('A' + i))
		body := strings.ReplaceAll("extern \"C\" __global__ void only_V(int *p) { *p = 1; }\n", "V", value)
		if err := os.WriteFile(filepath.Join(job.Root, "k.cu"), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			select {
			case <-time.After(after * time.Millisecond):
				_ = os.RemoveAll(o.Store.Dir)
			case <-ctx.Done():
			}
		}()
		r := ran(t, job, o)
		end()
		<-gone
		made, err := os.ReadFile(filepath.Join(job.Root, "build/cupel/k/k.ptx"))
		if err != nil || !r.OK() || !strings.Contains(string(made), "only_"+value) {
			t.Errorf("deleted after %d ms: %v; ok %v, notes %q, failed %+v", after, err, r.OK(), r.Notes, r.Failed)
		}
	}
}

// TestStoreUnusable: where nothing can be kept, a build is exact all the same: what it made is up to date the next time.
func TestStoreUnusable(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("k"), map[string]string{"k.cu": plain})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	o := Options{Store: cas.Store{Dir: filepath.Join(file, "store")}}
	r := ran(t, job, o)
	if !r.OK() || r.Calls != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "results are not kept in the store") {
		t.Errorf("first: ok %v, %d calls, notes %q", r.OK(), r.Calls, r.Notes)
	}
	if r := ran(t, job, o); r.Calls != 0 || r.Fresh != 1 {
		t.Errorf("again: %d calls, %d up to date", r.Calls, r.Fresh)
	}
	left, err := os.ReadDir(filepath.Join(job.Root, "build/cupel", roomless, "work"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
