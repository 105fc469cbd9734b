package realbuilds

import (
	"path/filepath"
	"testing"

	"cupel/internal/testbed"
)

// cuvec 6.0.1 as the package index hands it out, in pip's build isolation: scikit-build-core, CMake and Ninja, three kinds of
// extension modules.
func TestPythonCuvec(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	env := append(pythonEnv(t), "SETUPTOOLS_SCM_PRETEND_VERSION=6.0.1") // it asks Git, which has nothing to say here
	p := copied(t, filepath.Join(testbed.Root(t, "sources"), "cuvec-6.0.1"), testbed.Toolkit(t, "cuda-12.4"), env...)
	testbed.Root(t, "gcc-12")
	p.env = append(p.env, "CXX=g++-12", "CC=gcc-12")
	argv := []string{"python3", "-m", "pip", "wheel", "--no-deps", "-Cbuild-dir=build", "-Ccmake.define.CMAKE_CUDA_ARCHITECTURES=80", "-w", "out", "."}
	r := p.exec(t, argv...)
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.all)
	}
	contains(t, "the ending", ending(t, r), "5 nvcc calls (cuvec_cpython: 1; cuvec_pybind11: 1; example_cpython: 1; example_pybind11: 1; example_swig: 1)")
	message := p.breakFile(t, "cuvec/src/example_cpython/example_mod.cu")
	broken := p.exec(t, argv...)
	contains(t, "what the build said", broken.all, message) // that it is what a plain build says: TestPythonExtension
	if broken.code == 0 {
		t.Error("a build with a mistake in it ended with code 0")
	}
	contains(t, "the ending", ending(t, broken), "example_cpython")
	evidence(t, "exec-python-cuvec.txt", ownFolders.ReplaceAllString("$ cupel exec --toolkit "+p.root+" -- pip wheel .\n"+r.all+"\n$ cupel exec -- pip wheel .    # with a mistake in example_mod.cu\n"+broken.all, "$$TMP/$1"))
}
