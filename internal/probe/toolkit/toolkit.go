// Package toolkit reads CUDA roots: which release, which nvcc build, which parts are there, which host
// compilers the root's own header lets through. It is told where roots may be and reads files; a process is
// started only when nvcc's file does not tell its version.
package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// Candidate is a place where a CUDA root may be, and what led there.
type Candidate struct {
	Root string
	How  string
	Env  string          // conda environment or site-packages it belongs to
	Own  *fact.Installed // how cupel brought it here; nil: it did not

	asked bool // by name
}

// Survey reads every candidate once, in the order first named.
func Survey(ctx context.Context, a *look.At, candidates []Candidate) []fact.Toolkit {
	roots := group(a, candidates)
	out := make([]fact.Toolkit, len(roots))
	var wg sync.WaitGroup
	for i, r := range roots {
		wg.Go(func() { out[i] = read(ctx, a, r) })
	}
	wg.Wait()
	return slices.DeleteFunc(out, func(t fact.Toolkit) bool { return t.Root == "" })
}

// Asked is a root that somebody names, by a flag or a variable.
func Asked(a *look.At, root, how string) Candidate {
	return Candidate{Root: root, How: how, Env: siteOf(a, a.Real(root)), asked: true}
}

type root struct {
	path, real, env string
	how             []string
	own             *fact.Installed
}

// group puts candidates that are one folder together.
func group(a *look.At, candidates []Candidate) []*root {
	byKey := map[string]*root{}
	var out []*root
	for _, c := range candidates {
		if c.Root == "" || !a.Path.Abs(c.Root) {
			continue
		}
		path := wholeRoot(a, a.Path.Clean(c.Root))
		real := a.Real(path)
		key := a.Path.Key(real)
		r := byKey[key]
		if r == nil {
			_, err := a.Stat(path)
			a.Note("the CUDA root named by "+c.How, path, err)
			r = &root{path: path, real: real}
			byKey[key] = r
			out = append(out, r)
		}
		if !slices.Contains(r.how, c.How) {
			r.how = append(r.how, c.How)
		}
		if name := a.Path.Clean(c.Root); c.asked && !a.Path.Same(name, r.path) && !slices.Contains(r.how, name) {
			r.how = append(r.how, name) // another name of a root that was found before
		}
		if r.env == "" {
			r.env = c.Env
		}
		if r.own == nil {
			r.own = c.Own
		}
	}
	return out
}

var targetDir = pattern.New(`^(.+)[/\\]targets[/\\][^/\\]+$`)

// wholeRoot: ROOT/targets/x86_64-linux is the part of a toolkit for one processor, not a toolkit of its own.
func wholeRoot(a *look.At, path string) string {
	if m := targetDir.FindStringSubmatch(path); m != nil && a.IsFile(a.Path.Join(m[1], "bin", a.Path.Program("nvcc"))) {
		return m[1]
	}
	return path
}

func read(ctx context.Context, a *look.At, r *root) fact.Toolkit {
	if _, err := a.Stat(a.Path.Join(r.real, "bin")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.Note("the CUDA root named by "+r.how[0], r.path, err)
		return fact.Toolkit{} // nothing in it can be looked at: whether it is one is not known
	}
	s := findParts(a, r.real)
	parts := s.parts
	if !isToolkit(a, r.real, parts) {
		return fact.Toolkit{}
	}
	t := fact.Toolkit{Root: r.path, Found: r.how, Env: r.env, Parts: parts, Faults: s.faults, Libs: s.libs, DLLs: s.dlls, Installed: r.own}
	if !a.Path.Same(r.path, r.real) {
		t.Real = r.real
	}
	t.Origin = origin(a, t)
	t.Nvcc = build(ctx, a, parts[fact.PartNvcc], s.faults[fact.PartNvcc])
	t.Ptxas = build(ctx, a, parts[fact.PartPtxas], s.faults[fact.PartPtxas])
	t.Header = header(a, parts[fact.PartHeader])
	t.Release = release(a, t)
	t.Bounds = bounds(a, parts[fact.PartCrt])
	t.OwnGCC = ownGCC(a, parts[fact.PartNvcc])
	t.Missing = missing(a, r.real, parts)
	t.Libraries = libraries(a, r.real)
	return t
}

// isToolkit: a folder that holds a compiler, a release file, or headers with the runtime library. /usr has
// headers of everything, so cuda.h alone counts there only with its library.
func isToolkit(a *look.At, root string, parts map[string]string) bool {
	if parts[fact.PartNvcc] != "" || a.IsFile(a.Path.Join(root, "version.json")) {
		return true
	}
	cudart := parts[fact.PartCudart] != "" || parts[fact.PartCudartReal] != "" || parts[fact.PartCudartA] != ""
	return cudart && (parts[fact.PartHeader] != "" || parts[fact.PartRuntimeH] != "" || a.Path.Base(root) != "usr")
}

var (
	buildText = pattern.New(`release \d+\.\d+, V\d+\.\d+\.\d+`)
	buildNum  = pattern.New(`release (\d+\.\d+), V(\d+\.\d+\.\d+)`)
)

// build tells the exact build of nvcc or ptxas from the text its --version prints, which stands in the file.
// A program with a fault is not started.
func build(ctx context.Context, a *look.At, path, fault string) fact.Fact[string] {
	if path == "" {
		return fact.None[string]("")
	}
	text, err := a.Search(path, buildText)
	if err != nil {
		return fact.Fact[string]{State: fact.Unreadable, Source: path, Why: look.Reason(err)}
	}
	source := path
	if text == "" && fault != "" {
		return fact.Bad[string](path, errors.New(fault))
	}
	if text == "" {
		source = path + " --version"
		if text, err = a.Ask(ctx, path, "--version"); err != nil {
			return fact.Fact[string]{State: fact.Unreadable, Source: source, Why: look.Reason(err)}
		}
	}
	m := buildNum.FindStringSubmatch(text)
	if m == nil {
		return fact.Bad[string](source, errors.New("no release in what it prints"))
	}
	return fact.Of(m[2], source)
}

var cudaVersion = pattern.New(`#define CUDA_VERSION (\d+)`)

func header(a *look.At, path string) fact.Fact[string] {
	if path == "" {
		return fact.None[string]("")
	}
	lines, err := a.Lines(path, cudaVersion)
	if err != nil {
		return fact.Fact[string]{State: fact.Unreadable, Source: path, Why: look.Reason(err)}
	}
	for _, l := range lines {
		if v, err := version.ParseRelease(cudaVersion.FindStringSubmatch(l)[1]); err == nil {
			return fact.Of(v.String(), path)
		}
	}
	return fact.Bad[string](path, errors.New("no CUDA_VERSION in it"))
}

// release: version.json says it whole; else the nvcc build, when only one release carries it; else X.Y.
func release(a *look.At, t fact.Toolkit) fact.Fact[string] {
	fromFile := versionFile(a, a.Path.Join(t.Home(), "version.json"))
	if contradicts(fromFile, t.Nvcc) {
		a.Note("the release of "+t.Root, fromFile.Source, fmt.Errorf("it says %s, but nvcc is of build %s", fromFile.Value, t.Nvcc.Value))
		return shortRelease(t)
	}
	if fromFile.Known() || fromFile.State == fact.Unreadable {
		if !fromFile.Known() {
			if short := shortRelease(t); short.Known() {
				a.Note("the release of "+t.Root, fromFile.Source, errors.New(fromFile.Why))
				return short
			}
		}
		if short := shortRelease(t); short.Known() && buildDay.MatchString(fromFile.Value) {
			return short
		}
		return fromFile
	}
	if exact := packaged(a, t); exact.Known() {
		return exact
	}
	return shortRelease(t)
}

// contradicts: nvcc is what compiles; a version.json of another X.Y was left behind or copied.
func contradicts(file, nvcc fact.Fact[string]) bool {
	f, err := version.Parse(file.Value)
	n, err2 := version.Parse(nvcc.Value)
	return file.Known() && nvcc.Known() && err == nil && err2 == nil && f.Short() != n.Short()
}

// buildDay stands in several version.json where others have the update: 11.8.20220929 is 11.8.0.
var buildDay = pattern.New(`^\d+\.\d+\.\d{8}$`)

func shortRelease(t fact.Toolkit) fact.Fact[string] {
	if t.Nvcc.Known() {
		nvcc, err := version.Parse(t.Nvcc.Value)
		if err == nil {
			if rel, ok := releaseOfNvcc(nvcc); ok {
				return fact.Of(rel.String(), "release table, by nvcc "+t.Nvcc.Value)
			}
			return fact.Of(nvcc.Short().String(), t.Nvcc.Source)
		}
	}
	if t.Header.Known() {
		return t.Header
	}
	if t.Nvcc.State == fact.Unreadable {
		return t.Nvcc
	}
	return fact.None[string]("version.json, nvcc, cuda.h")
}

// releaseOfNvcc finds the release by its nvcc build. Some updates carry the nvcc of the release before them:
// then only X.Y can be told.
func releaseOfNvcc(nvcc version.V) (version.V, bool) {
	var found []version.V
	for _, r := range data.Releases() {
		if r.Nvcc == nvcc.String() {
			if v, err := version.Parse(r.Version); err == nil {
				found = append(found, v)
			}
		}
	}
	if len(found) != 1 {
		return version.V{}, false
	}
	return found[0], true
}

// versionFile reads version.json: {"cuda": {"version": "13.0.2", …}, …}.
func versionFile(a *look.At, path string) fact.Fact[string] {
	b, err := a.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fact.None[string](path)
		}
		return fact.Fact[string]{State: fact.Unreadable, Source: path, Why: look.Reason(err)}
	}
	v, err := parseVersionJSON(b)
	if err != nil {
		return fact.Bad[string](path, err)
	}
	return fact.Of(v, path)
}

func parseVersionJSON(b []byte) (string, error) {
	var f struct {
		CUDA struct {
			Version string `json:"version"`
		} `json:"cuda"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return "", fmt.Errorf("not the JSON of a toolkit: %w", look.Plain(err))
	}
	v, err := version.Parse(f.CUDA.Version)
	if err != nil || v.Major() == 0 {
		return "", fmt.Errorf("cuda.version is %.40q", f.CUDA.Version)
	}
	return v.String(), nil
}

var metaDist = pattern.New(`^cuda_toolkit-(\d+\.\d+\.\d+)(?:\.\d+)*\.dist-info$`)

// packaged asks the package the root came in: pip's metapackage stands beside it.
func packaged(a *look.At, t fact.Toolkit) fact.Fact[string] {
	if t.Origin != "pip" || t.Env == "" {
		return fact.None[string]("")
	}
	names, err := a.Names(t.Env, metaDist)
	if err != nil || len(names) != 1 {
		return fact.None[string](t.Env)
	}
	v := metaDist.FindStringSubmatch(names[0])[1]
	if t.Nvcc.Known() && !strings.HasPrefix(t.Nvcc.Value, v[:strings.LastIndex(v, ".")]+".") {
		return fact.None[string](t.Env)
	}
	return fact.Of(v, a.Path.Join(t.Env, names[0]))
}
