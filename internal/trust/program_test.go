package trust

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cupel/internal/build"
)

// programWorld is a world in which the real program finds its toolkit and host compiler.
func programWorld(t *testing.T, number uint64) *world {
	t.Helper()
	if _, err := standins(); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(scratch, "program")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	w, err := newWorld(dir, number)
	if err != nil {
		t.Fatal(err)
	}
	w.store.Dir = filepath.Join(dir, "cache", "store")
	for i, kit := range w.kits {
		json := `{"cuda": {"name": "CUDA SDK", "version": "13.0.` + string(rune('0'+i)) + `"}, "cuda_nvcc": {"name": "CUDA NVCC", "version": "13.0.88"}}`
		if err := writeAll(kit, map[string]string{"version.json": json}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.begin(); err != nil {
		t.Fatal(err)
	}
	w.env["HOME"], w.env["CUPEL_HOME"], w.env["CUPEL_CACHE"] = filepath.Join(dir, "home"), filepath.Join(dir, "home", "cupel"), filepath.Join(dir, "cache")
	return w
}

// command is cupel build with some flags.
func (w *world) command(ctx context.Context, t *testing.T, flags ...string) *exec.Cmd {
	t.Helper()
	program, err := cupel()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, append([]string{"build", "--toolkit", w.kits[w.kit]}, flags...)...)
	cmd.Dir, cmd.Env = w.root(), w.environ()
	return cmd
}

// asProgram builds with the real program.
func (w *world) asProgram(t *testing.T) func(context.Context, build.Job, build.Options) (build.Result, error) {
	return func(ctx context.Context, _ build.Job, o build.Options) (build.Result, error) {
		flags := []string{"--keep-going", "--format", "json"}
		if o.NoCache {
			flags = append(flags, "--no-cache")
		}
		if o.Store.Hard {
			flags = append(flags, "--hard-links")
		}
		out, err := w.command(ctx, t, flags...).Output()
		var a struct {
			Build build.Result `json:"build"`
		}
		if wrong := json.Unmarshal(out, &a); wrong != nil {
			return a.Build, fmt.Errorf("cupel build: %w, %w: %s", err, wrong, out)
		}
		return a.Build, nil
	}
}

// TestProgramSequences: the same through the command line, which also chooses toolkit and compiler and may see at once that
// nothing changed.
func TestProgramSequences(t *testing.T) {
	if onWindows {
		t.Skip("there is no go command under wine to build cupel with")
	}
	n := 60
	if testing.Short() {
		n = 5
	}
	first := uint64(time.Now().UnixNano()) % 1_000_000_000
	if *seed != 0 {
		first, n = *seed, 1
	}
	t.Logf("sequences %d to %d", first, first+uint64(n)-1)
	for i := range n {
		w := programWorld(t, first+uint64(i))
		w.runs, w.real = w.asProgram(t), true
		if err := w.sequence(t.Context()); err != nil {
			t.Fatalf("sequence %d: %v\nrepeat it: go test ./internal/trust -run TestProgramSequences -seed %d", first+uint64(i), err, first+uint64(i))
		}
	}
}
