package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
	"cupel/internal/testbed"
)

// shared keeps the digests of the real toolkits for all tests: they are large.
var shared cas.Store

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "toolchain")
	if err != nil {
		panic(err)
	}
	shared = cas.Store{Dir: dir}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// toolkits are the roots to test with: two in short runs, else all.
func toolkits(t testing.TB) map[string]string {
	parts := []string{"cuda-12.4", "cuda-13.0"}
	if !testing.Short() {
		parts = append(parts, "cuda-11.8", "cuda-13.1", "cuda-13.2", "cuda-13.3", "cuda-13.4")
	}
	all := map[string]string{}
	for _, part := range parts {
		all[part] = testbed.Toolkit(t, part)
	}
	return all
}

// linked is a toolkit root of links, in which single files can be replaced. Its largest programs are small stand-ins: only
// their bytes count here, and they would be read anew in every root.
func linked(t *testing.T, root string) string {
	t.Helper()
	to := t.TempDir()
	for _, sub := range []string{"bin", "nvvm/bin", "nvvm/libdevice"} {
		entries, err := os.ReadDir(filepath.Join(root, sub))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(to, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			symlink(t, filepath.Join(root, sub, e.Name()), filepath.Join(to, sub, e.Name()))
		}
	}
	symlink(t, filepath.Join(root, "include"), filepath.Join(to, "include"))
	for _, big := range []string{"bin/ptxas", "bin/nvlink", "bin/cudafe++", "nvvm/bin/cicc"} {
		write(t, filepath.Join(to, big), big, 0o755)
	}
	return to
}

func symlink(t *testing.T, old, name string) {
	t.Helper()
	_ = os.Remove(name)
	if err := os.Symlink(old, name); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	_ = os.Remove(path)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, nvcc, ccbin, dir string, env ...string) Tools {
	t.Helper()
	tools, refusal, err := Find(nvcc, ccbin, dir, env, stamp.New(), shared)
	if refusal != nil || err != nil {
		t.Fatalf("Find(%q, %q): %v, %v", nvcc, ccbin, refusal, err)
	}
	return tools
}

func (t Tools) key() digest.Digest {
	h := digest.NewHash()
	t.Walk(h)
	return h.Sum()
}

func (t Tools) paths(role string) (all []string) {
	for _, f := range t.Files {
		if f.Role == role {
			all = append(all, f.Path)
		}
	}
	return all
}

const usual = "PATH=/usr/local/bin:/usr/bin:/bin"

// TestRoles: everything that matters is there, with real toolkits and real host compilers.
func TestRoles(t *testing.T) {
	for part, root := range toolkits(t) {
		for ccbin, roles := range map[string]string{
			"gcc-11":   "host cc1plus as",
			"g++-12":   "host cc1plus as",
			"clang-16": "host",
		} {
			t.Run(part+" "+ccbin, func(t *testing.T) {
				needs(t, ccbin)
				tools := find(t, filepath.Join(root, "bin", "nvcc"), ccbin, t.TempDir(), usual)
				for _, role := range strings.Fields("nvcc nvcc.profile cudafe++ cicc ptxas fatbinary nvlink libdevice " + roles) {
					if n := len(tools.paths(role)); n != 1 {
						t.Errorf("%s: %d files, want 1: %q", role, n, tools.paths(role))
					}
				}
				if want := filepath.Join("/usr/bin", ccbin); tools.Host != want {
					t.Errorf("host = %s, want %s", tools.Host, want)
				}
				for _, f := range tools.Files {
					if f.Digest.IsZero() {
						t.Errorf("%s %s has no digest", f.Role, f.Path)
					}
				}
				if !slices.Contains(tools.Includes, "/usr/include") || !slices.Contains(tools.Includes, tools.Search[0].Path) {
					t.Errorf("folders: %q", tools.Includes)
				}
			})
		}
	}
}

func needs(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("needs %s: %v", program, err)
	}
}

// TestChanges: the key changes exactly with what changes the result.
func TestChanges(t *testing.T) {
	needs(t, "gcc-12")
	real := testbed.Toolkit(t, "cuda-13.0")
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, root, front string)
		same   bool
	}{
		{"nothing", func(*testing.T, string, string) {}, true},
		{"other ptxas", func(t *testing.T, root, _ string) { write(t, root+"/bin/ptxas", "other", 0o755) }, false},
		{"other cicc", func(t *testing.T, root, _ string) { write(t, root+"/nvvm/bin/cicc", "other", 0o755) }, false},
		{"other libdevice", func(t *testing.T, root, _ string) { write(t, root+"/nvvm/libdevice/libdevice.10.bc", "other", 0o644) }, false},
		{"touched fatbinary", func(t *testing.T, root, _ string) {
			b, err := os.ReadFile(root + "/bin/fatbinary")
			if err != nil {
				t.Fatal(err)
			}
			write(t, root+"/bin/fatbinary", string(b), 0o755)
		}, true},
		{"ptxas gone", func(t *testing.T, root, _ string) { _ = os.Remove(root + "/bin/ptxas") }, false},
		{"line in nvcc.profile", func(t *testing.T, root, _ string) {
			b, _ := os.ReadFile(root + "/bin/nvcc.profile")
			write(t, root+"/bin/nvcc.profile", string(b)+"PTXAS_FLAGS += -v\n", 0o644)
		}, false},
		{"other as first on PATH", func(t *testing.T, _, front string) { write(t, front+"/as", "other", 0o755) }, false},
		{"as that may not run", func(t *testing.T, _, front string) { write(t, front+"/as", "other", 0o644) }, true},
		{"folder named as", func(t *testing.T, _, front string) { _ = os.Mkdir(front+"/as", 0o755) }, true},
		{"other gcc first on PATH", func(t *testing.T, _, front string) { symlink(t, "/usr/bin/gcc-11", front+"/gcc") }, false},
		{"gcc in nvcc's folder", func(t *testing.T, root, _ string) { symlink(t, "/usr/bin/gcc-11", root+"/bin/gcc") }, false},
		{"unused program first on PATH", func(t *testing.T, _, front string) { write(t, front+"/ld", "other", 0o755) }, true},
		{"ptxas behind the toolkit's", func(t *testing.T, _, front string) { write(t, front+"/ptxas", "other", 0o755) }, true},
		{"targets folder", func(t *testing.T, root, _ string) { _ = os.Mkdir(root+"/targets", 0o755) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			needs(t, "gcc-11")
			root, front, dir := linked(t, real), t.TempDir(), t.TempDir()
			env := "PATH=" + front + ":/usr/bin:/bin"
			before := find(t, root+"/bin/nvcc", "", dir, env)
			tt.change(t, root, front)
			after := find(t, root+"/bin/nvcc", "", dir, env)
			if same := before.key() == after.key(); same != tt.same {
				t.Errorf("the same key: %v, want %v\nbefore %v\nafter %v", same, tt.same, before.Files, after.Files)
			}
		})
	}
}

// TestVariablesCount: variables that nvcc reads are in the key, others are not.
func TestVariablesCount(t *testing.T) {
	needs(t, "gcc-12")
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	plain := find(t, nvcc, "", dir, usual).key()
	for _, tt := range []struct {
		variable string
		same     bool
	}{
		{"PTXAS_FLAGS=-O1", false}, {"INCLUDES=-I/x", false}, {"NVVM_FLAGS=-opt=1", false}, {"CPLUS_INCLUDE_PATH=/usr/lib", false},
		{"NVCC_CCBIN=/usr/bin/g++", false}, {"CICC_PATH=/x", true}, {"EDITOR=vi", true}, {"CUDA_PATH=/x", true},
	} {
		if same := find(t, nvcc, "", dir, usual, tt.variable).key() == plain; same != tt.same {
			t.Errorf("%s: the same key: %v, want %v", tt.variable, same, tt.same)
		}
	}
}

func TestRefusals(t *testing.T) {
	needs(t, "gcc-12")
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	write(t, dir+"/nvcc", "#!/bin/sh\nexec nvcc \"$@\"\n", 0o755)
	write(t, dir+"/cc-script", "#!/bin/sh\nexec gcc \"$@\"\n", 0o755)
	wrapper, masked := filepath.Join(dir, "masked", "gcc"), filepath.Join(dir, "masked", "nvcc")
	if err := os.Mkdir(filepath.Dir(wrapper), 0o755); err != nil {
		t.Fatal(err)
	}
	wrap(t, wrapper, "/usr/bin/gcc")
	wrap(t, masked, nvcc)
	for _, tt := range []struct{ name, nvcc, ccbin, variable, want string }{
		{"script as nvcc", dir + "/nvcc", "", "", "nvcc-is-a-script"},
		{"wrapper as nvcc", masked, "", "", "nvcc-is-another-program"},
		{"no nvcc", dir + "/none", "", "", "nvcc-missing"},
		{"no nvcc on PATH", "nvcc", "", "", "nvcc-missing"},
		{"script as host compiler", nvcc, "./cc-script", "", "host-compiler-is-a-script"},
		{"wrapper as host compiler", nvcc, wrapper, "", "host-compiler-is-a-wrapper"},
		{"other program as host compiler", nvcc, "/usr/bin/env", "", "host-compiler-says-nothing"},
		{"program that says nothing", nvcc, "/bin/true", "", "host-compiler-unknown"},
		{"no host compiler", nvcc, "no-such-gcc", "", "host-compiler-missing"},
		{"empty NVCC_CCBIN", nvcc, "", "NVCC_CCBIN=", "host-compiler-missing"},
		{"compiler-bindir", nvcc, "", "compiler-bindir=/usr/bin", "nvcc-profile-names-compiler"},
		{"PATH twice", nvcc, "", "PATH=/x", "variable-set-twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := []string{"PATH=/usr/bin:/bin"}
			if tt.variable != "" {
				env = append(env, tt.variable)
			}
			_, refusal, err := Find(tt.nvcc, tt.ccbin, dir, env, stamp.New(), shared)
			if err != nil || refusal == nil || refusal.Reason != tt.want {
				t.Errorf("refusal %v, error %v, want %s", refusal, err, tt.want)
			}
		})
	}
}

// wrap makes a program that starts another, as ccache does under gcc's name.
func wrap(t *testing.T, to, starts string) {
	t.Helper()
	c := to + ".c"
	write(t, c, "#include <unistd.h>\nint main(int n, char **v) { v[0] = \""+starts+"\"; return execv(v[0], v); }\n", 0o644)
	if out, err := exec.CommandContext(t.Context(), "gcc", "-o", to, c).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestSecondFindStartsNothing: and gives the same, with a new process's knowledge.
func TestSecondFindStartsNothing(t *testing.T) {
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	for ccbin, asked := range map[string]int{"gcc-12": 3, "clang-16": 3} {
		t.Run(ccbin, func(t *testing.T) {
			needs(t, ccbin)
			store := cas.Store{Dir: t.TempDir()}
			env, _ := newEnviron([]string{usual})
			for i, want := range []int{asked, 0} {
				f := finder{dir: dir, env: env, files: stamp.New(), store: store}
				if err := f.find(nvcc, ccbin); err != nil {
					t.Fatal(err)
				}
				if f.started != want {
					t.Errorf("search %d started %d programs, want %d", i+1, f.started, want)
				}
				if got, want := f.tools.key(), find(t, nvcc, ccbin, dir, usual).key(); got != want {
					t.Errorf("search %d found something else", i+1)
				}
			}
		})
	}
}

// TestAsksAgain: a folder comes that the compiler would have looked into.
func TestAsksAgain(t *testing.T) {
	needs(t, "gcc-12")
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	coming := filepath.Join(dir, "coming")
	variable := "CPLUS_INCLUDE_PATH=" + coming
	before := find(t, nvcc, "gcc-12", dir, usual, variable)
	if !slices.Contains(before.Includes, coming) {
		t.Errorf("%s could come and is not in %q", coming, before.Includes)
	}
	if err := os.Mkdir(coming, 0o755); err != nil {
		t.Fatal(err)
	}
	after := find(t, nvcc, "gcc-12", dir, usual, variable)
	if !slices.Contains(after.Includes, coming) || slices.Equal(before.Includes, after.Includes) {
		t.Errorf("the compiler was not asked again: %q, before %q", after.Includes, before.Includes)
	}
}

// TestAssemblerComes: gcc looks for it in folders of its own before PATH.
func TestAssemblerComes(t *testing.T) {
	needs(t, "gcc-12")
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	for _, tt := range []struct{ name, variable, file, role string }{
		{"in COMPILER_PATH", "COMPILER_PATH=" + dir, "as", "as"},
		{"in COMPILER_PATH, a folder that is not there", "COMPILER_PATH=" + dir + "/new", "new/as", "as"},
		{"specs in LIBRARY_PATH", "LIBRARY_PATH=" + dir, "specs", "specs"},
		{"specs of the version in LIBRARY_PATH", "LIBRARY_PATH=" + dir, "x86_64-linux-gnu/12/specs", "specs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := filepath.Join(dir, tt.file)
			has := func(tools Tools) bool {
				return slices.ContainsFunc(tools.Files, func(f File) bool { return f.Role == tt.role && f.Path == at })
			}
			before := find(t, nvcc, "gcc-12", dir, usual, tt.variable)
			if has(before) {
				t.Fatalf("%s is not there, and known: %+v", at, before.Files)
			}
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, at, map[string]string{"as": "#!/bin/sh\nexec /usr/bin/as \"$@\"\n", "specs": "\n"}[tt.role], 0o755)
			if after := find(t, nvcc, "gcc-12", dir, usual, tt.variable); !has(after) {
				t.Errorf("%s came, and is not among %+v", at, after.Files)
			}
			if tt.role == "as" && !slices.ContainsFunc(before.Watched, func(w string) bool { return strings.HasPrefix(at, w) }) {
				t.Errorf("nobody waits for %s: %q", at, before.Watched)
			}
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestClangConfigured: clang reads files of options beside the file that it really is, and takes headers of the newest gcc.
func TestClangConfigured(t *testing.T) {
	needs(t, "clang-16")
	nvcc := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc")
	real, err := filepath.EvalSymlinks("/usr/bin/clang-16")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file, text string
		want             string // a folder for headers, or a reason
	}{
		{"of the mode", "llvm/bin/clang++.cfg", "-isystem /coming\n", "/coming"},
		{"of the target", "llvm/bin/x86_64-pc-linux-gnu.cfg", "-isystem /coming\n", "/coming"},
		{"that names another", "llvm/bin/clang++.cfg", "@/dev/null\n", "host-reads"},
		{"newer gcc of another target", "lib/gcc/x86_64-redhat-linux/99/crtbegin.o", "", "/lib/gcc/x86_64-redhat-linux/99/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, sub := range []string{"bin", "llvm/bin"} {
				if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(t, dir+"/llvm/bin/clang", string(program), 0o755)
			symlink(t, "clang", dir+"/llvm/bin/clang++")
			symlink(t, "../llvm/bin/clang++", dir+"/bin/clang++-16")
			env := []string{usual, "LD_LIBRARY_PATH=/usr/lib/llvm-16/lib"}
			before := find(t, nvcc, dir+"/bin/clang++-16", dir, env...)
			at := filepath.Join(dir, tt.file)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, at, tt.text, 0o644)
			after, refusal, err := Find(nvcc, dir+"/bin/clang++-16", dir, env, stamp.New(), shared)
			if err != nil || refusal != nil && refusal.Reason != tt.want {
				t.Fatalf("refusal %v, error %v, want %s", refusal, err, tt.want)
			}
			if refusal == nil && (!strings.Contains(strings.Join(after.Includes, " "), tt.want) || before.key() == after.key()) {
				t.Errorf("%s came: folders %q, before %q, want %s", tt.file, after.Includes, before.Includes, tt.want)
			}
		})
	}
}

// TestClangSanitizers: what sanitizers leave alone is said in a file of clang's own folder that they read where it is there.
func TestClangSanitizers(t *testing.T) {
	needs(t, "clang-16")
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	real, err := filepath.EvalSymlinks("/usr/bin/clang-16")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	share := filepath.Join(dir, "lib/clang/16/share")
	for _, sub := range []string{filepath.Join(dir, "bin"), filepath.Dir(share)} {
		if err := os.MkdirAll(sub, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir+"/bin/clang++", string(program), 0o755)
	env := []string{usual, "LD_LIBRARY_PATH=/usr/lib/llvm-16/lib"}
	last := find(t, nvcc, dir+"/bin/clang++", dir, env...).key()
	for _, text := range []string{"fun:one\n", "fun:other\n"} {
		if err := os.MkdirAll(share, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, share+"/asan_ignorelist.txt", text, 0o644)
		now := find(t, nvcc, dir+"/bin/clang++", dir, env...).key()
		if now == last {
			t.Errorf("the list says %q now, and the tools are the same", text)
		}
		last = now
	}
}

func BenchmarkFindWarm(b *testing.B) {
	nvcc := filepath.Join(testbed.Toolkit(b, "cuda-13.0"), "bin", "nvcc")
	dir, env := b.TempDir(), os.Environ()
	find(b, nvcc, "", dir, env...)
	var tools Tools
	var refusal *recipe.Refusal
	var err error
	for b.Loop() {
		if tools, refusal, err = Find(nvcc, "", dir, env, stamp.New(), shared); refusal != nil || err != nil {
			b.Fatal(refusal, err)
		}
	}
	b.ReportMetric(float64(len(tools.Files)), "files")
}
