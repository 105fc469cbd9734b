package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/build"
	"cupel/internal/contract"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// TestFamilies: a kernel's options for the host compiler are those of the family that nvcc takes, whoever names it.
func TestFamilies(t *testing.T) {
	m, _ := hostMachine()
	root := t.TempDir()
	t.Setenv("PATH", filepath.Join(root, "path"))
	for _, name := range []string{"path/clang++-99", "bin/gcc", "bin/x86_64-linux-gnu-g++-9", "tools/cc.real", "llvm-9/bin/clang"} {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../llvm-9/bin/clang", filepath.Join(root, "tools", "c++")); err != nil {
		t.Fatal(err)
	}
	unknown := "kernel k: the name of the host compiler, tools/cc.real, does not tell its family: no flags-gcc, flags-clang or flags-msvc are passed on"
	for _, tt := range []struct {
		name, release, env, rest, want string
	}{
		{"the default", "13.0", "", "", "g"},
		{"NVCC_CCBIN", "13.0", "NVCC_CCBIN=clang++-14", "", "c"},
		{"NVCC_CCBIN, which 12.4 does not read", "12.4", "NVCC_CCBIN=clang++-14", "", "g"},
		{"before NVCC_CCBIN", "13.0", "NVCC_PREPEND_FLAGS=-DX -ccbin clang++-14|NVCC_CCBIN=g++-11", "", "c"},
		{"behind", "13.0", "NVCC_APPEND_FLAGS=-ccbin=clang++-14", "", "c"},
		{"behind counts before in front", "13.0", "NVCC_PREPEND_FLAGS=-ccbin=clang++-14|NVCC_APPEND_FLAGS=-ccbin=g++-11", "", "g"},
		{"the kernel's own", "12.4", "", `flags = ["-ccbin", "clang++-14"]`, "c"},
		{"the kernel's own counts before in front", "12.4", "NVCC_PREPEND_FLAGS=-ccbin=clang++-14", `flags = ["--compiler-bindir=g++-11"]`, "g"},
		{"behind counts before the kernel's own", "12.4", "NVCC_APPEND_FLAGS=-ccbin=clang++-14", `flags = ["-ccbin=g++-11"]`, "c"},
		{"on PATH", "13.0", "NVCC_CCBIN=clang++-99", "", "c"},
		{"a folder", "13.0", "NVCC_PREPEND_FLAGS=-ccbin=clang++-14", `flags = ["-ccbin", "bin"]`, "g"},
		{"with its target", "13.0", "", `flags = ["-ccbin", "bin/x86_64-linux-gnu-g++-9"]`, "g"},
		{"a link", "13.0", "", `flags = ["-ccbin", "tools/c++"]`, "c"},
		{"one that is not known", "13.0", "NVCC_CCBIN=tools/cc.real", "", "- " + unknown},
		{"a file's own", "13.0", "", "[[kernels.per-file]]\nsources = [\"k.cu\"]\nflags = [\"-ccbin=clang++-14\"]", "g kernel k: per-file names another host compiler, clang++-14: what it is passed are the flags of the kernel's own"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, wrong := contract.Parse("cupel.toml", []byte("cupel = 1\n[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\nflags-gcc = [\"g\"]\nflags-clang = [\"c\"]\n"+tt.rest))
			if len(wrong) > 0 {
				t.Fatal(wrong)
			}
			j := build.Job{Root: root, Requirements: c.For(contract.Platform{Name: "linux"}), Tools: build.Tools{Family: "gcc", Release: version.MustParse(tt.release), Env: strings.Split(tt.env, "|")}}
			notes := families(look.New(host.Here()), m, &j)
			k := j.Requirements.Contract.Kernels[0]
			passed := map[string][]string{"gcc": k.FlagsGCC, "clang": k.FlagsClang}[j.Tools.Family]
			if got := strings.TrimSpace(strings.Join(append(passed, notes...), " ")); got != strings.TrimPrefix(tt.want, "- ") {
				t.Errorf("with %s and %s: %q, want %q", tt.env, tt.rest, got, tt.want)
			}
			if before := c.Kernels[0]; fmt.Sprint(before.FlagsGCC, before.FlagsClang) != "[g] [c]" {
				t.Errorf("the contract itself changed: %v %v", before.FlagsGCC, before.FlagsClang)
			}
		})
	}
}

// TestHostOfIsNvccs: real nvcc takes the host compiler that is told for a call.
func TestHostOfIsNvccs(t *testing.T) {
	gcc, err := exec.LookPath("g++")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b", "c", "d"} {
		if err := os.Symlink(gcc, path(name)); err != nil {
			t.Fatal(err)
		}
	}
	for part, release := range map[string]string{"cuda-11.8": "11.8", "cuda-12.4": "12.4", "cuda-13.0": "13.0", "cuda-13.4": "13.4"} {
		t.Run(part, func(t *testing.T) {
			tools := build.Tools{Nvcc: filepath.Join(testbed.Toolkit(t, part), "bin", "nvcc"), Release: version.MustParse(release)}
			for _, tt := range []struct {
				env     map[string]string
				options []string
			}{
				{map[string]string{}, nil},
				{map[string]string{ccbinVariable: path("a")}, nil},
				{map[string]string{ccbinVariable: path("a"), prependFlags: "-DX -ccbin=" + path("b")}, nil},
				{map[string]string{ccbinVariable: path("a"), prependFlags: "-ccbin " + path("b")}, []string{"-ccbin", path("c")}},
				{map[string]string{prependFlags: "-ccbin " + path("b"), appendFlags: "--compiler-bindir=" + path("d")}, []string{"-ccbin", path("c")}},
				{map[string]string{ccbinVariable: path("a"), appendFlags: "-ccbin " + path("d")}, nil},
			} {
				cmd := exec.Command(tools.Nvcc, append(tt.options, "-dryrun", "-c", "k.cu")...)
				cmd.Env = append(os.Environ(), asList(tt.env)...)
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				want := hostOf(tools, tt.env, tt.options)
				for _, name := range []string{"a", "b", "c", "d"} {
					if started := strings.Contains(string(out), fmt.Sprintf("#$ %q/%s -", dir, name)); started != (want == path(name)) {
						t.Errorf("with %v and %v it is told as %q, and %s is started: %t\n%s", tt.env, tt.options, want, name, started, out)
					}
				}
			}
		})
	}
}
