package realbuilds

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

// The makefile starts eight compiles, four at once, half of them from a make inside of make.
func TestMakeOneRecordEach(t *testing.T) {
	t.Parallel()
	p := newProject(t, "make", counted(t, testbed.Toolkit(t, "cuda-13.0")))
	r := p.exec(t, "make", "-j4")
	var sources []string
	for _, c := range p.wantOneRecordEach(t, r) {
		sources = append(sources, c.Source)
		if len(read(t, filepath.Join(c.Dir, strings.TrimSuffix(c.Source, "cu")+"o"))) == 0 {
			t.Errorf("the object of %s is empty", c.Source)
		}
	}
	slices.Sort(sources)
	if got, want := strings.Join(sources, " "), "k1.cu k2.cu k3.cu k4.cu k5.cu k6.cu k7.cu k8.cu"; got != want {
		t.Errorf("recorded: %s, want %s", got, want)
	}
	contains(t, "the ending", ending(t, r), "8 nvcc calls (this folder: 4; lib: 4)")
}

// One of eight files has a mistake; the others go on beside it and succeed, also with -k.
func TestMakeError(t *testing.T) {
	t.Parallel()
	p := newProject(t, "make", testbed.Toolkit(t, "cuda-13.0"))
	message := p.breakFile(t, "lib/k7.cu")
	plain := p.plain(t, "make", "-j4")
	run(t, p.dir, nil, "make", "clean")
	r := p.exec(t, "make", "-j4")
	wantFailure(t, r, plain, message)
	contains(t, "make's own output", r.all, message, "Error 2")
	evidence(t, "exec-make-error.txt", "$ cupel exec --toolkit "+p.root+" -- make -j4\n"+r.all)
}

// A script ends the other compiles as soon as one fails, as many build tools do. The mistake is the cause, not the ends.
func TestMakeStopped(t *testing.T) {
	t.Parallel()
	p := newProject(t, "make", counted(t, testbed.Toolkit(t, "cuda-13.0")), "SLOW_BUT=k3.cu")
	message := p.breakFile(t, "k3.cu")
	write(t, filepath.Join(p.dir, "build.sh"), `for k in k1 k2 k3 k4; do $NVCC -arch=sm_80 -c -o $k.o $k.cu & done
wait -n && exit 0
kill $(jobs -p) 2> /dev/null
wait
exit 1
`)
	r := p.exec(t, "bash", "build.sh")
	if r.code != 1 {
		t.Errorf("exit code %d, want that of the script, 1", r.code)
	}
	_, calls := lastRun(t)
	failed := slices.IndexFunc(calls, func(c render.ListedCall) bool { return c.Source == "k3.cu" })
	if len(calls) != 4 || failed < 0 || slices.ContainsFunc(calls, func(c render.ListedCall) bool { return !c.Failed }) {
		t.Fatalf("want four calls that failed: %+v\n%s", calls, r.all)
	}
	end := ending(t, r)
	contains(t, "the ending", end, message, "cupel replay "+calls[failed].ID)
	if at, first := strings.Index(end, "call "+calls[failed].ID+" failed"), strings.Index(end, "\ncall "); at < 0 || at != first+1 {
		t.Errorf("the mistake is not told first:\n%s", end)
	}
	for _, c := range calls {
		if c.Source != "k3.cu" && c.Signal == "" {
			t.Errorf("%s was ended by a signal, the record does not say so: %+v", c.Source, c)
		}
	}
}

// The makefile names nvcc by its whole path: nothing can be recorded, and the line is told that is to blame.
func TestMakeHardCoded(t *testing.T) {
	t.Parallel()
	root := testbed.Toolkit(t, "cuda-13.0")
	p := newProject(t, "make", root)
	file := filepath.Join(p.dir, "Makefile")
	write(t, file, strings.Replace(read(t, file), "NVCC ?= nvcc", "NVCC = "+root+"/bin/nvcc", 1))
	r := p.exec(t, "make", "k1.o")
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.all)
	}
	contains(t, "the ending", ending(t, r), "warning[exec-shim-passed-by]: "+root+"/bin/nvcc was started without the shim", file+" line 2 sets NVCC", "NVCC ?= …")
	if _, calls := lastRun(t); len(calls) != 0 {
		t.Errorf("calls are recorded: %+v", calls)
	}
	evidence(t, "exec-make-passed-by.txt", "$ cupel exec --toolkit "+p.root+" -- make k1.o\n"+r.all)
}
