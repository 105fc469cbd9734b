package build

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDeadEachTime: what is made anew each time goes like all else when no kernel makes it any more.
func TestDeadEachTime(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("one", "two"), map[string]string{"k.cu": "__device__ const char *now = __TIME__;\n"})
	o := options(t)
	out := func(kernel string) string { return filepath.Join(job.Root, "build/cupel", kernel, "k.ptx") }
	ran(t, job, o)
	only := job
	only.Only = []string{"two"}
	ran(t, only, o)
	if !there(out("one")) || !there(out("two")) {
		t.Fatal("nothing was built, or a build of one kernel took away what another made")
	}
	r := ran(t, job.with(t, kernelsOf("two")), o)
	if want := "removed, of no kernel any more: build/cupel/one/k.ptx"; !slices.Contains(r.Notes, want) || there(out("one")) || !there(out("two")) {
		t.Errorf("notes %q, want %q; of one there: %v, of two: %v", r.Notes, want, there(out("one")), there(out("two")))
	}
}

// TestDeadInterrupted: a build that was stopped remembers what it made, so that a later one can take it away.
func TestDeadInterrupted(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("one", "two"), map[string]string{"k.cu": plain})
	o := options(t)
	stopped := o
	stopped.Jobs = 1
	ctx, stop := context.WithCancel(t.Context())
	first := ""
	stopped.Tell = func(e Event) {
		if e.State == "ended" && first == "" {
			first = e.Step.Out
			stop()
		}
	}
	if _, err := Run(ctx, job, stopped); err == nil {
		t.Fatal("the build was not stopped")
	}
	if !there(filepath.Join(job.Root, first)) {
		t.Fatalf("%s was not made", first)
	}
	ran(t, job.with(t, kernelsOf("three")), o)
	if there(filepath.Join(job.Root, first)) {
		t.Errorf("%s, of no kernel any more, is there", first)
	}
}

// TestDeadInterruptedAgain: nor is forgotten what an earlier build made, where a stopped one did not come to it.
func TestDeadInterruptedAgain(t *testing.T) {
	job := realJob(t, "cuda-12.4", "12.4", kernelsOf("one", "two"), map[string]string{"k.cu": "__device__ const char *now = __TIME__;\n"})
	o := options(t)
	ran(t, job, o)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(ctx, job, o); err == nil {
		t.Fatal("the build was not stopped")
	}
	ran(t, job.with(t, kernelsOf("two")), o)
	if there(filepath.Join(job.Root, "build/cupel/one/k.ptx")) {
		t.Error("an output of no kernel any more is there")
	}
}

// TestInterruptedLeavesNothing: what a compiler that is stopped leaves on the way goes, also where its result is not remembered.
func TestInterruptedLeavesNothing(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	nvcc := filepath.Join(dir, "nvcc")
	if err := os.WriteFile(nvcc, []byte("#!/bin/sh\n: > \"$TMPDIR/tmpxft_1\"\n: > started\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(dir, tmp) // nvcc takes it from its own folder
	if err != nil {
		t.Fatal(err)
	}
	job := jobOf(t, head+"[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\n", "13.0", linux, "a.cu")
	job.Root, job.Tools.Nvcc, job.Tools.Env = dir, nvcc, []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + rel}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil && !there(filepath.Join(dir, "started")) {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	if _, err := Run(ctx, job, options(t)); err == nil {
		t.Fatal("the build was not stopped")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left in TMPDIR: %v, %v", left, err)
	}
}

// TestOptionalAlone: where every file of a library failed and each is optional, no older library stays. Is the library itself not
// optional, then the build failed.
func TestOptionalAlone(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) + "[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\nkinds = \"static\"\n"
	for _, tt := range []struct {
		name, optional string
		ok             bool
	}{
		{"file", "[[kernels.per-file]]\nsources = [\"k.cu\"]\noptional = true\n", false},
		{"kernel", "optional = true\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			job := realJob(t, "cuda-12.4", "12.4", text+tt.optional, map[string]string{"k.cu": plain})
			o := options(t)
			library := filepath.Join(job.Root, "build/cupel/k/libk.a")
			if r := ran(t, job, o); !r.OK() || !there(library) {
				t.Fatalf("first: %+v", r.Failed)
			}
			if err := os.WriteFile(filepath.Join(job.Root, "k.cu"), []byte("int x = missing;\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if r := ran(t, job, o); r.OK() != tt.ok || there(library) {
				t.Errorf("ok %v, want %v; the old library is there: %v; failed %+v", r.OK(), tt.ok, there(library), r.Failed)
			}
		})
	}
}

// TestDryRunOfLinks: what is linked of files that the store has is in the store too.
func TestDryRunOfLinks(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) + "[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\nkinds = \"static\"\ndevice-link = true\n"
	job := realJob(t, "cuda-12.4", "12.4", text, map[string]string{"k.cu": plain})
	o := options(t)
	ran(t, job, o)
	if err := os.RemoveAll(filepath.Join(job.Root, "build")); err != nil {
		t.Fatal(err)
	}
	dry := o
	dry.DryRun = true
	for _, o := range []Options{dry, o} {
		r := ran(t, job, o)
		for _, s := range r.Steps {
			if s.How != Cached {
				t.Errorf("dry run %v: %s is %s (%s), want %s", o.DryRun, s.Out, s.How, s.Why, Cached)
			}
		}
	}
}

func TestThreadsTold(t *testing.T) {
	for _, tt := range []struct {
		name, env string
		argv      []string
		want      int
	}{
		{"not told", "", []string{"nvcc", "-c"}, 2},
		{"by the contract", "", []string{"nvcc", "-t=4", "-c"}, 1},
		{"by a variable", "NVCC_APPEND_FLAGS=-lineinfo --threads 4", []string{"nvcc", "-c"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := maker{job: Job{Tools: Tools{Env: []string{tt.env}}}}
			if got := m.threads(&task{call: PlannedCall{Source: "k.cu", Argv: tt.argv, Archs: []string{"sm_80", "sm_90"}}}); got != tt.want {
				t.Errorf("%d threads, want %d", got, tt.want)
			}
		})
	}
}
