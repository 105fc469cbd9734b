package unpack

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"strings"
)

// A .conda is a zip of two tars: pkg-NAME holds the files, info-NAME what the client wants to know.
func unpackConda(s *sink, archive string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := openZip(f)
	if err != nil {
		return damage("", err)
	}
	if err := overlaps(z.File); err != nil {
		return err
	}
	tars, err := condaTars(f, z.File)
	if err != nil {
		return damage("", err)
	}
	s.meter.start(tars[0].part.Size(), true)
	for _, t := range tars {
		if err := s.tar(t); err != nil {
			return err
		}
	}
	return nil
}

// condaTars are the tars of a package, that of the files first.
func condaTars(r io.ReaderAt, entries []*zip.File) ([]tarball, error) {
	var pkg, info []tarball
	for _, e := range entries {
		if err := folderName(e.Name); err != nil {
			return nil, err
		}
		which, ending, ok := strings.Cut(e.Name, ".tar")
		if !ok || e.Method != zip.Store {
			continue
		}
		at, err := e.DataOffset()
		if err != nil {
			return nil, err
		}
		t := tarball{part: io.NewSectionReader(r, at, clip(e.CompressedSize64)), ending: ending}
		switch {
		case strings.HasPrefix(which, "pkg-"):
			pkg = append(pkg, t)
		case strings.HasPrefix(which, "info-"):
			t.only = isLicence
			info = append(info, t)
		}
	}
	if len(pkg) != 1 || len(info) > 1 {
		return nil, errors.New("it is no conda package: one stored pkg-….tar is needed")
	}
	return append(pkg, info...), nil
}

// isLicence says whether a file of a package's info is kept at all: its licence belongs to the files.
func isLicence(name string) bool {
	return strings.HasPrefix(name, "info/licenses/") || strings.HasPrefix(name, "info/LICENSE")
}
