package depot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/unpack"
)

// A manifest is foreign bytes too: anybody may have written there.
const (
	headLimit     = 1 << 20
	manifestLimit = 64 << 20
)

// encode writes the head as readable JSON and then one file in a line.
func encode(m Manifest) ([]byte, error) {
	files := slices.SortedFunc(slices.Values(m.Files), func(a, b unpack.File) int { return strings.Compare(a.Path, b.Path) })
	m.Files = nil
	head, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	head, ok := bytes.CutSuffix(head, []byte("null\n}"))
	if !ok {
		return nil, errors.New("the files do not stand last in a manifest")
	}
	out := bytes.NewBuffer(append(head, '['))
	for i, f := range files {
		line, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		out.Write(line)
	}
	out.WriteString("\n  ]\n}\n")
	return out.Bytes(), nil
}

// decodeHead reads a manifest up to its files, and no further.
func decodeHead(r io.Reader) (Manifest, error) {
	dec := json.NewDecoder(io.LimitReader(r, headLimit))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return Manifest{}, fmt.Errorf("it is no JSON object: %w", orTruncated(err))
	}
	head := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return Manifest{}, orTruncated(err)
		}
		if key == "files" {
			break
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return Manifest{}, orTruncated(err)
		}
		head[key.(string)] = value
	}
	text, err := json.Marshal(head)
	if err != nil {
		return Manifest{}, err
	}
	return known(text)
}

// orTruncated: an end in the middle is told as such.
func orTruncated(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// known reads a manifest of the format of this program.
func known(text []byte) (Manifest, error) {
	var m Manifest
	var format struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return m, err
	}
	if format.Format != ManifestFormat {
		return m, fmt.Errorf("its format is %q, this cupel reads %s", format.Format, ManifestFormat)
	}
	err := json.Unmarshal(text, &m)
	return m, err
}

func readHead(dir string) (Manifest, error) {
	f, err := os.Open(filepath.Join(dir, ManifestName))
	if err != nil {
		return Manifest{}, err
	}
	defer f.Close()
	m, err := decodeHead(f)
	if err != nil {
		return m, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	return m, nil
}

// Read is the whole manifest of a folder, with its files.
func Read(dir string) (Manifest, error) {
	f, err := os.Open(filepath.Join(dir, ManifestName))
	if err != nil {
		return Manifest{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, manifestLimit+1))
	if err != nil {
		return Manifest{}, err
	}
	if len(text) > manifestLimit {
		return Manifest{}, fmt.Errorf("read %s: it is larger than %d bytes", f.Name(), manifestLimit)
	}
	m, err := known(text)
	if err != nil {
		return m, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	for _, file := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) || strings.Contains(file.Path, `\`) {
			return m, fmt.Errorf("read %s: %q is no path below the folder", f.Name(), file.Path)
		}
	}
	return m, nil
}

// write puts bytes in the place of a file in one step, on the disk and not only in memory.
func write(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".cupel-*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	// The mode is set by name: Windows has no such call on an open file.
	if err = errors.Join(err, temp.Sync(), temp.Close(), os.Chmod(temp.Name(), 0o644)); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return syncDir(filepath.Dir(path))
}
