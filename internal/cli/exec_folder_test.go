package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cupel/internal/call"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// TestOwnCaches: of several build folders the one that the command names decides.
func TestOwnCaches(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"x86/fast", "build"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "CMAKE_CACHEFILE_DIR:INTERNAL=" + name + "\nCMAKE_CUDA_COMPILER:FILEPATH=/of/" + name + "/nvcc\n"
		if err := os.WriteFile(filepath.Join(dir, name, "CMakeCache.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found := fact.Project{Cache: []fact.FileValue{{Name: "CMAKE_CUDA_COMPILER", Value: "/of/build/nvcc"}}}
	for _, tt := range []struct {
		name    string
		command []string
		want    string
	}{
		{"cmake --build", []string{"cmake", "--build", "x86/fast"}, "/of/x86/fast/nvcc"},
		{"ninja -C", []string{"ninja", "-C", "x86/fast", "-j4"}, "/of/x86/fast/nvcc"},
		{"joined", []string{"cmake", "-S", ".", "-Bx86/fast"}, "/of/x86/fast/nvcc"},
		{"no folder named", []string{"make"}, "/of/build/nvcc"},
		{"a folder that is not there", []string{"make", "-C", "gone"}, "/of/build/nvcc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := ownCaches(look.New(host.Here()), call.Run{Command: tt.command, Dir: dir}, found)
			if !slices.ContainsFunc(p.Cache, func(v fact.FileValue) bool { return v.Name == "CMAKE_CUDA_COMPILER" && v.Value == tt.want }) || len(p.Cache) != 1 {
				t.Errorf("caches = %v, want %s alone", p.Cache, tt.want)
			}
		})
	}
}
