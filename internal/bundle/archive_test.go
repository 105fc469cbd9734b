package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"time"
)

// TestWrite: both kinds hold the parts in their order, and equal parts give equal bytes.
func TestWrite(t *testing.T) {
	parts := []Part{{Name: "README.md", Text: []byte("read")}, {Name: "sources/k.cu", Text: []byte("int x;")}, {Name: "empty", Text: nil}}
	for _, name := range []string{"x.tar.gz", "x.tgz", "x.ZIP"} {
		t.Run(name, func(t *testing.T) {
			var a, b bytes.Buffer
			at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
			if err := Write(&a, name, at, parts); err != nil {
				t.Fatal(err)
			}
			if err := Write(&b, name, at, parts); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("a second time it is not the same (%v)", err)
			}
			if got, want := unpack(t, name, a.Bytes()), "README.md=read sources/k.cu=int x; empty="; got != want {
				t.Errorf("it holds %q, want %q", got, want)
			}
		})
	}
}

// unpack tells what is in an archive: NAME=TEXT, in order.
func unpack(t *testing.T, name string, b []byte) string {
	t.Helper()
	var out []string
	if strings.EqualFold(name[len(name)-4:], ".zip") {
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(r)
			out = append(out, f.Name+"="+string(text))
		}
		return strings.Join(out, " ")
	}
	gz, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if err == io.EOF {
			return strings.Join(out, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r)
		out = append(out, h.Name+"="+string(text))
	}
}
