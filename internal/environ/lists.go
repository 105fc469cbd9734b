package environ

import (
	"slices"

	"cupel/internal/choice"
	"cupel/internal/fact"
)

// lists writes PATH and, where gcc links, LIBRARY_PATH. The stubs folder is for the linker alone.
func (w *writer) lists() {
	w.prepend("PATH", append(w.binDirs(), w.studioPath...), "nvcc and its tools first")
	if w.windows() {
		return
	}
	dirs := w.libDirs()
	if stub := w.t.Parts[fact.PartStub]; stub != "" {
		dirs = append(dirs, w.path.Dir(stub))
	} else {
		w.note("this toolkit has no libcuda stub: a program that calls the driver API links only where a driver is installed")
	}
	w.prepend("LIBRARY_PATH", w.outside(dirs), "the linker finds the toolkit's libraries, and the libcuda stub on machines with no driver")
}

// binDirs is nvcc's folder and, on Windows, those of the DLLs (bin\x64 in newer layouts).
func (w *writer) binDirs() []string {
	var dirs []string
	if nvcc := w.nvcc(); nvcc != "" {
		dirs = []string{w.path.Dir(nvcc)}
	}
	if w.windows() {
		return append(dirs, w.t.DLLs...)
	}
	if len(w.outside(dirs)) == 0 && len(dirs) > 0 && w.active() && !w.added("PATH", dirs[0]) {
		w.note("PATH is left alone: " + dirs[0] + " is on it, and its nvcc comes first")
		return nil
	}
	return dirs
}

// active says that the toolkit's nvcc is the first on PATH already.
func (w *writer) active() bool {
	active, _ := choice.Toolkit(w.m, choice.Options{})
	return active.Toolkit != nil && w.path.Same(active.Toolkit.Home(), w.t.Home())
}

// libDirs is lib64 where there is one, else the folders in which the runtime library was found.
func (w *writer) libDirs() []string {
	if dir := w.t.Parts[fact.PartLib64]; dir != "" && !w.windows() {
		return []string{dir}
	}
	return slices.DeleteFunc(slices.Clone(w.t.Libs), w.stubs)
}

func (w *writer) stubs(dir string) bool { return w.path.Base(dir) == "stubs" }

// systemDirs are searched by the loader, the linker and the shell without being told; naming them in a
// variable would put them before the folders that must come first.
var systemDirs = []string{
	"/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib", "/usr/lib64",
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
}

func (w *writer) outside(dirs []string) []string {
	return slices.DeleteFunc(slices.Clone(dirs), func(d string) bool { return contains(w.path, systemDirs, d) })
}

// runtime writes what a running program needs: the loader's path, never a stubs folder, which would make
// every CUDA call fail.
func (w *writer) runtime() {
	cudnn := w.cudnn()
	if w.windows() {
		w.prepend("PATH", append(slices.Clone(w.t.DLLs), w.libraryDir(cudnn)), "the loader finds the toolkit's DLLs")
		return
	}
	dirs := w.outside(append(w.libDirs(), w.libraryDir(cudnn)))
	w.prepend("LD_LIBRARY_PATH", slices.DeleteFunc(dirs, w.stubs), "the loader finds the toolkit's libraries")
	if len(w.set.Vars) == 0 {
		w.note("nothing to set: the loader finds the libraries by itself")
		return
	}
	w.note("LD_LIBRARY_PATH comes before the CUDA libraries that pip packages bring: a Python program may then load these instead of its own")
}
