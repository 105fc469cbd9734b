package peers

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// ninjaFile writes DIR/NAME.ninja: every source of the set compiled by its own edge, in the order of sources, with launcher words in front.
// deps adds nvcc's dependency output, as CMake writes its files.
func ninjaFile(t testing.TB, tk toolkit, s set, l launcher, name string, deps bool) {
	t.Helper()
	var b strings.Builder
	b.WriteString("builddir = ninja-" + name + "\nrule nvcc\n  command = $call\n")
	if deps {
		b.WriteString("  depfile = $out.d\n  deps = gcc\n")
	}
	for _, source := range s.sources {
		call := strings.Join(l.call(tk, s, source), " ")
		if deps {
			call += " -MD -MT " + s.output(source) + " -MF " + s.output(source) + ".d"
		}
		fmt.Fprintf(&b, "build %s: nvcc %s\n  call = %s\n", s.output(source), source, call)
	}
	write(t, filepath.Join(s.dir, name+".ninja"), b.String())
}

// ninjaRun builds it with the same number of jobs as all others.
func ninjaRun(t testing.TB, s set, l launcher, name string) (string, error) {
	t.Helper()
	return try(t, s.dir, l.env, ninja(t), "-f", name+".ninja", dash("j"))
}

// ninjaSet builds it and looks that all is there.
func ninjaSet(t testing.TB, s set, l launcher, name string) error {
	t.Helper()
	_, err := ninjaRun(t, s, l, name)
	return errors.Join(err, s.complete())
}

// cmakeProject is the set as CMake's own CUDA language builds it: an OBJECT library, with the property that makes it PTX or fatbin.
func cmakeProject(t testing.TB, tk toolkit, s set) string {
	t.Helper()
	property := map[string]string{"ptx": "CUDA_PTX_COMPILATION", "fatbin": "CUDA_FATBIN_COMPILATION"}[s.kind]
	archs := strings.Join(s.archs, "-real;") + "-real"
	if s.kind == "ptx" {
		archs = s.archs[0] + "-virtual"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "cmake_minimum_required(VERSION 3.27)\nproject(peer LANGUAGES CUDA)\nadd_library(peer OBJECT %s)\n", strings.Join(s.sources, " "))
	fmt.Fprintf(&b, "set_target_properties(peer PROPERTIES CUDA_ARCHITECTURES %q)\n", archs)
	if property != "" {
		fmt.Fprintf(&b, "set_target_properties(peer PROPERTIES %s ON)\n", property)
	}
	fmt.Fprintf(&b, "target_compile_options(peer PRIVATE %s)\n", strings.Join(cmakeOptions(s.flags), " "))
	write(t, filepath.Join(s.dir, "CMakeLists.txt"), b.String())
	build := filepath.Join(s.dir, "cmake-build")
	// CMake links a program when it configures; nvcc of the wheels looks in lib64, and they have lib.
	env := []string{"PYTHONPATH=" + filepath.Dir(filepath.Dir(cmake(t))), "LIBRARY_PATH=" + filepath.Join(tk.root, "lib")}
	run(t, s.dir, env, cmake(t), "-GNinja", "-B", build, "-DCMAKE_CUDA_COMPILER="+tk.nvcc, "-DCMAKE_CUDA_HOST_COMPILER="+hostCompiler,
		"-DCMAKE_CUDA_ARCHITECTURES=80", "-DCMAKE_MAKE_PROGRAM="+ninja(t), "-DCMAKE_CUDA_FLAGS=", "-DCMAKE_CUDA_RUNTIME_LIBRARY=None", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
	return build
}

// cmakeOptions keeps a pair of words together, and makes folders whole: CMake calls nvcc in its own folder.
func cmakeOptions(flags []string) []string {
	var out []string
	for i := 0; i < len(flags); i++ {
		switch {
		case flags[i] == "--default-stream":
			out = append(out, fmt.Sprintf("%q", "SHELL:"+flags[i]+" "+flags[i+1]))
			i++
		case strings.HasPrefix(flags[i], "-I") && !filepath.IsAbs(flags[i][2:]):
			out = append(out, "-I${CMAKE_CURRENT_SOURCE_DIR}/"+flags[i][2:])
		default:
			out = append(out, flags[i])
		}
	}
	return out
}
