package toolkit

import (
	"cmp"
	"debug/elf"
	"os"
	"path"
	"slices"
	"strings"

	"cupel/internal/version"
)

// nameLibraries gives every shared library the names under which it is asked for: its soname, by which programs load
// it, and the name without a version, by which the linker finds it. Wheels bring only the first, Debian's runtime
// packages only the full one.
func (r *root) nameLibraries() error {
	for _, dir := range []string{path.Join("targets", r.plan.Platform.Target(), "lib"), "nvvm/lib64"} {
		if !r.isDir(dir) {
			continue
		}
		if err := r.nameIn(dir); err != nil {
			return err
		}
	}
	return nil
}

// shared is one library with a version in its file name.
type shared struct {
	file   string // libcudart.so.12.4.127
	plain  string // libcudart.so
	number version.V
}

func (r *root) nameIn(dir string) error {
	entries, err := os.ReadDir(r.path(dir))
	if err != nil {
		return err
	}
	var found []shared
	for _, e := range entries {
		if plain, number, ok := versioned(e.Name()); ok && e.Type().IsRegular() {
			found = append(found, shared{e.Name(), plain, number})
		}
	}
	// Of two versions of one library the newer one gets the plain name.
	slices.SortFunc(found, func(a, b shared) int { return cmp.Or(b.number.Compare(a.number), cmp.Compare(a.file, b.file)) })
	for _, s := range found {
		if err := r.nameOne(dir, s); err != nil {
			return err
		}
	}
	return nil
}

func (r *root) nameOne(dir string, s shared) error {
	soname := sonameOf(r.path(path.Join(dir, s.file)))
	target := s.file
	if plain, _, ok := versioned(soname); ok && plain == s.plain {
		if target = soname; !r.has(path.Join(dir, soname)) {
			if err := r.link(path.Join(dir, soname), s.file); err != nil {
				return err
			}
		}
	}
	if r.has(path.Join(dir, s.plain)) {
		return nil
	}
	return r.link(path.Join(dir, s.plain), target)
}

// versioned splits libX.so.N into the plain name and the number.
func versioned(file string) (plain string, number version.V, ok bool) {
	if strings.ContainsAny(file, `/\`) {
		return "", version.V{}, false
	}
	i := strings.Index(file, ".so.")
	if i < 0 || !strings.HasPrefix(file, "lib") {
		return "", version.V{}, false
	}
	number, err := version.Parse(file[i+len(".so."):])
	return file[:i+len(".so")], number, err == nil
}

// sonameOf reads the name that a library calls itself; "" for what is no shared library.
func sonameOf(file string) string {
	f, err := elf.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	names, err := f.DynString(elf.DT_SONAME)
	if err != nil || len(names) != 1 {
		return ""
	}
	return names[0]
}
