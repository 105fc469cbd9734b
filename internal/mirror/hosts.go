package mirror

import (
	"slices"
	"strings"
)

// hostShim is the place of one host compiler's shim. nvcc.exe refuses a cl.exe ("Host compiler targets unsupported OS")
// that does not lie in a folder like Visual Studio's with VC\Auxiliary up the tree (tried with 13.0), so the shim of one
// lies in such a folder.
func (w *planner) hostShim(dir, real string) Shim {
	if _, below, ok := w.studio(real); ok {
		dir = studioDir + "/" + above(below)
	}
	return Shim{At: dir + "/" + w.style.Base(real), Real: real}
}

// studio splits the path of a cl.exe into the folder of Visual Studio and what is below it.
func (w *planner) studio(cl string) (root, below string, ok bool) {
	if !w.style.Windows() {
		return "", "", false
	}
	slashed := strings.ReplaceAll(w.style.Clean(cl), `\`, "/")
	i := strings.Index(strings.ToLower(slashed), "/vc/tools/msvc/")
	if i < 0 {
		return "", "", false
	}
	return w.style.Clean(slashed[:i]), slashed[i+1:], true
}

// hosts adds the shims of host compilers, with PATH for those that a name leads to.
func (w *planner) hosts(list []Shim) {
	for _, h := range list {
		w.Shims = append(w.Shims, h)
		if root, below, ok := w.studio(h.Real); ok {
			w.beside(root, below)
		}
		if dir := w.style.Join(w.Dir, above(h.At)); !strings.HasPrefix(h.At, hostDir) && !slices.Contains(w.path, dir) {
			w.path = append(w.path, dir)
		}
	}
}

// beside links what lies beside the folders on the way from Visual Studio to its cl.exe: vcvarsall.bat tells from its own
// place where headers and libraries are. The folder of cl.exe itself stays empty but for the shim; the real one is on PATH.
func (w *planner) beside(root, below string) {
	parts := strings.Split(below, "/")
	real, at := root, studioDir
	for _, next := range parts[:len(parts)-1] {
		names, err := w.look.names(real)
		if err != nil {
			return
		}
		for _, n := range names {
			if !strings.EqualFold(n, next) {
				w.link(at+"/"+n, w.style.Join(real, n))
			}
		}
		real, at = w.style.Join(real, next), at+"/"+next
	}
}
