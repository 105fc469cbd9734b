package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func folder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"cupel": "program", "LICENSE": "words"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func packed(t *testing.T, dir, archive string) []byte {
	t.Helper()
	to := t.TempDir()
	if err := pack(dir, to); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(to, archive))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(to, "SHA256SUMS"))
	if want := fmt.Sprintf("%x  %s\n", sha256.Sum256(data), archive); err != nil || string(sums) != want {
		t.Errorf("SHA256SUMS = %q, %v, want %q", sums, err, want)
	}
	return data
}

func TestTarHoldsProgramsAndText(t *testing.T) {
	data := packed(t, folder(t, "cupel-1-linux-amd64"), "cupel-1-linux-amd64.tar.gz")
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	tr := tar.NewReader(zr)
	got := ""
	for h, err := tr.Next(); err != io.EOF; h, err = tr.Next() {
		if err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintf("%s %o\n", h.Name, h.Mode)
	}
	if want := "cupel-1-linux-amd64/LICENSE 644\ncupel-1-linux-amd64/cupel 755\n"; got != want {
		t.Errorf("archive holds\n%swant\n%s", got, want)
	}
}

func TestZipForWindows(t *testing.T) {
	data := packed(t, folder(t, "cupel-1-windows-arm64"), "cupel-1-windows-arm64.zip")
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(zr.File) != 2 || zr.File[1].Name != "cupel-1-windows-arm64/cupel" {
		t.Errorf("zip holds %v, want LICENSE and cupel in a folder", zr.File)
	}
}

func TestSameFilesGiveSameBytes(t *testing.T) {
	name := "cupel-1-linux-amd64"
	if a, b := packed(t, folder(t, name), name+".tar.gz"), packed(t, folder(t, name), name+".tar.gz"); !bytes.Equal(a, b) {
		t.Error("two archives of equal folders differ")
	}
}
