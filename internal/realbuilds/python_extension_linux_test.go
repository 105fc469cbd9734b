package realbuilds

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// ownFolders are temporary folders that pip makes.
var ownFolders = regexp.MustCompile(regexp.QuoteMeta(os.TempDir()) + `/(pip-[a-z]+|tmp)[^/\s]*`)

// pythonEnv lets Python and pip take build tools from the test bed, and nothing from the network or from an earlier build.
func pythonEnv(t *testing.T) []string {
	t.Helper()
	bed := testbed.Root(t, "builders")
	return []string{builders(t), "PIP_NO_INDEX=1", "PIP_FIND_LINKS=" + filepath.Join(bed, "wheels"), "PIP_NO_CACHE_DIR=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_ROOT_USER_ACTION=ignore", "CUDAARCHS=80"}
}

// An extension that is built as torch.utils.cpp_extension builds one, by three ways that lead to setuptools, and a CMake project
// behind scikit-build-core. pip's build isolation starts Python anew with a PATH and a PYTHONPATH of its own.
func TestPythonExtension(t *testing.T) {
	for _, tt := range []struct {
		name, project, source string
		long                  bool
		calls                 int // that compile or link
		argv                  []string
		env                   []string
	}{
		{"setup.py", "setuptools", "src/scale.cu", true, 1, []string{"python3", "setup.py", "build_ext"}, []string{"PYTHONPATH=TOOLS"}},
		{"pip without isolation", "setuptools", "src/scale.cu", true, 1, []string{"python3", "-m", "pip", "wheel", "--no-build-isolation", "-w", "out", "."}, []string{"PYTHONPATH=TOOLS"}},
		{"pip", "setuptools", "src/scale.cu", false, 1, []string{"python3", "-m", "pip", "wheel", "-w", "out", "."}, nil},
		// Its usual build folder is a temporary one, and gone when pip ends: nothing can be replayed in it.
		{"scikit-build-core", "cmake", "src/scale.cu", true, 3, []string{"python3", "-m", "pip", "wheel", "--config-settings=build-dir=build", "-w", "out", "."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				testbed.Long(t)
			}
			t.Parallel()
			p := newProject(t, tt.project, testbed.Toolkit(t, "cuda-13.0"), pythonEnv(t)...)
			for _, kv := range tt.env {
				p.env = append(p.env, strings.ReplaceAll(kv, "TOOLS", filepath.Join(testbed.Root(t, "builders"), "tools")))
			}
			if tt.project == "cmake" {
				asPackage(t, p)
			}
			command := strings.Join(tt.argv, " ")
			r := p.exec(t, tt.argv...)
			if r.code != 0 {
				t.Fatalf("exit code %d\n%s", r.code, r.all)
			}
			contains(t, "the ending", ending(t, r), []string{"no", "1 nvcc call (", "2 nvcc calls (", "3 nvcc calls ("}[tt.calls])
			message := p.breakFile(t, tt.source)
			broken := p.exec(t, tt.argv...)
			wantFailure(t, broken, p.plain(t, tt.argv...), message)
			name := "exec-python-" + strings.NewReplacer(" ", "-", ".", "-").Replace(tt.name) + ".txt"
			text := "$ cupel exec --toolkit " + p.root + " -- " + command + "\n" + r.all + "\n$ cupel exec -- " + command + "    # with a mistake in " + tt.source + "\n" + broken.all
			evidence(t, name, ownFolders.ReplaceAllString(text, "$$TMP/$1"))
		})
	}
}

// asPackage makes a Python package of the CMake project.
func asPackage(t *testing.T, p project) {
	t.Helper()
	write(t, filepath.Join(p.dir, "pyproject.toml"), `[build-system]
requires = ["scikit-build-core", "cmake", "ninja"]
build-backend = "scikit_build_core.build"

[project]
name = "saxpy"
version = "1.0"
`)
	list := filepath.Join(p.dir, "CMakeLists.txt")
	write(t, list, read(t, list)+"install(TARGETS saxpy DESTINATION saxpy)\n")
}

// Meson asks PATH for nvcc and writes that name alone into its build folder.
func TestPythonMeson(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	p := newProject(t, "make", testbed.Toolkit(t, "cuda-12.4"), append(pythonEnv(t), "PYTHONPATH="+filepath.Join(testbed.Root(t, "builders"), "tools"))...)
	write(t, filepath.Join(p.dir, "meson.build"), "project('k', 'cuda')\nstatic_library('k', 'k1.cu', 'k2.cu')\n")
	if r := p.exec(t, "meson", "setup", "build"); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.all)
	}
	r := p.exec(t, "meson", "compile", "-C", "build")
	if _, calls := lastRun(t); r.code != 0 || len(calls) != 2 {
		t.Errorf("exit code %d, want two compiles: %+v\n%s", r.code, calls, r.all)
	}
	message := p.breakFile(t, "k2.cu")
	p.env = append(p.env, strings.Replace(builders(t), "PATH=", "PATH="+p.root+"/bin:", 1)) // for the build without cupel
	wantFailure(t, p.exec(t, "meson", "compile", "-C", "build"), p.plain(t, "meson", "compile", "-C", "build"), message)
}
