package trial

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"cupel/internal/ospath"
	"cupel/internal/pattern"
)

// places looks for everything that is to be hidden: what the probe found and what lies beside it under CUDA's
// names. Visible is what may not be touched, with why.
type places struct {
	hide    Hide
	project string
	gone    []string
	visible []string
}

var linux = ospath.For("linux")

func findPlaces(h Hide, project string) *places {
	p := &places{hide: h, project: resolved(project)}
	for _, root := range slices.Concat(h.Roots, globs(rootPatterns)) {
		p.root(root)
	}
	libs := slices.Concat(h.LibDirs, dirs(h.Libraries), libraryFolders, dirs(cachedLibraries()))
	p.scan(libraryName, withStubs(libs))
	p.scan(programName, slices.Concat(h.BinDirs, dirs(h.Programs), programFolders))
	p.scan(headerName, slices.DeleteFunc(slices.Concat(h.Headers, headerFolders), func(d string) bool { return !hasHeader(d) }))
	for _, d := range slices.Concat(h.Devices, globs(devicePatterns)) {
		if exists(d) {
			p.gone = append(p.gone, d)
		}
	}
	p.gone, p.visible = unique(p.gone), unique(p.visible)
	sort.Strings(p.gone)
	return p
}

// parts are the folders of a toolkit: hidden one by one where its root holds something that must stay.
var parts = []string{"bin", "include", "lib", "lib64", "nvvm", "targets", "extras", "compat"}

// root hides a folder whole, with the links that lead to it.
func (p *places) root(path string) {
	if !exists(path) {
		return
	}
	real := resolved(path)
	switch {
	case linux.Within(path, p.project) || linux.Within(real, p.project):
		p.visible = append(p.visible, path+": it belongs to the project")
		return
	case slices.Contains(systemFolders, real):
		return // taken apart by scan
	case linux.Within(p.project, real) || !coverable(linux, real, p.hide.Keep):
		for _, part := range parts {
			if at := filepath.Join(real, part); exists(at) && coverable(linux, at, append(p.hide.Keep, p.project)) {
				p.gone = append(p.gone, at)
			}
		}
		return
	}
	p.gone = append(p.gone, real)
	if link := filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path)); link != real {
		p.gone = append(p.gone, link)
	}
}

// scan hides the entries of folders whose names are CUDA's, and what links of such a name lead to.
func (p *places) scan(name *pattern.Pattern, folders []string) {
	seen := map[string]bool{}
	for _, dir := range folders {
		dir = resolved(dir)
		if !filepath.IsAbs(dir) || seen[dir] || p.isGone(dir) {
			continue
		}
		seen[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // a folder that cannot be read here cannot be read by the build either
		}
		for _, e := range entries {
			if name.MatchString(e.Name()) {
				p.entry(name, filepath.Join(dir, e.Name()))
			}
		}
	}
}

func (p *places) entry(name *pattern.Pattern, path string) {
	if linux.Within(path, p.project) {
		p.visible = append(p.visible, path+": it belongs to the project")
		return
	}
	p.gone = append(p.gone, path)
	// A link may lead to something else altogether (nvcc to ccache): that one stays.
	if real := resolved(path); real != path && name.MatchString(filepath.Base(real)) && !p.isGone(real) && !linux.Within(real, p.project) {
		p.gone = append(p.gone, real)
	}
}

func (p *places) isGone(path string) bool {
	return slices.ContainsFunc(p.gone, func(g string) bool { return linux.Within(path, g) })
}

func hasHeader(dir string) bool {
	return slices.ContainsFunc(headerMarks, func(h string) bool { return exists(filepath.Join(dir, h)) })
}

// cachedLibraries are CUDA's in the loader's cache, wherever they lie.
func cachedLibraries() []string {
	b, err := os.ReadFile(cacheFile)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(cached(b), func(p string) bool { return !libraryName.MatchString(filepath.Base(p)) })
}

func globs(patterns []string) []string {
	var out []string
	for _, p := range patterns {
		found, _ := filepath.Glob(p)
		out = append(out, found...)
	}
	return out
}

func dirs(files []string) []string {
	var out []string
	for _, f := range files {
		out = append(out, filepath.Dir(f))
		if real := resolved(f); real != f {
			out = append(out, filepath.Dir(real))
		}
	}
	return unique(out)
}

func withStubs(list []string) []string {
	out := slices.Clone(list)
	for _, dir := range list {
		if !strings.HasSuffix(dir, "/stubs") {
			out = append(out, filepath.Join(dir, "stubs"))
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// resolved follows links as far as they lead.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
