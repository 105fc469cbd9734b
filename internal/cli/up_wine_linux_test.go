package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// TestWindowsUp: cupel.exe finds a toolkit that will do, installs nothing, and builds with NVIDIA's real nvcc.exe and
// the stand-in for cl.exe. That one makes no libraries, so none is asked for.
func TestWindowsUp(t *testing.T) {
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "vs")
	wine := testbed.Wine(t)
	exe := windowsProgram(t)
	dir := filepath.Dir(exe)
	for name, body := range map[string]string{
		"cupel.toml": "cupel = 1\n[project]\nname = \"demo\"\n[toolkit]\nmin = \"13.0\"\nrecommended = \"13.0\"\nmax-verified = \"13.4\"\n[host.windows]\nstd = \"c++17\"\n" +
			"[arch]\ntargets = [\"8.0\"]\nptx = \"all\"\n[[kernels]]\nname = \"k\"\nsources = [\"src/*.cu\"]\nkinds = [\"ptx\", \"fatbin\", \"object\"]\n",
		"src/k.cu": "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var text string
	var code int
	steady(t, func() {
		text, code = run(t, wine.Command(ctx, exe, "up", wine.Windows(dir)))
		if _, said, failed := strings.Cut(text, "code 255"); failed && silent(255, said) {
			panic(unstarted("nvcc.exe ended with 255 and named no error\n" + text))
		}
		if why := unstartedIn(text); why != "" {
			panic(unstarted(why))
		}
	})
	if code != 0 {
		t.Fatalf("exit %d: %s", code, text)
	}
	for _, name := range []string{"k.ptx", "k.fatbin", "k.obj"} {
		if info, err := os.Stat(filepath.Join(dir, "build", "cupel", "k", name)); err != nil || info.Size() == 0 || !strings.Contains(text, "build/cupel/k/"+name) {
			t.Errorf("%s was not made: %v\n%s", name, err, text)
		}
	}
}
