package mirror

import (
	"cmp"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/shim"
)

// ours are names that a toolkit's entry may not have in a mirror; cupel-manifest.json would make the mirror look like a
// toolkit that cupel installed.
var ours = []string{shim.MapFile, rootFile, activeDir, toolsDir, innerDir, newDir, oldDir, hostDir, studioDir, "cupel-manifest.json"}

// sharedTools are the programs of CUDA in a folder with programs of others: files of nvidia-cuda-toolkit 11.8 and 12.4 of
// Debian and of NVIDIA's wheels of 13.0 and 13.4, read 2026-11-15.
var sharedTools = []string{
	"__nvcc_device_query", "bin2c", "cicc", "compute-sanitizer", "cu++filt", "cudafe++", "cuobjdump", "fatbinary", "nvcc",
	"nvdisasm", "nvlink", "nvprune", "ptxas",
}

// sharedTop are the entries of CUDA's own in a root with things of others (conda).
var sharedTop = []string{"targets", "nvvm", "nvml", "extras", "version.json"}

// layout links the entries of the root. Those of bin are linked one by one; asked tools get a shim there, because some
// look for ptxas below CUDA_HOME.
func (w *planner) layout(asked []string) error {
	s, nvcc := w.style, w.t.Parts[fact.PartNvcc]
	bin := s.Join(w.Root, "bin")
	own := s.Dir(nvcc)
	w.shared = !s.Same(own, bin) || w.t.Origin == "conda"
	names, err := w.look.names(bin)
	if err != nil {
		return err
	}
	w.Shims = append(w.Shims, Shim{At: "bin/" + s.Program("nvcc"), Real: nvcc})
	for _, n := range names {
		tool := strings.TrimSuffix(n, ".exe")
		switch {
		case tool == "nvcc", w.shared && !w.ofCUDA(n):
		case slices.Contains(asked, tool):
			w.Shims = append(w.Shims, Shim{At: "bin/" + n, Real: s.Join(bin, n)})
		default:
			w.link("bin/"+n, s.Join(bin, n))
		}
	}
	if w.shared {
		return w.sharedRoot(own)
	}
	return w.wholeRoot()
}

// ofCUDA tells what is CUDA's own in a folder of programs.
func (w *planner) ofCUDA(name string) bool {
	return slices.Contains(sharedTools, strings.TrimSuffix(name, ".exe")) || name == "crt" || name == "nvcc.profile"
}

func (w *planner) link(at, to string) {
	if !slices.ContainsFunc(w.Links, func(l Link) bool { return l.At == at }) {
		w.Links = append(w.Links, Link{at, to})
	}
}

func (w *planner) wholeRoot() error {
	names, err := w.look.names(w.Root)
	if err != nil {
		return err
	}
	for _, n := range names {
		if n != "bin" && !slices.Contains(ours, n) {
			w.link(n, w.style.Join(w.Root, n))
		}
	}
	// pip's wheels have lib alone, and builders that start from nvcc's place name lib64: to the linker that is a folder
	// which is not there. What finds lib by itself finds the same files. nvcc keeps to the real root.
	if !w.style.Windows() && !slices.Contains(names, "lib64") && slices.Contains(w.t.Missing, fact.PartLib64) {
		w.link("lib64", w.style.Join(w.Root, "lib"))
	}
	return nil
}

// sharedRoot links what is CUDA's of a root such as /usr: all of its bin in front of PATH would change which gcc, python
// and cmake a build takes.
func (w *planner) sharedRoot(own string) error {
	s := w.style
	if !s.Same(own, s.Join(w.Root, "bin")) {
		for _, n := range []string{"crt", "nvcc.profile"} {
			w.link("bin/"+n, s.Join(own, n))
		}
	}
	names, err := w.look.names(w.Root)
	if err != nil {
		return err
	}
	for _, n := range sharedTop {
		if slices.Contains(names, n) {
			w.link(n, s.Join(w.Root, n))
		}
	}
	if !slices.Contains(names, "nvvm") {
		if dir := w.t.Parts[fact.PartLibdevice]; dir != "" {
			w.link("nvvm/libdevice", s.Dir(dir))
		}
		if cicc := w.t.Parts[fact.PartCicc]; cicc != "" {
			w.link("nvvm/bin/"+s.Base(cicc), cicc)
		}
	}
	// conda keeps CUDA's headers below targets; its own include has none of them.
	if h := cmp.Or(w.t.Parts[fact.PartHeader], w.t.Parts[fact.PartRuntimeH]); h != "" {
		w.link("include", s.Dir(h))
	}
	if slices.Contains(names, "lib") {
		w.link("lib", s.Join(w.Root, "lib"))
	}
	if dir := w.libraries(); dir != "" && !s.Windows() { // /usr/lib64 itself holds the loader alone
		w.link("lib64", dir)
	}
	return nil
}

// libraries is the folder that the linker should see.
func (w *planner) libraries() string {
	for _, part := range []string{fact.PartCudart, fact.PartCudartA, fact.PartCudartReal} {
		if p := w.t.Parts[part]; p != "" {
			return w.style.Dir(p)
		}
	}
	return ""
}
