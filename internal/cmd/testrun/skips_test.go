package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAllowanceCovers(t *testing.T) {
	skip := &outcome{key: key{"cupel/internal/host", "TestRegistry/32 bit"}, lane: "windows", output: "    x_test.go:1: needs Windows\n"}
	for _, tt := range []struct {
		name, line string
		want       bool
	}{
		{"package path without the module", "internal/host TestRegistry : needs Windows", true},
		{"full package path", "cupel/internal/host TestRegistry : needs Windows", true},
		{"prefix", "internal/host TestReg* : needs Windows", true},
		{"anything", "* * : needs Windows", true},
		{"its lane", "[windows] * * : needs Windows", true},
		{"another lane", "[linux] * * : needs Windows", false},
		{"part of a package name", "ost TestRegistry : needs Windows", false},
		{"part of a test name without star", "internal/host TestReg : needs Windows", false},
		{"another reason", "internal/host TestRegistry : needs a GPU", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, ok := parseAllowance(tt.line)
			if !ok {
				t.Fatalf("parseAllowance(%q) refused it", tt.line)
			}
			if got := a.covers(skip); got != tt.want {
				t.Errorf("%q covers %+v = %v, want %v", tt.line, skip, got, tt.want)
			}
		})
	}
}

func TestReadSkipsRefusesBadLines(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"no reason", "internal/host TestRegistry"},
		{"empty reason", "internal/host TestRegistry :  "},
		{"one word", "TestRegistry : needs Windows"},
		{"four words", "[linux] a b c : needs Windows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "skips.txt")
			if err := os.WriteFile(path, []byte("# a comment\n\n"+tt.text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if list, err := readSkips(path); err == nil {
				t.Errorf("readSkips of %q = %v, want an error", tt.text, list)
			}
		})
	}
}
