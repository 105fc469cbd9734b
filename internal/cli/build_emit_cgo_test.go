package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPackageBeside(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", nil, ""},
		{"a program", map[string]string{"main.go": "package main\n\nfunc main() {"}, "main"},
		{"itself and a test", map[string]string{"kern.go": "package old\n", "a_test.go": "package a_test\n"}, ""},
		{"what go does not build", map[string]string{"a.go": "// Of nobody.\n\n//go:build ignore\n\npackage main\n", "_b.go": "package b\n", "c.txt": "package c\n", "d.go": "package d\n"}, "d"},
		{"for one system", map[string]string{"a.go": "//go:build windows\n\npackage a\n"}, "a"},
		{"no Go", map[string]string{"a.go": "int main() {}\n"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got := packageBeside(filepath.Join(dir, "kern.go")); got != tt.want {
				t.Errorf("packageBeside = %q, want %q", got, tt.want)
			}
		})
	}
}
