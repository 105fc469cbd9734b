package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"cupel/internal/resolve"
)

// thing is an entry to be put into an archive.
type thing struct {
	name, body string
	mode       fs.FileMode // 0: 0644
	link       string      // symbolic link to this
	hard       string      // hard link to this
	kind       byte        // another kind of tar entry
}

func (e thing) perm() fs.FileMode {
	if e.mode == 0 {
		return 0o644
	}
	return e.mode
}

func makeTar(t testing.TB, things []thing) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range things {
		h := &tar.Header{Name: e.name, Mode: int64(e.perm()), Size: int64(len(e.body)), Typeflag: tar.TypeReg}
		switch {
		case e.link != "":
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, e.link, 0
		case e.hard != "":
			h.Typeflag, h.Linkname, h.Size = tar.TypeLink, e.hard, 0
		case e.kind != 0:
			h.Typeflag = e.kind
		case strings.HasSuffix(e.name, "/"):
			h.Typeflag, h.Mode = tar.TypeDir, 0o755
		}
		must(t, w.WriteHeader(h))
		if h.Size > 0 {
			_, err := io.WriteString(w, e.body)
			must(t, err)
		}
	}
	must(t, w.Close())
	return b.Bytes()
}

func makeZip(t testing.TB, things []thing) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range things {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.perm())
		body := e.body
		if e.link != "" {
			h.SetMode(0o777 | fs.ModeSymlink)
			body = e.link
		}
		if e.kind == tar.TypeFifo {
			h.SetMode(0o644 | fs.ModeNamedPipe)
		}
		f, err := w.CreateHeader(h)
		must(t, err)
		_, err = io.WriteString(f, body)
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// pack packs a tar as its ending says. An xz has blocks of 64 KiB.
func pack(t testing.TB, ending string, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch ending {
	case "":
		return raw
	case ".gz":
		w = gzip.NewWriter(&b)
	case ".zst":
		w, err = zstd.NewWriter(&b)
	case ".xz":
		w, err = xz.WriterConfig{BlockSize: 64 << 10, DictCap: 1 << 16}.NewWriter(&b)
	}
	must(t, err)
	_, err = w.Write(raw)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func makeDeb(t testing.TB, ending string, data []byte) []byte {
	t.Helper()
	b := bytes.NewBufferString(arMagic)
	for _, m := range []struct {
		name string
		body []byte
	}{{debFirst, []byte("2.0\n")}, {"control.tar", makeTar(t, []thing{{name: "./control", body: "x"}})}, {debData + ending, data}} {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8s%-10d%s", m.name, 0, 0, 0, "100644", len(m.body), arEnd)
		b.Write(m.body)
		if len(m.body)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func makeConda(t testing.TB, pkg, info []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, body := range map[string][]byte{"metadata.json": []byte("{}"), "pkg-x-1.tar.zst": pkg, "info-x-1.tar.zst": info} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		must(t, err)
		_, err = f.Write(body)
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// one file, bin/tool, which the standard library can read but not write
var tinyBZ2, _ = base64.StdEncoding.DecodeString("QlpoOTFBWSZTWduHiRoAAHF7gMqQAEBoAPaAAEBwZZ4ACAggAFQymoZA0AZA/Ugkog0DRkDRoaUlkNQgdWhCHzjcQxvcgQwJNIUjM1cK1gRJiGy53aWjrHlTmvQkHPUKQal5JA/F3JFOFCQ24eJGgA==")

// makeTree lays the things into a folder.
func makeTree(t testing.TB, things []thing) string {
	t.Helper()
	dir := t.TempDir()
	for _, e := range things {
		at := filepath.Join(dir, filepath.FromSlash(e.name))
		must(t, os.MkdirAll(filepath.Dir(at), 0o755))
		if e.link != "" {
			must(t, os.Symlink(e.link, at))
		} else {
			must(t, os.WriteFile(at, []byte(e.body), e.perm()))
		}
	}
	return dir
}

// make makes an archive of a format and is its path.
func archiveOf(t testing.TB, format string, things []thing) string {
	t.Helper()
	var raw []byte
	switch format {
	case resolve.Wheel, resolve.Zip:
		raw = makeZip(t, things)
	case resolve.Deb:
		raw = makeDeb(t, ".xz", pack(t, ".xz", makeTar(t, things)))
	case resolve.Conda:
		raw = makeConda(t, pack(t, ".zst", makeTar(t, things)), pack(t, ".zst", makeTar(t, []thing{{name: "info/index.json", body: "{}"}})))
	case resolve.Tree:
		return makeTree(t, things)
	default:
		raw = pack(t, strings.TrimPrefix(format, "tar"), makeTar(t, things))
	}
	return saved(t, "archive."+format, raw)
}

func saved(t testing.TB, name string, raw []byte) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(at, raw, 0o644))
	return at
}

// unpacked unpacks into an empty folder.
func unpacked(t testing.TB, archive string, o Options) (root string, files []File, err error) {
	t.Helper()
	root = t.TempDir()
	files, err = Unpack(context.Background(), archive, root, o)
	return root, files, err
}

// shown is what lies below a root, a line each: path, mode or link, bytes.
func shown(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		must(t, err)
		rel, _ := filepath.Rel(root, at)
		rel = filepath.ToSlash(rel)
		switch {
		case d.Type() == fs.ModeSymlink:
			to, _ := os.Readlink(at)
			fmt.Fprintf(&b, "%s -> %s\n", rel, to)
		case !d.IsDir():
			body, err := os.ReadFile(at)
			must(t, err)
			fmt.Fprintf(&b, "%s %q\n", rel, body)
		}
		return nil
	}))
	return b.String()
}

// noise is a body that does not pack well.
func noise(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('a' + r.IntN(20))
	}
	return string(out)
}

// below keeps a folder of the archive and moves it.
func below(from, to string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		rest, ok := strings.CutPrefix(name, from+"/")
		return path.Join(to, rest), ok
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
