package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Folders of the project in which headers lie; those behind are on the include path only when something puts them there.
var headerDirs = []string{"src", "inc1", "inc2", "inc2/sub"}

func (w *world) pick(list []string) string { return list[w.rand.IntN(len(list))] }

func (w *world) path(rel string) string { return filepath.Join(w.root(), filepath.FromSlash(rel)) }

// begin writes the project: sources that include headers, headers that include those with higher numbers.
func (w *world) begin() error {
	w.spec = spec{kinds: []string{w.pick([]string{"ptx", "object", "fatbin"})}, archs: []string{"sm_80", "sm_90"}, includes: []string{"inc1", "inc2", "src"}, ptx: "none", defines: []string{"LEVEL=1"}}
	if w.rand.IntN(3) == 0 {
		w.spec.kinds = append(w.spec.kinds, "static")
	}
	for i := range 2 {
		if err := writeAll(w.roots[i], map[string]string{"inc1/none": "", "inc2/sub/none": "", "inc3/none": "", "src/none": ""}); err != nil {
			return err
		}
	}
	n := 6 + w.rand.IntN(4)
	for i := range n {
		if err := w.write(w.pick(headerDirs[:3])+fmt.Sprintf("/h%d.h", i), w.body(fmt.Sprintf("h%d", i), i+1, n)); err != nil {
			return err
		}
	}
	for i := range 3 {
		if err := w.write(fmt.Sprintf("src/s%d.cu", i), w.body(fmt.Sprintf("s%d", i), w.rand.IntN(3), n)); err != nil {
			return err
		}
	}
	return w.contract()
}

func (w *world) contract() error { return w.write("cupel.toml", w.spec.text()) }

func (w *world) write(rel, text string) error {
	return os.WriteFile(w.path(rel), []byte(text), 0o644)
}

// body is the text of a file that may include headers from a number on.
func (w *world) body(name string, from, n int) string {
	var b strings.Builder
	if w.rand.IntN(2) == 0 && name[0] == 'h' {
		b.WriteString("#pragma once\n")
	}
	w.serial++
	fmt.Fprintf(&b, "// version %d\nint %s_%d = LEVEL;\n", w.serial, name, w.serial)
	for range w.rand.IntN(3) + truth(name[0] == 's') {
		if from >= n {
			break
		}
		b.WriteString(w.use(from + w.rand.IntN(n-from)))
	}
	switch w.rand.IntN(9) {
	case 0:
		fmt.Fprintf(&b, "namespace { int %s_own; }\n", name)
	case 1:
		fmt.Fprintf(&b, "#warning %s is old\n", name)
	case 2:
		b.WriteString("int at = __LINE__; /* where */ const char *in = __FILE__;\n")
	case 3:
		b.WriteString("#if defined(EXTRA) && EXTRA >= 2\nint extra = EXTRA;\n#else\nint no_extra;\n#endif\n")
	}
	b.WriteString(w.guarded())
	return b.String()
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// use includes a header, in one of the ways in which that is done.
func (w *world) use(i int) string {
	name := fmt.Sprintf("h%d.h", i)
	switch w.rand.IntN(9) {
	case 0:
		return fmt.Sprintf("#if __CUDA_ARCH__ == %d00\n#include \"%s\"\n#endif\n", 8+w.rand.IntN(2), name)
	case 1:
		return fmt.Sprintf("#ifndef __CUDA_ARCH__\n#include <%s>\n#endif\n", name)
	case 2:
		return fmt.Sprintf("#define WHICH \"%s\"\n#include WHICH\n#undef WHICH\n", name)
	case 3:
		return fmt.Sprintf("#if __has_include(\"option%d.h\")\n#include \"option%d.h\"\n#else\n#include \"%s\"\n#endif\n", i%3, i%3, name)
	case 4:
		return fmt.Sprintf("#ifdef __has_include\n#if __has_include(<sub/deep%d.h>)\nint deep%d;\n#endif\n#endif\n#include \"%s\"\n", i%2, i%2, name)
	case 5:
		return fmt.Sprintf("#if LEVEL > 1\n#include \"%s\"\n#endif\n", name)
	case 6:
		return fmt.Sprintf("#include <%s>\n", name)
	}
	return fmt.Sprintf("#include \"%s\"\n", name)
}

// guarded is code for one side only.
func (w *world) guarded() string {
	w.serial++
	switch w.rand.IntN(4) {
	case 0:
		return fmt.Sprintf("#if __CUDA_ARCH__ == 800\nint only80_%d;\n#elif __CUDA_ARCH__ == 900\nint only90_%d;\n#endif\n", w.serial, w.serial)
	case 1:
		return fmt.Sprintf("#ifndef __CUDA_ARCH__\nint only_host_%d;\n#endif\n", w.serial)
	}
	return ""
}

// headers and sources that are there, relative to the project. Links count as what they lead to.
func (w *world) files(ending string) []string {
	var all []string
	for _, dir := range append(slices.Clone(headerDirs), "inc3") {
		entries, _ := os.ReadDir(w.path(dir))
		for _, e := range entries {
			if info, err := os.Stat(w.path(dir + "/" + e.Name())); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ending) {
				all = append(all, dir+"/"+e.Name())
			}
		}
	}
	return all
}

// snapshot takes the project down, and restore brings it back, old times included.
func (w *world) snapshot() (snapshot, error) {
	s := snapshot{files: map[string]kept{}, spec: w.spec}
	err := filepath.WalkDir(w.root(), func(path string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.root(), path)
		switch {
		case err != nil || rel == "build":
			return skipDir(e, err)
		case e.IsDir():
			return nil
		case e.Type()&os.ModeSymlink != 0:
			to, err := os.Readlink(path)
			s.files[rel] = kept{link: to}
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		s.files[rel] = kept{text: string(text), time: info.ModTime()}
		return nil
	})
	return s, err
}

func skipDir(e os.DirEntry, err error) error {
	if err == nil && e.IsDir() {
		return filepath.SkipDir
	}
	return err
}

func (w *world) restore(s snapshot) error {
	now, err := w.snapshot()
	if err != nil {
		return err
	}
	for rel := range now.files {
		if now.files[rel] != s.files[rel] {
			if err := os.Remove(filepath.Join(w.root(), rel)); err != nil {
				return err
			}
		}
	}
	for rel, k := range s.files {
		if k == now.files[rel] {
			continue
		}
		if err := put(filepath.Join(w.root(), rel), k); err != nil {
			return err
		}
	}
	w.spec = s.spec
	return nil
}

func put(path string, k kept) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	if k.link != "" {
		return os.Symlink(k.link, path)
	}
	if err := os.WriteFile(path, []byte(k.text), 0o644); err != nil {
		return err
	}
	return os.Chtimes(path, time.Time{}, k.time)
}
