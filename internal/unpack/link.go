package unpack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// link is an entry that stands for another one. Links are made when all files are written, so no file can be written
// through one.
type link struct {
	entry, to string // name in the archive, place
	keep      bool
	target    string // as the archive has it
	hard      bool   // target is a name in the archive, not one beside the link
	rooted    bool   // a target that begins with / begins at the archive's own root (Debian)
}

// hops is how many links may lead to a file.
const hops = 40

// link notes a link.
func (s *sink) link(l link) error {
	if l.keep {
		if again, err := s.claim(l.entry, l.to); err != nil {
			return err
		} else if again && !slices.ContainsFunc(s.links, func(o link) bool { return o.to == l.to && o.target == l.target && o.hard == l.hard }) {
			return Refused{Entry: l.entry, Why: "is there twice with other contents"}
		} else if again {
			return nil
		}
	}
	if len(s.links) >= s.limits.Files {
		return Refused{Why: fmt.Sprintf("it holds more than %d links", s.limits.Files)}
	}
	s.links = append(s.links, l)
	return nil
}

// escapes refuses a link that leads out of the archive.
func escapes(entry, target string) Refused {
	return Refused{Entry: entry, Why: fmt.Sprintf("is a link out of its folder, to %q", target)}
}

// linker makes the links of a sink.
type linker struct {
	s      *sink
	h      *hand
	named  map[string]link // symbolic links of the archive, kept or not
	order  []string        // kept names, sorted
	files  map[string]File // what was written, by place
	places map[string]bool // of links
}

// makeLinks makes what is kept and leads somewhere.
func (s *sink) makeLinks() error {
	if len(s.links) == 0 {
		return nil
	}
	l := linker{s: s, h: s.newHand(), named: map[string]link{}, files: map[string]File{}, places: map[string]bool{}}
	defer l.h.close()
	for name := range s.kept {
		l.order = append(l.order, name)
	}
	slices.Sort(l.order)
	for _, f := range s.files {
		l.files[f.Path] = f
	}
	for _, k := range s.links {
		if !k.hard {
			l.named[k.entry] = k
		}
		if k.keep {
			l.places[k.to] = true
		}
	}
	for _, k := range s.links {
		if err := s.stop(); err != nil {
			return err
		}
		if err := l.make(k); err != nil {
			return err
		}
	}
	return nil
}

func (l *linker) make(k link) error {
	if !k.keep {
		return nil
	}
	if l.s.dirs[k.to] || l.throughLink(k.to) {
		return Refused{Entry: k.entry, Why: "is or lies below a link, and something would be written through it"}
	}
	if via, ok := l.named[k.target]; ok && k.hard { // a second name of a symbolic link
		via.to, via.keep = k.to, true
		return l.make(via)
	}
	if k.hard {
		return l.copyFile(k.entry, k.to, l.s.kept[k.target])
	}
	name, err := l.locate(k)
	if err != nil || name == "" {
		return err
	}
	to, ok, err := l.placeOf(name, l.s.o.noLinks(), hops)
	if err != nil || !ok {
		return err
	}
	if l.s.o.noLinks() {
		return l.copy(k, name, to)
	}
	return l.symlink(k, to)
}

// throughLink says whether a place lies below that of a link.
func (l *linker) throughLink(to string) bool {
	for dir := path.Dir(to); dir != "."; dir = path.Dir(dir) {
		if l.places[dir] {
			return true
		}
	}
	return false
}

// locate is the name in the archive that a link means; links among the folders on the way are followed. "" is a target
// that cannot be reached.
func (l *linker) locate(k link) (string, error) {
	at, rest := path.Dir(k.entry), k.target
	if strings.HasPrefix(rest, "/") && k.rooted {
		at, rest = ".", strings.TrimLeft(rest, "/")
	}
	if why := oddTarget(rest); why {
		return "", escapes(k.entry, k.target)
	}
	parts := strings.Split(rest, "/")
	for n := 0; len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		if part == ".." && at == "." {
			return "", escapes(k.entry, k.target)
		}
		at = path.Join(at, part)
		via, ok := l.named[at]
		if !ok || len(parts) == 0 {
			continue
		}
		if n++; n > hops {
			return "", nil
		}
		target := via.target
		if at = path.Dir(at); strings.HasPrefix(target, "/") && via.rooted {
			at, target = ".", strings.TrimLeft(target, "/")
		}
		if oddTarget(target) {
			return "", escapes(via.entry, via.target)
		}
		parts = append(strings.Split(target, "/"), parts...)
	}
	return at, nil
}

// oddTarget is a target that is not a relative path with slashes.
func oddTarget(target string) bool {
	why := oddName(strings.ReplaceAll(target, "..", "x"))
	return why != ""
}

// placeOf is where a name of the archive is below the root. through follows links to the file or folder behind them.
func (l *linker) placeOf(name string, through bool, left int) (to string, ok bool, err error) {
	if left == 0 {
		return "", false, nil // links in a circle
	}
	if to, ok := l.s.kept[name]; ok {
		return to, true, nil
	}
	if k, ok := l.named[name]; ok {
		next, err := l.locate(k)
		if err != nil || next == "" {
			return "", false, err
		}
		to, ok, err := l.placeOf(next, through, left-1)
		if ok && k.keep && !through {
			to = k.to
		}
		return to, ok, err
	}
	if to, ok := l.folder(name); ok {
		return to, true, nil
	}
	to, keep := l.s.o.place(name)
	if !keep || l.s.oddPlace(&to) != "" {
		return "", false, nil
	}
	_, err = l.s.root.Stat(filepath.FromSlash(to)) // another archive may have brought it
	return to, err == nil, nil
}

// below are the kept names in a folder of the archive.
func (l *linker) below(name string) []string {
	if name == "." {
		return l.order
	}
	from, _ := slices.BinarySearch(l.order, name+"/")
	to, _ := slices.BinarySearch(l.order, name+"0") // the character after the slash
	return l.order[from:to]
}

// folder is where a folder of the archive went: all that was kept of it has to lie in one place.
func (l *linker) folder(name string) (string, bool) {
	found := ""
	for _, n := range l.below(name) {
		rest := strings.TrimPrefix(n, name+"/")
		to := l.s.kept[n]
		dir := "."
		if to != rest {
			var ok bool
			if dir, ok = strings.CutSuffix(to, "/"+rest); !ok {
				return "", false
			}
		}
		if found != "" && found != dir {
			return "", false
		}
		found = dir
	}
	return found, found != ""
}

// symlink makes a link that holds wherever the root is moved to.
func (l *linker) symlink(k link, to string) error {
	target, err := filepath.Rel(path.Dir(k.to), to)
	if err != nil {
		return err
	}
	target = filepath.ToSlash(target)
	at, err := l.h.in(k.entry, path.Dir(k.to))
	if err != nil {
		return err
	}
	err = at.Symlink(target, path.Base(k.to))
	if errors.Is(err, fs.ErrExist) {
		if was, no := at.Readlink(path.Base(k.to)); no != nil || was != target {
			return Refused{Entry: k.entry, Why: "is there already and is something else"}
		}
		err = nil
	}
	if err == nil {
		l.s.files = append(l.s.files, File{Path: k.to, Link: target})
	}
	return err
}

// copy puts the bytes behind a link in its place: a file, or all that was kept of a folder.
func (l *linker) copy(k link, name, from string) error {
	if info, err := l.s.root.Stat(filepath.FromSlash(from)); err != nil || !info.IsDir() {
		return l.copyFile(k.entry, k.to, from)
	}
	for _, f := range l.under(from) {
		to := path.Join(k.to, strings.TrimPrefix(f, from+"/"))
		if again, err := l.s.claim(k.entry, to); err != nil {
			return err
		} else if again {
			return Refused{Entry: k.entry, Why: fmt.Sprintf("would write %q a second time", to)}
		}
		if err := l.copyFile(k.entry, to, f); err != nil {
			return err
		}
	}
	return nil
}

// under are the places written below a folder.
func (l *linker) under(dir string) []string {
	var out []string
	for to := range l.files {
		if dir == "." || strings.HasPrefix(to, dir+"/") {
			out = append(out, to)
		}
	}
	slices.Sort(out)
	return out
}

// copyFile copies what was written already; its place is claimed.
func (l *linker) copyFile(entry, to, from string) error {
	if from == "" {
		return Refused{Entry: entry, Why: "is a link to a file that is not there"}
	}
	src, err := l.s.root.Open(filepath.FromSlash(from))
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	at, err := l.h.in(entry, path.Dir(to))
	if err != nil {
		return err
	}
	m := mode(info.Mode())
	if was, ok := l.files[from]; ok {
		m = was.Mode
	}
	got, _, err := l.h.lay(at, entry, to, m, onlyReader{src})
	if err == nil {
		got.Path, got.Mode = to, m
		l.s.files = append(l.s.files, got)
	}
	return err
}

type onlyReader struct{ *os.File }

func (r onlyReader) Read(p []byte) (int, error) {
	n, err := r.File.Read(p)
	if err != nil && err != io.EOF {
		err = stopped{err}
	}
	return n, err
}
