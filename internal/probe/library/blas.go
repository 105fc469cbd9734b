package library

import (
	"errors"
	"strconv"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

var (
	openblasFile = pattern.New(`^(libopenblas(p|o|64)?\.so(\.\d+)*|libopenblas\.dylib|(lib)?openblas\.(dll|lib))$`)
	openblasLine = pattern.New(`^\s*#\s*define\s+OPENBLAS_VERSION\s+"`)
	mklLine      = pattern.New(`^\s*#\s*define\s+__INTEL_MKL(_MINOR|_UPDATE)?__\s+(\d{1,9})\s*$`)
)

// openBLAS tells each copy once; the header, where there is one, tells its version.
func openBLAS(at *shelf) []fact.Library {
	var out []fact.Library
	seen := map[string]bool{}
	for _, dir := range openblasDirs(at) {
		for _, n := range at.files(dir, openblasFile) {
			p := at.Path.Join(dir, n)
			key := at.Path.Key(at.Real(p))
			if !seen[key] && at.IsFile(p) {
				seen[key] = true
				out = append(out, openblasAt(at, p))
			}
		}
	}
	return out
}

func openblasDirs(at *shelf) []string {
	j := at.Path.Join
	var out []string
	for _, name := range []string{"OPENBLAS_PATH", "OPENBLAS_HOME", "OpenBLAS_HOME"} {
		if dir := at.Env(name); dir != "" && at.Path.Abs(dir) {
			out = append(out, j(dir, "lib"), j(dir, "bin"), dir)
		}
	}
	if at.Path.Windows() {
		return out
	}
	for _, lib := range append(libDirs(at), "/usr/local/lib") {
		// Debian keeps each threading model in a folder of its own and links the chosen one.
		out = append(out, lib, j(lib, "openblas-pthread"), j(lib, "openblas-openmp"), j(lib, "openblas-serial"))
	}
	return out
}

func openblasAt(at *shelf, path string) fact.Library {
	j, dir := at.Path.Join, at.Path.Dir(at.Real(path))
	l := fact.Library{Name: "openblas", Path: path, Origin: own(at)}
	header := at.FirstFile(
		j(at.Path.Dir(dir), "include", "openblas_config.h"),
		j("/usr/include", triple(at), at.Path.Base(dir), "openblas_config.h"),
		j("/usr/include", triple(at), "openblas_config.h"), "/usr/include/openblas/openblas_config.h", "/usr/include/openblas_config.h")
	if header == "" {
		l.Version = fact.Bad[string](path, errors.New("no openblas_config.h beside it tells the version"))
		return l
	}
	l.Include = at.Path.Dir(header)
	lines, err := at.Lines(header, openblasLine)
	at.Note("OpenBLAS version", header, err)
	l.Version = fact.Bad[string](header, errors.New("no version line in it"))
	if len(lines) > 0 {
		if v, ok := version.Find(lines[0]); ok {
			l.Version = fact.Of(v.String(), header)
		}
	}
	return l
}

// mkl looks where MKLROOT points, else where the installers put it.
func mkl(at *shelf) []fact.Library {
	roots := []string{at.Env("MKLROOT")}
	if at.Path.Windows() {
		roots = append(roots, `C:\Program Files (x86)\Intel\oneAPI\mkl\latest`)
	} else {
		roots = append(roots, "/opt/intel/oneapi/mkl/latest", "/opt/intel/mkl", "/usr")
	}
	var out []fact.Library
	seen := map[string]bool{}
	for _, root := range roots {
		if root == "" {
			continue
		}
		header := at.FirstFile(at.Path.Join(root, "include", "mkl_version.h"), at.Path.Join(root, "include", "mkl", "mkl_version.h"))
		if key := at.Path.Key(at.Real(header)); header != "" && !seen[key] {
			seen[key] = true
			out = append(out, fact.Library{Name: "mkl", Path: root, Include: at.Path.Dir(header), Version: mklVersion(at, header), Origin: own(at)})
		}
	}
	return out
}

func mklVersion(at *shelf, header string) fact.Fact[string] {
	lines, err := at.Lines(header, mklLine)
	if err != nil {
		return fact.Bad[string](header, errors.New(look.Reason(err)))
	}
	part := map[string]int{}
	for _, l := range lines {
		m := mklLine.FindStringSubmatch(l)
		part[m[1]], _ = strconv.Atoi(m[2])
	}
	if len(part) != 3 {
		return fact.Bad[string](header, errors.New("its version lines are not all there"))
	}
	return fact.Of(version.Of(part[""], part["_MINOR"], part["_UPDATE"]).String(), header)
}
