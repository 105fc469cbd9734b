package emit

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// linuxBuild has all kinds of outputs: two kernels with files of one name, one that failed, one that is not built here, two with
// objects alone.
func linuxBuild() Build {
	return Build{
		Name: "fast-math", Project: "/home/u/my-project", Out: "/home/u/my-project/build/cupel", OS: "linux",
		Toolkit: Toolkit{Root: "/opt/cuda", Release: "12.4", Include: "/opt/cuda/include", LibDirs: []string{"/opt/cuda/lib64"}},
		Kernels: []Kernel{
			{Name: "math", LinkName: "mathk", Archs: []string{"sm_80", "sm_90"}, RDC: true, Files: []File{
				{Kind: "ptx", Path: "/home/u/my-project/build/cupel/math/add.compute_80.ptx", Source: "src/add.cu", Arch: "compute_80"},
				{Kind: "ptx", Path: "/home/u/my-project/build/cupel/math/add.compute_90.ptx", Source: "src/add.cu", Arch: "compute_90"},
				{Kind: "cubin", Path: "/home/u/my-project/build/cupel/math/add.cubin", Source: "src/add.cu", Arch: "sm_80"},
				{Kind: "fatbin", Path: "/home/u/my-project/build/cupel/math/3d-sum.fatbin", Source: "src/3d-sum.cu"},
				{Kind: "static", Path: "/home/u/my-project/build/cupel/math/libmathk.a", Digest: "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"},
				{Kind: "shared", Path: "/home/u/my-project/build/cupel/math/libmathk.so"},
			}},
			{Name: "other", Archs: []string{"sm_80"}, Files: []File{
				{Kind: "ptx", Path: "/home/u/my-project/build/cupel/other/add.ptx", Source: "other/add.cu", Arch: "compute_80"},
				{Kind: "shared", Path: "/home/u/my-project/build/cupel/other/libother.so"},
			}},
			{Name: "plain", Files: []File{{Kind: "object", Path: "/home/u/my-project/build/cupel/plain/a.o", Source: "a.cu"}}},
			{Name: "joined", RDC: true, Linked: true, Files: []File{
				{Kind: "object", Path: "/home/u/my-project/build/cupel/joined/b.o", Source: "b.cu"},
				{Kind: "device-link", Path: "/home/u/my-project/build/cupel/joined/joined-device-link.o"},
			}},
			{Name: "lost", Failed: true},
			{Name: "elsewhere", Absent: true},
		},
		Inputs:    []string{"/home/u/my-project/a.cu", "/home/u/my-project/cupel.toml", "/home/u/my-project/inc/a b.h"},
		Folders:   []string{"/home/u/my-project/other"},
		Variables: []string{"CUPEL_TOOLKIT", "CUDA_HOME"},
		Calls: []Call{
			{Dir: "/home/u/my-project", Source: "a.cu", Output: "build/cupel/plain/a.o", Argv: []string{"/opt/cuda/bin/nvcc", "-c", "-DX=<a&b>", "-o", "build/cupel/plain/a.o", "a.cu"}},
			{Dir: "/home/u/my-project", Output: "build/cupel/math/libmathk.a", Argv: []string{"/opt/cuda/bin/nvcc", "-lib"}},
		},
	}
}

// windowsBuild has a static library, a shared one, and both in one kernel, in folders with blanks.
func windowsBuild() Build {
	out := `C:\My Projects\k#1\build\cupel`
	return Build{
		Project: `C:\My Projects\k#1`, Out: out, OS: "windows",
		Toolkit: Toolkit{Root: `C:\Program Files\CUDA\v13.0`, Release: "13.0", Include: `C:\Program Files\CUDA\v13.0\include`, LibDirs: []string{`C:\Program Files\CUDA\v13.0\lib\x64`}},
		Kernels: []Kernel{
			{Name: "one", Files: []File{{Kind: "static", Path: out + `\one\one.lib`}, {Kind: "ptx", Path: out + `\one\one.ptx`, Arch: "compute_80"}}},
			{Name: "two", Files: []File{{Kind: "shared", Path: out + `\two\two.dll`}}},
			{Name: "both", Cudart: "static", Files: []File{{Kind: "static", Path: out + `\both\both.lib`}, {Kind: "shared", Path: out + `\both\both.dll`}}},
		},
		Inputs:    []string{`C:\My Projects\k#1\cupel.toml`, `C:\My Projects\k#1\one.cu`},
		Variables: []string{"CUDA_PATH"},
		Calls:     []Call{{Dir: `C:\My Projects\k#1`, Source: "one.cu", Argv: []string{"nvcc.exe", "-ptx", "one.cu"}}},
	}
}

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got), -update rewrites it:\n%s", file, diff)
	}
}

// TestGolden keeps every format's answer for both systems. Read a change of it as the build system that gets it.
func TestGolden(t *testing.T) {
	for _, system := range []struct {
		name string
		b    func() Build
	}{{"linux", linuxBuild}, {"windows", windowsBuild}} {
		for _, format := range Formats {
			b := system.b()
			if system.name == "windows" && (format == "cgo" || format == "pkg-config") {
				b = swapHash(b)
			}
			if system.name == "windows" && format == "cgo" {
				b.Kernels = b.Kernels[1:] // the first has a static library alone; see TestRefused
			}
			got, err := Write(format, b)
			if err != nil {
				t.Errorf("Write(%s) for %s: %v", format, system.name, err)
				continue
			}
			golden(t, format+"-"+system.name+".txt", got)
		}
	}
}

// swapHash: cgo and pkg-config cannot say #; see TestRefused.
func swapHash(b Build) Build {
	swap := func(s string) string { return strings.ReplaceAll(s, "#", "-") }
	b.Project = swap(b.Project)
	for i := range b.Kernels {
		for j := range b.Kernels[i].Files {
			b.Kernels[i].Files[j].Path = swap(b.Kernels[i].Files[j].Path)
		}
	}
	return b
}
