package realbuilds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

// TestWineMissingDLL: a compiler that needs a library which is not there prints nothing; Windows ends it with 0xC0000135. The
// record has the whole number, and what cupel says names it. The compiler is a stand-in in a root of links.
func TestWineMissingDLL(t *testing.T) {
	w := onWindows(t)
	dir := t.TempDir()
	root := filepath.Join(dir, "cuda")
	linkRoot(t, filepath.Join(testbed.Root(t, "win-cuda-13.0"), "nvidia", "cu13"), root)
	dll := filepath.Join(dir, "gone.dll")
	mingw(t, dll, "-shared", "gone.c")
	mingw(t, filepath.Join(root, "bin", "nvcc.exe"), "needs.c", dll)
	if err := os.Remove(dll); err != nil {
		t.Fatal(err)
	}
	copyTree(t, winProject(t, "kernels"), filepath.Join(dir, "project"))
	r := w.cupel(t, filepath.Join(dir, "project"), nil, "exec", "--toolkit", w.Windows(root), "--", w.Windows(helper(t, "builder")), "scale.cu")
	if r.code != 101 {
		t.Errorf("exec ends with %d, want the builder's 101", r.code)
	}
	_, calls := w.last(t)
	if len(calls) != 1 || calls[0].End == nil || calls[0].End.Code != 0xC0000135 || calls[0].End.Status != "0xC0000135 (STATUS_DLL_NOT_FOUND)" || len(calls[0].Text()) > 0 {
		t.Fatalf("the record is %+v", calls)
	}
	_, closing, _ := strings.Cut(r.stderr, "---- cupel exec: ")
	contains(t, "what follows", closing, "1 nvcc call", "0xC0000135 (STATUS_DLL_NOT_FOUND)", "error[", "cupel replay ")
	evidence(t, "exec-wine-missing-dll.txt", "> cupel exec --toolkit %TMP%\\cuda -- builder.exe scale.cu\n"+r.all, w.Windows(w.home), `%CUPEL_HOME%`, w.Windows(dir), `%TMP%`, w.Windows(scratch), `%TMP%`)
}

// linkRoot makes a root whose entries lead to a real one, but for its nvcc.exe.
func linkRoot(t *testing.T, real, root string) {
	t.Helper()
	for _, dir := range []string{"", "bin"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(real, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() == "bin" || e.Name() == "nvcc.exe" {
				continue
			}
			if err := os.Symlink(filepath.Join(real, dir, e.Name()), filepath.Join(root, dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestWineErrorOnStdout: cl.exe writes its errors to standard output, and nvcc hands that on. They are in the record as what
// they are, and are explained. The error is a stand-in's, worded as Microsoft's compiler words it.
func TestWineErrorOnStdout(t *testing.T) {
	testbed.Long(t)
	w := onWindows(t)
	dir := t.TempDir()
	// nvcc.exe looks for vcvarsall.bat above cl.exe's folder.
	studio := filepath.Join(dir, "studio")
	if err := os.MkdirAll(filepath.Join(studio, "VC"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(w.Linux(testbed.VisualStudio), "VC", "Auxiliary"), filepath.Join(studio, "VC", "Auxiliary")); err != nil {
		t.Fatal(err)
	}
	cl := filepath.Join(studio, "VC", "Tools", "MSVC", "14.40.33807", "bin", "Hostx64", "x64", "cl.exe")
	mingw(t, cl, "cl.c")
	write(t, filepath.Join(dir, "k.cu"), "__global__ void k() {}\n")
	r := w.cupel(t, dir, []string{"REAL_CL=" + testbed.HostX64}, "exec", "--toolkit", "13.0", "--", "nvcc", "-c", "-ccbin", w.Windows(filepath.Dir(cl)), "-o", "k.obj", "k.cu")
	if r.code != 2 {
		t.Errorf("exec ends with %d, want 2:\n%s", r.code, r.all)
	}
	_, calls := w.last(t)
	if len(calls) != 1 {
		t.Fatalf("%d records:\n%s", len(calls), r.all)
	}
	const message = "k.cu(3): error C2065: 'undeclared': undeclared identifier"
	if got := string(calls[0].Of(call.Stdout)); !strings.Contains(got, message) || strings.Contains(string(calls[0].Of(call.Stderr)), message) {
		t.Errorf("stdout in the record is %q", got)
	}
	contains(t, "standard output", r.stdout, message)
	contains(t, "what follows", r.stderr, "| "+message, "error[", "cupel replay ")
	evidence(t, "exec-wine-cl.txt", "> cupel exec --toolkit 13.0 -- nvcc -c -ccbin %TMP%\\studio\\… -o k.obj k.cu\n"+r.all, w.Windows(w.home), `%CUPEL_HOME%`, w.Windows(dir), `%TMP%`, strings.ReplaceAll(w.Windows(dir), `\`, "/"), `%TMP%`, w.Windows(scratch), `%TMP%`)
}
