package host

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"io"
	"unicode/utf8"

	"cupel/internal/pattern"
)

// maxSearch is how far into a section Search looks. nvcc, ptxas and gcc of every release tried carry their
// version within the first 64 KiB of it.
const maxSearch = 1 << 20

func (r *real) Search(path string, want *pattern.Pattern) (string, error) {
	b, err := r.Open(path)
	if err != nil {
		return "", err
	}
	defer b.Close()
	return searchStrings(b, want)
}

// searchStrings walks the strings of the file's read-only data in steps, so that a hit near the front costs
// a few pages and not the whole section.
func searchStrings(b Bytes, want *pattern.Pattern) (string, error) {
	at, size := readOnlyData(b)
	end := at + min(size, maxSearch)
	var carry []byte
	buf := make([]byte, 64<<10)
	for at < end {
		n, err := b.ReadAt(buf[:min(int64(len(buf)), end-at)], at)
		if n == 0 {
			if err == io.EOF {
				err = nil
			}
			return match(carry, want), err
		}
		at += int64(n)
		chunk := append(carry, buf[:n]...)
		for {
			text, rest, ok := bytes.Cut(chunk, []byte{0})
			if !ok {
				break
			}
			chunk = rest
			if s := match(text, want); s != "" {
				return s, nil
			}
		}
		carry = bytes.Clone(chunk)
	}
	return match(carry, want), nil
}

func match(text []byte, want *pattern.Pattern) string {
	if len(text) == 0 || len(text) >= 64<<10 || !utf8.Valid(text) {
		return ""
	}
	return string(want.Find(text))
}

// readOnlyData finds the section constants live in; a file that is neither ELF nor PE is searched whole.
func readOnlyData(b Bytes) (at, size int64) {
	magic := make([]byte, 4)
	if n, _ := b.ReadAt(magic, 0); n < 4 {
		return 0, b.Size()
	}
	switch {
	case string(magic) == elf.ELFMAG:
		if f, err := elf.NewFile(b); err == nil {
			if s := f.Section(".rodata"); s != nil && s.Type == elf.SHT_PROGBITS {
				return int64(s.Offset), int64(s.Size)
			}
		}
	case magic[0] == 'M' && magic[1] == 'Z':
		if f, err := pe.NewFile(b); err == nil {
			if s := f.Section(".rdata"); s != nil {
				return int64(s.Offset), int64(s.Size)
			}
		}
	}
	return 0, b.Size()
}
