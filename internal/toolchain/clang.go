package toolchain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clang adds what clang reads and looks for besides what it says that gcc says too.
func (f *finder) clang(driver string, h *hearing) error {
	// It looks beside the file that it really is, or beside the name that it was started by.
	dirs := append(slices.Clone(h.configs), above(h.self), above(driver))
	if real, err := filepath.EvalSymlinks(driver); err == nil {
		dirs = append(dirs, above(real))
	}
	for _, dir := range dirs {
		h.configsIn(dir)
	}
	f.watchGccs(driver, h)
	for _, p := range h.programs {
		if p.Role != "configuration" {
			continue
		}
		text, err := os.ReadFile(f.abs(p.Path))
		if err != nil {
			return refuse("host-compiler-incomplete", p.Path)
		}
		if word := unfollowed(string(text)); word != "" {
			return refuse("host-reads", p.Path+": "+word)
		}
		h.watch(p.Path) // its words may name folders for headers
	}
	if err := f.sanitizerLists(driver, h); err != nil {
		return err
	}
	libraries, err := f.clangLibraries(driver)
	if err != nil {
		return refuse("host-compiler-says-nothing", err.Error())
	}
	h.programs = append(h.programs, libraries...)
	return nil
}

// sanitizerLists are what sanitizers read by themselves where it is there: which functions and sources they leave alone, share/
// asan_ignorelist.txt and its like in clang's own folder (SanitizerArgs.cpp of clang 16; older ones have other names that end so).
func (f *finder) sanitizerLists(driver string, h *hearing) error {
	said, err := f.run(driver, "-print-resource-dir")
	if err != nil {
		return refuse("host-compiler-says-nothing", err.Error())
	}
	share := inFolder(strings.TrimSpace(string(said)), "share")
	h.watch(share)
	entries, _ := os.ReadDir(f.abs(share))
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "list.txt") {
			h.candidates = append(h.candidates, File{Role: "sanitizer list", Path: inFolder(share, e.Name())})
		}
	}
	return nil
}

// above is the folder of a path as it is written: a/.. leads elsewhere where a is a link.
func above(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

func (h *hearing) watch(path string) {
	if path != "" && !slices.Contains(h.watched, path) {
		h.watched = append(h.watched, path)
	}
}

// configsIn are the files of options in a folder that clang reads when they are there (Clang Compiler User's Manual,
// Configuration files: of the driver's mode, with and without the target before it, and of the target).
func (h *hearing) configsIn(dir string) {
	if dir == "" || slices.Contains(h.watched, dir) {
		return
	}
	h.watch(dir)
	names := []string{"clang", "clang++"}
	if h.target != "" {
		names = append(names, h.target+"-clang", h.target+"-clang++", h.target)
	}
	for _, name := range names {
		h.candidates = append(h.candidates, File{Role: "configuration", Path: dir + "/" + name + ".cfg"})
	}
}

// unfollowed is a word of a configuration file with which clang reads or starts what is in no key; empty: none.
func unfollowed(text string) string {
	for word := range strings.FieldsSeq(text) {
		bare := strings.Trim(word, `"'\`)
		if strings.HasPrefix(bare, "@") || startsAny(bare, "--config", "-B", "-fprofile", "-Xclang", "-mllvm", "-imacros", "-include", "--include") ||
			strings.Contains(bare, "integrated-as") || strings.Contains(bare, "plugin") {
			return word
		}
	}
	return ""
}

// watchGccs watches where clang looks for the newest gcc, whose headers it takes: PREFIX/lib/gcc/TARGET/VERSION, for many names
// of the target (Gnu.cpp of clang 16, GCCInstallationDetector).
func (f *finder) watchGccs(driver string, h *hearing) {
	prefixes := []string{"/usr", above(driver) + "/..", above(h.self) + "/.."}
	for _, gcc := range h.gccs {
		h.watch(above(gcc))
		prefixes = append(prefixes, above(above(above(above(gcc)))))
	}
	for _, toolset := range f.subfolders("/opt/rh") {
		prefixes = append(prefixes, toolset+"/root/usr")
	}
	h.watch("/opt/rh")
	h.watch("/etc/env.d/gcc") // Gentoo names one there
	for _, prefix := range prefixes {
		for _, lib := range []string{"lib", "lib64", "lib32"} {
			for _, kind := range []string{"gcc", "gcc-cross"} {
				dir := prefix + "/" + lib + "/" + kind
				h.watch(dir)
				for _, sub := range f.subfolders(dir) {
					h.watch(sub)
				}
			}
		}
	}
}

// subfolders are what a folder holds that may be one: of files nothing is lost.
func (f *finder) subfolders(dir string) (all []string) {
	entries, _ := os.ReadDir(f.abs(dir))
	for _, e := range entries {
		if !e.Type().IsRegular() {
			all = append(all, dir+"/"+e.Name())
		}
	}
	return all
}

// clangLibraries are the shared libraries that hold the compiler itself, as the loader finds them.
func (f *finder) clangLibraries(driver string) ([]File, error) {
	said, err := f.runWith([]string{"LD_TRACE_LOADED_OBJECTS=1"}, driver, "--version")
	if err != nil {
		return nil, err
	}
	var all []File
	for line := range strings.Lines(string(said)) {
		name, rest, found := strings.Cut(strings.TrimSpace(line), " => ")
		path, _, _ := strings.Cut(rest, " (")
		if found && (strings.HasPrefix(name, "libLLVM") || strings.HasPrefix(name, "libclang")) {
			all = append(all, File{Role: "clang library", Path: path})
		}
	}
	return all, nil
}
