package sourcetest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ulikunitz/xz"

	"cupel/internal/resolve"
)

// component is one archive of a mirror.
type component struct {
	name, version string
	files         []file
}

// file is one of an archive: a file of this machine, a text, or a link.
type file struct {
	path string // below the archive's top folder
	from string
	text string
	link string
}

func (f file) bytes() ([]byte, error) {
	if f.from == "" {
		return []byte(f.text), nil
	}
	return os.ReadFile(f.from)
}

// redistName is how NVIDIA calls a platform.
func redistName(p resolve.Platform) string {
	if p.OS == "linux" && p.Arch == "arm64" {
		return "linux-sbsa"
	}
	return p.String()
}

// writeMirror packs components and writes the manifest that lists them.
func writeMirror(dir string, p resolve.Platform, release string, parts []component) error {
	manifest := map[string]any{"release_date": "2025-10-09", "release_label": release, "release_product": "cuda"}
	for _, c := range parts {
		row, err := c.write(dir, p)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		manifest[c.name] = row
	}
	text, err := json.MarshalIndent(manifest, "", "    ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "redistrib_"+release+".json"), text, 0o644)
}

// write packs one component; what comes back is its row of the manifest.
func (c component) write(dir string, p resolve.Platform) (map[string]any, error) {
	name := redistName(p)
	top := c.name + "-" + name + "-" + c.version + "-archive"
	pack, ending := packTar, ".tar.xz"
	if p.Windows() {
		pack, ending = packZip, ".zip"
	}
	rel := path.Join(c.name, name, top+ending)
	to := filepath.Join(dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, err
	}
	if err := pack(to, top, c.files); err != nil {
		return nil, err
	}
	for _, f := range c.files {
		if f.path != "LICENSE" {
			continue
		}
		text, err := f.bytes()
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, c.name, "LICENSE.txt"), text, 0o644); err != nil {
			return nil, err
		}
	}
	archive, err := os.ReadFile(to)
	if err != nil {
		return nil, err
	}
	sha, sum := sha256.Sum256(archive), md5.Sum(archive)
	return map[string]any{
		"name": c.name, "license": "CUDA Toolkit", "license_path": c.name + "/LICENSE.txt", "version": c.version,
		name: map[string]any{"relative_path": rel, "sha256": hex.EncodeToString(sha[:]), "md5": hex.EncodeToString(sum[:]), "size": strconv.Itoa(len(archive))},
	}, nil
}

// packTar writes a tar.xz: with the xz program where it is, which uses all cores.
func packTar(to, top string, files []file) error {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	var squeezed io.WriteCloser
	wait := func() error { return nil }
	var total int64
	for _, f := range files {
		if info, err := os.Stat(f.from); err == nil {
			total += info.Size()
		}
	}
	if program, err := exec.LookPath("xz"); err == nil && total > 1<<20 {
		cmd := exec.Command(program, "-T0", "-0", "-c")
		cmd.Stdout = out
		if squeezed, err = cmd.StdinPipe(); err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		wait = cmd.Wait
	} else if squeezed, err = (xz.WriterConfig{DictCap: 1 << 20}).NewWriter(out); err != nil {
		return err
	}
	if err := fillTar(squeezed, top, files); err != nil {
		squeezed.Close()
		wait()
		return err
	}
	if err := squeezed.Close(); err != nil {
		return err
	}
	if err := wait(); err != nil {
		return err
	}
	return out.Close()
}

func fillTar(w io.Writer, top string, files []file) error {
	t := tar.NewWriter(w)
	for _, dir := range folders(top, files) {
		if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755}); err != nil {
			return err
		}
	}
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: path.Join(top, f.path), Mode: int64(mode(f.path))}
		var content []byte
		if f.link != "" {
			h.Typeflag, h.Linkname, h.Mode = tar.TypeSymlink, f.link, 0o777
		} else {
			var err error
			if content, err = f.bytes(); err != nil {
				return err
			}
			h.Size = int64(len(content))
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(content); err != nil {
			return err
		}
	}
	return t.Close()
}

// folders lists every folder of an archive, outer ones first.
func folders(top string, files []file) []string {
	out, seen := []string{top}, map[string]bool{top: true}
	for _, f := range files {
		at := top
		for _, part := range strings.Split(path.Dir(f.path), "/") {
			at = path.Join(at, part)
			if !seen[at] {
				seen[at] = true
				out = append(out, at)
			}
		}
	}
	return out
}

// packZip writes a zip as NVIDIA's for Windows: no links.
func packZip(to, top string, files []file) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, f := range files {
		if f.link != "" {
			continue
		}
		content, err := f.bytes()
		if err != nil {
			return err
		}
		w, err := z.Create(path.Join(top, f.path))
		if err != nil {
			return err
		}
		if _, err := w.Write(content); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}
