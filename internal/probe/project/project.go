// Package project reads what the files of a project folder say about how it builds: Cargo.lock, cargo's
// configuration, toolchain pins, makefiles, CMake presets and caches, and the names of the variables its own
// build scripts mention (Survey); what a contract asks to be looked up in them (Ask); and the clues from which a
// first contract is drafted (Clues). It reads text through the host within fixed limits, runs nothing and judges
// nothing.
package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"cupel/internal/fact"
	"cupel/internal/probe/look"
	"cupel/internal/probe/rust"
)

// survey gathers one project. Its troubles are the project's, not the machine's: a snapshot replaces the
// machine only.
type survey struct {
	*look.At
	root string
	out  fact.Project

	shut      string // the first script or folder that may not be read
	shutCount int
}

// Survey reads the project that dir lies in; an empty dir means the current folder.
func Survey(ctx context.Context, at *look.At, dir string) fact.Project {
	if dir == "" {
		dir = at.System.Cwd
	}
	if !at.Path.Abs(dir) {
		dir = at.Path.Join(at.System.Cwd, dir)
	}
	dir = at.Path.Clean(dir)
	s := &survey{At: at, root: rootOf(at, dir)}
	s.out.Root = s.root
	steps := []func(){func() { s.cargoConfig(dir) }, func() { s.toolchainPin(dir) }}
	if s.root != "" {
		steps = append(steps, s.cargoLock, s.makefile, s.presets, s.caches, s.reads)
	}
	for _, step := range steps {
		if ctx.Err() != nil {
			break
		}
		step()
	}
	return s.out
}

// trouble keeps what could not be read; what is simply not there is no trouble.
func (s *survey) trouble(about, source string, err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	// A parser may quote what it met; a trouble is one short line.
	why := strings.Join(strings.Fields(strings.ToValidUTF8(look.Reason(err), "?")), " ")
	if len(why) > 200 {
		why = strings.ToValidUTF8(why[:200], "") + "…"
	}
	t := fact.Trouble{About: about, Source: source, Why: why}
	if !slices.Contains(s.out.Troubles, t) {
		s.out.Troubles = append(s.out.Troubles, t)
	}
}

// text reads a small file whole; "" when it is not there or too large.
func (s *survey) text(about, file string) (string, bool) {
	info, err := s.Stat(file)
	if err != nil {
		s.trouble(about, file, err)
		return "", false
	}
	if info.Dir {
		return "", false
	}
	if info.Size > maxText {
		s.trouble(about, file, fmt.Errorf("larger than %d KiB", maxText>>10))
		return "", false
	}
	b, err := s.ReadFile(file)
	if err == nil && binary(b) {
		err = errors.New("not a text file")
	}
	s.trouble(about, file, err)
	return string(b), err == nil
}

// binary: no text has a NUL in it, and text in an old encoding still has no other control bytes.
func binary(b []byte) bool {
	odd := func(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", c) }
	return bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) && bytes.ContainsFunc(b, odd)
}

// maxText bounds the files that people write by hand; a Cargo.lock may be larger.
const maxText = 1 << 20

func (s *survey) toolchainPin(dir string) {
	pin, ok, err := rust.FindPin(s.At, dir)
	if err != nil {
		s.trouble("Rust toolchain of the project", pin.File, err)
		return
	}
	if ok {
		s.out.Toolchain = fact.FileValue{Name: "channel", Value: pin.Channel, File: pin.File, Line: pin.Line}
		if pin.Path != "" {
			s.out.Toolchain.Name, s.out.Toolchain.Value = "path", pin.Path
		}
	}
}
