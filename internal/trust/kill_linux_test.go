package trust

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/build"
)

// TestKilled: builds are killed at any moment, four at a time on one store, while their files are edited. What the next
// builds make is right, and nothing stays of the killed ones.
func TestKilled(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	number := uint64(time.Now().UnixNano()) % 1_000_000_000
	if *seed != 0 {
		number = *seed
	}
	t.Logf("-seed %d", number)
	w := programWorld(t, number)
	w.spec.kinds, w.spec.archs = []string{"object", "static"}, []string{"sm_80", "sm_90"}
	if err := w.contract(); err != nil {
		t.Fatal(err)
	}
	w.env["STANDIN_SLOW"] = "60"
	for i := range kills {
		if w.rand.IntN(3) > 0 {
			if err := w.edit(append(w.files(".h"), w.files(".cu")...), "int killed_%d;\n"); err != nil {
				t.Fatal(err)
			}
		}
		if w.rand.IntN(2) == 0 {
			time.Sleep(30 * time.Millisecond)
		}
		w.killFour(t)
		if i%10 == 9 {
			w.rightEverywhere(t)
		}
	}
	w.rightEverywhere(t)
	w.nothingLeft(t)
}

func out(i int) string { return filepath.Join("build", fmt.Sprint("o", i)) }

// killFour starts four builds and kills them one after the other, the compilers below them not.
func (w *world) killFour(t *testing.T) {
	t.Helper()
	var all []*exec.Cmd
	for i := range 4 {
		cmd := w.command(t.Context(), t, "--out", out(i), "-q", "-j", "2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	time.Sleep(time.Duration(w.rand.IntN(500)) * time.Millisecond)
	for _, cmd := range all {
		time.Sleep(time.Duration(w.rand.IntN(20)) * time.Millisecond)
		_ = cmd.Process.Kill()
	}
	for _, cmd := range all {
		_ = cmd.Wait() // killed, or done before
	}
}

// rightEverywhere builds in all four folders at once and compares.
func (w *world) rightEverywhere(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	failed := make([]error, 4)
	done := make(chan int)
	for i := range failed {
		go func() {
			text, err := w.command(ctx, t, "--out", out(i), "--keep-going").CombinedOutput()
			if err != nil {
				failed[i] = fmt.Errorf("%w\n%s", err, text)
			}
			done <- i
		}()
	}
	for range failed {
		<-done
	}
	j, err := w.job()
	if err != nil {
		t.Fatal(err)
	}
	for i := range failed {
		j.Out = out(i)
		wants, err := w.wants(j)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range wants {
			if x.call.Source == "" && failed[i] == nil {
				x.made = w.run(j, x.call.Argv)
			}
			if x.failed != (failed[i] != nil) && x.failed {
				t.Fatalf("%s was built, and a clean build fails", x.call.Out)
			}
			if failed[i] == nil {
				if err := sameBytes(j.Root, x.made, build.Step{Out: x.call.Out, How: build.Built}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if failed[i] != nil {
			t.Fatal(failed[i])
		}
	}
}

// nothingLeft: what a killed build had under way is gone after the next, in the store and in the folders of outputs.
func (w *world) nothingLeft(t *testing.T) {
	t.Helper()
	if err := w.edit(w.files(".cu"), "int last_%d;\n"); err != nil {
		t.Fatal(err)
	}
	w.rightEverywhere(t) // takes long enough for the sweep beside it
	left, err := os.ReadDir(filepath.Join(w.store.Dir, "work"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("the store's work folder still has %s", e.Name())
	}
	for i := range 4 {
		_ = filepath.WalkDir(w.path(out(i)), func(path string, e os.DirEntry, err error) error {
			name := filepath.Base(path)
			if err == nil && strings.HasPrefix(name, ".cupel-") && name != ".cupel-state" {
				t.Errorf("%s is left in the folder of outputs", path)
			}
			return nil
		})
	}
}
