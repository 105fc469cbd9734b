package mend

import (
	"slices"
	"strings"
	"testing"
)

// FuzzApply: no arguments break it, what it repaired has nothing left to repair, and nothing else of a call is touched.
func FuzzApply(f *testing.F) {
	for _, seed := range []string{
		"-arch=sm_120\n-c\nk.cu", "-gencode\narch=compute_120,code=[sm_120,compute_120]\nk.cu", "-Xcompiler\n-fPIC,-O3\n-fPIC\nk.cu",
		"-ccbin\ng++-12\nk.cu\n-ccbin", "-code=[]\n-arch=compute_90\nk.cu", "--\n@f\n-x\ncu\n-", "-gencode=arch=,code=\n-Xcompiler=\nk.cu",
	} {
		f.Add(seed)
	}
	plan := msvc()
	plan.Compilers, plan.Archs = gcc().Compilers, archs124()
	quiet := Plan{Compilers: &Compilers{Use: "/usr/bin/g++"}, Archs: &Archs{Known: []string{"90"}}}
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		given := slices.Clone(args)
		out, changes := plan.Apply("nvcc", args)
		if !slices.Equal(args, given) {
			t.Fatalf("Apply changed its own input %q to %q", given, args)
		}
		if len(changes) == 0 && !slices.Equal(out, args) {
			t.Fatalf("Apply(%q) = %q without a change", args, out)
		}
		if again, more := plan.Apply("nvcc", out); len(more) > 0 || !slices.Equal(again, out) {
			t.Fatalf("Apply(%q) = %q, and again %q (%+v)", args, out, again, more)
		}
		if !strings.Contains(text, "sm_") && !strings.Contains(text, "compute_") {
			if out, changes := quiet.Apply("nvcc", args); len(changes) > 0 || !slices.Equal(out, args) {
				t.Fatalf("Apply(%q) without trouble = %q (%+v)", args, out, changes)
			}
		}
	})
}
