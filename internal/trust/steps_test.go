package trust

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/digest"
)

// step is something that happens between two builds.
type step struct {
	name   string
	weight int
	do     func(*world) error
}

var steps = []step{
	{"code of a header", 6, (*world).editHeader},
	{"code of a source", 4, func(w *world) error { return w.edit(w.files(".cu"), "int more_%d;\n") }},
	{"a comment", 3, func(w *world) error { return w.edit(w.files(".h"), "/* remark %d */\n") }},
	{"a comment in the middle of a line count", 1, func(w *world) error { return w.prepend("// remark %d\n") }},
	{"code for one architecture", 4, func(w *world) error {
		return w.edit(w.files(".h"), "#if __CUDA_ARCH__ == 900\nint for90_%d;\n#endif\n")
	}},
	{"code for the host", 3, func(w *world) error {
		return w.edit(w.files(".h"), "#ifndef __CUDA_ARCH__\nint for_host_%d;\n#endif\n")
	}},
	{"a header touched", 3, (*world).touch},
	{"the same bytes again", 3, (*world).rewrite},
	{"nothing", 2, func(*world) error { return nil }},
	{"a header deleted", 1, func(w *world) error { return w.onFile(".h", os.Remove) }},
	{"a header moved", 3, (*world).move},
	{"a header that hides another", 4, (*world).shadow},
	{"a header as a link", 2, (*world).link},
	{"a folder as a link", 1, (*world).linkFolder},
	{"an optional header", 4, (*world).option},
	{"a folder where a header was looked for", 1, func(w *world) error { return w.makeFolder() }},
	{"the time in a header", 1, func(w *world) error { return w.edit(w.files(".h"), "const char *when = __TIME__; // %d\n") }},
	{"an edit that keeps the time", 2, (*world).keepTime},
	{"back to how it was", 6, (*world).back},
	{"the contract", 6, (*world).changeSpec},
	{"an option that nobody knows", 1, func(w *world) error { return w.flags("--of-the-future") }},
	{"a response file", 4, (*world).response},
	{"another toolkit", 3, func(w *world) error { w.kit = 1 - w.kit; return nil }},
	{"another host compiler", 3, func(w *world) error { w.host = 1 - w.host; return nil }},
	{"the host compiler named", 1, func(w *world) error { w.ccbin = !w.ccbin && !w.real; return nil }},
	{"a tool replaced in its place", 4, (*world).replaceTool},
	{"a header of the toolkit", 2, (*world).kitHeader},
	{"a header for linked device code", 2, func(w *world) error { return w.onOff("crt/host_defines.h", "int mine;\n") }},
	{"CPATH", 3, (*world).cpath},
	{"LANG", 2, func(w *world) error { w.env["LANG"] = w.pick([]string{"C", "de_DE.UTF-8"}); return nil }},
	{"SOURCE_DATE_EPOCH", 1, func(w *world) error { w.env["SOURCE_DATE_EPOCH"] = w.pick([]string{"", "1000", "2000"}); return nil }},
	{"a variable that nobody reads", 2, func(w *world) error { w.serial++; w.env["EDITOR"] = fmt.Sprint(w.serial); return nil }},
	{"an output deleted", 3, func(w *world) error { return w.onOutput(os.Remove) }},
	{"all outputs deleted", 3, (*world).clear},
	{"a link in the place of an output", 2, (*world).linkOutput},
	{"an output damaged", 3, func(w *world) error { return w.onOutput(damage) }},
	{"the state damaged", 1, (*world).damageState},
	{"a file of the store damaged", 3, (*world).damageStore},
	{"the cache switched", 2, func(w *world) error { w.noCache = !w.noCache; return nil }},
	{"links switched", 1, func(w *world) error { w.store.Hard = !w.store.Hard; return nil }},
	{"a copy of the folder", 3, (*world).elsewhere},
}

// any chooses one by weight.
func (w *world) any() step {
	all := 0
	for _, s := range steps {
		all += s.weight
	}
	n := w.rand.IntN(all)
	for _, s := range steps {
		if n -= s.weight; n < 0 {
			return s
		}
	}
	return steps[0]
}

// edit appends a text with a new number.
func (w *world) edit(files []string, format string) error {
	if len(files) == 0 {
		return nil
	}
	w.serial++
	f, err := os.OpenFile(w.path(w.pick(files)), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, format, w.serial)
	if err := f.Close(); err != nil {
		return err
	}
	return err
}

func (w *world) prepend(format string) error {
	return w.onFile(".h", func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w.serial++
		return os.WriteFile(path, append(fmt.Appendf(nil, format, w.serial), text...), 0o644)
	})
}

// editHeader writes a header anew, with other includes; as an editor does, or in its place.
func (w *world) editHeader() error {
	return w.onFile(".h", func(path string) error {
		name := strings.TrimSuffix(filepath.Base(path), ".h")
		var number int
		_, _ = fmt.Sscanf(name, "h%d", &number)
		text := w.body("h", number+1, 6)
		if w.rand.IntN(2) == 0 {
			return os.WriteFile(path, []byte(text), 0o644)
		}
		if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
			return err
		}
		return os.Rename(path+"~", path)
	})
}

func (w *world) onFile(ending string, do func(path string) error) error {
	files := w.files(ending)
	if len(files) == 0 {
		return nil
	}
	return do(w.path(w.pick(files)))
}

func (w *world) touch() error {
	return w.onFile(w.pick([]string{".h", ".cu"}), func(path string) error { return os.Chtimes(path, time.Now(), time.Now()) })
}

func (w *world) rewrite() error {
	return w.onFile(".h", func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o644)
	})
}

func (w *world) move() error {
	return w.onFile(".h", func(path string) error {
		to := w.path(w.pick(headerDirs) + "/" + filepath.Base(path))
		if w.rand.IntN(4) == 0 {
			to = w.path(w.pick(headerDirs) + fmt.Sprintf("/h%d.h", w.rand.IntN(10)))
		}
		return os.Rename(path, to)
	})
}

// shadow puts another header of a name somewhere else: before or behind the one that is found.
func (w *world) shadow() error {
	w.serial++
	rel := w.pick(headerDirs) + fmt.Sprintf("/h%d.h", w.rand.IntN(8))
	_ = os.Remove(w.path(rel)) // a folder, or a link to somewhere
	return w.write(rel, fmt.Sprintf("int shadow_%d;\n", w.serial))
}

// link replaces a header by a link to its bytes elsewhere, to another header or to nothing.
func (w *world) link() error {
	return w.onFile(".h", func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w.serial++
		to := filepath.Join(w.dir, fmt.Sprintf("linked-%d.h", w.serial))
		if w.rand.IntN(4) > 0 {
			if err := os.WriteFile(to, text, 0o644); err != nil {
				return err
			}
		}
		return replaceByLink(to, path)
	})
}

func replaceByLink(to, path string) error {
	if err := os.Symlink(to, path+".link"); err != nil {
		if onWindows {
			return nil // it takes rights of its own there
		}
		return err
	}
	return os.Rename(path+".link", path)
}

// linkFolder moves inc1 away and puts a link in its place, or turns an old link to another folder.
func (w *world) linkFolder() error {
	w.serial++
	to, at := filepath.Join(w.dir, fmt.Sprintf("folder-%d", w.serial)), w.path("inc1")
	info, err := os.Lstat(at)
	if err != nil || onWindows {
		return nil
	}
	if info.Mode()&os.ModeSymlink == 0 {
		if err := os.Rename(at, to); err != nil {
			return err
		}
		return os.Symlink(to, at)
	}
	if err := writeAll(to, map[string]string{"h1.h": fmt.Sprintf("int other_folder_%d;\n", w.serial)}); err != nil {
		return err
	}
	return replaceByLink(to, at)
}

// option makes a header come or go that __has_include asks for.
func (w *world) option() error {
	rel := w.pick(headerDirs[:3]) + fmt.Sprintf("/option%d.h", w.rand.IntN(3))
	if w.rand.IntN(3) == 0 {
		rel = w.pick([]string{"inc1", "inc2"}) + fmt.Sprintf("/sub/deep%d.h", w.rand.IntN(2))
	}
	if os.Remove(w.path(rel)) == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(w.path(rel)), 0o755); err != nil {
		return err
	}
	w.serial++
	return w.write(rel, fmt.Sprintf("int option_%d;\n", w.serial))
}

func (w *world) makeFolder() error {
	path := w.path(w.pick(headerDirs) + fmt.Sprintf("/h%d.h", w.rand.IntN(8)))
	if info, err := os.Stat(path); err == nil && !info.IsDir() && w.rand.IntN(3) > 0 {
		return nil
	}
	_ = os.Remove(path)
	return os.MkdirAll(path, 0o755)
}

// keepTime changes a byte and sets the time back: size and time are those of before. Windows has no time of change that is
// told without opening the file: package stamp does not see it there, and says so.
func (w *world) keepTime() error {
	if onWindows {
		return nil
	}
	return w.onFile(".h", func(path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, c := range text {
			if c >= '0' && c <= '8' && i > 0 && text[i-1] == '_' {
				text[i]++
				break
			}
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
		return os.Chtimes(path, info.ModTime(), info.ModTime())
	})
}

func (w *world) back() error {
	if len(w.past) == 0 {
		return nil
	}
	return w.restore(w.past[w.rand.IntN(len(w.past))])
}

func (w *world) changeSpec() error {
	s := &w.spec
	switch w.rand.IntN(6) {
	case 0:
		s.kinds = slices.Clone([][]string{{"ptx"}, {"object"}, {"fatbin"}, {"cubin"}, {"static"}, {"ptx", "object"}}[w.rand.IntN(6)])
	case 1:
		s.archs = slices.Clone([][]string{{"sm_80"}, {"sm_90"}, {"sm_80", "sm_90"}, {"sm_80", "sm_86", "compute_90"}}[w.rand.IntN(4)])
	case 2:
		s.defines = slices.Clone([][]string{{"LEVEL=1"}, {"LEVEL=2"}, {"LEVEL=2", "EXTRA=2"}, {"EXTRA=3", "LEVEL=1"}}[w.rand.IntN(4)])
	case 3:
		s.includes = slices.Clone([][]string{{"inc1", "inc2", "src"}, {"inc2", "inc1", "src"}, {"inc3", "src", "inc1", "inc2"}, {"inc1", "inc2", "src", "inc2/sub"}}[w.rand.IntN(4)])
	case 4:
		return w.flags(w.pick([]string{"", "-O3", "-lineinfo", "-isystem=inc3", "--use_fast_math"}))
	default:
		s.rdc = !s.rdc
	}
	return w.contract()
}

func (w *world) flags(word string) error {
	w.spec.flags = nil
	if dir, system := strings.CutPrefix(word, "-isystem="); system {
		w.spec.flags = []string{"-isystem", dir}
	} else if word != "" {
		w.spec.flags = []string{word}
	}
	return w.contract()
}

const wordsFile = "words.rsp"

// response writes a response file, which may be there and used already.
func (w *world) response() error {
	w.serial++
	if err := os.WriteFile(w.path(wordsFile), fmt.Appendf(nil, "--maxrregcount=%d\n-DRSP=%d", 16+w.serial%4, w.serial), 0o644); err != nil {
		return err
	}
	w.spec.flags = []string{"--options-file", wordsFile}
	return w.contract()
}

// onOff makes a file in the project, or takes it away.
func (w *world) onOff(rel, text string) error {
	path := w.path(rel)
	if err := os.Remove(path); err == nil || !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// replaceTool changes a program in its place or by a new file.
func (w *world) replaceTool() error {
	list := []string{w.kits[w.kit] + "/bin/" + exe("ptxas"), w.kits[w.kit] + "/bin/" + exe("cudafe++"), w.kits[w.kit] + "/nvvm/bin/" + exe("cicc"), w.kits[w.kit] + "/nvvm/libdevice/libdevice.10.bc", w.kits[w.kit] + "/bin/" + exe("fatbinary"), w.kits[w.kit] + "/bin/crt/link.stub", w.kits[w.kit] + "/lib64/libcudadevrt.a"}
	if onWindows {
		list = append(list, w.hosts[w.host]+"/bin/c2.dll")
	} else {
		list = append(list, w.hosts[w.host]+"/libexec/as", w.hosts[w.host]+"/libexec/cc1plus")
	}
	path := w.pick(list)
	w.serial++
	text := fmt.Appendf(nil, "tool %d", w.serial)
	if w.rand.IntN(2) == 0 {
		return os.WriteFile(path, text, 0o755)
	}
	if err := os.WriteFile(path+"~", text, 0o755); err != nil {
		return err
	}
	return os.Rename(path+"~", path)
}

func (w *world) kitHeader() error {
	w.serial++
	name := w.pick([]string{"cuda_runtime.h", "crt/host_config.h", "crt/host_runtime.h", "fatbinary_section.h"})
	return os.WriteFile(filepath.Join(w.kits[w.kit], "include", name), fmt.Appendf(nil, "#pragma once\n#include \"crt/host_config.h\"\nint kit_%d;\n", w.serial), 0o644)
}

func (w *world) cpath() error {
	name := "CPATH"
	if onWindows {
		name = "INCLUDE_MORE"
	}
	w.env[name] = w.pick([]string{"", "inc3", w.path("inc3"), "inc2/sub" + string(os.PathListSeparator) + "inc3"})
	w.serial++
	return w.write("inc3/"+w.pick([]string{"h2.h", "h3.h", "option1.h"}), fmt.Sprintf("int by_variable_%d;\n", w.serial))
}

func (w *world) onOutput(do func(path string) error) error {
	files, err := filepath.Glob(filepath.Join(w.root(), "build", "cupel", "k", "*.*"))
	if err != nil || len(files) == 0 {
		return err
	}
	path := w.pick(files)
	if w.store.Hard {
		w.known = nil // the store's own file may be the same
	}
	delete(w.last, path)
	w.serial++
	return do(path)
}

// linkOutput puts a link to a file of the user's in the place of an output. wine has no links.
func (w *world) linkOutput() error {
	if onWindows {
		return nil
	}
	return w.onOutput(func(path string) error {
		mine := filepath.Join(w.dir, "mine")
		if err := os.WriteFile(mine, []byte(theirs), 0o644); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		w.mine = mine
		return os.Symlink(mine, path)
	})
}

// theirs is what stands in a file that no build may write to.
const theirs = "a file of the user's\n"

// damage changes bytes where they are, whatever the mode says.
func damage(path string) error {
	_ = os.Chmod(path, 0o644)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt([]byte("damaged"), 3); err != nil {
		return err
	}
	return f.Close()
}

func (w *world) damageState() error {
	path := filepath.Join(w.root(), "build", "cupel", ".cupel-state")
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	w.forgetState()
	return damage(path)
}

// clear takes the folder of outputs away, and with it what is known of them.
func (w *world) clear() error {
	w.forgetState()
	return os.RemoveAll(filepath.Join(w.root(), "build"))
}

// forgetState: nothing is known any more of the outputs in this folder.
func (w *world) forgetState() {
	left := map[string]digest.Digest{}
	maps.Copy(left, w.last)
	maps.DeleteFunc(left, func(out string, _ digest.Digest) bool { return strings.HasPrefix(out, w.root()) })
	w.last = left
}

// damageStore changes or cuts a file of the store. What it knew counts no more: which results that was about is not followed.
func (w *world) damageStore() error {
	w.known = nil
	var files []string
	err := filepath.WalkDir(w.store.Dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		return nil
	}
	path := w.pick(files)
	_ = os.Chmod(path, 0o644)
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 {
		return err
	}
	maps.DeleteFunc(w.last, func(out string, _ digest.Digest) bool { // an output may be a link to it
		made, err := os.Stat(strings.TrimSuffix(out, " exact"))
		return err == nil && os.SameFile(made, info)
	})
	if w.rand.IntN(2) == 0 {
		return os.Truncate(path, w.rand.Int64N(info.Size()))
	}
	return flip(path, w.rand.Int64N(info.Size()), byte(1)<<w.rand.IntN(8))
}

// flip changes one bit.
func flip(path string, at int64, bit byte) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= bit
	_, err = f.WriteAt(b[:], at)
	return err
}

// elsewhere goes on in the other folder, with the same files.
func (w *world) elsewhere() error {
	s, err := w.snapshot()
	if err != nil {
		return err
	}
	w.at = 1 - w.at
	return w.restore(s)
}
