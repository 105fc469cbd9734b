package unpack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// The shape of a Debian package, deb(5): an ar archive whose third member is the tar of its files.
const (
	arMagic   = "!<arch>\n"
	arHeader  = 60
	arEnd     = "`\n"
	arMembers = 32 // a package has three
	debFirst  = "debian-binary"
	debData   = "data.tar"
)

func unpackDeb(s *sink, archive string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := debTar(f)
	if err != nil {
		return damage("", err)
	}
	s.meter.start(t.part.Size(), true)
	return s.tar(t)
}

func measureDeb(archive string, _ Options) (int64, error) {
	f, err := os.Open(archive)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	t, err := debTar(f)
	if err != nil || t.ending != ".xz" {
		return 0, err
	}
	return sizeXZ(t.part), nil
}

func debTar(f *os.File) (tarball, error) {
	info, err := f.Stat()
	if err != nil {
		return tarball{}, err
	}
	return findData(f, info.Size())
}

// findData is the tar of a package's files.
func findData(r io.ReaderAt, size int64) (tarball, error) {
	magic := make([]byte, len(arMagic))
	if _, err := r.ReadAt(magic, 0); err != nil || string(magic) != arMagic {
		return tarball{}, errors.New("it is no Debian package")
	}
	at := int64(len(arMagic))
	for i := range arMembers {
		name, n, err := arMember(r, at)
		if err != nil {
			return tarball{}, err
		}
		if i == 0 && name != debFirst {
			return tarball{}, errors.New("it is no Debian package")
		}
		at += arHeader
		if n > size-at {
			return tarball{}, fmt.Errorf("member %q is cut short: %w", name, io.ErrUnexpectedEOF)
		}
		if ending, ok := strings.CutPrefix(name, debData); ok {
			return tarball{part: io.NewSectionReader(r, at, n), ending: ending, rooted: true}, nil
		}
		at += n + n%2
	}
	return tarball{}, errors.New("it holds no data.tar")
}

// arMember reads a member's header.
func arMember(r io.ReaderAt, at int64) (name string, size int64, err error) {
	head := make([]byte, arHeader)
	if n, err := r.ReadAt(head, at); n < arHeader {
		return "", 0, fmt.Errorf("it ends before its data.tar: %w", err)
	}
	if !bytes.HasSuffix(head, []byte(arEnd)) {
		return "", 0, errors.New("a member's header is wrong")
	}
	size, err = strconv.ParseInt(strings.TrimRight(string(head[48:58]), " "), 10, 64)
	if err != nil || size < 0 {
		return "", 0, errors.New("a member's size is wrong")
	}
	return strings.TrimSuffix(strings.TrimRight(string(head[:16]), " "), "/"), size, nil
}
