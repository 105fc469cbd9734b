package project

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/pattern"
)

// Limits of the walk over build scripts.
const (
	maxScripts = 200
	maxFolders = 300
	maxScript  = 256 << 10
	maxDepth   = 2
)

var (
	script  = pattern.New(`^(build\.rs|CMakeLists\.txt|.+\.cmake|[Mm]akefile|GNUmakefile|setup\.py|pyproject\.toml|.+\.sh|.+\.mk|Dockerfile[^/]*|justfile)$`)
	entry   = pattern.New(`^(build\.rs|CMakeLists\.txt|.+\.cmake|[Mm]akefile|GNUmakefile|setup\.py|pyproject\.toml|.+\.sh|.+\.mk|Dockerfile[^/]*|justfile|[^.]+)$`)
	output  = pattern.New(`^(target|node_modules|build|build[-_].*|dist|out|_build|cmake-build-.*|__pycache__|venv|env|site-packages|testdata)$`)
	yaml    = pattern.New(`\.ya?ml$`)
	word    = pattern.New(`[A-Za-z_][A-Za-z0-9_]*`)
	anyName = pattern.New(`^[^.]+$`)
)

// reads collects the names of variables that the project's own build scripts mention, so that a variable they
// use is never called useless.
func (s *survey) reads() {
	known, keep := namesToFind()
	found := map[string]bool{}
	files := s.scripts()
	for _, file := range files {
		lines, err := s.Lines(file, keep)
		s.unread(file, err)
		for _, l := range lines {
			for _, w := range word.FindAllString(l, -1) {
				if known[w] || cudaName.MatchString(w) {
					found[w] = true
				}
			}
		}
	}
	s.tellUnread()
	for name := range found {
		s.out.Reads = append(s.out.Reads, name)
	}
	slices.Sort(s.out.Reads)
}

// namesToFind are the exact names of the table and a pattern that lets every line with one of them through:
// the host shows only those lines, so a recording holds no more.
func namesToFind() (map[string]bool, *pattern.Pattern) {
	known := map[string]bool{}
	var texts []string
	for _, v := range data.Variables() {
		if strings.HasSuffix(v.Name, "*") || v.Private {
			continue // the stems begin with CUDA_; what may hold a password is not for a recording
		}
		known[v.Name] = true
		if !strings.Contains(v.Name, "CUDA") && !strings.Contains(v.Name, "NVCC") {
			texts = append(texts, regexp.QuoteMeta(v.Name))
		}
	}
	slices.Sort(texts)
	return known, pattern.New(strings.Join(append([]string{"CUDA", "NVCC", "CUDNN_", "NCCL_"}, texts...), "|"))
}

// scripts lists the build scripts of the project, nearest first, within the limits.
func (s *survey) scripts() []string {
	var out []string
	folders := []string{s.root}
	for depth := 0; depth <= maxDepth && len(folders) > 0; depth++ {
		var next []string
		for _, dir := range folders[:min(len(folders), maxFolders)] {
			files, below := s.entries(dir)
			out = append(out, files...)
			next = append(next, below...)
		}
		folders = next
	}
	workflows := s.Path.Join(s.root, ".github", "workflows")
	names, err := s.Names(workflows, yaml)
	s.unread(workflows, err)
	for _, n := range names {
		out = append(out, s.Path.Join(workflows, n))
	}
	return out[:min(len(out), maxScripts)]
}

const aboutReads = "variables the project reads"

// unread counts what may not be read: a tree of another user's files would be a hundred troubles.
func (s *survey) unread(path string, err error) {
	if !errors.Is(err, fs.ErrPermission) {
		s.trouble(aboutReads, path, err)
		return
	}
	if s.shutCount == 0 {
		s.shut = path
	}
	s.shutCount++
}

func (s *survey) tellUnread() {
	switch {
	case s.shutCount == 1:
		s.trouble(aboutReads, s.shut, fs.ErrPermission)
	case s.shutCount > 1:
		s.trouble(aboutReads, s.shut, fmt.Errorf("permission denied, and so for %d more below %s", s.shutCount-1, s.root))
	}
}

// entries tells the scripts of a folder from the folders in it. Names with a dot are taken for files: asking
// after each would cost more than the rest of the probe.
func (s *survey) entries(dir string) (files, folders []string) {
	names, err := s.Names(dir, entry)
	s.unread(dir, err)
	for _, n := range names {
		p := s.Path.Join(dir, n)
		info, err := s.Lstat(p) // links out of the project, or in circles, are not followed
		switch {
		case err != nil || info.Link:
		case info.Dir && !output.MatchString(n):
			folders = append(folders, p)
		case !info.Dir && script.MatchString(n) && info.Size <= maxScript:
			files = append(files, p)
		}
	}
	return files, folders
}

// folders are those directly below dir.
func (s *survey) folders(dir string) []string {
	names, err := s.Names(dir, anyName)
	s.trouble("project folders", dir, err)
	var out []string
	for _, n := range names {
		if p := s.Path.Join(dir, n); !output.MatchString(n) && s.IsDir(p) {
			out = append(out, p)
		}
	}
	return out[:min(len(out), maxFolders)]
}
