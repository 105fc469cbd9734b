package realbuilds

import (
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// CMake asks nvcc when it configures, compiles two files and links their device code: each call has one record, with every
// generator and with a launcher that the user put in front.
func TestCMakeOneRecordEach(t *testing.T) {
	for _, tt := range []struct {
		name string
		long bool
		args []string
	}{
		{"Ninja", false, []string{"-GNinja"}},
		{"Makefiles", true, []string{"-GUnix Makefiles"}},
		{"a launcher", true, []string{"-GNinja", "-DCMAKE_CUDA_COMPILER_LAUNCHER=/usr/bin/env;LAUNCHED=1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				testbed.Long(t)
			}
			t.Parallel()
			p := newProject(t, "cmake", counted(t, testbed.Toolkit(t, "cuda-13.0")), builders(t), "CUDAARCHS=80")
			r := p.exec(t, append([]string{"cmake", "-B", "build"}, tt.args...)...)
			p.wantOneRecordEach(t, r)
			contains(t, "the ending", ending(t, r), "no nvcc calls, ", "checks of the build tool")
			built := p.exec(t, "cmake", "--build", "build", "-j2")
			if calls := p.wantOneRecordEach(t, built); len(calls) != 3 {
				t.Errorf("want two compiles and a device link: %+v", calls)
			}
			contains(t, "the ending", ending(t, built), "3 nvcc calls (saxpy: 3)")
			idle := p.exec(t, "cmake", "--build", "build")
			contains(t, "a build with nothing to do", ending(t, idle), "cupel exec: no nvcc calls, run ")
			if strings.Contains(ending(t, idle), "warning") {
				t.Errorf("the build tool said that all is done, and exec warns:\n%s", idle.all)
			}
			evidence(t, "exec-cmake-"+strings.ToLower(strings.ReplaceAll(tt.name, " ", "-"))+".txt", "$ cupel exec --toolkit "+p.root+" -- cmake -B build "+strings.Join(tt.args, " ")+"\n"+r.all+"$ cupel exec -- cmake --build build -j2\n"+built.all+"$ cupel exec -- cmake --build build\n"+idle.all)
		})
	}
}

// A mistake in a kernel: what Ninja prints, and the call with its cause after it.
func TestCMakeError(t *testing.T) {
	t.Parallel()
	p := newProject(t, "cmake", testbed.Toolkit(t, "cuda-13.0"), builders(t), "CUDAARCHS=80")
	if r := p.exec(t, "cmake", "-GNinja", "-B", "build"); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.all)
	}
	message := p.breakFile(t, "src/scale.cu")
	// The build folder leads to the shim, which passes through outside of cupel exec.
	plain := p.plain(t, "cmake", "--build", "build")
	r := p.exec(t, "cmake", "--build", "build")
	wantFailure(t, r, plain, message)
	contains(t, "the ending", ending(t, r), "saxpy: ", "1 failed")
	evidence(t, "exec-cmake-error.txt", "$ cupel exec --toolkit "+p.root+" -- cmake --build build\n"+r.all)
}

// A build folder that was configured without cupel leads past the shim, whatever its name is. The file is named, and the
// command that is offered cures it.
func TestCMakeStaleCache(t *testing.T) {
	for _, tt := range []struct {
		name, folder string
		long         bool
	}{{"a usual folder", "build", false}, {"a folder of another name", "x86/fast", true}} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				testbed.Long(t)
			}
			t.Parallel()
			p := newProject(t, "cmake", testbed.Toolkit(t, "cuda-13.0"), builders(t))
			if r := p.plain(t, "cmake", "-GNinja", "-B", tt.folder, "-DCMAKE_CUDA_ARCHITECTURES=80"); r.code != 0 {
				t.Fatalf("exit code %d without cupel\n%s", r.code, r.all)
			}
			object := "CMakeFiles/saxpy.dir/src/scale.cu.o"
			r := p.exec(t, "cmake", "--build", tt.folder, "--target", object)
			folder := filepath.Join(p.dir, tt.folder)
			end := ending(t, r)
			contains(t, "the ending", end, "warning[exec-shim-passed-by]: "+p.root+"/bin/nvcc was started without the shim", folder+"/CMakeCache.txt sets CMAKE_CUDA_COMPILER", "cmake --fresh")
			if r.code != 0 {
				t.Errorf("exit code %d\n%s", r.code, r.all)
			}
			fresh := p.exec(t, "cmake", "--fresh", "-GNinja", "-DCMAKE_CUDA_ARCHITECTURES=80", folder)
			again := p.exec(t, "cmake", "--build", tt.folder, "--target", object)
			if fresh.code != 0 || again.code != 0 {
				t.Errorf("exit codes %d and %d\n%s%s", fresh.code, again.code, fresh.all, again.all)
			}
			if _, calls := lastRun(t); len(calls) != 1 {
				t.Errorf("want one call after the folder was configured anew: %+v\n%s", calls, again.all)
			}
			evidence(t, "exec-cmake-stale-"+strings.ReplaceAll(tt.folder, "/", "-")+".txt", "$ cupel exec --toolkit "+p.root+" -- cmake --build "+tt.folder+"\n"+r.all)
		})
	}
}
