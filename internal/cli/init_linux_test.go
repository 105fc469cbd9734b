package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cupel/internal/contract"
	"cupel/internal/gpu"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// TestInitOnRealProjects runs init on source packages of the registries, and compares with what a person reads in
// their files: every line named here was looked up there.
func TestInitOnRealProjects(t *testing.T) {
	sources := testbed.Root(t, "sources")
	for _, tt := range []struct {
		name  string
		lines []string // KEY=VALUE from PLACE; ? before what is uncertain
		check func(*testing.T, *contract.Contract)
	}{
		{"candle-kernels-0.11.1", []string{
			"project.name=candle-kernels from Cargo.toml:14", "project.build=cargo from Cargo.toml:1", "project.builders=cudaforge >=0.1.2, <0.2 from Cargo.toml:42",
			"toolkit.components=cudart from build.rs:78", "host.linux.std=c++17 from build.rs:21", "? arch.env=CUDA_COMPUTE_CAP from Cargo.toml:42",
			"kernels[ptx].sources=src/**/*.cu from build.rs:18", "kernels[ptx].exclude=**/moe_*.cu, **/mmvq_gguf.cu, **/mmq_*.cu from build.rs:19", "kernels[ptx].kinds=ptx from build.rs:23",
			"kernels[moe].kinds=static from build.rs:75", "? kernels[moe].sources=src/moe/moe_align.cu from build.rs:45",
			"? kernels[moe].flags=-DNO_BF16_KERNEL, -D_USE_MATH_DEFINES, -Xcompiler, -fPIC from build.rs:60…72",
		}, func(t *testing.T, c *contract.Contract) {
			if len(c.Kernels) != 2 || len(c.Kernels[1].Sources) != 15 {
				t.Errorf("kernels %+v, want ptx, and moe with 15 sources", c.Kernels)
			}
		}},
		{"lightgbm-4.7.0", []string{
			"project.name=lightgbm from CMakeLists.txt:41, pyproject.toml:32", "toolkit.min=11.8 from CMakeLists.txt:178, cmake/Utils.cmake:28", "toolkit.components=nvcc from CMakeLists.txt:182",
			"host.linux.gcc=>=4.8.2 from CMakeLists.txt:75", "host.linux.std=c++17 from CMakeLists.txt:256", "host.windows.msvc=>=19.00 from CMakeLists.txt:87",
			"components.nccl=needed from CMakeLists.txt:243", "components.cmake.version=>=3.28 from CMakeLists.txt:5", "components.python.version=>=3.10 from pyproject.toml:34",
			"arch.by-toolkit[>=13.0].targets=sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120 from cmake/Utils.cmake:20",
		}, func(t *testing.T, c *contract.Contract) {
			for release, want := range map[string]string{"11.8": "sm_60 sm_61 sm_70 sm_80 sm_86 sm_89 sm_90", "12.8": "sm_60 sm_61 sm_70 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120", "12.9": "sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120", "13.1": "sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120"} {
				got, _ := c.For(contract.Platform{Name: "linux"}).Targets(version.MustParse(release))
				if text := archs(got); text != want {
					t.Errorf("targets with CUDA %s = %s, want %s", release, text, want)
				}
			}
		}},
		{"cuvec-6.0.1", []string{
			"project.name=cuvec from pyproject.toml:24", "toolkit.components=cudart-static from cuvec/CMakeLists.txt:77, cuvec/src/example_cpython/CMakeLists.txt:15, cuvec/src/example_pybind11/CMakeLists.txt:12",
			"arch.detect=true from cuvec/CMakeLists.txt:13", "components.cmake.version=>=3.24 from pyproject.toml:11, cuvec/CMakeLists.txt:1", "components.python.version=>=3.7 from pyproject.toml:29",
		}, nil},
		{"gsplat-1.5.3", []string{
			"project.name=gsplat from setup.py:106", "project.build=setuptools from setup.py:8", "toolkit.components=nvcc from setup.py:93", "host.linux.std=c++17 from setup.py:72",
			"host.windows.unsupported-compiler=allow from setup.py:87", "components.torch=needed from setup.py:27", "components.python.version=>=3.7 from setup.py:112",
			"? arch.env=TORCH_CUDA_ARCH_LIST from setup.py:93", "? kernels.sources=gsplat/cuda/csrc/*.cu from gsplat/cuda/csrc/AdamCUDA.cu:1",
		}, func(t *testing.T, c *contract.Contract) {
			if c.Toolkit.Min != nil || len(c.Arch.Targets) > 0 {
				t.Errorf("min %v and targets %v are told, and no file says so", c.Toolkit.Min, c.Arch.Targets)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "copy")
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(sources, tt.name))); err != nil {
				t.Fatal(err)
			}
			lines := initialised(t, dir)
			for _, want := range tt.lines {
				if !slices.Contains(lines, want) {
					t.Errorf("missing: %s\n%s", want, strings.Join(lines, "\n"))
				}
			}
			text, err := os.ReadFile(filepath.Join(dir, "cupel.toml"))
			if err != nil {
				t.Fatal(err)
			}
			c, found := contract.Parse("cupel.toml", text)
			if len(found) > 0 {
				t.Fatalf("%s: %s", found[0].Where, found[0].What)
			}
			if tt.check != nil {
				tt.check(t, c)
			}
		})
	}
}

// TestInitPassesOver: pipes without a writer, endless devices and closed files neither stop init nor go unsaid.
func TestInitPassesOver(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		syscall.Mkfifo(at("Cargo.toml"), 0o644), os.Symlink("/dev/zero", at("CMakeLists.txt")), os.Mkdir(at("setup.py"), 0o755),
		os.WriteFile(at("Makefile"), []byte("\xff\xfeN\x00V\x00"), 0o644), os.WriteFile(at("build.rs"), []byte("// f\xfcr\n"), 0o644),
		os.WriteFile(at("pyproject.toml"), nil, 0o000),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"CMakeLists.txt", "Cargo.toml", "Makefile", "build.rs", "setup.py"}
	if os.Getuid() != 0 { // nothing is closed to root
		want = []string{"CMakeLists.txt", "Cargo.toml", "Makefile", "build.rs", "pyproject.toml", "setup.py"}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program(t), "init", "--json", dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	var a struct {
		Findings []struct{ ID, Severity, Where, Why string }
	}
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got []string
	for _, f := range a.Findings {
		got = append(got, f.Where)
		if f.ID != "init-unreadable" || f.Severity != "warning" || f.Why == "" {
			t.Errorf("finding %+v, want a warning init-unreadable with a reason", f)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("told: %q, want %q", got, want)
	}
}

func initialised(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.Command(program(t), "init", "--json")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	var a struct {
		Written  bool
		Inferred []struct {
			Key, Value, From string
			Maybe            bool
		}
	}
	if err := json.Unmarshal(out, &a); err != nil || !a.Written {
		t.Fatalf("%v, written %v: %s", err, a.Written, out)
	}
	var lines []string
	for _, l := range a.Inferred {
		line := l.Key + "=" + l.Value + " from " + l.From
		if l.Maybe {
			line = "? " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func archs(list []gpu.Arch) string {
	var out []string
	for _, a := range list {
		out = append(out, a.String())
	}
	return strings.Join(out, " ")
}
