package realbuilds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

// stats is what the store of the test counted.
func stats(t *testing.T) render.CacheStats {
	t.Helper()
	r := run(t, scratch, nil, "cupel", "cache", "stats", "--json")
	var s render.CacheStats
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("cupel cache stats --json: %v\n%s", err, r.all)
	}
	return s
}

// withHeader gives the project a header that both files include.
func (p project) withHeader(t *testing.T) string {
	t.Helper()
	header := filepath.Join(p.dir, "src", "mine.h")
	write(t, header, "// one\n")
	for _, name := range []string{"saxpy.cu", "scale.cu"} {
		file := filepath.Join(p.dir, "src", name)
		write(t, file, "#include \"mine.h\"\n"+read(t, file))
	}
	return header
}

// CMake with cupel-nvcc as its launcher, without cupel exec: a build folder that was deleted is answered by the store, and
// Ninja knows the headers afterwards, out of the files of dependencies that the store placed.
func TestCMakeLauncher(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	p := newProject(t, "cmake", testbed.Toolkit(t, "cuda-13.0"), builders(t), "CUDAARCHS=80")
	header := p.withHeader(t)
	build := func(fresh bool) result {
		if fresh {
			if err := os.RemoveAll(filepath.Join(p.dir, "build")); err != nil {
				t.Fatal(err)
			}
			if r := p.plain(t, "cmake", "-GNinja", "-B", "build", "-DCMAKE_CUDA_COMPILER_LAUNCHER=cupel-nvcc"); r.code != 0 {
				t.Fatalf("exit code %d\n%s", r.code, r.all)
			}
		}
		r := p.plain(t, "cmake", "--build", "build")
		if r.code != 0 {
			t.Fatalf("exit code %d\n%s", r.code, r.all)
		}
		return r
	}
	build(true)
	first := stats(t)
	if first.Misses == 0 {
		t.Fatalf("the store was not asked: %+v", first)
	}
	build(true)
	if second := stats(t); second.Misses != first.Misses || second.Hits < first.Hits+first.Misses {
		t.Errorf("a deleted build folder: %+v, before %+v", second, first)
	}
	if r := build(false); !strings.Contains(r.all, "no work to do") {
		t.Errorf("after hits Ninja has something to do:\n%s", r.all)
	}
	before := stats(t)
	write(t, header, "// two\n")
	if r := build(false); strings.Contains(r.all, "no work to do") || stats(t).Misses == before.Misses {
		t.Errorf("another header, and nothing was compiled: %+v\n%s", stats(t), r.all)
	}
}

// The same build twice under cupel exec: the ending and cupel runs tell what came from the store; --no-cache makes every call,
// and replay the call itself.
func TestExecTwice(t *testing.T) {
	t.Parallel()
	p := newProject(t, "cmake", testbed.Toolkit(t, "cuda-13.0"), builders(t))
	call := []string{"nvcc", "-ptx", "-arch=sm_80", "src/scale.cu", "-o", "scale.ptx"}
	for i, tt := range []struct {
		option, ending string
		cached         int
	}{
		{"--no-cache", "1 nvcc call (src: 1), ", 0},
		{"--quiet=false", "1 nvcc call (src: 1), ", 0},
		{"--quiet=false", "1 nvcc call (src: 1), 1 from the cache, ", 1},
		{"--no-cache", "1 nvcc call (src: 1), ", 0},
	} {
		r := run(t, p.dir, p.env, append([]string{"cupel", "exec", "--toolkit", p.root, tt.option, "--"}, call...)...)
		if r.code != 0 || strings.Contains(r.all, "from the cache") != (tt.cached > 0) {
			t.Errorf("run %d: exit code %d\n%s", i, r.code, r.all)
		}
		contains(t, "the ending", ending(t, r), tt.ending)
		if listed, calls := lastRun(t); listed.Cached != tt.cached || len(calls) != 1 || (calls[0].Cache == "hit") != (tt.cached > 0) {
			t.Errorf("run %d is listed with %d from the cache, want %d: %+v", i, listed.Cached, tt.cached, calls)
		}
	}
	before := stats(t)
	want := read(t, filepath.Join(p.dir, "scale.ptx"))
	if err := os.Remove(filepath.Join(p.dir, "scale.ptx")); err != nil {
		t.Fatal(err)
	}
	if r := run(t, p.dir, p.env, "cupel", "replay", "last.1"); r.code != 0 {
		t.Errorf("replay: exit code %d\n%s", r.code, r.all)
	}
	if after := stats(t); read(t, filepath.Join(p.dir, "scale.ptx")) != want || after.Hits != before.Hits || after.Misses != before.Misses {
		t.Errorf("the replay went through the store: %+v, before %+v", after, before)
	}
}
