package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const plain = "__global__ void k(int *p) { *p = 1; }\n"

// kernelsOf is a contract with kernels of these names, all of the same source.
func kernelsOf(names ...string) string {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1)
	for _, n := range names {
		text += "[[kernels]]\nname = \"" + n + "\"\nsources = [\"*.cu\"]\nkinds = \"ptx\"\n"
	}
	return text
}

// with is the job with another contract.
func (j Job) with(t *testing.T, text string) Job {
	t.Helper()
	o := jobOf(t, text, "12.4", linux, "k.cu")
	j.Requirements, j.Sources = o.Requirements, o.Sources
	return j
}

func ran(t *testing.T, j Job, o Options) Result {
	t.Helper()
	time.Sleep(40 * time.Millisecond) // a file that is as young as the build is not remembered
	r, err := Run(t.Context(), j, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestDead: the outputs of a kernel that is gone go with the first build that is well, but for what somebody changed and
// what the command line named.
func TestDead(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("one", "two"), map[string]string{"k.cu": plain})
	o := options(t)
	out := func(kernel string) string { return filepath.Join(job.Root, "build/cupel", kernel, "k.ptx") }
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ran(t, job, o)
	named := job.with(t, kernelsOf("named"))
	named.Only, named.Named = []string{"named"}, true
	ran(t, named, o)
	put(filepath.Join(filepath.Dir(out("one")), "mine.txt"), "")

	dry := o
	dry.DryRun = true
	r := ran(t, job.with(t, kernelsOf("two")), dry)
	if want := "to be removed, of no kernel any more: build/cupel/one/k.ptx"; !slices.Contains(r.Notes, want) || !there(out("one")) {
		t.Errorf("a dry run: notes %q, want %q; the file is there: %v", r.Notes, want, there(out("one")))
	}
	put(filepath.Join(job.Root, "k.cu"), "int x = missing;\n")
	if r := ran(t, job.with(t, kernelsOf("two")), o); r.OK() || !there(out("one")) {
		t.Errorf("a build that failed: %v; the file is there: %v, notes %q", r.OK(), there(out("one")), r.Notes)
	}
	put(filepath.Join(job.Root, "k.cu"), plain)
	r = ran(t, job.with(t, kernelsOf("two")), o)
	if want := "removed, of no kernel any more: build/cupel/one/k.ptx"; !slices.Contains(r.Notes, want) || there(out("one")) {
		t.Errorf("notes %q, want %q; the file is there: %v", r.Notes, want, there(out("one")))
	}
	if !there(filepath.Join(filepath.Dir(out("one")), "mine.txt")) || !there(out("two")) || !there(out("named")) {
		t.Error("a file went that is no output, that of a kernel, or one that the command line named")
	}
	put(out("two"), "changed")
	r = ran(t, job.with(t, kernelsOf("three")), o)
	if !there(out("two")) || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "so it stays: build/cupel/two/k.ptx") {
		t.Errorf("an output that was changed is there: %v; notes %q", there(out("two")), r.Notes)
	}
	ran(t, job.with(t, kernelsOf("four")), o)
	if there(filepath.Dir(out("three"))) {
		t.Error("the folder of a kernel that is gone is left empty")
	}
}

// TestDeadCase: a kernel that got another case has the same file on some disks.
func TestDeadCase(t *testing.T) {
	m := maker{out: "/p/build", job: Job{Root: "/p"}, old: &state{Outputs: []row{{Path: "/p/build/K/k.ptx"}, {Path: "/p/build/l/k.ptx"}, {Path: "/elsewhere/k.ptx"}}, Steps: []made{{Outputs: []uint32{0, 1, 2}}}}}
	m.tasks = []*task{{call: PlannedCall{Out: "build/k/k.ptx"}}}
	if got := m.orphans(); len(got) != 1 || got[0].Path != "/p/build/l/k.ptx" {
		t.Errorf("orphans %v, want that of l alone", got)
	}
	m.out = t.TempDir()
	for _, name := range []string{"K.ptx", "k.ptx"} {
		if err := os.WriteFile(filepath.Join(m.out, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one, err := os.ReadDir(m.out)
	if err != nil || len(one) < 2 {
		t.Skip("this disk does not tell K from k")
	}
	m.old.Outputs = []row{{Path: filepath.Join(m.out, "K.ptx")}, {Path: filepath.Join(m.out, "k.ptx")}}
	m.old.Steps = []made{{Outputs: []uint32{0, 1}}}
	m.tasks = []*task{{call: PlannedCall{Out: filepath.Join(m.out, "k.ptx")}}}
	if got := m.orphans(); len(got) != 1 || filepath.Base(got[0].Path) != "K.ptx" {
		t.Errorf("orphans %v, want K.ptx, which is another file here", got)
	}
}

// TestEachTime: a step whose result cannot be remembered says so, and a plan says it of the last time.
func TestEachTime(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("k"), map[string]string{"k.cu": "__device__ const char *now = __TIME__;\n"})
	o := options(t)
	for _, tt := range []struct {
		name, source, why, uncached string
		dry                         bool
	}{
		{"first", "", eachTime, "uses-date: k.cu", false},
		{"second", "", eachTime, "uses-date: k.cu", false},
		{"a plan", "", "its last result could not be remembered", "uses-date: k.cu", true},
		{"mended", plain, "its last result could not be remembered", "", false},
		{"changed", plain + "\n", "k.cu changed", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.source != "" {
				if err := os.WriteFile(filepath.Join(job.Root, "k.cu"), []byte(tt.source), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			o.DryRun = tt.dry
			if s := ran(t, job, o).Steps[0]; s.Why != tt.why || s.Uncached != tt.uncached {
				t.Errorf("why %q, uncached %q; want %q, %q", s.Why, s.Uncached, tt.why, tt.uncached)
			}
		})
	}
}

// TestNoStore: without a place for a store nothing comes into the current folder, and a second build has nothing to do.
func TestNoStore(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("k"), map[string]string{"k.cu": plain})
	here := t.TempDir()
	t.Chdir(here)
	left := filepath.Join(job.Root, "build/cupel", linkPrefix+"1")
	ran(t, job, Options{DryRun: true})
	if there(filepath.Dir(left)) {
		t.Error("a dry run made the folder of outputs")
	}
	first := ran(t, job, Options{})
	if err := os.WriteFile(left, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	second := ran(t, job, Options{})
	if first.Steps[0].How != Built || second.Steps[0].How != UpToDate {
		t.Errorf("first %s, second %s (%s)", first.Steps[0].How, second.Steps[0].How, second.Steps[0].Why)
	}
	if len(first.Notes) != 1 || !strings.Contains(first.Notes[0], "CUPEL_CACHE names one") {
		t.Errorf("notes %q", first.Notes)
	}
	if r := ran(t, job, Options{NoCache: true}); len(r.Notes) > 0 {
		t.Errorf("who wants no cache is told that there is none: %q", r.Notes)
	}
	if entries, _ := os.ReadDir(here); len(entries) > 0 {
		t.Errorf("in the current folder: %v", entries)
	}
	if there(left) {
		t.Error("the map of a killed link is left")
	}
}

// TestStraight: inputs are named without bin/.. unless bin is a link to elsewhere.
func TestStraight(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"cuda/bin", "cuda/include", "else/bin", "else/include"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "else/bin"), filepath.Join(dir, "cuda/linked")); err != nil {
		t.Fatal(err)
	}
	s := state{Files: []row{{Path: dir + "/cuda/bin/../include/a.h"}, {Path: dir + "/cuda/linked/../include/b.h"}, {Path: "c..h"}, {Path: dir + "/cuda/include/a.h"}}}
	got := s.inputs(dir + "/p")
	want := []string{dir + "/cuda/include/a.h", dir + "/cuda/linked/../include/b.h", dir + "/p/c..h"}
	if !slices.Equal(got, want) {
		t.Errorf("inputs\n%q, want\n%q", got, want)
	}
}
