package compat

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupel/internal/gpu"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// TestTablesAgainstRealToolkits holds the rows of the releases in the test bed to what their own nvcc and
// their own host_config.h say.
func TestTablesAgainstRealToolkits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the toolkits of the test bed are for Linux")
	}
	for part, short := range map[string]string{"cuda-12.4": "12.4", "cuda-13.0": "13.0"} {
		t.Run(part, func(t *testing.T) {
			nvcc := findFile(t, testbed.Root(t, part), "nvcc")
			compareNvcc(t, nvcc, version.MustParse(short))
			compareHeader(t, filepath.Join(filepath.Dir(nvcc), "..", "include", "crt", "host_config.h"), version.MustParse(short))
		})
	}
}

func findFile(t *testing.T, root, name string) string {
	t.Helper()
	for _, pattern := range []string{"bin/", "nvidia/*/bin/", "usr/bin/"} {
		if found, _ := filepath.Glob(filepath.Join(root, pattern+name)); len(found) > 0 {
			return found[0]
		}
	}
	t.Fatalf("no %s under %s", name, root)
	return ""
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out)
}

func compareNvcc(t *testing.T, nvcc string, short version.V) {
	_, build, _ := strings.Cut(output(t, nvcc, "--version"), ", V")
	v, _ := version.Find(build)
	if r, ok := find(v); !ok || r.short != short || r.nvcc != v {
		t.Errorf("nvcc %s of %s is release %q in the table", v, short, r.Version)
	}
	var got []gpu.Arch
	for _, word := range strings.Fields(output(t, nvcc, "--list-gpu-code")) {
		got = append(got, gpu.MustArch(word))
	}
	slices.SortFunc(got, gpu.Arch.Compare)
	want := slices.DeleteFunc(ArchsOf(short), func(a gpu.Arch) bool { return a.Suffix != "" }) // nvcc lists the plain ones only
	slices.SortFunc(want, gpu.Arch.Compare)
	if !slices.Equal(got, want) {
		t.Errorf("nvcc of %s lists %v, the table has %v", short, got, want)
	}
}

func compareHeader(t *testing.T, file string, short version.V) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := HostBounds(short)
	for _, tt := range []struct {
		name, pattern string
		want          []int
	}{
		{"gcc", `#if __GNUC__ > (\d+)`, []int{b.GCCMax}},
		{"clang", `#if \(__clang_major__ >= (\d+)\)`, []int{b.ClangMax + 1}},
		{"msvc", `#if _MSC_VER < (\d+) \|\| _MSC_VER >= (\d+)`, []int{b.MSCMin, b.MSCMax}},
	} {
		var got []int
		for _, g := range regexp.MustCompile(tt.pattern).FindStringSubmatch(string(text)) {
			if n, err := strconv.Atoi(g); err == nil {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s bound of %s in its header is %v, the table has %v", tt.name, short, got, tt.want)
		}
	}
}
