package environ

import (
	"cupel/internal/fact"
)

// rootNames are the names under which tools look for the toolkit's root. CUDA_LIBRARY_PATH is one of them:
// its reader takes each entry for a root and looks into lib64 and targets itself.
var rootNames = []string{
	"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_ROOT",
	"CUDA_LIBRARY_PATH",
}

// roots writes the resolved root, not a link such as /usr/local/cuda: a link may lead elsewhere tomorrow.
func (w *writer) roots() {
	for _, name := range rootNames {
		w.assign(name, w.t.Home(), "root of the toolkit")
	}
	nvcc := w.nvcc()
	w.assign("CUDACXX", nvcc, "the toolkit's nvcc")
	w.assign("NVCC", nvcc, "the toolkit's nvcc")
	if nvcc == "" {
		w.note("this toolkit has no nvcc: nothing can be compiled with it")
	}
}

// nvcc prefers bin/nvcc of the root where a layout keeps the real program elsewhere (Debian): builders take
// include and lib64 from the folder above nvcc's.
func (w *writer) nvcc() string {
	front := w.path.Join(w.t.Home(), "bin", w.path.Program("nvcc"))
	if p, ok := w.m.Places[front]; ok && p.Kind == "file" {
		return front
	}
	return w.t.Parts[fact.PartNvcc]
}
