package recipe

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/nvcc"
	"cupel/internal/testbed"
)

// releases are the tested ones; make test has the first alone.
var releases = []string{"13.0", "12.4", "13.4", "11.8", "13.1", "13.2", "13.3"}

// eachRelease runs a test with the real nvcc of every release.
func eachRelease(t *testing.T, test func(t *testing.T, compiler string)) {
	for k, release := range releases {
		t.Run(release, func(t *testing.T) {
			if k > 0 {
				testbed.Long(t)
			}
			test(t, filepath.Join(testbed.Toolkit(t, "cuda-"+release), "bin", "nvcc"))
		})
	}
}

// Sources that the tests compile: public has nothing that is private to it, private has.
const (
	public = `#include "inc/a.h"
__device__ int tbl[4] = {1, 2, 3, 4};
__constant__ float c[4];
__device__ float twice(float x) { return x * 2.0f + c[1]; }
template <class T> __global__ void k(T *p, int n) { int i = threadIdx.x; int unused; if (i < n) p[i] = twice(p[i]) + tbl[i & 3] + A; }
void launch(float *p, int n) { unsigned u = 1; if (u > -1) k<float><<<1, 32>>>(p, n); }
`
	private = public + `namespace { template <class T> __global__ void hidden(T *p) { *p = c[0]; } }
void launchHidden(float *p) { hidden<float><<<1, 1>>>(p); }
`
)

// project makes a folder with a source, and one for files on the way beside it.
func project(t *testing.T, name, source string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for file, text := range map[string]string{"k.cu": source, "inc/a.h": "#define A 3\n"} {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// result is what a call made and said.
type result struct {
	output, said []byte
	kept         map[string][]byte // files on the way
}

// files are the names of the kept files with a suffix.
func (r result) files(suffix string) (list []string) {
	for name := range r.kept {
		if strings.HasSuffix(name, suffix) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// compile runs nvcc in a folder; keep is the folder for files on the way, empty: none are kept. It must go well.
func compile(t *testing.T, compiler, dir, keep string, env []string, args ...string) result {
	t.Helper()
	if keep != "" {
		if err := os.MkdirAll(keep, 0o755); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(keep)
		args = Kept(args, keep)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, compiler, args...)
	// 11.8 does not want the GCC of Debian 12, and compiles these sources with it.
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "NVCC_APPEND_FLAGS=-allow-unsupported-compiler"), env...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", compiler, args, err, said)
	}
	out, _ := nvcc.Parse(args).Last("output-file")
	bytes, err := os.ReadFile(filepath.Join(dir, out))
	if err != nil {
		t.Fatal(err)
	}
	r := result{output: bytes, said: said, kept: map[string][]byte{}}
	if keep != "" {
		r.keep(t, keep)
	}
	return r
}

func (r *result) keep(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		r.kept[e.Name()] = text
	}
}

// took is what ptxas -v says of 13.0 on.
var took = regexp.MustCompile(`Compile time = [0-9.]+ ms`)

// TestKept: files on the way are where they are wanted, and neither the result nor what nvcc says changes by it.
func TestKept(t *testing.T) {
	two := "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]"
	tests := []struct {
		args, preprocessed string
		same, quick        bool // same: the bytes of plain nvcc
	}{
		{"-ptx -arch=sm_80", "k.cpp1.ii", true, true},
		{"-cubin -arch=sm_80 -Xptxas -v", "k.cpp1.ii", true, false},
		{"-fatbin -arch=sm_80", "k.cpp1.ii", true, false},
		{"-fatbin " + two, "k.compute_80.cpp1.ii k.compute_90.cpp1.ii", true, false},
		{"-c -arch=sm_80 -Xcompiler -Wall,-Wextra", "k.cpp1.ii k.cpp4.ii", false, false},
		{"-c " + two, "k.compute_80.cpp1.ii k.compute_90.cpp1.ii k.cpp4.ii", false, true},
		{"-dc -arch=sm_80", "k.cpp1.ii k.cpp4.ii", false, false},
		{"-dw -arch=sm_80", "k.cpp1.ii k.cpp4.ii", false, false},
	}
	eachRelease(t, func(t *testing.T, compiler string) {
		dir := project(t, "p", public)
		for _, tt := range tests {
			if testing.Short() && !tt.quick {
				continue
			}
			args := append(strings.Fields(tt.args), "k.cu", "-o", "out")
			plain := compile(t, compiler, dir, "", nil, args...)
			kept := compile(t, compiler, dir, filepath.Join(dir, "on the way; k=[1]"), nil, args...)
			if got := strings.Join(kept.files(".ii"), " "); got != tt.preprocessed {
				t.Errorf("%s leaves %s, want %s", tt.args, got, tt.preprocessed)
			}
			if bytes.Equal(plain.output, kept.output) != tt.same {
				t.Errorf("%s: the bytes of plain nvcc: %v, want %v", tt.args, !tt.same, tt.same)
			}
			if said := took.ReplaceAll(kept.said, nil); !bytes.Equal(said, took.ReplaceAll(plain.said, nil)) {
				t.Errorf("%s says\n%s\nwant what plain nvcc says:\n%s", tt.args, said, plain.said)
			}
			if len(kept.said) == 0 {
				t.Errorf("%s says nothing, want the warning about a variable that is not used", tt.args)
			}
		}
	})
}

// TestFolders: the working folder, the folder for files on the way and the name of the output are inside a result where the
// recipe says so, and nowhere else.
func TestFolders(t *testing.T) {
	tests := []struct {
		args, source string
		quick        bool
	}{
		{"-ptx", private, true},
		{"-c -g", public, false},
		{"-ptx", public, false}, {"-ptx -g", public, false}, {"-ptx -G", public, false}, {"-ptx -lineinfo", public, false}, {"-ptx -rdc=true", public, false}, {"-ptx -rdc=true", private, false},
		{"-cubin", public, false}, {"-cubin -g", public, false}, {"-cubin -G", public, false}, {"-cubin -lineinfo", public, false}, {"-cubin", private, false},
		{"-fatbin", public, false}, {"-fatbin -G", public, false}, {"-fatbin -lineinfo", public, false}, {"-fatbin", private, false}, {"-fatbin -rdc=true", public, false}, {"-fatbin -dlto", public, false},
		{"-c", public, false}, {"-c", private, false}, {"-c -G", public, false}, {"-c -lineinfo", public, false}, {"-c -rdc=true", public, false}, {"-dc", public, false}, {"-dw", public, false}, {"-c -ewp", public, false},
		{"-dc -dlto", public, false}, {"-c -Xcompiler -g", public, false}, {"-c -Xcompiler -fsanitize=address", public, false}, {"-c -pg", public, false}, {"-c -O0 -Xcompiler -fPIC,-O2", public, false},
	}
	eachRelease(t, func(t *testing.T, compiler string) {
		measured := strings.Contains(compiler, "12.4") || strings.Contains(compiler, "13.4")
		for _, tt := range tests {
			if !tt.quick && (testing.Short() || !measured) { // a minute and more for each release
				continue
			}
			words := append([]string{"-arch=sm_80"}, strings.Fields(tt.args)...)
			r, refused := For(nvcc.Parse(append(words, "k.cu", "-o", "out")), os.Getenv, false)
			if refused != nil {
				t.Fatalf("%s is refused: %v", tt.args, refused)
			}
			one, other := project(t, "one", tt.source), project(t, "another", tt.source)
			keep := filepath.Join(t.TempDir(), "w")
			run := func(dir, keep, out string) result {
				return compile(t, compiler, dir, keep, []string{"PWD=" + dir}, append(slices.Clone(words), "k.cu", "-o", out)...)
			}
			first := run(one, keep, "out")
			inside := r.Private(first.output)
			for _, name := range append(first.files(".ptx"), first.files(".cubin")...) {
				inside = inside || r.Private(first.kept[name])
			}
			if want := tt.source == private; inside != want && r.DirMatters == "" {
				t.Errorf("%s: private names inside: %v, want %v", tt.args, inside, want)
			}
			if same := bytes.Equal(first.output, run(other, keep, "out").output); same == (inside || r.DirMatters != "") && !(same && wary(tt.args)) {
				t.Errorf("%s gives the same bytes in another folder: %v; the recipe says %q, private names inside: %v", tt.args, same, r.DirMatters, inside)
			}
			if same := bytes.Equal(first.output, run(one, keep+"-2", "out").output); same == r.NameInside {
				t.Errorf("%s gives the same bytes with files on the way elsewhere: %v; the recipe says %v", tt.args, same, r.NameInside)
			}
			same := bytes.Equal(first.output, run(one, keep, "other").output) // then a second time too
			if !same && !slices.Contains(r.Words, "out") {
				t.Errorf("%s gives other bytes under another name, which is not in the key %q", tt.args, r.Words)
			}
			if !same && !bytes.Equal(first.output, run(one, keep, "out").output) {
				t.Errorf("%s gives other bytes a second time", tt.args)
			}
		}
	})
}

// wary: only one of many kinds is tried, so the recipe counts the working folder for all of them.
func wary(args string) bool { return strings.Contains(args, "-fsanitize") }

// TestIgnored: what is left out of the key changes no byte.
func TestIgnored(t *testing.T) {
	testbed.Long(t)
	eachRelease(t, func(t *testing.T, compiler string) {
		dir := project(t, "p", public)
		archs := []string{"-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]", "k.cu", "-o", "out"}
		options := [][]string{{"-t", "2"}, {"--threads=0"}} // -jobserver is not among them: from 13.1 on ptxas gets it, and a fatbin holds its words
		for _, kind := range []string{"-fatbin", "-c"} {
			keep := filepath.Join(dir, "w")
			want := compile(t, compiler, dir, keep, nil, append([]string{kind}, archs...)...)
			for _, o := range options {
				args := slices.Concat([]string{kind}, o, archs)
				got := compile(t, compiler, dir, keep, nil, args...)
				if !bytes.Equal(got.output, want.output) || !slices.Equal(got.files(""), want.files("")) {
					t.Errorf("%q changes the result or the files on the way", args)
				}
			}
		}
	})
}

// TestShell: nvcc gives words to a shell, which is why some are refused, and folders for files on the way too.
func TestShell(t *testing.T) {
	compiler, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), project(t, "p", "#ifndef IN\n#error\n#endif\n")
	compile(t, compiler, dir, "", []string{"CUPEL_SHELL_WORD=IN"}, "-E", "-D$CUPEL_SHELL_WORD", "k.cu", "-o", "out")
	for _, tt := range []struct {
		dir           string
		unix, windows bool
	}{{"/a b=(c)/ä", true, true}, {"/a,b", false, false}, {"/a$b", false, true}, {"/a`b", false, true}, {`/a"b`, false, false}, {`C:\a`, false, true}, {`C:\a%b`, false, false}} {
		if unix, windows := Keepable(tt.dir, false), Keepable(tt.dir, true); unix != tt.unix || windows != tt.windows {
			t.Errorf("Keepable(%s) = %v on Unix and %v on Windows, want %v and %v", tt.dir, unix, windows, tt.unix, tt.windows)
		}
	}
}

// TestHeaderOrder: the host compiler gets folders in the order of Search.
func TestHeaderOrder(t *testing.T) {
	eachRelease(t, func(t *testing.T, compiler string) {
		dir := project(t, "p", public)
		args := []string{"-ptx", "-I", "i1", "-isystem", "s1", "-Xcompiler", "-Ix1,-isystem,xs1,-iquote,q1", "-I", "i2", "-forward-unknown-to-host-compiler", "-idirafter/a1", "k.cu"}
		r, refused := For(nvcc.Parse(args), none, false)
		if refused != nil {
			t.Fatal(refused)
		}
		said, err := exec.Command(compiler, append([]string{"--dryrun", "-arch=sm_80"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v in %s\n%s", err, dir, said)
		}
		for kind, option := range map[string]string{"quote": "-iquote", "user": "-I", "system": "-isystem", "after": "-idirafter"} {
			var got, want []string
			// The whole name: the toolkit's own folders may begin like these.
			for _, m := range regexp.MustCompile(option+`"? ?"?([a-z/]+[0-9])["\s]`).FindAllStringSubmatch(string(said), -1) {
				got = append(got, m[1])
			}
			for _, f := range r.Search {
				if f.Kind == kind {
					want = append(want, f.Path)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: the compiler gets %q, Search has %q:\n%s", kind, got, want, said)
			}
		}
	})
}

// TestFlagVariables: nvcc puts the variables that are refused on its commands.
func TestFlagVariables(t *testing.T) {
	eachRelease(t, func(t *testing.T, compiler string) {
		for _, name := range []string{"INCLUDES", "CUDAFE_FLAGS", "NVVM_FLAGS", "OCG_FLAGS", "PTXAS_FLAGS"} {
			cmd := exec.Command(compiler, "--dryrun", "-c", "-arch=sm_80", "k.cu")
			cmd.Dir, cmd.Env = project(t, "p", public), append(os.Environ(), name+"=-DCUPELWORD")
			said, err := cmd.CombinedOutput()
			shown := 0
			for line := range strings.Lines(string(said)) {
				if strings.Contains(line, "-DCUPELWORD") && !strings.HasPrefix(line, "#$ "+name+"=") {
					shown++
				}
			}
			if err != nil || shown == 0 {
				t.Errorf("%s is not on any command (%v):\n%s", name, err, said)
			}
		}
	})
}

// inHelp is an option in the help of nvcc's own programs.
var inHelp = regexp.MustCompile(`(?m)^(--\S+) .*\((-\S+)\) *$`)

// TestToolOptions: every option of ptxas and fatbinary is either known to be harmless or left out on purpose.
func TestToolOptions(t *testing.T) {
	left := map[string][]string{
		"ptxas":     strings.Fields("--output-file --options-file --input-as-string --device-debug --generate-line-info --gpu-name --help --version --list-version --list-arch --apply-controls"),
		"fatbinary": strings.Fields("--cmdline --cicc-cmdline --tileir-cmdline --create --debug --device-c --embedded-fatbin --help --ident --image --image2 --image3 --link --no-asm --options-file --version --concat --host --cuda --64 --32"),
	}
	eachRelease(t, func(t *testing.T, compiler string) {
		for program, table := range map[string][]known{"ptxas": ptxas, "fatbinary": fatbinary} {
			help, err := exec.Command(filepath.Join(filepath.Dir(compiler), program), "--help").Output()
			found := inHelp.FindAllStringSubmatch(string(help), -1)
			if err != nil || len(found) < 10 {
				t.Fatalf("%s --help: %v, %d options\n%s", program, err, len(found), help)
			}
			for _, m := range found {
				for _, name := range m[1:] {
					if refused := tool([]string{name}, table); (refused != nil) != slices.Contains(left[program], m[1]) {
						t.Errorf("%s %s: %v", program, name, refused)
					}
				}
			}
		}
	})
}
