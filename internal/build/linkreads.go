package build

import (
	"bufio"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/child"
	"cupel/internal/closure"
	"cupel/internal/nvcc"
	"cupel/internal/stamp"
	"cupel/internal/toolchain"
)

// linkPrefix begins the names of what links write down; they lie in the folder of outputs itself, where the next build
// finds them.
const linkPrefix = ".cupel-link-"

// sweep takes away what a killed build left. Two builds with the same folder of outputs wait for each other.
func (m *maker) sweep() {
	if m.opt.DryRun {
		return
	}
	entries, _ := os.ReadDir(m.out)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), linkPrefix) || cas.IsTemp(e.Name()) {
			_ = os.Remove(filepath.Join(m.out, e.Name()))
		}
	}
}

// account is where a link writes down what it reads besides its inputs.
type account struct {
	headers string // of the stub that nvcc compiles for linked device code
	files   string // the map of the host's linker; "" where that does not run
	began   time.Time
}

// accounted asks for an account: -MD of the host compiler, -Map of GNU ld and gold. It is nil where there is none.
func (m *maker) accounted(t *task, args []string) (with []string, a *account, remove func()) {
	if t.call.Kind == "static" || m.job.Tools.Platform.Windows() {
		return args, nil, func() {}
	}
	f, err := os.CreateTemp(m.out, linkPrefix+"*")
	if err != nil {
		return args, nil, func() {}
	}
	_ = f.Close()
	remove = func() {
		for _, ending := range []string{"", ".d", ".map"} {
			_ = os.Remove(f.Name() + ending)
		}
	}
	name := f.Name()
	if rel, err := filepath.Rel(m.job.Root, name); err == nil && filepath.IsLocal(rel) {
		name = rel // the project's own folder may have a name that nvcc and the shell read otherwise
	}
	if strings.Trim(name, unquoted) != "" {
		return args, nil, remove
	}
	a = &account{headers: f.Name() + ".d", began: time.Now()}
	with = []string{"-Xcompiler", "-MD,-MF," + name + ".d"}
	if t.call.Kind == "shared" {
		a.files = f.Name() + ".map"
		with = append(with, "-Xlinker", "-Map="+name+".map")
	}
	return append(with, args...), a, remove
}

// unquoted are the letters that nvcc, its shell and the linker read as they are.
const unquoted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+"

// linked is what a link read besides its inputs, and what would be read if it came. known is false where that cannot be
// told.
func (m *maker) linked(ctx context.Context, t *task, a *account) (c closure.Closure, known bool) {
	if t.call.Kind == "static" {
		return c, true // the archiver reads its inputs
	}
	tools, err := m.tools(t)
	if a == nil || err != nil {
		return c, false
	}
	folders, ok := m.libraryFolders(tools, t.call.Argv)
	if !ok {
		return c, false
	}
	r := reads{root: m.job.Root, files: m.cache.Files, began: a.began, seen: map[string]bool{}, ok: true}
	r.stub(a.headers, tools.Includes)
	names := append(nvcc.Parse(t.call.Argv[1:]).All("library"), "cudadevrt") // which nvlink takes by itself
	for _, dir := range folders {
		for _, name := range names {
			r.fileOrNone(strings.TrimSuffix(dir, "/"), "lib"+name+".a")
		}
	}
	if a.files == "" {
		return r.closure, r.ok
	}
	more, ok := m.compilerFolders(ctx, tools.Host)
	if !ok {
		return c, false
	}
	r.libraries(a.files, t.call.Inputs, append(folders, more...))
	return r.closure, r.ok
}

// libraryFolders are those that nvcc looks for libraries in, those of the call among them.
func (m *maker) libraryFolders(tools toolchain.Tools, argv []string) ([]string, bool) {
	words := tools.Libraries
	for _, name := range []string{"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"} {
		words += " " + cache.Variable(m.job.Tools.Env, name)
	}
	folders, ok := toolchain.LibraryFolders(words)
	return append(folders, nvcc.Parse(argv[1:]).All("library-path")...), ok
}

// compilerFolders are those that the host compiler itself looks for libraries in, LIBRARY_PATH's among them.
func (m *maker) compilerFolders(ctx context.Context, compiler string) ([]string, bool) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	got, err := child.Run(ctx, child.Command{Path: compiler, Args: []string{"-print-search-dirs"}, Dir: m.job.Root, Env: m.job.Tools.Env})
	if err != nil {
		return nil, false
	}
	folders := toolchain.SearchFolders(got.Stdout, "libraries")
	return folders, len(folders) > 0
}

// reads collects what a link read.
type reads struct {
	root    string
	files   *stamp.Files
	began   time.Time
	seen    map[string]bool
	closure closure.Closure
	ok      bool // everything is known, and was there before the link began
}

// file adds a file that is there, and tells whether it is.
func (r *reads) file(path string) bool {
	k, err := r.files.Now(cache.Whole(r.root, path)) // it may have been looked at before the link
	if err != nil {
		r.ok = false
		return false
	}
	if !k.Stamp.Exists() || k.Stamp.Dir {
		return false
	}
	if !r.seen[path] {
		r.seen[path] = true
		r.ok = r.ok && k.Stamp.Settled(r.began)
		r.closure.Files = append(r.closure.Files, closure.File{Path: path, Known: k})
	}
	return true
}

func (r *reads) fileOrNone(dir, name string) {
	if !r.file(dir + "/" + name) {
		r.none(dir, name)
	}
}

// none notes that a file is not there: the first part of its path that is missing.
func (r *reads) none(dir, name string) {
	for {
		part, rest, more := strings.Cut(name, "/")
		s, err := stamp.Of(cache.Whole(r.root, dir))
		_, there := os.Lstat(cache.Whole(r.root, dir+"/"+part))
		switch {
		case err != nil:
			r.ok = false
			return
		case there != nil:
			r.closure.Absent = append(r.closure.Absent, closure.Absent{Dir: dir, Stamp: s, Settled: !s.Exists() || s.Settled(r.began), Names: []string{part}})
			return
		case !more:
			r.ok = false // it is there, and it was not read: it has just come
			return
		}
		dir, name = dir+"/"+part, rest
	}
}

// maxAccount bounds what a compiler or linker may write down; a map of a library with all of Thrust has some MB.
const maxAccount = 1 << 28

// stub adds nvcc's stub and its headers. They are looked for in the project's folder first (nvcc says -I. there).
func (r *reads) stub(headers string, includes []string) {
	f, err := os.Open(headers)
	if err != nil {
		r.ok = false
		return
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxAccount))
	all := prerequisites(string(text))
	r.ok = r.ok && err == nil && len(all) > 0
	for i, path := range all {
		if !r.file(path) || !filepath.IsAbs(path) || i == 0 {
			continue // what nvcc wrote on the way and took away, what lies in the project's folder, or the stub, which is named whole
		}
		r.earlier(path, includes)
	}
}

// earlier notes that a header is in none of the folders that are looked at before the one that it is in.
func (r *reads) earlier(path string, includes []string) {
	before, name := includes, filepath.Base(path)
	for i, dir := range includes {
		if rest, ok := strings.CutPrefix(single(path), single(dir+"/")); ok {
			before, name = includes[:i], rest
			break
		}
	}
	r.none(".", name)
	for _, dir := range before {
		r.none(dir, name)
	}
}

// single leaves one slash of several: nvcc.profile makes such names, and not every tool repeats them.
func single(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// prerequisites are the names behind the colon of a rule for make, as gcc and clang write it.
func prerequisites(rule string) (names []string) {
	_, rule, _ = strings.Cut(rule, ": ")
	var name strings.Builder
	for i := 0; i < len(rule); i++ {
		c, next := rule[i], byte(0)
		if i+1 < len(rule) {
			next = rule[i+1]
		}
		switch {
		case c == '\\' && (next == ' ' || next == '#' || next == '\\' && strings.HasPrefix(rule[i+2:], " ")), c == '$' && next == '$':
			name.WriteByte(next)
			i++
		case c == ' ' || c == '\n' || c == '\r' || c == '\\' && (next == '\n' || next == '\r'):
			if name.Len() > 0 {
				names = append(names, name.String())
			}
			name.Reset()
		default:
			name.WriteByte(c)
		}
	}
	if name.Len() > 0 {
		names = append(names, name.String())
	}
	return names
}

// libraries adds what the linker took besides the inputs, and that nothing of these names is in the other folders.
func (r *reads) libraries(linkMap string, inputs, folders []string) {
	f, err := os.Open(linkMap)
	if err != nil {
		r.ok = false
		return
	}
	defer f.Close()
	names := map[string]bool{}
	lines := bufio.NewScanner(io.LimitReader(f, maxAccount))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		path, ok := strings.CutPrefix(lines.Text(), "LOAD ")
		if ok && !slices.Contains(inputs, path) && r.file(path) {
			for _, name := range otherNames(filepath.Base(path)) {
				names[name] = true
			}
		}
	}
	r.ok = r.ok && lines.Err() == nil && len(names) > 0
	for _, dir := range folders {
		r.others(dir, names)
	}
}

// otherNames are those under which the linker would take something in a file's place.
func otherNames(base string) []string {
	stem, isShared := strings.CutSuffix(base, ".so")
	if !isShared {
		stem, isShared = strings.CutSuffix(base, ".a")
	}
	if strings.HasPrefix(base, "lib") && isShared {
		return []string{stem + ".so", stem + ".a"}
	}
	return []string{base}
}

// others notes which of the names are not in a folder. One that is there was passed over or taken: another one in its place might
// not be.
func (r *reads) others(dir string, names map[string]bool) {
	dir = strings.TrimSuffix(dir, "/")
	s, err := stamp.Of(cache.Whole(r.root, dir))
	if err != nil {
		r.ok = false
		return
	}
	a := closure.Absent{Dir: dir, Stamp: s, Settled: !s.Exists() || s.Settled(r.began)}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		is, err := stamp.Of(cache.Whole(r.root, dir+"/"+name))
		switch {
		case err != nil:
			r.ok = false
		case !is.Exists():
			a.Names = append(a.Names, name)
		case !r.file(dir + "/" + name):
			r.ok = r.ok && is.Settled(r.began)
		}
	}
	if len(a.Names) > 0 {
		r.closure.Absent = append(r.closure.Absent, a)
	}
}
