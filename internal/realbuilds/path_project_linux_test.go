package realbuilds

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

// project is a copy of a real one, and the toolkit that it is built with.
type project struct {
	dir, root string
	env       []string // on top of the test's clean base, for every command
}

// newProject copies testdata/projects/NAME into a folder of the test's own.
func newProject(t *testing.T, name, root string, env ...string) project {
	t.Helper()
	return copied(t, filepath.Join(testbed.Repo(t), "testdata", "projects", name), root, env...)
}

func copied(t *testing.T, from, root string, env ...string) project {
	t.Helper()
	dir := filepath.Join(scratch, "work", filepath.Base(home(t)), filepath.Base(from))
	copyTree(t, from, dir)
	return project{dir, root, env}
}

// exec runs a command under cupel exec.
func (p project) exec(t *testing.T, argv ...string) result {
	t.Helper()
	return run(t, p.dir, p.env, slices.Concat([]string{"cupel", "exec", "--toolkit", p.root, "--"}, argv)...)
}

// plain runs a command as a person does who has put the toolkit on PATH. The library folder is what wheels of NVIDIA need.
func (p project) plain(t *testing.T, argv ...string) result {
	t.Helper()
	env := append(slices.Clone(p.env), "CUDA_HOME="+p.root, "CUDACXX="+p.root+"/bin/nvcc", "NVCC="+p.root+"/bin/nvcc", "LIBRARY_PATH="+p.root+"/lib")
	return run(t, p.dir, env, argv...)
}

// breakFile adds a line that no C++ compiler takes, and returns the place as nvcc names it: (LINE).
func (p project) breakFile(t *testing.T, file string) string {
	t.Helper()
	text := read(t, filepath.Join(p.dir, file))
	write(t, filepath.Join(p.dir, file), text+"int broken = ;\n")
	return fmt.Sprintf("%s(%d): error: expected an expression", filepath.Base(file), strings.Count(text, "\n")+1)
}

// lastRun is the newest run of the test with its calls, as cupel runs tells it.
func lastRun(t *testing.T) (render.ListedRun, []render.ListedCall) {
	t.Helper()
	r := run(t, scratch, nil, "cupel", "runs", "--last", "--json")
	var a render.Runs
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil || len(a.Runs) != 1 {
		t.Fatalf("cupel runs --last --json: %v\n%s", err, r.all)
	}
	return a.Runs[0], a.Calls
}

// wantFailure compares a failing build with the plain one: the exit code is the command's, and the ending names the one call that
// failed, its real message and cause. The replay of that call says and returns the same.
func wantFailure(t *testing.T, r, plain result, message string) {
	t.Helper()
	if r.code != plain.code || plain.code == 0 {
		t.Fatalf("exit code %d, and %d without cupel\n%s", r.code, plain.code, r.all)
	}
	_, calls := lastRun(t)
	// CMake asks nvcc about a file that does not exist, and reads the answer of the call that fails.
	failed := slices.DeleteFunc(calls, func(c render.ListedCall) bool { return !c.Failed || c.Source == "__cmake_determine_cuda" })
	if len(failed) != 1 {
		t.Fatalf("%d failed calls are recorded, want 1: %+v\n%s", len(failed), failed, r.all)
	}
	contains(t, "the ending", ending(t, r), message, "call "+failed[0].ID+" failed (exit code 2)", "error[plain-cudafe]: an ordinary mistake in the source", "cupel replay "+failed[0].ID)
	again := run(t, scratch, nil, "cupel", "replay", failed[0].ID)
	if again.code != int(failed[0].Code) {
		t.Errorf("cupel replay ends with %d, the call with %d\n%s", again.code, failed[0].Code, again.all)
	}
	contains(t, "cupel replay", again.all, message)
}

// counted is a copy of a toolkit, of links, whose nvcc writes a line for each of its calls, except for what cupel itself asks it
// before a run begins.
func counted(t *testing.T, root string) string {
	t.Helper()
	dir := filepath.Join(scratch, "counted", filepath.Base(home(t)))
	link := func(from, to string, but string) {
		entries, err := os.ReadDir(from)
		if err == nil {
			err = os.MkdirAll(to, 0o755)
		}
		for _, e := range entries {
			if err == nil && e.Name() != but {
				err = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	link(root, dir, "bin")
	link(filepath.Join(root, "bin"), filepath.Join(dir, "bin"), "nvcc")
	script := fmt.Sprintf("#!/bin/sh\n[ -z \"$CUPEL_RUN\" ] || echo \"$*\" >> '%s/calls'\n%sexec '%s/bin/nvcc' \"$@\"\n", dir, slow, root)
	write(t, filepath.Join(dir, "bin", "nvcc"), script)
	if err := os.Chmod(filepath.Join(dir, "bin", "nvcc"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// slow stands for a compile that goes on for long, where a test asks for it: all but the file that SLOW_BUT names.
const slow = `if [ -n "$SLOW_BUT" ]; then case "$*" in *"$SLOW_BUT"*) ;; *) exec sleep 60 ;; esac; fi
`

// wantOneRecordEach compares the calls that nvcc got with the records of the newest run.
func (p project) wantOneRecordEach(t *testing.T, r result) []render.ListedCall {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.all)
	}
	path := filepath.Join(p.root, "calls")
	lines := strings.Split(strings.TrimSpace(read(t, path)), "\n")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, calls := lastRun(t)
	if len(lines) != len(calls) {
		t.Errorf("nvcc was called %d times, %d calls are recorded:\n%s\n%+v", len(lines), len(calls), strings.Join(lines, "\n"), calls)
	}
	return calls
}

// builders are the programs of the test bed that build projects, first on PATH.
func builders(t *testing.T) (path string) {
	t.Helper()
	tools := filepath.Join(testbed.Root(t, "builders"), "tools")
	return "PATH=" + strings.Join([]string{programs(t, "linux"), filepath.Join(tools, "cmake", "data", "bin"), filepath.Join(tools, "bin"), os.Getenv("PATH")}, string(os.PathListSeparator))
}
