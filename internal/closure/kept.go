package closure

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/include"
	"cupel/internal/recipe"
)

// kept is what nvcc's files on the way tell.
type kept struct {
	entered []string // files that were read while preprocessing, for any architecture and for the host
	others  []string // files that only #line names
	dated   string   // the file with the time of the compilation in it
	takes   string   // the assembly directive in code for the host compiler which takes in a file
	host    []string // names that the code which nvcc wrote for the host compiler includes; that is preprocessed only there
}

// readKept reads all preprocessed files of a folder, and what the host compiler gets.
func readKept(dir string, began time.Time) (kept, *recipe.Refusal, error) {
	var k kept
	entries, err := os.ReadDir(dir)
	if err != nil {
		return k, nil, fmt.Errorf("read what nvcc left: %w", err)
	}
	seen, others, host := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasSuffix(e.Name(), ".ii"):
			names, more, dated, err := entered(path, began)
			if err != nil {
				return k, nil, fmt.Errorf("read what nvcc left: %w", err)
			}
			if dated {
				k.dated = e.Name()
			}
			k.entered = appendNew(k.entered, seen, names)
			k.others = appendNew(k.others, others, more)
		case strings.HasSuffix(e.Name(), ".cudafe1.cpp"), strings.HasSuffix(e.Name(), ".stub.c"), strings.HasSuffix(e.Name(), ".fatbin.c"):
			text, err := os.ReadFile(path)
			if err != nil {
				return k, nil, fmt.Errorf("read what nvcc left: %w", err)
			}
			k.host = appendNew(k.host, host, written(text))
			k.takes = cmp.Or(k.takes, include.Takes(text))
		}
	}
	k.others = slices.DeleteFunc(k.others, func(name string) bool { return seen[name] })
	for _, e := range entries {
		k.host = without(k.host, e.Name())
	}
	if len(k.entered) == 0 {
		return k, &recipe.Refusal{Reason: "nothing-kept", Detail: "nvcc left no preprocessed file"}, nil
	}
	return k, nil, nil
}

func entered(path string, began time.Time) (names, others []string, dated bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, false, err
	}
	c := newClock(f, began, info.ModTime().Add(time.Second))
	if names, others, err = include.Entered(c); err != nil {
		return nil, nil, false, fmt.Errorf("%s: %w", path, err)
	}
	return names, others, c.seen != "", nil
}

// written are the names in #include lines of code that nvcc wrote: they stand at the beginning of lines, in quotes.
func written(text []byte) []string {
	var names []string
	for {
		_, rest, ok := bytes.Cut(text, []byte("#include \""))
		if !ok {
			return names
		}
		if name, _, ok := bytes.Cut(rest[:min(len(rest), 4096)], []byte("\"")); ok {
			names = append(names, string(name))
		}
		text = rest
	}
}

func appendNew(list []string, seen map[string]bool, more []string) []string {
	for _, s := range more {
		if !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

func without(list []string, name string) []string {
	out := list[:0]
	for _, s := range list {
		if s != name {
			out = append(out, s)
		}
	}
	return out
}
