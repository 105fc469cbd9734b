package realbuilds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

// TestWineBuilder: a builder that starts nvcc.exe with its own streams, as bindgen_cuda does, prints empty captures; what
// cupel.exe says after it has the error, its cause and the call, which can be listed, shown, run again and packed.
func TestWineBuilder(t *testing.T) {
	w := onWindows(t)
	dir := filepath.Join(t.TempDir(), "my project")
	copyTree(t, winProject(t, "kernels"), dir)
	builder := w.Windows(helper(t, "builder"))
	r := w.cupel(t, dir, nil, "exec", "--toolkit", "13.0", "--", builder, "scale.cu", "broken.cu")
	if r.code != 101 {
		t.Fatalf("exec ends with %d, want the builder's 101:\n%s", r.code, r.all)
	}
	own, closing, ok := strings.Cut(r.stderr, "---- cupel exec: ")
	if !ok {
		t.Fatalf("nothing follows the builder:\n%s", r.all)
	}
	contains(t, "the builder", own, "nvcc error while compiling \"broken.cu\"", "# stdout\n\n\n# stderr\n\n")
	contains(t, "what follows", closing, "exit code 101", "2 nvcc calls", "1 failed", "| broken.cu(2): error: expected an expression", "error[plain-cudafe]", "broken.cu, line 2", "cupel replay ")
	if _, err := os.Stat(filepath.Join(dir, "out", "scale.ptx")); err != nil {
		t.Errorf("the kernel without an error was not built: %v", err)
	}
	places := []string{w.Windows(w.home), `%CUPEL_HOME%`, w.Windows(dir), `%TMP%\my project`, w.Windows(scratch), `%TMP%`}
	text := "> cupel exec --toolkit 13.0 -- builder.exe scale.cu broken.cu\n" + r.all
	again := winRunsOf(t, w, dir, closing)
	evidence(t, "exec-wine-builder.txt", text+again, places...)
	winEnvironment(t, w)
}

// winRunsOf lists the run, shows its failing call, replays it and packs it, by the names that cupel itself printed.
func winRunsOf(t *testing.T, w windows, dir, closing string) string {
	t.Helper()
	_, id, _ := strings.Cut(closing, "cupel replay ")
	id, _, _ = strings.Cut(id, "\n")
	id = strings.TrimSpace(id)
	var listed render.Runs
	r := w.cupel(t, dir, nil, "runs", "--json", "--limit", "1")
	if err := json.Unmarshal([]byte(r.stdout), &listed); err != nil || r.code != 0 || len(listed.Runs) != 1 {
		t.Fatalf("runs ends with %d, %v:\n%s", r.code, err, r.all)
	}
	if got := listed.Runs[0]; got.Calls != 2 || got.Failing != 1 || !got.Failed || !strings.HasPrefix(id, got.ID+".") {
		t.Errorf("runs lists %+v, want 2 calls, 1 failed, of %s", got, id)
	}
	replay := w.cupel(t, dir, nil, "replay", id)
	if replay.code != 1 {
		t.Errorf("replay ends with %d, want 1", replay.code)
	}
	contains(t, "replay", replay.stdout+replay.stderr, "broken.cu(2): error: expected an expression")
	text := "\n> cupel replay " + id + "\n" + replay.all
	if testing.Short() {
		return text
	}
	show := w.cupel(t, dir, nil, "runs", "show", id)
	contains(t, "runs show", show.stdout, "exit code 1", "broken.cu  ", "stdout:", "error: expected an expression")
	pack := w.cupel(t, dir, nil, "bundle", id, "--out", "b.zip")
	if info, err := os.Stat(filepath.Join(dir, "b.zip")); err != nil || info.Size() == 0 || pack.code != 0 {
		t.Errorf("bundle ends with %d, %v:\n%s", pack.code, err, pack.all)
	}
	return "\n> cupel runs show " + id + "\n" + show.all + text + "\n> cupel bundle " + id + " --out b.zip\n" + pack.all
}

// winEnvironment: no prompt was opened, and yet the calls had the folders of Visual Studio.
func winEnvironment(t *testing.T, w windows) {
	t.Helper()
	saved, _ := w.last(t)
	env, err := saved.Env()
	if err != nil {
		t.Fatal(err)
	}
	tools := testbed.VisualStudio + `\VC\Tools\MSVC\14.40.33807`
	for name, want := range map[string]string{"INCLUDE": tools + `\include`, "LIB": tools + `\lib\x64`, "PATH": testbed.HostX64} {
		if !strings.Contains(env.Values[name]+";", want+";") {
			t.Errorf("%s = %q, want %s in it", name, env.Values[name], want)
		}
	}
}

// TestWineNothingLeft: a program that the command started and did not wait for is ended with it, and told.
func TestWineNothingLeft(t *testing.T) {
	w := onWindows(t)
	dir := t.TempDir()
	mark := filepath.Base(filepath.Dir(dir)) + "-left"
	list, err := json.Marshal([]winCall{{Name: "leave", Leave: mark}, {Name: "version", Args: []string{"--version"}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "list.json"), string(list))
	r := w.cupel(t, dir, nil, "exec", "--toolkit", "13.0", "--", w.Windows(helper(t, "calls")), "nvcc", "list.json", "result.json")
	if r.code != 0 {
		t.Fatalf("exec ends with %d:\n%s", r.code, r.all)
	}
	saved, calls := w.last(t)
	if len(calls) != 1 || calls[0].Failed() {
		t.Errorf("%d calls: %+v", len(calls), calls)
	}
	if end := saved.Run.End; end == nil || len(end.Left) != 1 || !strings.EqualFold(filepath.Base(w.Linux(end.Left[0].Path)), "calls.exe") {
		t.Errorf("the run's end is %+v, want calls.exe as left running", end)
	}
	for range 50 { // wine's process ends a little after its Windows side
		if !runs(t, mark) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("what the command left is still running")
}

// TestWineHome: the folder in which cupel keeps its mirrors and runs has blanks and letters of two code pages.
func TestWineHome(t *testing.T) {
	testbed.Long(t)
	w := onWindows(t)
	dir := t.TempDir()
	w.home = filepath.Join(dir, "Größe & 大", "cupel home")
	copyTree(t, winProject(t, "kernels"), filepath.Join(dir, "project"))
	r := w.cupel(t, filepath.Join(dir, "project"), nil, "exec", "--toolkit", "13.0", "--", w.Windows(helper(t, "builder")), "scale.cu")
	if _, calls := w.last(t); r.code != 0 || len(calls) != 1 || calls[0].Failed() {
		t.Errorf("exec ends with %d, %d records:\n%s", r.code, len(calls), r.all)
	}
	contains(t, "scale.ptx", read(t, filepath.Join(dir, "project", "out", "scale.ptx")), ".target sm_80")
}

// runs says that a process of this machine has the mark in its command line.
func runs(t *testing.T, mark string) bool {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if text, _ := os.ReadFile(f); strings.Contains(string(text), mark) {
			return true
		}
	}
	return false
}
