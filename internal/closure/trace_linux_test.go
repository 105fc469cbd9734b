package closure

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// traced is what preprocessors asked the system for.
type traced struct{ opened, missing []string }

// readTrace reads strace's lines with all names in hexadecimal digits: `12 openat(AT_FDCWD, "\x61", O_RDONLY) = 3`. Only what
// the compiler proper did counts: cc1plus, or clang.
func readTrace(t *testing.T, path string) traced {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tr traced
	compiler := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		pid, rest, _ := strings.Cut(line, " ")
		call, args, _ := strings.Cut(strings.TrimSpace(rest), "(")
		_, quoted, _ := strings.Cut(args, "\"")
		text, result, _ := strings.Cut(quoted, "\"")
		name := unhex(t, text)
		base := filepath.Base(name)
		switch {
		case call == "execve":
			if strings.HasSuffix(line, "= 0\n") {
				compiler[pid] = base == "cc1plus" || strings.HasPrefix(base, "clang")
			}
		case !compiler[pid] || name == "":
		case strings.Contains(result, "ENOENT"):
			tr.missing = append(tr.missing, name)
		case strings.HasPrefix(call, "open") && strings.Contains(result, "O_RDONLY") && !strings.Contains(result, "= -1") && !strings.Contains(result, "O_DIRECTORY"):
			tr.opened = append(tr.opened, name)
		}
	}
	slices.Sort(tr.opened)
	slices.Sort(tr.missing)
	tr.opened, tr.missing = slices.Compact(tr.opened), slices.Compact(tr.missing)
	if len(tr.opened) < 100 || len(tr.missing) < 100 {
		t.Fatalf("the trace has %d opened and %d missing files: it was not understood", len(tr.opened), len(tr.missing))
	}
	return tr
}

func unhex(t *testing.T, s string) string {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return string(b)
}

// compare holds a closure against a trace.
func compare(t *testing.T, q Question, c Closure, tr traced) {
	t.Helper()
	at := func(path string) string {
		if !filepath.IsAbs(path) {
			path = q.Dir + "/" + path
		}
		return path
	}
	files := map[string]bool{}
	for _, f := range c.Files {
		if real, err := filepath.EvalSymlinks(at(f.Path)); err == nil {
			files[real] = true
		}
	}
	for _, name := range tr.opened {
		real, err := filepath.EvalSymlinks(at(name))
		if err != nil || !header(q, real) {
			continue
		}
		// The driver of clang reads the version of a toolkit on PATH, for kernels that clang would compile itself.
		if !files[real] && filepath.Base(real) != "cuda.h" {
			t.Errorf("%s was opened, and is not in the closure", name)
		}
	}
	absent := map[string][]string{}
	for _, a := range c.Absent {
		dir := filepath.Clean(at(a.Dir))
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		absent[dir] = append(absent[dir], a.Names...)
	}
	covered := 0
	for _, name := range tr.missing {
		switch whole := filepath.Clean(at(name)); {
		case !header(q, whole):
		case noted(absent, whole):
			covered++
		default:
			t.Errorf("%s was looked for and is not noted as absent", name)
		}
	}
	if covered < 50 {
		t.Errorf("%d missing names were compared", covered)
	}
}

// header: a path at which a header could be; not a library (nvcc lets its children look for them in the working folder too),
// and not what nvcc itself wrote.
func header(q Question, path string) bool {
	if strings.HasPrefix(path, q.Keep) || strings.Contains(filepath.Base(path), ".so") {
		return false
	}
	for _, dir := range append([]string{q.Dir}, q.Includes...) {
		if _, ok := below(path, filepath.Clean(dir)); ok {
			return true
		}
	}
	return false
}

// noted: the first part of the path that is not there is among the absent names of its folder.
func noted(absent map[string][]string, path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			rest, _ := below(path, dir)
			part, _ := cut(rest)
			return slices.Contains(absent[real], part)
		}
		if dir == "/" {
			return false
		}
	}
}
