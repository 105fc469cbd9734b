package toolchain

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// hearing is what a gcc or clang says with -v.
type hearing struct {
	self       string // the driver, as it calls itself
	clang      bool
	target     string
	cc1plus    string
	programs   []File
	candidates []File
	includes   []string
	watched    []string
	configs    []string // clang: folders in which it looks for configuration files
	gccs       []string // clang: installations of gcc whose headers it could take
}

// heard reads the words of -v -x c++ -E. Both compilers name the program that preprocesses, the folders they look for headers
// in and those that they would if they were there; gcc also the file of specs that it read, clang its configuration files and
// the gcc whose headers it takes.
func heard(said []byte) (h hearing) {
	listing := false
	for line := range strings.Lines(string(said)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#include ") && strings.HasSuffix(line, " search starts here:") {
			listing = true
			continue
		}
		if line == "End of search list." {
			listing = false
		}
		if listing {
			folder := strings.TrimSuffix(strings.TrimSpace(line), " (framework directory)")
			h.includes = append(h.includes, folder)
			continue
		}
		h.line(line)
	}
	return h
}

func (h *hearing) line(line string) {
	if v, ok := strings.CutPrefix(line, "COLLECT_GCC="); ok {
		h.self = v
	} else if v, ok := strings.CutPrefix(line, "Reading specs from "); ok {
		h.programs = append(h.programs, File{Role: "specs", Path: v})
	} else if v, ok := strings.CutPrefix(line, "Configuration file: "); ok {
		h.programs = append(h.programs, File{Role: "configuration", Path: v})
	} else if v, ok := strings.CutPrefix(line, `ignoring nonexistent directory "`); ok {
		folder := strings.TrimSuffix(v, `"`)
		h.watched = append(h.watched, folder)
		h.includes = append(h.includes, folder) // should it come while a compilation runs, headers are looked for there
	} else if _, v, ok := strings.Cut(line, "andidate GCC installation: "); ok {
		h.gccs = append(h.gccs, v)
	} else if v, ok := strings.CutPrefix(line, "Target: "); ok {
		h.target = v
	} else if _, v, ok := strings.Cut(line, " configuration file directory: "); ok { // System, User
		h.configs = append(h.configs, v)
	} else if v, ok := strings.CutPrefix(line, "InstalledDir: "); ok {
		h.configs = append(h.configs, v)
	} else if strings.HasPrefix(line, " ") {
		h.command(strings.TrimSpace(line))
	}
}

// command is the line of a program that is started: cc1plus, or clang again with -cc1.
func (h *hearing) command(line string) {
	if rest, ok := strings.CutPrefix(line, `"`); ok {
		program, args, _ := strings.Cut(rest, `"`)
		if strings.HasPrefix(args, " -cc1 ") {
			h.self, h.clang = program, true
		}
		return
	}
	program, _, _ := strings.Cut(line, " -E ")
	if base := filepath.Base(program); base == "cc1plus" || base == "cc1plus.exe" {
		h.programs = append(h.programs, File{Role: "cc1plus", Path: program})
		h.cc1plus = program
	}
}

// specs are the files that gcc would take its own options from, were they there (seen by strace, gcc 12): beside cc1plus and
// one folder above; in the folders for libraries that end in the machine and version, as that of cc1plus does; in lib of the
// machine; in those of LIBRARY_PATH.
func specs(dirs, cc1plus, libraryPath string) (all []string) {
	version := path.Dir(cc1plus)
	machine := path.Dir(version)
	suffix, lib := "/"+path.Base(machine)+"/"+path.Base(version)+"/", "/"+path.Base(machine)+"/lib/"
	all = append(all, inFolder(version, "specs"), inFolder(machine, "specs"))
	add := func(dir string) {
		if at := inFolder(dir, "specs"); !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	for _, dir := range SearchFolders(dirs, "libraries") {
		if strings.HasSuffix(dir, suffix) || strings.HasSuffix(dir, lib) {
			add(dir)
		}
	}
	for _, dir := range strings.FieldsFunc(libraryPath, func(r rune) bool { return r == ':' }) {
		add(dir)
	}
	return all
}

func inFolder(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }

// SearchFolders are those of one list of -print-search-dirs (programs, libraries), each once.
func SearchFolders(said, title string) (all []string) {
	for line := range strings.Lines(said) {
		list, ok := strings.CutPrefix(strings.TrimSpace(line), title+": =")
		if !ok {
			continue
		}
		for _, dir := range strings.Split(list, ":") {
			if dir != "" && !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
	}
	return all
}

// sameProgram: two names of one program.
func sameProgram(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := filepath.EvalSymlinks(a)
	y, err2 := filepath.EvalSymlinks(b)
	return err1 == nil && err2 == nil && x == y
}
