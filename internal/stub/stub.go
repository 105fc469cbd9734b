// Package stub writes shared libraries that have the symbols of a CUDA library and nothing behind them: a program links
// against one where there is no driver, and every function answers with the stub's error. The files are made byte by
// byte, for machines other than this one too; nothing of NVIDIA's is in them. It reads data/stubs.toml and is pure.
package stub

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/version"
)

// Library is what is to be made.
type Library struct {
	Machine string   // amd64, arm64
	Soname  string   // libcuda.so.1
	Symbols []string // functions
	Answer  int32    // what each of them returns
}

// Driver is the stub of the driver library for a release: the functions that its cuda.h has. A release newer than the
// table gets what the newest known one has, for functions are added and never taken away; one older than the table is an
// error, because nobody looked which functions it lacks.
func Driver(release string, machine string) (Library, error) {
	v, err := version.Parse(release)
	if err != nil {
		return Library{}, fmt.Errorf("stub of the driver library: %w", err)
	}
	table := data.DriverStub()
	l := Library{Machine: machine, Soname: table.Library.Soname, Answer: table.Library.Answer}
	for _, row := range table.Rows {
		if v.Short().AtLeast(version.MustParse(row.First)) {
			l.Symbols = append(l.Symbols, data.Words(row.Functions)...)
		}
	}
	if len(l.Symbols) == 0 {
		return Library{}, fmt.Errorf("stub of the driver library: the functions of CUDA %s are not known, only those of %s and newer", release, table.Rows[0].First)
	}
	slices.Sort(l.Symbols)
	return l, nil
}

// check refuses what would make a file that some linker or loader reads differently from another.
func (l Library) check() error {
	if _, ok := machines[l.Machine]; !ok {
		return fmt.Errorf("machine %q is none of amd64, arm64", l.Machine)
	}
	if !plain(l.Soname) {
		return fmt.Errorf("soname %q is no file name", l.Soname)
	}
	if len(l.Symbols) == 0 {
		return fmt.Errorf("there are no symbols")
	}
	if len(l.Symbols) > most {
		return fmt.Errorf("there are %d symbols, at most %d fit", len(l.Symbols), most)
	}
	seen := make(map[string]bool, len(l.Symbols))
	for _, s := range l.Symbols {
		if !identifier(s) {
			return fmt.Errorf("symbol %q is no C identifier", s)
		}
		if seen[s] {
			return fmt.Errorf("symbol %q stands twice", s)
		}
		seen[s] = true
	}
	return nil
}

// most keeps every offset of the file within the loader's 32 bits, for names up to the longest one.
const (
	most    = 1 << 16
	longest = 1 << 10
)

func plain(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '/' || r == '\\' }
	return name != "" && len(name) <= longest && !strings.ContainsFunc(name, odd)
}

func identifier(s string) bool {
	odd := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return s != "" && len(s) <= longest && (s[0] < '0' || s[0] > '9') && !strings.ContainsFunc(s, odd)
}
