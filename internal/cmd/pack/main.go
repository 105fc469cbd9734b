// Command pack makes a release archive of a folder and adds its checksum to SHA256SUMS: zip when the folder's name holds "windows", else
// tar.gz. The same files give the same bytes: names are sorted, times fixed, owners left out.
//
//	pack [-to FOLDER] FOLDER
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fixed is the time of every file: the first that zip can write.
var fixed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	to := flag.String("to", ".", "folder for the archive and SHA256SUMS")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "pack: want one folder")
		os.Exit(2)
	}
	if err := pack(flag.Arg(0), *to); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(folder, to string) error {
	base := filepath.Base(folder)
	name, write := base+".tar.gz", writeTar
	if strings.Contains(base, "windows") {
		name, write = base+".zip", writeZip
	}
	f, err := os.Create(filepath.Join(to, name))
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if err := write(io.MultiWriter(f, sum), folder, base); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	return appendLine(filepath.Join(to, "SHA256SUMS"), fmt.Sprintf("%x  %s\n", sum.Sum(nil), name))
}

func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	return f.Close()
}

// entries reads the folder's files; os.ReadDir sorts them. Programs are told by having no extension or .exe, not by their mode, which a
// build on Windows would not set.
func entries(folder string, each func(name string, mode int64, data []byte) error) error {
	list, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if err := each(e.Name(), fileMode(e.Name()), data); err != nil {
			return err
		}
	}
	return nil
}

func fileMode(name string) int64 {
	if ext := filepath.Ext(name); name != "LICENSE" && (ext == "" || ext == ".exe") {
		return 0o755
	}
	return 0o644
}

func writeTar(w io.Writer, folder, base string) error {
	zw := gzip.NewWriter(w)
	tw := tar.NewWriter(zw)
	err := entries(folder, func(name string, mode int64, data []byte) error {
		h := &tar.Header{Name: base + "/" + name, Mode: mode, Size: int64(len(data)), ModTime: fixed, Format: tar.FormatUSTAR}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		_, err := tw.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return zw.Close()
}

func writeZip(w io.Writer, folder, base string) error {
	zw := zip.NewWriter(w)
	err := entries(folder, func(name string, mode int64, data []byte) error {
		h := &zip.FileHeader{Name: base + "/" + name, Method: zip.Deflate, Modified: fixed}
		h.SetMode(os.FileMode(mode))
		f, err := zw.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return zw.Close()
}
