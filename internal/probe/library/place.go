package library

import (
	"errors"
	"strconv"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// place is one place a copy may be in: folders for headers, folders for libraries, and what the place itself
// tells about the copy.
type place struct {
	include []string
	lib     []string
	origin  string
	python  string
	major   int    // CUDA major it was built for, 0 when the place does not tell
	version string // what a package's name says, when there is no header
	source  string // of version
}

func (p place) header(at *shelf, k kind) string {
	for _, dir := range p.include {
		for _, h := range k.headers {
			if f := at.Path.Join(dir, h); at.IsFile(f) && p.tells(at, k, f) {
				return f
			}
		}
	}
	return ""
}

// tells leaves out a header without version lines when another header can have them: cudnn.h carried them
// itself until cuDNN 8.
func (p place) tells(at *shelf, k kind, file string) bool {
	if at.Path.Base(file) == k.headers[0] {
		return true
	}
	lines, err := at.Lines(file, k.macro)
	return err != nil || len(lines) > 0
}

// library is the file with the most of a version in its name among those in the first folder that has any.
func (p place) library(at *shelf, k kind) string {
	for _, dir := range p.lib {
		best := ""
		for _, n := range at.files(dir, k.file) {
			if len(fileVersion(k, n)) >= len(fileVersion(k, best)) && at.IsFile(at.Path.Join(dir, n)) {
				best = n
			}
		}
		if best != "" {
			return at.Path.Join(dir, best)
		}
	}
	return ""
}

// fileVersion is the version a file's name carries, "" for none.
func fileVersion(k kind, name string) string {
	m := k.file.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return strings.Trim(strings.Join(m[1:], ""), ".")
}

func (p place) told(at *shelf, k kind, header, file string) fact.Library {
	l := fact.Library{Name: k.name, Path: file, Origin: p.origin, Python: p.python, CUDAMajor: p.major}
	if header != "" {
		l.Include = at.Path.Dir(header)
		l.Version = headerVersion(at, k, header)
	}
	if file == "" {
		l.Path = header
	}
	if !l.Version.Known() {
		l.Version = l.Version.Or(p.otherVersion(at, k, file))
	}
	return l
}

// otherVersion asks the package's name, then the file's own.
func (p place) otherVersion(at *shelf, k kind, file string) fact.Fact[string] {
	if p.version != "" {
		return fact.Of(p.version, p.source)
	}
	if file == "" {
		return fact.None[string]("")
	}
	real := at.Real(file)
	if v := fileVersion(k, at.Path.Base(real)); v != "" {
		return fact.Of(v, real)
	}
	return fact.Bad[string](file, errors.New("no header beside it, and its name carries no version"))
}

// headerVersion joins the three numbers that the version lines give.
func headerVersion(at *shelf, k kind, header string) fact.Fact[string] {
	lines, err := at.Lines(header, k.macro)
	if err != nil {
		return fact.Bad[string](header, errors.New(look.Reason(err)))
	}
	v, err := macroVersion(k, lines)
	if err != nil {
		return fact.Bad[string](header, err)
	}
	return fact.Of(v, header)
}

func macroVersion(k kind, lines []string) (string, error) {
	numbers := map[string]int{}
	for _, l := range lines {
		m := k.macro.FindStringSubmatch(l)
		if m == nil || len(m[2]) > 9 {
			continue
		}
		part := strings.TrimSuffix(m[1], "LEVEL")
		if _, twice := numbers[part]; !twice {
			numbers[part], _ = strconv.Atoi(m[2])
		}
	}
	if len(numbers) != 3 {
		return "", errors.New("its version lines are not all there")
	}
	return version.Of(numbers["MAJOR"], numbers["MINOR"], numbers["PATCH"]).String(), nil
}
