// Package data embeds the knowledge tables: CUDA releases, host compilers, GPU architectures and products,
// cuDNN, distributions, environment variables, builders and error codes. Every row carries its source. It
// holds text as NVIDIA and others write it and decides nothing; package compat reads meaning out of it.
//
// Each table is parsed when it is first asked for and never before: the doctor starts in milliseconds.
package data

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Files holds the tables and the topic pages as they are.
//
//go:embed *.toml literals.txt topics sources signatures
var Files embed.FS

// Sources maps a short key to the source it stands for, so that a long address is written once per file.
type Sources map[string]string

// Read parses one table strictly into out: an unknown key is an error, because it is a spelling mistake.
func Read(name string, out any) error {
	text, err := Files.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read table: %w", err)
	}
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(out); err != nil {
		return fmt.Errorf("parse table %s: %w", name, err)
	}
	return nil
}

// resolve replaces the keys in a row's source list. A key that is not there stays, and the tests find it.
func (s Sources) resolve(list []string) {
	for i, key := range list {
		if text, ok := s[key]; ok {
			list[i] = text
		}
	}
}

// once parses a table at its first use. The tables are part of the program, so a table that does not parse
// is a programming error that the tests catch: it panics.
func once[T any](name string, finish func(*T)) func() *T {
	return sync.OnceValue(func() *T {
		table := new(T)
		if err := Read(name, table); err != nil {
			panic(err)
		}
		if finish != nil {
			finish(table)
		}
		return table
	})
}

// Words splits a compact list: "75 80 86".
func Words(s string) []string { return strings.Fields(s) }
