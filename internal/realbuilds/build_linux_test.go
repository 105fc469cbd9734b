package realbuilds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/build"
	"cupel/internal/render"
	"cupel/internal/testbed"
)

// kernels is a folder with a contract, built by cupel build with a toolkit and a store of its own.
type kernels struct {
	dir, root string
	env       []string
}

// newKernels writes files into a folder of the test's own.
func newKernels(t *testing.T, root string, files map[string]string) kernels {
	t.Helper()
	dir := t.TempDir()
	k := kernels{dir: filepath.Join(dir, "project"), root: root, env: []string{"CUPEL_CACHE=" + filepath.Join(dir, "cache"), "CUPEL_HOME=" + filepath.Join(dir, "home")}}
	for name, text := range files {
		write(t, k.path(name), text)
	}
	return k
}

func (k kernels) path(name string) string { return filepath.Join(k.dir, name) }

// cupel runs a command of cupel in the project.
func (k kernels) cupel(t *testing.T, args ...string) result {
	t.Helper()
	return run(t, k.dir, k.env, append([]string{"cupel"}, args...)...)
}

// build runs cupel build --json, which must answer.
func (k kernels) build(t *testing.T, args ...string) (render.Build, result) {
	t.Helper()
	r := k.cupel(t, slices.Concat([]string{"build", "--json", "--toolkit", k.root}, args)...)
	var a render.Build
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("cupel build %s: code %d, %v\n%s", strings.Join(args, " "), r.code, err, r.all)
	}
	return a, r
}

// built is one that must end well.
func (k kernels) built(t *testing.T, args ...string) render.Build {
	t.Helper()
	a, r := k.build(t, args...)
	if r.code != 0 {
		t.Fatalf("cupel build %s: code %d\n%s", strings.Join(args, " "), r.code, r.stderr)
	}
	return a
}

// hows are the steps of a build that ended in a way: base names of their files, sorted.
func hows(a render.Build, how string) string {
	var out []string
	for _, s := range a.Result.Steps {
		if s.How == how {
			out = append(out, filepath.Base(s.Out))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// files are the bytes of every step's file.
func (k kernels) files(t *testing.T, a render.Build) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range a.Result.Steps {
		out[filepath.Base(s.Out)] = read(t, k.place(s.Out))
	}
	return out
}

func (k kernels) place(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return k.path(path)
}

// byHand are the bytes that plain nvcc makes with the calls of a build: no cupel, no store. Objects are made with --keep:
// without it no two are alike (the names of temporary files get into them).
func (k kernels) byHand(t *testing.T, a render.Build) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range a.Result.Steps {
		if s.Source == "" {
			continue
		}
		to := filepath.Join(t.TempDir(), filepath.Base(s.Out))
		argv := slices.Clone(s.Argv)
		argv[slices.Index(argv, "-o")+1] = to
		if s.Kind == "object" {
			argv = append(argv, "--keep", "--keep-dir", t.TempDir())
		}
		if r := run(t, k.dir, k.env, argv...); r.code != 0 {
			t.Fatalf("%s: code %d\n%s", strings.Join(argv, " "), r.code, r.all)
		}
		out[filepath.Base(s.Out)] = read(t, to)
	}
	return out
}

// clean are the bytes of a build in the same folder that has nothing to go by: another store, other outputs.
func (k kernels) clean(t *testing.T, args ...string) map[string]string {
	t.Helper()
	fresh := k
	fresh.env = append(slices.Clone(k.env), "CUPEL_CACHE="+filepath.Join(t.TempDir(), "cache"))
	out := filepath.Join(t.TempDir(), "out")
	a := fresh.built(t, append([]string{"--out", out}, args...)...)
	for _, s := range a.Result.Steps {
		if s.How != build.Built {
			t.Fatalf("a clean build did not build: %+v", s)
		}
	}
	return fresh.files(t, a)
}

// sameFiles says which files are others.
func sameFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if have, ok := got[name]; !ok || have != text {
			t.Errorf("%s: %s (there: %t, %d bytes) is not what a clean build makes (%d bytes)", what, name, ok, len(have), len(text))
		}
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	remove(t, path)
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// releases are the toolkits that a test uses: one where it must be quick.
func releases() []string {
	if testing.Short() {
		return []string{"cuda-12.4"}
	}
	return []string{"cuda-12.4", "cuda-13.0"}
}

// eachRelease runs a test with each of them.
func eachRelease(t *testing.T, f func(t *testing.T, root string)) {
	for _, part := range releases() {
		t.Run(part, func(t *testing.T) { f(t, testbed.Toolkit(t, part)) })
	}
}

func sortedWords(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}

// saved keeps the project's files and links, and gives what puts them back; outputs stay as they are. What has not changed is
// not touched.
func (k kernels) saved(t *testing.T) (undo func()) {
	t.Helper()
	was := k.state(t)
	return func() {
		t.Helper()
		now := k.state(t)
		for name := range now {
			if _, old := was[name]; !old {
				remove(t, k.path(name))
			}
		}
		for name, text := range was {
			target, linked := strings.CutPrefix(text, "link ")
			switch {
			case now[name] == text:
			case linked:
				link(t, target, k.path(name))
			default:
				write(t, k.path(name), strings.TrimPrefix(text, "file "))
			}
		}
	}
}

// state is what the project holds beside outputs.
func (k kernels) state(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(k.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(k.dir, path)
		switch {
		case d.IsDir() && (name == "build" || name == ".cupel"):
			return filepath.SkipDir
		case d.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(path)
			out[name] = "link " + target
			return err
		case d.Type().IsRegular():
			out[name] = "file " + read(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
