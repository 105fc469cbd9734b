package pefile

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"

	"cupel/internal/host"
	"cupel/internal/pefile/pefiletest"
	"cupel/internal/testbed"
)

// counted remembers how much was asked for.
type counted struct {
	*bytes.Reader
	read int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.read += len(p)
	return c.Reader.ReadAt(p, at)
}

func TestReadMadeFile(t *testing.T) {
	for _, tt := range []struct {
		name    string
		machine uint16
		version [4]uint16
		want    File
	}{
		{"64-bit compiler", pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{14, 40, 33811, 0}, File{"x64", "14.40.33811.0"}},
		{"32-bit compiler", pe.IMAGE_FILE_MACHINE_I386, [4]uint16{14, 29, 30159, 0}, File{"x86", "14.29.30159.0"}},
		{"driver library on arm", pe.IMAGE_FILE_MACHINE_ARM64, [4]uint16{32, 0, 15, 8088}, File{"arm64", "32.0.15.8088"}},
		{"unknown processor", 0x5064, [4]uint16{1, 2, 3, 4}, File{"0x5064", "1.2.3.4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &counted{Reader: bytes.NewReader(pefiletest.Make(tt.machine, tt.version))}
			got, err := Read(src)
			if err != nil || got != tt.want {
				t.Errorf("Read = %+v, %v, want %+v", got, err, tt.want)
			}
			if src.read > 600 {
				t.Errorf("Read asked for %d bytes, want few: a recording stores each", src.read)
			}
		})
	}
}

func TestReadBrokenFile(t *testing.T) {
	whole := pefiletest.Make(pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{14, 40, 33811, 0})
	change := func(at int, value uint32) []byte {
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(b[at:], value)
		return b
	}
	rsrc := len(whole) - 3*24 - 16 - 92
	for _, tt := range []struct {
		name    string
		in      []byte
		notPE   bool
		machine string
	}{
		{"empty file", nil, true, ""},
		{"text file", []byte("#!/bin/sh\nexit 0\n# a script that is longer than the header of a DOS program\n"), true, ""},
		{"header beyond the end", change(0x3c, 0xfffffff0), true, ""},
		{"cut after the header", whole[:64+4+20], false, "x64"},
		{"cut in the resources", whole[:rsrc+20], false, "x64"},
		{"a directory of many entries", change(rsrc+12, 0xffffffff), false, "x64"},
		{"a directory that leads to itself", change(rsrc+20, 0x80000000), false, "x64"},
		{"data in another section", change(rsrc+72, 0x10), false, "x64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(bytes.NewReader(tt.in))
			if err == nil || errors.Is(err, ErrNotPE) != tt.notPE || got.Machine != tt.machine || got.Version != "" {
				t.Errorf("Read = %+v, %v, want machine %q and an error (not a program: %v)", got, err, tt.machine, tt.notPE)
			}
		})
	}
}

func TestReadWithoutVersion(t *testing.T) {
	b := pefiletest.Make(pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{1, 0, 0, 0})
	binary.LittleEndian.PutUint32(b[64+4+20+112+16:], 0)
	if got, err := Read(bytes.NewReader(b)); err != nil || got != (File{Machine: "x64"}) {
		t.Errorf("Read = %+v, %v, want x64 without a version and no error", got, err)
	}
}

func TestReadRealFiles(t *testing.T) {
	cuda := testbed.Toolkit(t, "win-cuda-13.0")
	for _, tt := range []struct{ path, machine string }{
		{filepath.Join(cuda, "bin", "nvcc.exe"), "x64"},
		{filepath.Join(cuda, "bin", "x86_64", "cudart64_13.dll"), "x64"},
	} {
		t.Run(filepath.Base(tt.path), func(t *testing.T) {
			b, err := host.Here().Open(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			got, err := Read(b)
			if err != nil || got.Machine != tt.machine {
				t.Errorf("Read = %+v, %v, want machine %s", got, err, tt.machine)
			}
			t.Logf("%+v", got)
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(pefiletest.Make(pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{14, 40, 33811, 0}))
	f.Add(pefiletest.Make(pe.IMAGE_FILE_MACHINE_I386, [4]uint16{32, 0, 15, 8088}))
	f.Add([]byte("MZ"))
	f.Fuzz(func(t *testing.T, b []byte) {
		src := &counted{Reader: bytes.NewReader(b)}
		got, err := Read(src)
		if err == nil && got.Machine == "" {
			t.Errorf("no error and no machine: %+v", got)
		}
		if limit := 4096 + maxSections*40 + 3*maxEntries*8; src.read > limit {
			t.Errorf("asked for %d bytes, limit %d", src.read, limit)
		}
	})
}
