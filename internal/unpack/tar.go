package unpack

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
)

// tarFile unpacks a tar that is a file of its own, packed as its ending says.
func tarFile(ending string) func(*sink, string) error {
	return func(s *sink, archive string) error {
		f, err := os.Open(archive)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		s.meter.start(info.Size(), true)
		return s.tar(tarball{part: io.NewSectionReader(f, 0, info.Size()), ending: ending})
	}
}

// tarball is a tar somewhere in a file.
type tarball struct {
	part   *io.SectionReader
	ending string // how it is packed
	rooted bool   // link targets with a leading slash begin at its own root
	only   func(name string) bool
}

// place is where the layout puts an entry, if this tar is asked for it.
func (t tarball) place(s *sink) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if t.only != nil && !t.only(name) {
			return "", false
		}
		return s.o.place(name)
	}
}

// tar unpacks a tar. The bytes of a hard link lie with the entry that it names; when that one is not kept, they are
// fetched in a second pass.
func (s *sink) tar(t tarball) error {
	if err := s.pass(t, t.place(s), true); err != nil {
		return err
	}
	lost := s.lost()
	if len(lost) == 0 {
		return nil
	}
	if err := s.pass(t, func(name string) (string, bool) { to, ok := lost[name]; return to, ok }, false); err != nil {
		return err
	}
	for name, to := range lost {
		if s.kept[name] == "" {
			return Refused{Entry: to, Why: fmt.Sprintf("is a link to %q, which is not there", name)}
		}
	}
	return nil
}

// pass reads the tar once.
func (s *sink) pass(t tarball, place func(string) (string, bool), links bool) error {
	r, err := s.decode(t)
	if err != nil {
		return err
	}
	defer r.Close()
	return s.tarStream(t, r, place, links)
}

func (s *sink) tarStream(t tarball, r stream, place func(string) (string, bool), links bool) error {
	h := s.newHand()
	defer h.close()
	in := tar.NewReader(r)
	for {
		head, err := in.Next()
		if err == io.EOF {
			return damage("", r.end())
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return damage("", err)
		}
		if err := s.tarEntry(h, t, r, in, head, place, links); err != nil {
			return err
		}
	}
}

// tarEntry takes one entry.
func (s *sink) tarEntry(h *hand, t tarball, r stream, in io.Reader, head *tar.Header, place func(string) (string, bool), links bool) error {
	switch head.Typeflag {
	case tar.TypeXGlobalHeader:
		return s.stop()
	case tar.TypeDir:
		return cmp.Or(folderName(head.Name), s.stop())
	}
	name, to, keep, err := s.admit(head.Name, place)
	if err != nil {
		return err
	}
	switch head.Typeflag {
	case tar.TypeReg, tar.TypeGNUSparse, tar.TypeCont:
		if !keep {
			return s.stop()
		}
		r.want(head.Size)
		return h.file(name, to, head.FileInfo().Mode(), in)
	case tar.TypeSymlink, tar.TypeLink:
		if name == "" || !links {
			return nil
		}
		return s.tarLink(t, head, link{entry: name, to: to, keep: keep, target: head.Linkname, rooted: t.rooted})
	}
	if keep {
		return Refused{Entry: head.Name, Why: "is neither file, folder nor link"}
	}
	return nil
}

func (s *sink) tarLink(t tarball, head *tar.Header, l link) error {
	if head.Typeflag == tar.TypeSymlink {
		return s.link(l)
	}
	if !l.keep {
		return nil // its bytes are another entry's
	}
	target, why := clean(l.target)
	if why != "" {
		return escapes(l.entry, l.target)
	}
	l.target, l.hard = target, true
	return s.link(l)
}

// lost are the entries that hold the bytes of hard links and were not kept, with the place of the first such link: the
// entry is written there, and the link is none any more.
func (s *sink) lost() map[string]string {
	symbolic := map[string]bool{}
	for _, l := range s.links {
		symbolic[l.entry] = symbolic[l.entry] || !l.hard
	}
	out := map[string]string{}
	rest := s.links[:0]
	for _, l := range s.links {
		_, kept := s.kept[l.target]
		_, found := out[l.target]
		if !l.hard || kept || found || symbolic[l.target] {
			rest = append(rest, l)
			continue
		}
		out[l.target] = l.to
		delete(s.taken, s.key(l.to))
	}
	s.links = rest
	return out
}
