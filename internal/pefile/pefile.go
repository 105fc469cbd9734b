// Package pefile reads the two things cupel asks of a Windows program or library: which processor it is for,
// and the number in its version resource. It reads a few hundred bytes at known places and trusts no size
// that the file claims. It is no general PE reader: symbols, imports and code are never looked at.
package pefile

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Source is a file to be read at places; host.Bytes is one.
type Source interface {
	io.ReaderAt
	Size() int64
}

// File is what was read.
type File struct {
	Machine string // x64, x86, arm64, else the number in hex
	Version string // 14.40.33811.0; "" when the file has no version resource
}

// ErrNotPE is answered for files that are no Windows program at all.
var ErrNotPE = errors.New("not a Windows program")

// maxSections is twice what the format's own loader accepts in practice; linkers write about ten.
const maxSections = 192

// Read reads src. When only the version cannot be read, Machine is still filled beside the error.
//
// The headers are taken apart here with the types of debug/pe, because its NewFile reads the whole COFF
// symbol table too: megabytes of a mingw program that nobody asked for.
func Read(src Source) (File, error) {
	at, err := signature(src)
	if err != nil {
		return File{}, err
	}
	var head pe.FileHeader
	if err := decode(src, at, binary.Size(head), &head); err != nil {
		return File{}, fmt.Errorf("read PE header: %w", err)
	}
	f := File{Machine: machine(head.Machine)}
	rsrc, err := resources(src, at+int64(binary.Size(head)), head)
	if err != nil || rsrc == nil {
		return f, err
	}
	f.Version, err = rsrc.version()
	if err != nil {
		return f, fmt.Errorf("read version resource: %w", err)
	}
	return f, nil
}

// signature finds the PE header and returns the place behind its mark.
func signature(src Source) (int64, error) {
	dos, err := part(src, 0, 64)
	if err != nil || dos[0] != 'M' || dos[1] != 'Z' {
		return 0, ErrNotPE
	}
	at := int64(binary.LittleEndian.Uint32(dos[0x3c:]))
	mark, err := part(src, at, 4)
	if err != nil || string(mark) != "PE\x00\x00" {
		return 0, ErrNotPE
	}
	return at + 4, nil
}

func machine(m uint16) string {
	switch m {
	case pe.IMAGE_FILE_MACHINE_AMD64:
		return "x64"
	case pe.IMAGE_FILE_MACHINE_I386:
		return "x86"
	case pe.IMAGE_FILE_MACHINE_ARM64:
		return "arm64"
	}
	return fmt.Sprintf("0x%04x", m)
}

// part reads exactly n bytes; n is always a small number of this package's own, never one of the file's.
func part(src Source, at int64, n int) ([]byte, error) {
	if at < 0 || at > src.Size()-int64(n) {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	if got, err := src.ReadAt(b, at); got < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

func decode(src Source, at int64, n int, out any) error {
	b, err := part(src, at, n)
	if err != nil {
		return err
	}
	return binary.Read(bytes.NewReader(b), binary.LittleEndian, out)
}
