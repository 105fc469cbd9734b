package toolkit

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// libraries says of every row of the part table what a build finds of it in a root. A known one needs no source: its
// path is the source.
func libraries(a *look.At, root string) map[string]fact.Fact[fact.Link] {
	roots := append([]string{root}, wheels(a, root)...)
	shelves := shelvesOf(a, roots)
	out := map[string]fact.Fact[fact.Link]{}
	for _, row := range data.Parts() {
		if len(row.Headers) > 0 {
			out[row.Word] = headersIn(a, roots, row.Headers)
		} else {
			out[row.Word] = libraryIn(a, shelves, row)
		}
	}
	return out
}

// wheels are the roots beside a pip root from before CUDA 13, when every library had one of its own.
func wheels(a *look.At, root string) []string {
	if siteOf(a, root) == "" || pipRoot.MatchString(strings.ReplaceAll(root, `\`, "/")) {
		return nil
	}
	return slices.DeleteFunc(a.List(a.Path.Dir(root), anyName), func(p string) bool { return a.Path.Same(p, root) || !a.IsDir(p) })
}

// shelf is one folder and the names in it that matter, or why they could not be listed.
type shelf struct {
	dir   string
	names []string
	err   error
}

// shelvesOf lists the folders with libraries, on Windows those with DLLs too. Each is listed once: to ask for every
// name in every folder would be a hundred questions for each root.
func shelvesOf(a *look.At, roots []string) []shelf {
	keep, dirs := namesOf(a), libDirs(a.Path.Windows())
	for _, row := range data.Parts() {
		dirs = append(dirs, row.Folders...)
	}
	if a.Path.Windows() {
		dirs = append(dirs, dllDirs...)
	}
	var out []shelf
	seen := map[string]bool{}
	for _, root := range roots {
		for _, dir := range dirs {
			path := a.Path.Join(root, dir)
			key := a.Path.Key(a.Real(path))
			if seen[key] {
				continue
			}
			seen[key] = true
			if names, err := a.Names(path, keep); !errors.Is(err, fs.ErrNotExist) {
				out = append(out, shelf{path, names, err})
			}
		}
	}
	return out
}

// libraryIn looks for the name that the linker takes, then for the shared library alone. While a folder could not be
// looked at, nothing is told as missing.
func libraryIn(a *look.At, shelves []shelf, row data.Part) fact.Fact[fact.Link] {
	var shut fact.Fact[fact.Link]
	shared := ""
	for _, s := range shelves {
		f := unread(s.dir, s.err)
		if s.err == nil {
			f = linkIn(a, s, row)
		}
		if f.Known() {
			return f
		}
		shut = shut.Or(f)
		if name := sharedIn(a, s.names, row); name != "" && shared == "" {
			shared = a.Path.Join(s.dir, name)
		}
	}
	switch {
	case shut.State == fact.Unreadable:
		return shut
	case shared != "":
		return fact.Of(fact.Link{Shared: shared}, "")
	}
	return fact.None[fact.Link]("")
}

func linkIn(a *look.At, s shelf, row data.Part) fact.Fact[fact.Link] {
	name := row.Linux
	if a.Path.Windows() {
		name = row.Windows
	} else if row.Below != "" {
		return usable(a, a.Path.Join(s.dir, row.Below, name))
	}
	i := slices.IndexFunc(s.names, func(n string) bool { return a.Path.Same(n, name) })
	if i < 0 {
		return fact.None[fact.Link]("")
	}
	return usable(a, a.Path.Join(s.dir, s.names[i]))
}

// sharedIn is the shared library under a versioned name: the shortest is the one that programs ask for.
func sharedIn(a *look.At, names []string, row data.Part) string {
	begin := row.Linux + "."
	if a.Path.Windows() {
		begin = row.DLL
	}
	for _, n := range names {
		if begin != "" && strings.HasPrefix(a.Path.Key(n), a.Path.Key(begin)) {
			return n
		}
	}
	return ""
}

func headersIn(a *look.At, roots, headers []string) fact.Fact[fact.Link] {
	var shut fact.Fact[fact.Link]
	for _, root := range roots {
		for _, dir := range includeDirs() {
			for _, h := range headers {
				f := usable(a, a.Path.Join(root, dir, h))
				if f.Known() {
					return f
				}
				shut = shut.Or(f)
			}
		}
	}
	return shut.Or(fact.None[fact.Link](""))
}

// usable: a link that leads nowhere is not there, an empty file is no library.
func usable(a *look.At, path string) fact.Fact[fact.Link] {
	info, err := a.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Dir:
		return fact.None[fact.Link]("")
	case err != nil:
		return unread(path, err)
	case info.Size == 0:
		return fact.Bad[fact.Link](path, errors.New("the file is empty"))
	}
	return fact.Of(fact.Link{Path: path}, "")
}

func unread(path string, err error) fact.Fact[fact.Link] {
	if err == nil {
		return fact.Fact[fact.Link]{}
	}
	return fact.Bad[fact.Link](path, errors.New(look.Reason(err)))
}

// namesOf matches every file that the part table speaks of: the name for the linker and the shared library.
func namesOf(a *look.At) *pattern.Pattern {
	linux, windows := partNames()
	if a.Path.Windows() {
		return windows
	}
	return linux
}

var partNames = sync.OnceValues(func() (linux, windows *pattern.Pattern) {
	var so, lib []string
	for _, row := range data.Parts() {
		if row.Linux != "" && row.Below == "" {
			so = append(so, regexp.QuoteMeta(row.Linux)+`(?:\.\d[\d.]*)?`)
		}
		if row.Windows != "" {
			lib = append(lib, regexp.QuoteMeta(row.Windows))
		}
		if row.DLL != "" {
			lib = append(lib, regexp.QuoteMeta(row.DLL)+`\d[\d_.]*\.dll`)
		}
	}
	return pattern.New(`^(?:` + strings.Join(so, "|") + `)$`), pattern.New(`(?i)^(?:` + strings.Join(lib, "|") + `)$`)
})
