// Package pages writes what a project shows about its CUDA contract: a setup page, stand-alone scripts that verify a
// machine without cupel, and a fragment for make. It reads the contract and the tables, never a machine or a file;
// the same contract always gives the same bytes.
package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/contract"
)

// File is one file to write.
type File struct {
	Kind string // page, sh, ps1, make
	Name string
	Data []byte
	Exec bool // may be executed
}

// Options say which files are wanted.
type Options struct {
	Only []string // kinds; empty: all
	Dir  string   // where the files will be, from the project's root, with forward slashes; "": Dir
}

// Dir is the usual place of the files.
const Dir = "docs/cuda"

// mark is how a file is known to be ours; see Ours.
const mark = "made by cupel docs from cupel.toml"

// kinds are the files in the order they are written.
var kinds = []struct {
	kind, name string
	exec       bool
	write      func(c *contract.Contract, dir string) []byte
}{
	{"page", "CUDA-SETUP.md", false, page},
	{"sh", "verify-cuda.sh", true, shellScript},
	{"ps1", "verify-cuda.ps1", false, powerShellScript},
	{"make", "cuda.mk", false, makeFragment},
}

// Kinds are the words for Options.Only.
func Kinds() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.kind)
	}
	return out
}

// All writes every file that is wanted.
func All(c *contract.Contract, opt Options) []File {
	dir := cmp.Or(opt.Dir, Dir)
	var out []File
	for _, k := range kinds {
		if len(opt.Only) == 0 || slices.Contains(opt.Only, k.kind) {
			out = append(out, File{Kind: k.kind, Name: k.name, Data: k.write(c, dir), Exec: k.exec})
		}
	}
	return out
}

// Ours says that a file was written by this package: only such a file may be replaced without being asked.
func Ours(data []byte) bool {
	head := data[:min(len(data), 600)]
	return bytes.Contains(head, []byte(mark))
}

// Same compares a file with what it should hold; line endings do not count, because git may change them.
func Same(have, want []byte) bool { return bytes.Equal(unix(have), unix(want)) }

// Differs is the first line that is not the same: its number from 1, what stands there and what should.
func Differs(have, want []byte) (line int, got, should string) {
	a, b := strings.Split(string(unix(have)), "\n"), strings.Split(string(unix(want)), "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return i + 1, "", b[i]
		case i >= len(b):
			return i + 1, a[i], ""
		case a[i] != b[i]:
			return i + 1, a[i], b[i]
		}
	}
	return 0, "", ""
}

func unix(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// headline is the line that every file begins with, without its comment sign.
func headline(c *contract.Contract) string {
	return fmt.Sprintf("%s (sha256 %s); do not edit; cupel docs", mark, oneLine(c.Sum))
}
