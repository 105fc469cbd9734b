package fact

// Toolkit is one CUDA root. It has a release (13.0.2, or 13.0 when it cannot be told closer) and an nvcc
// build (13.0.88); nothing of it is called "version".
type Toolkit struct {
	Root    string            `json:"root"`           // as found, links kept
	Real    string            `json:"real,omitempty"` // links resolved, when different
	Release Fact[string]      `json:"release"`
	Nvcc    Fact[string]      `json:"nvcc"`
	Ptxas   Fact[string]      `json:"ptxas"`
	Header  Fact[string]      `json:"header"`                // release of include/cuda.h
	Origin  string            `json:"origin"`                // installer, distribution, conda, pip, cupel, hpc-sdk, unknown
	Env     string            `json:"environment,omitempty"` // conda: the environment; pip: site-packages
	Found   []string          `json:"found"`                 // by what: PATH, CUDA_HOME, /usr/local/cuda, registry …
	Parts   map[string]string `json:"parts"`                 // part → path; a part that is missing has no entry
	Missing []string          `json:"missing,omitempty"`     // parts a complete toolkit has and this one lacks
	Faults  map[string]string `json:"faults,omitempty"`      // part → why it is there and of no use: empty, not executable, permission denied
	// Libraries tells of every word that data/parts.toml has. A word without an entry was not looked for: an older
	// cupel wrote the snapshot.
	Libraries map[string]Fact[Link] `json:"libraries,omitempty"`

	Bounds Fact[Bounds] `json:"host_compilers"`    // from its own crt/host_config.h
	OwnGCC []string     `json:"own_gcc,omitempty"` // nvcc puts its own folder before PATH: a gcc in it wins, tried in this order
	Libs   []string     `json:"lib_dirs,omitempty"`
	DLLs   []string     `json:"dll_dirs,omitempty"`

	Installed *Installed `json:"installed,omitempty"` // by cupel, or registered with it; nil: neither
}

// Installed is how cupel brought a toolkit to the machine.
type Installed struct {
	Name       string      `json:"name"`   // its folder: 13.0.2-pip-linux-x86_64
	Source     string      `json:"source"` // redist, pip, apt, conda; local: a root that was here and is only registered
	Components []Component `json:"components,omitempty"`
}

// Component is one file of its source that a toolkit was made of.
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size"`
}

// Part names.
const (
	PartNvcc       = "nvcc"
	PartPtxas      = "ptxas"
	PartCicc       = "cicc"
	PartCudafe     = "cudafe++"
	PartFatbinary  = "fatbinary"
	PartNvlink     = "nvlink"
	PartLibdevice  = "libdevice"
	PartProfile    = "nvcc.profile"
	PartHeader     = "cuda.h"
	PartRuntimeH   = "cuda_runtime.h"
	PartCrt        = "crt/host_config.h"
	PartCudart     = "cudart"        // what the linker takes: libcudart.so, cudart.lib
	PartCudartReal = "cudart shared" // any libcudart.so.N, cudart64_*.dll
	PartCudartA    = "cudart static"
	PartCudadevrt  = "cudadevrt"
	PartStub       = "libcuda stub" // lib64/stubs/libcuda.so; lib\x64\cuda.lib on Windows
	PartLib64      = "lib64"
	PartCCCL       = "cccl"
)

// Has says whether the part is there.
func (t Toolkit) Has(part string) bool { return t.Parts[part] != "" }

// Home is the resolved root.
func (t Toolkit) Home() string {
	if t.Real != "" {
		return t.Real
	}
	return t.Root
}

// Link is what a build finds of a library or of a set of headers. Without Path only Shared is there: programs start
// with it, and none can be linked.
type Link struct {
	Path   string `json:"path,omitempty"`   // what the linker or the compiler takes: libcufft.so, cufft.lib, a header
	Shared string `json:"shared,omitempty"` // the shared library under its versioned name alone: libcufft.so.12, cufft64_12.dll
}

// Bounds are the host compilers a toolkit's own header lets through. Zero: no bound written there.
type Bounds struct {
	GCCMax     int `json:"gcc_max,omitempty"`     // newest major accepted
	ClangBelow int `json:"clang_below,omitempty"` // first major refused
	MSCMin     int `json:"msc_ver_min,omitempty"` // _MSC_VER
	MSCBelow   int `json:"msc_ver_below,omitempty"`
}

// Compiler is one host compiler.
type Compiler struct {
	Family  string       `json:"family"`  // gcc, clang, msvc
	Command string       `json:"command"` // what can be typed: g++-12, or the path
	Path    string       `json:"path"`
	Real    string       `json:"real,omitempty"`
	Version Fact[string] `json:"version"`
	Target  string       `json:"target,omitempty"`  // x86_64-w64-mingw32 …; for msvc: x64 or x86
	Default bool         `json:"default,omitempty"` // what nvcc takes when nothing is said: the C++ side of the first gcc (cl.exe) on PATH
	Cxx     bool         `json:"cxx"`               // a C++ compiler, not C alone
	Origin  string       `json:"origin,omitempty"`  // cupel, conda, perl, mingw, ccache …
}

// VisualStudio is one installed instance.
type VisualStudio struct {
	Path       string    `json:"path"`
	Name       string    `json:"name"`    // Visual Studio Build Tools 2022
	Version    string    `json:"version"` // 17.10.3
	Toolsets   []Toolset `json:"toolsets,omitempty"`
	Components []string  `json:"components,omitempty"` // ids that matter here
	Complete   bool      `json:"complete"`
	Source     string    `json:"source"`
}

// Toolset is one MSVC toolset (14.40.33807) and the cl.exe in it (19.40.33811).
type Toolset struct {
	Version string       `json:"version"`
	Dir     string       `json:"dir"`
	Cl      Fact[string] `json:"cl,omitzero"` // of the x64-hosted x64 compiler
	ClPath  string       `json:"cl_path,omitempty"`
	Hosts   []string     `json:"hosts,omitempty"` // Hostx64/x64, Hostx86/x86 …
}

// WindowsSDK is one installed SDK version.
type WindowsSDK struct {
	Version string `json:"version"` // 10.0.22621.0
	Root    string `json:"root"`
	Libs    bool   `json:"libs"` // um and ucrt import libraries for x64 are there
}

// Library is one copy of a library that CUDA projects build against or load.
type Library struct {
	Name      string       `json:"name"` // cudnn, nccl, libclang, openblas, cublas
	Version   Fact[string] `json:"version"`
	Path      string       `json:"path"`
	Include   string       `json:"include,omitempty"`
	CUDAMajor int          `json:"cuda_major,omitempty"` // built for; 0: not told
	Origin    string       `json:"origin"`               // system, pip, conda, toolkit, windows, cupel
	Python    string       `json:"python,omitempty"`     // the interpreter it belongs to
}

// Python is one interpreter and the CUDA packages in it.
type Python struct {
	Path         string            `json:"path"`
	Version      Fact[string]      `json:"version"`
	Kind         string            `json:"kind"` // system, venv, conda, pyenv
	Site         []string          `json:"site,omitempty"`
	Torch        Fact[string]      `json:"torch,omitzero"`      // 2.11.0+cu130
	TorchCUDA    Fact[string]      `json:"torch_cuda,omitzero"` // 13.0; absent for a CPU build
	Bitsandbytes Fact[string]      `json:"bitsandbytes,omitzero"`
	BnbCUDA      []string          `json:"bitsandbytes_cuda,omitempty"` // CUDA versions its libraries are built for, 130 …
	Wheels       map[string]string `json:"nvidia_wheels,omitempty"`
}

// Rust is the toolchain cargo would use here.
type Rust struct {
	Cargo     Fact[string] `json:"cargo,omitzero"`     // path
	Toolchain Fact[string] `json:"toolchain,omitzero"` // active: stable-x86_64-unknown-linux-gnu
	Host      Fact[string] `json:"host,omitzero"`      // triple
	Installed []string     `json:"installed,omitempty"`
}

// Tool is another program builds stumble over: cmake, ninja, git, sccache, ccache, link.exe.
type Tool struct {
	Name    string       `json:"name"`
	Path    string       `json:"path"`
	Version Fact[string] `json:"version,omitzero"`
	Others  []string     `json:"others,omitempty"` // the same name later on PATH
}
