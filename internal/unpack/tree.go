package unpack

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// unpackTree copies a folder by the rules of an archive: its client unpacked it, but the bytes are as foreign.
func unpackTree(s *sink, folder string) error {
	from, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer from.Close()
	var pieces []piece
	err = fs.WalkDir(from.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = s.stop()
		}
		if err != nil || d.IsDir() {
			return err
		}
		return s.treeEntry(from, name, d, &pieces)
	})
	if err != nil {
		return err
	}
	s.meter.start(weight(pieces), false)
	return s.crew(pieces)
}

func (s *sink) treeEntry(from *os.Root, raw string, d fs.DirEntry, pieces *[]piece) error {
	name, to, keep, err := s.admit(raw, s.o.place)
	if err != nil {
		return err
	}
	switch kind := d.Type(); {
	case kind == fs.ModeSymlink && name != "":
		target, err := from.Readlink(filepath.FromSlash(raw))
		if err != nil {
			return err
		}
		return s.link(link{entry: name, to: to, keep: keep, target: filepath.ToSlash(target)})
	case !keep:
		return nil
	case kind != 0:
		return Refused{Entry: raw, Why: "is neither file, folder nor link"}
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	open := func() (io.ReadCloser, error) {
		f, err := from.Open(filepath.FromSlash(raw))
		return onlyReader{f}, err
	}
	*pieces = append(*pieces, piece{entry: name, to: to, mode: info.Mode(), size: info.Size(), open: open})
	return nil
}

func measureTree(folder string, o Options) (int64, error) {
	var total int64
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if _, keep := o.place(name); !keep {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
