package library

import (
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// shelf is a host whose library folders are listed once for all kinds of libraries: the system's own holds
// thousands of files.
type shelf struct {
	*look.At
	listed map[string][]string
}

// wanted lets through every name that one of the kinds asks for, and few others.
var wanted = pattern.New(`(?i)^(lib)?(cudnn|nccl|cublas|clang|openblas)[^/]*\.(so|dll|lib|dylib)[0-9.]*$`)

// files lists the names in dir that match keep, sorted; none when the folder is not there.
func (s *shelf) files(dir string, keep *pattern.Pattern) []string {
	key := s.Path.Key(dir)
	all, ok := s.listed[key]
	if !ok {
		var err error
		all, err = s.Names(dir, wanted)
		s.Note("libraries", dir, err)
		s.listed[key] = all
	}
	var out []string
	for _, n := range all {
		if keep.MatchString(n) {
			out = append(out, n)
		}
	}
	return out
}
