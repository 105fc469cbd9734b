package realbuilds

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// TestWineFix: with --fix calls of NVIDIA's real nvcc.exe 13.4 get what Microsoft's compiler needs and lose what it does not
// know; the record has both forms and the closing text says what was changed.
func TestWineFix(t *testing.T) {
	testbed.Long(t)
	testbed.Root(t, "win-cuda-13.4")
	w := onWindows(t)
	dir := t.TempDir()
	copyTree(t, winProject(t, "kernels"), dir)
	r := w.cupel(t, dir, nil, "exec", "--toolkit", "13.4", "--fix=zc-preprocessor,math-defines,no-fpic", "--", "nvcc", "-ptx", "-Xcompiler", "-fPIC", "-o", "scale.ptx", "scale.cu")
	_, calls := w.last(t)
	if len(calls) != 1 {
		t.Fatalf("%d records:\n%s", len(calls), r.all)
	}
	k := calls[0]
	var fixes []string
	for _, c := range k.Begin.Changes {
		fixes = append(fixes, c.Fix)
	}
	slices.Sort(fixes)
	if want := []string{"math-defines", "no-fpic", "zc-preprocessor"}; !slices.Equal(fixes, want) {
		t.Errorf("repairs in the record = %q, want %q", fixes, want)
	}
	if !slices.Contains(k.Begin.Args, "-fPIC") || slices.Contains(k.Argv(), "-fPIC") {
		t.Errorf("called with %q, run with %q: want -fPIC in the first alone", k.Begin.Args, k.Argv())
	}
	ran := strings.Join(k.Argv(), " ")
	contains(t, "what was run", ran, "/Zc:preprocessor", "-D_USE_MATH_DEFINES", "scale.cu")
	contains(t, "what follows", r.stderr, "zc-preprocessor", "math-defines", "no-fpic")
	if r.code != 0 || !strings.Contains(read(t, filepath.Join(dir, "scale.ptx")), ".target sm_") {
		t.Errorf("exec ends with %d:\n%s", r.code, r.all)
	}
	evidence(t, "exec-wine-fix.txt", "> cupel exec --toolkit 13.4 --fix=zc-preprocessor,math-defines,no-fpic -- nvcc -ptx -Xcompiler -fPIC -o scale.ptx scale.cu\n"+r.all, w.Windows(w.home), `%CUPEL_HOME%`, w.Windows(dir), `%TMP%`)
}

// TestWineFixLongLine: a call of 100 kB that is repaired has its response files in their place, which no command line of
// Windows holds: it goes to nvcc.exe by a response file again.
func TestWineFixLongLine(t *testing.T) {
	testbed.Long(t)
	w := onWindows(t)
	dir := t.TempDir()
	c := winCall{Name: "long", Args: []string{"--options-file", "long.rsp", "-ptx", "-o", "scale.ptx", "scale.cu"}}
	sameProject(t, dir, []winCall{c})
	r := w.cupel(t, dir, nil, append([]string{"exec", "--toolkit", "13.0", "--fix=math-defines", "--", "nvcc"}, c.Args...)...)
	_, calls := w.last(t)
	if r.code != 0 || len(calls) != 1 || len(calls[0].Begin.Changes) != 1 {
		t.Fatalf("exec ends with %d, %d records:\n%s", r.code, len(calls), r.all)
	}
	ran := calls[0].Begin.Used
	if n := len(strings.Join(ran, " ")); n < 100_000 || !slices.Contains(ran, "-D_USE_MATH_DEFINES") {
		t.Errorf("the repaired call in the record has %d bytes: %.200q…", n, ran)
	}
	contains(t, "scale.ptx", read(t, filepath.Join(dir, "scale.ptx")), ".entry")
}
