package consumer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree is a made-up machine: folders below a root folder that consumers are locked into, and an environment.
type tree struct {
	dir      string
	env      map[string]string
	pathDirs []string
	releases map[string]string
	text     []string
}

// kit is what one made-up toolkit has.
type kit struct {
	root, release                  string
	nvcc, header, lib64, lib       bool
	stubs, target, cudart, profile bool
	marker                         string // version.txt, version.json or none
}

// usual are the places in which toolkits stand; the consumers know some of them.
var usual = []string{
	"/usr/local/cuda-11.8", "/usr/local/cuda-12.4", "/usr/local/cuda-13.0", "/usr/local/cuda-9.2",
	"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr", "/srv/a", "/srv/my cuda",
}

// newTree makes a machine out of a seed: some toolkits, each more or less complete, some variables, some PATH.
func newTree(t *testing.T, dir, nvcc string, seed uint64, variables []string) *tree {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	tr := &tree{dir: dir, env: map[string]string{}, releases: map[string]string{}}
	tr.clear(t)
	for _, root := range usual {
		if root == "/usr/local/cuda" && r.IntN(2) == 0 && tr.link(t) {
			continue
		}
		if r.IntN(3) == 0 {
			tr.add(t, nvcc, randomKit(r, root))
		}
	}
	for _, name := range variables {
		if r.IntN(3) == 0 {
			tr.env[name] = tr.value(r, name)
		}
	}
	tr.choosePath(r)
	return tr
}

func randomKit(r *rand.Rand, root string) kit {
	often := func() bool { return r.IntN(4) > 0 }
	rarely := func() bool { return r.IntN(4) == 0 }
	releases := []string{"11.8", "12.4", "12.7", "12.9", "13.0", "13.4", "14.0"}
	k := kit{
		root: root, release: releases[r.IntN(len(releases))], nvcc: often(), header: often(), lib64: often(),
		lib: rarely(), stubs: often(), target: rarely(), cudart: often(), profile: often(),
	}
	if rarely() {
		k.marker = []string{"version.txt", "version.json"}[r.IntN(2)]
	}
	return k
}

// value is what a variable holds: mostly a root, now and then nothing or a place that is not there.
func (tr *tree) value(r *rand.Rand, name string) string {
	root := usual[r.IntN(len(usual))]
	switch {
	case name == "NVCC" || name == "CUDACXX":
		return root + "/bin/nvcc"
	case name == "CUDA_LIBRARY_PATH" && r.IntN(2) == 0:
		return root + ":" + usual[r.IntN(len(usual))]
	case r.IntN(8) == 0:
		return ""
	case r.IntN(6) == 0:
		return "/nowhere"
	}
	return root
}

func (tr *tree) choosePath(r *rand.Rand) {
	dirs := []string{
		"/usr/bin", "/usr/local/bin", "/usr/local/cuda/bin", "/usr/local/cuda-12.4/bin", "/srv/a/bin",
		"/opt/cuda/bin", "/usr/local/cuda-13.0", "/bin",
	}
	r.Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	tr.pathDirs = dirs[:1+r.IntN(4)]
	tr.setPath()
}

func (tr *tree) setPath() { tr.env["PATH"] = strings.Join(tr.pathDirs, ":") }

// clear removes what an earlier machine left; the programs of the harness and of CMake stay.
func (tr *tree) clear(t *testing.T) {
	t.Helper()
	for _, p := range []string{
		"usr/local", "opt", "srv", "usr/lib/cuda", "usr/include", "usr/lib64/stubs", "usr/targets", "usr/bin/nvcc",
		"usr/bin/nvcc.profile", "usr/release", "usr/version.txt", "usr/version.json", "nvcc.log", "out", "b",
	} {
		must(t, os.RemoveAll(filepath.Join(tr.dir, p)))
	}
	must(t, os.MkdirAll(filepath.Join(tr.dir, "out"), 0o755))
	must(t, os.MkdirAll(filepath.Join(tr.dir, "usr/local"), 0o755))
	tr.write(t, "/kernel.cu", "")
}

// link makes /usr/local/cuda a link to a versioned root, as the installers do.
func (tr *tree) link(t *testing.T) bool {
	if _, err := os.Stat(filepath.Join(tr.dir, "usr/local/cuda-12.4")); err != nil {
		return false
	}
	must(t, os.Symlink("cuda-12.4", filepath.Join(tr.dir, "usr/local/cuda")))
	tr.text = append(tr.text, "/usr/local/cuda -> cuda-12.4")
	return true
}

func (tr *tree) add(t *testing.T, nvcc string, k kit) {
	t.Helper()
	if k.nvcc {
		bin := filepath.Join(tr.dir, k.root, "bin")
		must(t, os.MkdirAll(bin, 0o755))
		must(t, os.Link(nvcc, filepath.Join(bin, "nvcc")))
		tr.write(t, k.root+"/release", k.release)
		tr.releases[k.root+"/bin/nvcc"] = k.release
	}
	for path, wanted := range map[string]bool{
		"/include/cuda.h": k.header, "/lib64/libcudart.so": k.lib64 && k.cudart, "/lib64/.keep": k.lib64,
		"/lib64/stubs/libcuda.so": k.lib64 && k.stubs, "/lib/.keep": k.lib,
		"/targets/x86_64-linux/include/cuda.h": k.target, "/targets/x86_64-linux/lib/.keep": k.target,
		"/bin/nvcc.profile": k.nvcc && k.profile, "/" + k.marker: k.marker != "",
	} {
		if wanted {
			tr.write(t, k.root+path, "made up\n")
		}
	}
	tr.text = append(tr.text, fmt.Sprintf("%+v", k))
}

func (tr *tree) write(t *testing.T, path, text string) {
	t.Helper()
	full := filepath.Join(tr.dir, path)
	must(t, os.MkdirAll(filepath.Dir(full), 0o755))
	must(t, os.WriteFile(full, []byte(text), 0o644))
}

// world gathers exactly what the package asks for, so Missing is proved along the way.
func (tr *tree) world(t *testing.T) World {
	t.Helper()
	w := World{
		OS: "linux", Env: tr.env, PathDirs: tr.pathDirs,
		Places: map[string]Place{}, Listings: map[string][]string{}, Releases: tr.allReleases(),
	}
	for range 6 {
		paths, globs := Missing(w)
		if len(paths)+len(globs) == 0 {
			return w
		}
		for _, p := range paths {
			w.Places[p] = tr.look(p)
		}
		for _, g := range globs {
			w.Listings[g] = tr.glob(g)
		}
	}
	t.Fatal("Missing still asks after six rounds")
	return w
}

// allReleases knows each nvcc also below the link.
func (tr *tree) allReleases() map[string]string {
	all := maps.Clone(tr.releases)
	if target, err := os.Readlink(filepath.Join(tr.dir, "usr/local/cuda")); err == nil {
		if r, ok := tr.releases["/usr/local/"+target+"/bin/nvcc"]; ok {
			all["/usr/local/cuda/bin/nvcc"] = r
		}
	}
	return all
}

func (tr *tree) look(path string) Place {
	place := Place{Path: path, Kind: Absent}
	info, err := os.Stat(filepath.Join(tr.dir, path))
	if err != nil {
		return place
	}
	place.Kind = File
	if info.IsDir() {
		place.Kind = Dir
	}
	place.Exec = info.Mode()&0o111 != 0
	if real, err := filepath.EvalSymlinks(filepath.Join(tr.dir, path)); err == nil {
		if inside, ok := strings.CutPrefix(real, tr.dir); ok && inside != path {
			place.Target = inside
		}
	}
	return place
}

func (tr *tree) glob(pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(tr.dir, pattern))
	for i := range found {
		found[i] = strings.TrimPrefix(found[i], tr.dir)
	}
	return found
}

func (tr *tree) String() string {
	var env []string
	for _, name := range slices.Sorted(maps.Keys(tr.env)) {
		env = append(env, name+"="+tr.env[name])
	}
	return "tree:\n  " + strings.Join(tr.text, "\n  ") + "\nenvironment:\n  " + strings.Join(env, "\n  ")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
}
