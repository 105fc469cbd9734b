package toolchain

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"cupel/internal/digest"
)

// asks are the variables that change what gcc and clang find: programs, headers, libraries of their own.
var asks = []string{
	"COMPILER_PATH", "GCC_EXEC_PREFIX", "GCC_ROOT", "G++_ROOT", "BINUTILS_ROOT", "CPATH", "CPLUS_INCLUDE_PATH",
	"CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG", "SDKROOT", "HOME", "LD_LIBRARY_PATH", "LIBRARY_PATH",
}

// lists are those of them that name folders, which may be below the working folder. An empty name is the working folder.
var lists = []string{"COMPILER_PATH", "GCC_EXEC_PREFIX", "CPATH", "CPLUS_INCLUDE_PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH"}

// gnu adds gcc or clang: the driver, what it starts and what it reads.
func (f *finder) gnu(driver, role string, s settings) error {
	first := len(f.tools.Files)
	key := f.hostKey(driver)
	old, had := f.readAnswer(key)
	k, err := f.add(role, driver)
	if err != nil {
		return fmt.Errorf("read the host compiler: %w", err)
	}
	now := old
	// A note with other bytes under this name is about another compiler.
	if !had || !slices.ContainsFunc(old.files, func(o known) bool { return o.path == driver && o.known.Digest == k.Digest }) || f.changed(old.watched) {
		if now, err = f.ask(driver); err != nil {
			return err
		}
		had = false
	}
	if err := f.addAnswer(now, s); err != nil {
		return err
	}
	f.tools.Includes = append(f.tools.Includes, now.includes...)
	f.tools.Programs = append(f.tools.Programs, now.folders...)
	for _, w := range now.watched {
		f.tools.Watched = append(f.tools.Watched, w.path)
	}
	now.files = f.knowns(f.tools.Files[first:])
	if !had || !slices.Equal(now.files, old.files) {
		_ = f.store.SetNote(hostKind, key, now.append(nil)) // it would only save time
	}
	return nil
}

func (f *finder) addAnswer(a answer, s settings) error {
	for _, p := range a.programs {
		path := p.Path
		if !hasFolder(path) {
			var err error
			if path, err = f.look(path, s.get("PATH")); err != nil {
				return fmt.Errorf("find %s: %w", p.Role, err)
			}
		}
		if path == "" {
			return refuse("host-compiler-incomplete", p.Path)
		}
		k, err := f.add(p.Role, path)
		if err != nil {
			return fmt.Errorf("find %s: %w", p.Role, err)
		}
		if !k.Stamp.Exists() {
			return refuse("host-compiler-incomplete", path)
		}
	}
	for _, c := range a.candidates {
		if _, err := f.add(c.Role, c.Path); err != nil {
			return fmt.Errorf("find %s: %w", c.Role, err)
		}
	}
	return nil
}

func (f *finder) hostKey(driver string) digest.Digest {
	fields := []string{driver}
	for _, name := range asks {
		v, ok := f.env.lookup(name)
		if ok {
			fields = append(fields, name+"="+v)
		}
		if v != "" && slices.Contains(lists, name) && isRelative(v) {
			fields = append(fields, "in "+f.dir)
		}
	}
	return noteKey(fields...)
}

func isRelative(list string) bool {
	for folder := range strings.SplitSeq(list, ":") {
		if !strings.HasPrefix(folder, "/") {
			return true
		}
	}
	return false
}

func (f *finder) readAnswer(key digest.Digest) (answer, bool) {
	b, err := f.store.Note(hostKind, key)
	if err != nil {
		return answer{}, false
	}
	a, ok := takeAnswer(b)
	if ok {
		f.learn(a.files)
	}
	return a, ok
}

// changed: a folder is no longer as it was when the compiler was asked.
func (f *finder) changed(all []watch) bool {
	return slices.ContainsFunc(all, func(w watch) bool {
		s, err := f.files.Stamp(w.path)
		return err != nil || s != w.stamp
	})
}

// ask asks the compiler itself.
func (f *finder) ask(driver string) (answer, error) {
	if script, err := IsScript(driver); err != nil {
		return answer{}, fmt.Errorf("read the host compiler: %w", err)
	} else if script {
		// What a script starts cannot be told from its text, and may hang on anything.
		return answer{}, refuse("host-compiler-is-a-script", driver)
	}
	said, err := f.run(driver, "-v", "-x", "c++", "-E", os.DevNull)
	if err != nil {
		return answer{}, refuse("host-compiler-says-nothing", err.Error())
	}
	h := heard(said)
	if h.self == "" {
		return answer{}, refuse("host-compiler-unknown", driver)
	}
	if !sameProgram(h.self, driver) {
		return answer{}, refuse("host-compiler-is-a-wrapper", driver+" starts "+h.self) // ccache, distcc under the name of gcc
	}
	if h.clang {
		if err := f.clang(driver, &h); err != nil {
			return answer{}, err
		}
	}
	a := answer{programs: h.programs, candidates: h.candidates, includes: h.includes}
	if !h.clang {
		as, err := f.run(driver, "-print-prog-name=as")
		if err != nil {
			return answer{}, refuse("host-compiler-says-nothing", err.Error())
		}
		a.programs = append(a.programs, File{Role: "as", Path: strings.TrimSpace(string(as))})
		dirs, err := f.run(driver, "-print-search-dirs")
		if err != nil {
			return answer{}, refuse("host-compiler-says-nothing", err.Error())
		}
		a.folders = SearchFolders(string(dirs), "programs")
		h.watched = append(h.watched, append(f.earlier(a.folders, "cc1plus"), f.earlier(a.folders, "as")...)...)
		for _, path := range specs(string(dirs), h.cc1plus, f.env.get("LIBRARY_PATH")) {
			a.candidates = append(a.candidates, File{Role: "specs", Path: path})
		}
	}
	for _, path := range h.watched {
		s, err := f.files.Stamp(f.abs(path))
		if err != nil {
			return answer{}, fmt.Errorf("look at what the host compiler reads: %w", err)
		}
		a.watched = append(a.watched, watch{f.abs(path), s})
	}
	return a, nil
}

// earlier are the places where a program would be found before, or instead of, the one that is: each that has none, up to
// the first that has. Of a folder that is not there its own name says enough.
func (f *finder) earlier(folders []string, program string) (all []string) {
	for _, dir := range folders {
		there, err := f.files.Stamp(f.abs(dir))
		if err != nil || !there.Dir {
			all = append(all, dir)
			continue
		}
		at := inFolder(dir, program)
		if ok, _ := f.runs(f.abs(at)); ok {
			break
		}
		all = append(all, at)
	}
	return all
}

// IsScript: a text that a shell or another program reads.
func IsScript(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var b [2]byte
	n, _ := file.Read(b[:])
	return bytes.Equal(b[:n], []byte("#!")), nil
}
