package project

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// clueWalk goes through the project's folders.
type clueWalk struct {
	*look.At
	root   string
	out    []fact.Clue
	unread []fact.Trouble
	files  int
	cu     map[string][]string // folder → .cu files in it
}

// pass keeps what was not read, and why.
func (w *clueWalk) pass(rel string, err error) {
	if rel == "" {
		rel = "."
	}
	why := shorten(strings.ToValidUTF8(look.Reason(err), "?"))
	w.unread = append(w.unread, fact.Trouble{About: "what the project needs", Source: rel, Why: why})
}

// folders reads the tree level by level, so that what stands near the root is read within the limits.
func (w *clueWalk) folders() {
	level := []string{""}
	for depth, seen := 0, 0; depth <= maxClueDepth && len(level) > 0; depth++ {
		var next []string
		for _, rel := range level {
			if seen++; seen > maxClueFolders {
				w.pass(rel, fmt.Errorf("one of too many: %d folders are read, of the others nothing is", maxClueFolders))
				return
			}
			next = append(next, w.folder(rel)...)
		}
		level = next
	}
}

func (w *clueWalk) folder(rel string) []string {
	names, err := w.Names(w.Path.Join(w.root, rel), visible)
	if err != nil {
		w.pass(rel, err)
		return nil
	}
	if len(names) > maxClueNames {
		w.pass(rel, fmt.Errorf("it has more than %d entries: the rest is not read", maxClueNames))
	}
	var below []string
	for _, n := range names[:min(len(names), maxClueNames)] {
		at := path.Join(rel, n)
		read := reader(n)
		info, err := w.Lstat(w.Path.Join(w.root, at))
		switch {
		case err != nil && read == nil: // nothing that would be read
		case err != nil:
			w.pass(at, err)
		case info.Link:
			w.link(at, read)
		case info.Dir:
			if read != nil && !manyNames.MatchString(n) {
				w.pass(at, errFolder)
			}
			if !output.MatchString(n) && !foreign.MatchString(n) {
				below = append(below, at)
			}
		case read != nil:
			w.file(at, info, read)
		}
	}
	return below
}

var (
	errFolder = errors.New("it is a folder")
	errLink   = errors.New("it is a link to something that is no file of the project")
	errUTF16  = errors.New("it is UTF-16: only UTF-8 is read")
	errBinary = errors.New("it is not text")
	errBytes  = errors.New("it is not UTF-8: lines with other bytes are not understood")
)

// manyNames are those a folder has with good reason: Dockerfiles.
var manyNames = pattern.New(`^Dockerfile.`)

// reader is who reads a file of that name, nil when nobody does.
func reader(name string) func(*clueFile) {
	for _, r := range readers {
		if r.name.MatchString(name) {
			return r.read
		}
	}
	return nil
}

// link: none is followed, since it may lead out of the project or in circles. One to a file of the project that is
// read under its own name loses nothing.
func (w *clueWalk) link(rel string, read func(*clueFile)) {
	if read == nil {
		return
	}
	real, err := w.Resolve(w.Path.Join(w.root, rel))
	if err == nil && w.Path.Within(real, w.Real(w.root)) && w.IsFile(real) && reader(w.Path.Base(real)) != nil {
		return
	}
	w.pass(rel, errLink)
}

func (w *clueWalk) file(rel string, info host.Info, read func(*clueFile)) {
	if w.files++; w.files == maxClueFiles+1 {
		w.pass(rel, fmt.Errorf("one of too many: %d files are read, of the others nothing is", maxClueFiles))
	}
	if w.files > maxClueFiles {
		return
	}
	if w.read(rel, info, read) && strings.HasSuffix(rel, ".cu") {
		w.kernelFile(rel)
	}
}

func (w *clueWalk) kernelFile(rel string) {
	if w.cu == nil {
		w.cu = map[string][]string{}
	}
	dir := path.Dir(rel)
	w.cu[dir] = append(w.cu[dir], rel)
}

// read says whether there was a text to read.
func (w *clueWalk) read(rel string, info host.Info, read func(*clueFile)) bool {
	text, err := w.clueText(rel, info)
	if err != nil {
		w.pass(rel, err)
	}
	if text == "" {
		return err == nil
	}
	f := &clueFile{name: rel, text: text, lines: strings.Split(text, "\n")}
	read(f)
	w.out = append(w.out, f.out...)
	if f.fault != "" {
		w.pass(rel, errors.New("it is not understood: "+f.fault))
	}
	return true
}

// clueText is a file's text. With odd bytes in it there is a text and an error: what is plain in it can still be read.
func (w *clueWalk) clueText(rel string, info host.Info) (string, error) {
	if info.Node {
		return "", errors.New("it is a device")
	}
	if info.Size > maxClueFile {
		return "", fmt.Errorf("it is larger than %d KiB", maxClueFile>>10)
	}
	b, err := w.ReadFile(w.Path.Join(w.root, rel))
	switch {
	case err != nil:
		return "", err
	case bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")):
		return "", errUTF16
	case binary(b):
		return "", errBinary
	case !utf8.Valid(b):
		err = errBytes
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(b), "\ufffd"), "\ufeff"), err
}

// hidden reads files of a folder whose name has a dot in front.
func (w *clueWalk) hidden(dir string, keep *pattern.Pattern, read func(*clueFile)) {
	names, err := w.Names(w.Path.Join(w.root, dir), keep)
	if err != nil {
		if w.There(w.Path.Join(w.root, dir)) {
			w.pass(dir, err)
		}
		return
	}
	for _, n := range names {
		p := path.Join(dir, n)
		switch info, err := w.Lstat(w.Path.Join(w.root, p)); {
		case err != nil:
			w.pass(p, err)
		case info.Link:
			w.pass(p, errLink)
		case info.Dir:
			w.pass(p, errFolder)
		default:
			w.read(p, info, read)
		}
	}
}

// kernelFolders tells where the .cu files are. Which of them belong together is for the build scripts to say.
func (w *clueWalk) kernelFolders() {
	for _, dir := range sortedKeys(w.cu) {
		files := w.cu[dir]
		w.out = append(w.out, fact.Clue{
			Key: "kernels.sources", Value: path.Join(dir, "*.cu"), File: files[0], Line: 1,
			Note: "every .cu file of the folder; the build scripts decide which of them are built, and how",
		})
	}
}
