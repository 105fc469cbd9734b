// Package bundle makes one archive of a recorded compiler call that can be passed on: the call, its output, sources and
// preprocessed sources, versions, environment and machine, with secrets and the names of people and machines taken out.
// It runs the compiler only to preprocess and to ask for versions, and writes nothing into a project.
package bundle

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"strings"
	"time"
)

// Format of the answer.
const Format = "cupel.bundle/1"

// Part is one file of a bundle.
type Part struct {
	Name string `json:"name"` // with forward slashes
	What string `json:"what"`
	Size int    `json:"size"`
	Text []byte `json:"-"`
}

// Write writes the parts in their order, as a zip archive where name ends so, else as tar.gz. Equal parts give equal
// bytes: at is the time of every file.
func Write(w io.Writer, name string, at time.Time, parts []Part) error {
	at = at.UTC().Truncate(2 * time.Second) // zip knows no finer time
	if strings.HasSuffix(strings.ToLower(name), ".zip") {
		return writeZip(w, at, parts)
	}
	return writeTar(w, at, parts)
}

func writeTar(w io.Writer, at time.Time, parts []Part) error {
	gz := gzip.NewWriter(w)
	t := tar.NewWriter(gz)
	for _, p := range parts {
		if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: p.Name, Size: int64(len(p.Text)), Mode: 0o644, ModTime: at}); err != nil {
			return err
		}
		if _, err := t.Write(p.Text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return gz.Close()
}

func writeZip(w io.Writer, at time.Time, parts []Part) error {
	z := zip.NewWriter(w)
	for _, p := range parts {
		f, err := z.CreateHeader(&zip.FileHeader{Name: p.Name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		if _, err := f.Write(p.Text); err != nil {
			return err
		}
	}
	return z.Close()
}
