package consumer

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	for _, root := range []string{"cmake-system", "cmake-3.29.6", "cmake-4.1.3", "cmake-4.4.4"} {
		if _, err := os.Stat(filepath.Join(built, root)); err != nil {
			t.Run(root, func(t *testing.T) {
				t.Skip(root + " is not in the test bed: cmake or pip was missing when it was made; remove " + built + " to try again")
			})
			continue
		}
		t.Run(root, func(t *testing.T) { realCMake(t, built, root) })
	}
}

// cmakeQuestion is one thing to ask CMake, and how its answer is read.
type cmakeQuestion struct {
	name, consumer, project string
	answer                  func(t *testing.T, tr *tree) (nvcc, root, said string)
}

func realCMake(t *testing.T, built, root string) {
	t.Parallel()
	dir, nvcc := cmakeRoot(t, built, root)
	at := cmakeVersion(t, dir)
	if !slices.ContainsFunc(Rows(), func(r Row) bool { return r.Key == "cmake" && r.Covers(mustVersion(t, at)) }) {
		t.Skipf("the table has no row for CMake %s", at)
	}
	for _, q := range []cmakeQuestion{
		{"find_package", "CMake, find_package(CUDAToolkit)", findProject, askFind},
		{"language", "CMake, language CUDA", languageProject, askLanguage},
	} {
		t.Run(q.name, func(t *testing.T) {
			row, found, all := rowOf(t, q.consumer, at), 0, len(staged)+*rounds/4
			(&tree{dir: dir}).write(t, "/p/CMakeLists.txt", q.project)
			for i := range staged {
				found += q.compare(t, row, staged[i].name, stage(t, dir, nvcc, i))
			}
			for seed := range uint64(*rounds / 4) {
				tr := newTree(t, dir, nvcc, seed+1000, cmakeVariables)
				tr.addCompiler(t, nvcc, seed)
				found += q.compare(t, row, fmt.Sprintf("seed %d", seed), tr)
			}
			t.Logf("CMake %s: %d machines, found on %d", at, all, found)
			if found == 0 || found == all {
				t.Errorf("the machines do not tell anything apart: found on %d of %d", found, all)
			}
		})
	}
}

// compare returns 1 when CMake found a toolkit.
func (q cmakeQuestion) compare(t *testing.T, row Row, name string, tr *tree) int {
	t.Helper()
	p := row.Pick(tr.world(t))
	nvcc, root, said := q.answer(t, tr)
	if nvcc != p.Nvcc || root != p.Root {
		t.Errorf("%s:\n%s\nreal: nvcc=%s root=%s\nours: %+v\nCMake said:\n%s", name, tr, nvcc, root, p, said)
	}
	if root == "" {
		return 0
	}
	return 1
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
