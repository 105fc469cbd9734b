package consumer

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// findProject asks for the toolkit without the CUDA language. It listens to the module's own variable: the
// made-up toolkits have no cudart to link with, so newer CMakes forget the root again at the end.
const findProject = `cmake_minimum_required(VERSION 3.20)
project(x LANGUAGES NONE)
function(seen var access value file stack)
  if(access STREQUAL "MODIFIED_ACCESS" AND NOT value STREQUAL "")
    message("nvcc=${CUDAToolkit_NVCC_EXECUTABLE}")
    message("root=${value}")
  endif()
endfunction()
variable_watch(CUDAToolkit_ROOT_DIR seen)
find_package(CUDAToolkit QUIET)
`

// languageProject enables CUDA, and C before it when there is a C compiler. The stand-in nvcc compiles nothing,
// so CMake stops later with an error; by then it has said which nvcc and which root it took.
const languageProject = `cmake_minimum_required(VERSION 3.20)
project(x LANGUAGES NONE)
function(seen var access value file stack)
  if(access STREQUAL "MODIFIED_ACCESS")
    message("top=${value}")
  endif()
endfunction()
find_program(FIRST_C NAMES cc gcc)
if(FIRST_C)
  set(CMAKE_C_COMPILER_ID_RUN 1)
  set(CMAKE_C_COMPILER_FORCED 1)
  enable_language(C)
  message("cc=${CMAKE_C_COMPILER}")
endif()
variable_watch(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT seen)
enable_language(CUDA)
`

var cmakeVariables = []string{"CUDACXX", "CUDAToolkit_ROOT", "CUDA_PATH", "CUDA_HOME", "CMAKE_PREFIX_PATH", "CMAKE_PROGRAM_PATH"}

func TestRealCMake(t *testing.T) {
	built := needHarness(t)
	for _, root := range []string{"cmake-system", "cmake-4.4"} {
		if _, err := os.Stat(filepath.Join(built, root)); err != nil {
			t.Run(root, func(t *testing.T) {
				t.Skip(root + " is not there: cmake or pip was missing when the harness was built")
			})
			continue
		}
		t.Run(root, func(t *testing.T) { realCMake(t, built, root) })
	}
}

func realCMake(t *testing.T, built, root string) {
	t.Parallel()
	dir, nvcc := cmakeRoot(t, built, root)
	at := cmakeVersion(t, dir)
	for _, tt := range []struct {
		name, consumer, project string
		answer                  func(t *testing.T, tr *tree) (nvcc, root, said string)
	}{
		{"find_package", "CMake, find_package(CUDAToolkit)", findProject, askFind},
		{"language", "CMake, language CUDA", languageProject, askLanguage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			row, found := rowOf(t, tt.consumer, at), 0
			if row.Proved["linux"] != "run" {
				t.Logf("CMake %s: the row of the table is marked as read only, and is run here all the same", at)
			}
			for seed := range uint64(*rounds / 2) {
				tr := newTree(t, dir, nvcc, seed+1000, cmakeVariables)
				tr.addCompiler(t, nvcc, seed)
				(&tree{dir: dir}).write(t, "/p/CMakeLists.txt", tt.project)
				p := row.Pick(tr.world(t))
				realNvcc, realRoot, said := tt.answer(t, tr)
				if realNvcc != p.Nvcc || realRoot != p.Root {
					t.Fatalf("seed %d:\n%s\nreal: nvcc=%s root=%s\nours: %+v\nCMake said:\n%s", seed, tr, realNvcc, realRoot, p, said)
				}
				if realRoot != "" {
					found++
				}
			}
			t.Logf("CMake %s: %d machines, found on %d", at, *rounds/2, found)
			if found == 0 || found == *rounds/2 {
				t.Errorf("the machines do not tell anything apart: found on %d of %d", found, *rounds/2)
			}
		})
	}
}

// addCompiler puts a C compiler on every third machine: CMake looks for nvcc beside it first.
func (tr *tree) addCompiler(t *testing.T, nvcc string, seed uint64) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Join(tr.dir, "usr/bin/cc")))
	r := rand.New(rand.NewPCG(seed, 8))
	if r.IntN(3) > 0 {
		return
	}
	dir := []string{"/usr/bin", "/srv/a/bin", "/usr/local/bin"}[r.IntN(3)]
	must(t, os.MkdirAll(filepath.Join(tr.dir, dir), 0o755))
	must(t, os.Link(nvcc, filepath.Join(tr.dir, dir, "cc")))
	tr.text = append(tr.text, dir+"/cc")
}

func askFind(t *testing.T, tr *tree) (nvcc, root, said string) {
	answers, r := tr.cmake(t)
	nvcc = answers["nvcc"]
	if strings.HasSuffix(nvcc, "-NOTFOUND") {
		nvcc = ""
	}
	return nvcc, answers["root"], r.stdout + r.stderr
}

func askLanguage(t *testing.T, tr *tree) (nvcc, root, said string) {
	answers, r := tr.cmake(t)
	cache, err := os.ReadFile(filepath.Join(tr.dir, "b/CMakeCache.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(cache)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if strings.HasPrefix(name, "CMAKE_CUDA_COMPILER:") && !strings.HasSuffix(value, "-NOTFOUND") {
			nvcc = value
		}
	}
	if nvcc == "" {
		return "", "", r.stdout + r.stderr // without a compiler CMake goes on to look for clang's toolkit, and then stops
	}
	return nvcc, answers["top"], r.stdout + r.stderr
}

// cmake configures the project and returns the lines name=value that it printed, the last of each.
func (tr *tree) cmake(t *testing.T) (map[string]string, real) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Join(tr.dir, "b")))
	r := tr.run(t, "/usr/bin/cmake", nil, "-S", "/p", "-B", "/b", "-G", "Unix Makefiles", "-DCMAKE_MAKE_PROGRAM=/usr/bin/cmake")
	answers := map[string]string{}
	for line := range strings.Lines(r.stdout + r.stderr) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.Contains(name, " ") {
			answers[name] = value
		}
	}
	return answers, r
}

// cmakeRoot copies one CMake's root, so that the made-up machines do not stay in the test bed.
func cmakeRoot(t *testing.T, built, root string) (dir, nvcc string) {
	t.Helper()
	base, nvcc := chroot(t, built)
	dir = filepath.Join(base, root)
	if out, err := exec.Command("cp", "-r", filepath.Join(built, root), dir).CombinedOutput(); err != nil {
		t.Fatalf("copy %s: %v: %s", root, err, out)
	}
	must(t, os.MkdirAll(filepath.Join(dir, "dev"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "dev", "null"), nil, 0o666))
	return dir, nvcc
}

func cmakeVersion(t *testing.T, dir string) string {
	t.Helper()
	r := (&tree{dir: dir}).run(t, "/usr/bin/cmake", nil, "--version")
	fields := strings.Fields(r.stdout)
	if len(fields) < 3 {
		t.Fatalf("cmake --version said %q %q", r.stdout, r.stderr)
	}
	return fields[2]
}
