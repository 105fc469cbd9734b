package mirror

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestMakeAtOnce: several processes make one mirror while a build uses it. On Unix the build never misses an entry.
func TestMakeAtOnce(t *testing.T) {
	m, k, home := madeUp(t)
	dir := t.TempDir()
	progs := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	for i, prog := range progs {
		write(t, prog, strings.Repeat("program", 1000*(i+1)))
	}
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, progs[0])
	var wg, reader sync.WaitGroup
	done := make(chan struct{})
	missed := 0
	reader.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			for _, at := range []string{p.Nvcc, filepath.Join(p.Dir, "include", "cuda.h"), filepath.Join(p.Dir, "bin", "nvcc.profile")} {
				if _, err := os.ReadFile(at); errors.Is(err, fs.ErrNotExist) {
					missed++
				}
			}
		}
	})
	for i := range 4 {
		wg.Go(func() {
			for range 10 { // each time with the other program: every round replaces the shim
				if err := Make(context.Background(), p, progs[i%2]); err != nil {
					t.Errorf("make: %v", err)
				}
			}
		})
	}
	wg.Wait()
	close(done)
	reader.Wait()
	if missed > 0 && runtime.GOOS != "windows" {
		t.Errorf("a build would have missed an entry %d times", missed)
	}
	if got := entries(t, p); got["include/cuda.h"] != "one include/cuda.h" {
		t.Errorf("entries %q", got)
	}
}

// TestLayoutsAtOnce: two processes disagree whether an entry is a link or a folder of the mirror's own. What is behind the
// link stays.
func TestLayoutsAtOnce(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	link := mustPlan(t, m, k, home, Options{})
	folder := link
	folder.Links = slices.DeleteFunc(slices.Clone(link.Links), func(l Link) bool { return l.At == "include" })
	folder.Links = append(folder.Links, Link{"include/other.h", filepath.Join(k.Root, "version.json")})
	var wg sync.WaitGroup
	for _, p := range []Plan{link, folder, link, folder} {
		wg.Go(func() {
			for range 25 {
				_ = Make(context.Background(), p, prog) // the other may have taken the place meanwhile
			}
		})
	}
	wg.Wait()
	for _, f := range []string{"include/cuda.h", "include/crt/host_config.h", "version.json"} {
		if got := read(t, filepath.Join(k.Root, filepath.FromSlash(f))); got != "one "+f {
			t.Errorf("%s of the real toolkit reads %q", f, got)
		}
	}
	if list, err := os.ReadDir(filepath.Join(k.Root, "include")); err != nil || len(list) != 2 {
		t.Errorf("include of the real toolkit has %v (%v), want crt and cuda.h", list, err)
	}
	mustMake(t, link, prog)
	if got := entries(t, link); got["include/cuda.h"] == "" || got["include/other.h"] != "" {
		t.Errorf("entries %q", got)
	}
}

// TestRunningShimIsReplaced: an update comes while nvcc runs. Windows lets no program that runs be overwritten or removed.
func TestRunningShimIsReplaced(t *testing.T) {
	m, k, home := madeUp(t)
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, program(t))
	cmd := exec.CommandContext(limit(t), p.Nvcc)
	cmd.Env = append(os.Environ(), waitVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, other, "another program")
	mustMake(t, p, other)
	if got := read(t, p.Nvcc); !strings.HasPrefix(got, "another program") {
		t.Error("nvcc is still the old one")
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the running one: %v", err)
	}
}
