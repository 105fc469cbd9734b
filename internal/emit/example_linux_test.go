package emit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// TestExampleBuildScript: the build script of examples/build-rs does what its page says. In cupel's place stands a script that
// knows the call and has the answer.
func TestExampleBuildScript(t *testing.T) {
	testbed.Long(t)
	program(t, "cargo")
	root := testbed.Toolkit(t, "cuda-12.4")
	dir := t.TempDir()
	crate, out, bin := filepath.Join(dir, "build-rs"), filepath.Join(dir, "out"), filepath.Join(dir, "bin")
	if err := os.CopyFS(crate, os.DirFS("../../examples/build-rs")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(out, "note"), "")
	for _, args := range [][]string{{"-Xcompiler", "-fPIC", "-c", "-o", out + "/scale.o", "kernels/scale.cu"}, {"-lib", "-o", out + "/libscale.a", out + "/scale.o"}, {"-ptx", "-o", out + "/scale.ptx", "kernels/scale.cu"}} {
		run(t, crate, nil, append([]string{filepath.Join(root, "bin", "nvcc"), "-arch=sm_80"}, args...)...)
	}
	emitted(t, "cargo", Build{Project: crate, Out: out, OS: "linux", Toolkit: Toolkit{Root: root, LibDirs: []string{filepath.Join(root, "lib64")}}, Inputs: []string{filepath.Join(crate, "kernels/scale.cu")},
		Kernels: []Kernel{{Name: "scale", Files: []File{{Kind: "ptx", Path: out + "/scale.ptx"}, {Kind: "static", Path: out + "/libscale.a"}}}}}, filepath.Join(dir, "lines"))
	for _, tt := range []struct{ name, cupel, want string }{
		{"cupel is missing", "", "cupel cannot be started"},
		{"a kernel fails", "echo 'error[build-failed]: no' >&2\nexit 1\n", "the kernels were not built; cupel says why above"},
		{"built", "test \"$*\" = \"build --emit cargo --out $OUT_DIR\" || exit 9\ncat " + filepath.Join(dir, "lines") + "\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.cupel != "" {
				put(t, filepath.Join(bin, "cupel"), "#!/bin/sh\n"+tt.cupel)
				if err := os.Chmod(filepath.Join(bin, "cupel"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("cargo", "build", "--offline")
			cmd.Dir = crate
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+pathWithout(t, "cupel"), "RUSTC_WRAPPER=", "CARGO_TARGET_DIR="+filepath.Join(dir, "target"))
			text, err := cmd.CombinedOutput()
			if (err == nil) != (tt.want == "") || !strings.Contains(string(text), tt.want) {
				t.Errorf("cargo build: %v, want %q in\n%s", err, tt.want, text)
			}
		})
	}
	// Without a GPU the program says so after its first line; with one it goes on.
	text, _ := exec.Command(filepath.Join(dir, "target/debug/build-rs")).CombinedOutput()
	if !strings.Contains(string(text), "bytes of PTX, .target sm_80") || !strings.Contains(string(text), "the GPU did not do it: ") && !strings.Contains(string(text), "1000 products are right") {
		t.Errorf("the program says %q", text)
	}
}

// pathWithout is PATH without the folders that hold a program.
func pathWithout(t *testing.T, name string) string {
	t.Helper()
	var out []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			out = append(out, dir)
		}
	}
	return strings.Join(out, ":")
}
