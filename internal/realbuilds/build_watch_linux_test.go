package realbuilds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuildWatchMeanwhile: a header that is edited while the first build goes on, after its user was compiled, is built: nobody
// watched its folder then.
func TestBuildWatchMeanwhile(t *testing.T) {
	t.Parallel()
	k := small(t)
	write(t, k.path("k.cu"), "#include \"sub/h.h\"\n__global__ void k(int *p) { p[0] = VALUE; }\n// the longest file is first"+strings.Repeat(".", 4000)+"\n")
	write(t, k.path("sub/h.h"), "#define VALUE 1111\n")
	for _, name := range []string{"x.cu", "y.cu", "z.cu"} {
		write(t, k.path(name), plainKernel)
	}
	has := func(text string) func() bool {
		return func() bool {
			b, _ := os.ReadFile(k.path("build/cupel/k/k.ptx"))
			return strings.Contains(string(b), text)
		}
	}
	p := k.start(t, "cupel", "build", "--watch", "-j1", "--toolkit", k.root)
	until(t, "the first file", p, has("1111"))
	write(t, k.path("sub/h.h"), "#define VALUE 2222\n")
	if strings.Contains(p.text(), "built: ") {
		t.Fatalf("the first build was over before the edit:\n%s", p.text())
	}
	until(t, "the second build", p, has("2222"))
	until(t, "its end", p, func() bool { return strings.Contains(p.text(), "built: 1 built, 3 up to date") })
	if !strings.Contains(p.text(), "built: 4 built") {
		t.Errorf("the first build is not told:\n%s", p.text())
	}
}

// TestBuildWatchDeleted: outputs that are deleted come back, and so does what build systems are told.
func TestBuildWatchDeleted(t *testing.T) {
	t.Parallel()
	k := small(t)
	p := k.start(t, "cupel", "build", "--watch", "--why", "--emit", "cmake=build/k.cmake", "--toolkit", k.root)
	until(t, "the first build", p, func() bool { return strings.Contains(p.text(), "built: 1 built") })
	until(t, "the folder to be gone", p, func() bool { return os.RemoveAll(k.path("build")) == nil }) // outputs may come back meanwhile
	until(t, "what was told", p, func() bool {
		_, err := os.Stat(k.path("build/k.cmake"))
		return err == nil && strings.Contains(p.text(), "1 from the cache")
	})
	if _, err := os.Stat(k.path("build/cupel/k/k.ptx")); err != nil {
		t.Error(err)
	}
}

// TestBuildWatchUntold: a file for a build system whose folder is gone when the build ends is told, waited for and written.
func TestBuildWatchUntold(t *testing.T) {
	t.Parallel()
	k := small(t)
	write(t, k.path("told/x"), "")
	p := k.start(t, "cupel", "build", "--watch", "--emit", "cmake=told/k.cmake", "--toolkit", k.root)
	until(t, "a compiler", p, func() bool {
		work, _ := filepath.Glob(k.path("../cache/store/work/*/*.ii"))
		return len(work) > 0
	})
	if err := os.RemoveAll(k.path("told")); err != nil {
		t.Fatal(err)
	}
	until(t, "the build", p, func() bool { return strings.Contains(p.text(), "built: 1 built") })
	until(t, "its complaint", p, func() bool { return strings.Contains(p.text(), "emit cmake: write told/k.cmake") })
	if err := os.Mkdir(k.path("told"), 0o755); err != nil {
		t.Fatal(err)
	}
	until(t, "the file", p, func() bool {
		_, err := os.Stat(k.path("told/k.cmake"))
		return err == nil
	})
}

// TestBuildWatchUndermined: outputs that are deleted while they are made come back, whether the compiler noticed or not.
func TestBuildWatchUndermined(t *testing.T) {
	t.Parallel()
	k := small(t)
	p := k.start(t, "cupel", "build", "--watch", "--toolkit", k.root)
	until(t, "the first build", p, func() bool { return strings.Contains(p.text(), "built: 1 built") })
	for _, value := range []string{"2222", "3333", "4444"} {
		write(t, k.path("k.cu"), "__device__ int value = "+value+";\n"+plainKernel)
		until(t, "a compiler", p, func() bool {
			work, _ := filepath.Glob(k.path("../cache/store/work/*/*.ii"))
			return len(work) > 0
		})
		until(t, "the folder to be gone", p, func() bool { return os.RemoveAll(k.path("build")) == nil })
		until(t, "the file with "+value, p, func() bool {
			b, _ := os.ReadFile(k.path("build/cupel/k/k.ptx"))
			return strings.Contains(string(b), value)
		})
	}
}

// TestBuildWatchOnce: what is made each time is not made a second time when nothing changed while it was.
func TestBuildWatchOnce(t *testing.T) {
	t.Parallel()
	k := small(t)
	write(t, k.path("k.cu"), "__device__ const char *now = __TIME__;\n"+plainKernel)
	p := k.start(t, "cupel", "build", "--watch", "--toolkit", k.root)
	until(t, "the first build", p, func() bool { return strings.Contains(p.text(), "built: 1 built") })
	write(t, k.path("k.cu"), "__device__ const char *now = __TIME__;\n"+plainKernel+"\n")
	until(t, "the second build", p, func() bool { return strings.Count(p.text(), "built: 1 built") > 1 })
	if n := strings.Count(p.text(), "built: 1 built"); n != 2 {
		t.Errorf("%d builds, want 2:\n%s", n, p.text())
	}
}
