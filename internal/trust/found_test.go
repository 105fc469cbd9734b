package trust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupel/internal/build"
	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/filelock"
)

// small is a world with two sources and one header, in objects.
func small(t *testing.T, files map[string]string) *world {
	t.Helper()
	w := programWorld(t, 1)
	for _, f := range append(w.files(".h"), w.files(".cu")...) {
		if err := os.Remove(w.path(f)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeAll(w.root(), files); err != nil {
		t.Fatal(err)
	}
	w.spec = spec{kinds: []string{"object"}, archs: []string{"sm_80"}, includes: []string{"inc1", "inc2"}, ptx: "none"}
	if err := w.contract(); err != nil {
		t.Fatal(err)
	}
	w.runs = w.inProcess
	settle()
	return w
}

func settle() { time.Sleep(40 * time.Millisecond) }

func (w *world) must(t *testing.T) {
	t.Helper()
	if err := w.build(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestToolReplacedUnseen: the next build starts no plan when nothing changed; a tool of the toolkit or of the host compiler
// is something.
func TestToolReplacedUnseen(t *testing.T) {
	if onWindows {
		t.Skip("there is no go command under wine to build cupel with")
	}
	w := small(t, map[string]string{"src/a.cu": "int a;\n"})
	w.runs, w.real = w.asProgram(t), true
	w.must(t)
	w.must(t)
	for _, path := range []string{
		w.kits[0] + "/bin/ptxas", w.kits[0] + "/bin/fatbinary", w.kits[0] + "/bin/cudafe++", w.kits[0] + "/nvvm/bin/cicc",
		w.kits[0] + "/nvvm/libdevice/libdevice.10.bc", w.hosts[0] + "/libexec/cc1plus", w.hosts[0] + "/libexec/as",
	} {
		if err := os.WriteFile(path, []byte("another "+filepath.Base(path)), 0o755); err != nil {
			t.Fatal(err)
		}
		settle()
		if err := w.build(t.Context()); err != nil {
			t.Errorf("%s replaced: %v", path, err)
		}
	}
}

// TestWorkSwept: what a killed process left is taken away, a lock without its folder too; what is in use stays.
func TestWorkSwept(t *testing.T) {
	store := cas.Store{Dir: t.TempDir()}
	work := filepath.Join(store.Dir, "work")
	if err := writeAll(work, map[string]string{"call-1/k.ii": "", "call-1.lock": "", "call-2.lock": "", "call-3/k.ii": ""}); err != nil {
		t.Fatal(err)
	}
	release, err := filelock.Try(filepath.Join(work, "call-3.lock"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	cache.New(store, nil).Sweep()
	for name, want := range map[string]bool{"call-1": false, "call-1.lock": false, "call-2.lock": false, "call-3/k.ii": true, "call-3.lock": true} {
		if _, err := os.Stat(filepath.Join(work, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	release()
}

// TestStateLeft: a build that was killed while it wrote down what it knew leaves nothing for ever.
func TestStateLeft(t *testing.T) {
	w := small(t, map[string]string{"src/a.cu": "int a;\n"})
	w.must(t)
	out := filepath.Join(w.root(), "build", "cupel")
	if err := writeAll(out, map[string]string{".cupel-0000000000000001.tmp": "half of"}); err != nil {
		t.Fatal(err)
	}
	if err := w.write("src/a.cu", "int b;\n"); err != nil {
		t.Fatal(err)
	}
	settle()
	w.must(t)
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && e.Name() != ".cupel-state" {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// TestEditedMeanwhile: a header is edited while a build goes on, after one source was found up to date and before another is
// compiled. The first is not up to date any more.
func TestEditedMeanwhile(t *testing.T) {
	w := small(t, map[string]string{"inc1/h.h": "int one;\n", "src/a.cu": "#include \"h.h\"\nint a;\n", "src/b.cu": "int b;\n", "src/c.cu": "#include \"h.h\"\nint c;\n"})
	w.must(t)
	if err := writeAll(w.root(), map[string]string{"src/a.cu": "#include \"h.h\"\nint more;\n", "src/b.cu": "int b; // this one is longer, so it is compiled first\n"}); err != nil {
		t.Fatal(err)
	}
	settle()
	j, err := w.job()
	if err != nil {
		t.Fatal(err)
	}
	tell := func(e build.Event) {
		if e.State == "ended" && e.Step.Source == "src/b.cu" {
			if err := writeAll(w.root(), map[string]string{"inc1/h.h": "int two;\n"}); err != nil {
				t.Error(err)
			}
			settle()
		}
	}
	if _, err := build.Run(t.Context(), j, build.Options{Store: w.store, Jobs: 1, Plan: w.plan(j), Tell: tell}); err != nil {
		t.Fatal(err)
	}
	if err := w.build(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestEditedWhileCompiled: a header is edited after the compiler read it and before it is done. What was compiled is not
// the result of what lies there now. On a busy machine the edit may come too late; then it is tried again with more time.
func TestEditedWhileCompiled(t *testing.T) {
	w := small(t, map[string]string{"inc1/h.h": "int one;\n", "src/a.cu": "#include \"h.h\"\nint a;\n"})
	var last string
	for try := range 8 {
		w.env["STANDIN_SLOW"] = strconv.Itoa(100 << try)
		if err := writeAll(w.root(), map[string]string{"inc1/h.h": fmt.Sprintf("int one%d;\n", try)}); err != nil {
			t.Fatal(err)
		}
		settle()
		r := w.editedAtRead(t, "inc1/h.h", fmt.Sprintf("int two%d;\n", try))
		if last = r.Steps[0].Uncached; strings.HasPrefix(last, "changed-meanwhile") {
			break
		}
		t.Logf("the edit came after the compiler was done: %s", told(r))
	}
	if !strings.HasPrefix(last, "changed-meanwhile") {
		t.Fatalf("a header that was edited while it was compiled: %q, want changed-meanwhile", last)
	}
	delete(w.env, "STANDIN_SLOW")
	settle()
	w.must(t)
}

// editedAtRead builds, and edits a file as soon as the compiler has read everything: then it writes to its log.
func (w *world) editedAtRead(t *testing.T, name, text string) build.Result {
	t.Helper()
	_ = os.RemoveAll(w.log)
	j, err := w.job()
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	edited := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if runs, err := os.ReadDir(w.log); err == nil && len(runs) > 0 {
				edited <- writeAll(w.root(), map[string]string{name: text})
				return
			}
			time.Sleep(time.Millisecond)
		}
		edited <- ctx.Err()
	}()
	r, err := build.Run(ctx, j, build.Options{Store: w.store, Jobs: 1, Plan: w.plan(j)})
	end()
	if edit := <-edited; err != nil || edit != nil {
		t.Fatalf("build: %v; edit: %v", err, edit)
	}
	return r
}
