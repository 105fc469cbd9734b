// Package contract holds what a project demands of a machine: the types of cupel.toml (docs/formats/contract.md),
// its strict reader, the JSON Schema made from the types, and the requirements that hold on one platform. It
// reads bytes it is given and the tables; it never looks at a machine or at the project's other files.
package contract

// Contract is one cupel.toml. The tags say all there is to say about a key: `toml` its name, `doc` its meaning
// (schema and specification are made from it), `one` the words it may hold, `need` that it must be there,
// `short` that a plain value may stand for the whole table, `keys` the names its entries may have, `demand` that a
// machine can fail to meet it (see Lines).
type Contract struct {
	Cupel      int                  `toml:"cupel" need:"yes" doc:"the format of this file; this build reads 1"`
	Project    Project              `toml:"project" doc:"what is built"`
	Toolkit    Toolkit              `toml:"toolkit" doc:"which CUDA toolkits build it"`
	Driver     Driver               `toml:"driver" doc:"the oldest driver it runs on"`
	Host       Hosts                `toml:"host" doc:"the host compiler, per platform"`
	Arch       Arch                 `toml:"arch" doc:"the GPU architectures it is built for"`
	Env        Env                  `toml:"env" doc:"the variables its build and its program read"`
	Components map[string]Component `toml:"components" demand:"each" keys:"cudnn nccl cublas libclang openblas mkl rust cargo cmake ninja git python torch bitsandbytes cupel-gpu" doc:"libraries and tools beside the toolkit, by name"`
	Pins       map[string]Pin       `toml:"pins" doc:"values that must agree in several files, by a name of your choice"`
	Kernels    []Kernel             `toml:"kernels" doc:"kernels that cupel builds"`
	GPU        GPU                  `toml:"gpu" doc:"the device it needs"`
	Reference  Reference            `toml:"reference" doc:"the saved snapshot of the machine that decides"`
	Verify     map[string]Set       `toml:"verify" doc:"named sets of checks: cupel verify NAME"`
	Configs    []Config             `toml:"config" doc:"ways to build it"`
	Matrix     Matrix               `toml:"matrix" doc:"combinations to build"`
	Gates      []Gate               `toml:"gate" doc:"decisions on the way, with their evidence"`
	Gated      []HardwareGated      `toml:"hardware-gated" doc:"what only certain hardware can prove"`
	Smoke      []Smoke              `toml:"smoke" doc:"proofs that the built thing works"`
	Explain    []Explain            `toml:"explain" doc:"failures this project knows"`
	Scope      map[string]Scope     `toml:"scope" keys:"linux windows wsl2 jetson ci" doc:"what is off on a platform, by platform"`
	MPS        MPS                  `toml:"mps" doc:"NVIDIA Multi-Process Service"`
	Stubs      Stubs                `toml:"stubs" doc:"stand-ins for driver libraries on machines with no GPU"`
	Runtime    Runtime              `toml:"runtime" doc:"what the built program needs where it runs"`
	Link       Link                 `toml:"link" doc:"how libraries are linked"`
	Port       Port                 `toml:"port" doc:"a port to another platform"`

	File string `toml:"-"` // as it was named when read
	Sum  string `toml:"-"` // sha256 of its bytes, in hex

	src *source        // where the keys stand; see At
	raw map[string]any // the values as TOML has them; see Without
}

// Pos is a place in a file. Line and Col count from 1, Col in characters; zero: not told.
type Pos struct {
	File string
	Line int
	Col  int
}

// Project is what is built.
type Project struct {
	Name     string   `toml:"name" need:"yes" doc:"its name"`
	On       Words    `toml:"on" one:"linux windows wsl2 jetson" demand:"yes" doc:"platforms it is built on; all unless said"`
	Build    Words    `toml:"build" one:"cargo cmake meson make setuptools pip bazel cupel other" doc:"its build systems"`
	Builders []string `toml:"builders" doc:"CUDA builder crates allowed in Cargo.lock, each with an optional range: \"cudaforge >=0.1.6\""`
}

// Toolkit bounds the releases. Below min and in exclude: wrong. Above max-verified: a warning.
type Toolkit struct {
	Bands
	Linux   Bands `toml:"linux" doc:"overrides on Linux"`
	Windows Bands `toml:"windows" doc:"overrides on native Windows"`
	WSL2    Bands `toml:"wsl2" doc:"overrides under WSL2 (after those of linux)"`
	CI      Bands `toml:"ci" doc:"overrides on CI (after those of the platform)"`
}

// Bands are the releases by how well they are known to work.
type Bands struct {
	Min         *Limit      `toml:"min" demand:"yes" doc:"the oldest release that builds it"`
	Recommended *Limit      `toml:"recommended" demand:"yes" doc:"the release to use; chosen when installed"`
	MaxVerified *Limit      `toml:"max-verified" demand:"yes" doc:"the newest release it was verified with"`
	Exclude     []Exclusion `toml:"exclude" demand:"each" doc:"releases between that do not work"`
	Components  []string    `toml:"components" demand:"each" one:"nvcc ptxas cicc nvlink cudart cudart-static cudadevrt cuda-stub cccl libdevice cublas cublaslt cufft curand cusolver cusparse nvrtc nvtx nvjpeg npp cupti nvjitlink nvml-stub headers" doc:"parts of the toolkit the build needs"`
}

// Limit is a bound that may say why it is one. A plain string stands for its version.
type Limit struct {
	Version Release `toml:"version" short:"yes" need:"yes" doc:"the version"`
	Reason  string  `toml:"reason" doc:"why"`
	Source  string  `toml:"source" doc:"where that can be read"`
}

// Exclusion takes releases out.
type Exclusion struct {
	Release Range  `toml:"release" short:"yes" need:"yes" doc:"a release (12.5 means every 12.5.x) or a range"`
	Reason  string `toml:"reason" doc:"why"`
	Source  string `toml:"source" doc:"where that can be read"`
}

// Span is a range that may say why. A plain string stands for the range.
type Span struct {
	Range  Range  `toml:"range" short:"yes" need:"yes" doc:"a range: \">=9, <14\""`
	Reason string `toml:"reason" doc:"why"`
	Source string `toml:"source" doc:"where that can be read"`
}

// Driver floors. PTXJIT switches the rule on that PTX needs a driver at least as new as its toolkit.
type Driver struct {
	Linux   *DriverLimit `toml:"linux" demand:"yes" doc:"the oldest driver on Linux"`
	Windows *DriverLimit `toml:"windows" demand:"yes" doc:"the oldest driver on native Windows"`
	WSL2    *DriverLimit `toml:"wsl2" demand:"yes" doc:"the oldest Windows driver under WSL2; without it that of windows holds"`
	PTXJIT  string       `toml:"ptx-jit" demand:"yes" one:"required not-used" doc:"whether the program lets the driver compile PTX"`
}

// DriverLimit is a driver version that may say why.
type DriverLimit struct {
	Version Dotted `toml:"version" short:"yes" need:"yes" doc:"the driver version"`
	Reason  string `toml:"reason" doc:"why"`
	Source  string `toml:"source" doc:"where that can be read"`
}

// Hosts are the compiler demands per platform.
type Hosts struct {
	Linux   *Host `toml:"linux" doc:"on Linux"`
	Windows *Host `toml:"windows" doc:"on native Windows"`
	WSL2    *Host `toml:"wsl2" doc:"under WSL2; keys not given here are those of linux"`
	CI      *Host `toml:"ci" doc:"on CI; keys not given here are those of the platform"`
}

// Host is what one platform must have to compile. Of gcc, clang and msvc any one that is given will do.
type Host struct {
	GCC         *Span  `toml:"gcc" demand:"yes" doc:"gcc versions that work"`
	Clang       *Span  `toml:"clang" demand:"yes" doc:"clang versions that work"`
	MSVC        *Span  `toml:"msvc" demand:"yes" doc:"cl.exe versions that work (19.xx)"`
	Toolset     *Span  `toml:"toolset" demand:"yes" doc:"MSVC toolset versions that work (14.xx)"`
	SDK         *Span  `toml:"sdk" demand:"yes" doc:"Windows SDK versions that work"`
	Triple      string `toml:"triple" demand:"yes" doc:"the Rust host triple"`
	Std         string `toml:"std" demand:"yes" one:"c++11 c++14 c++17 c++20 c++23" doc:"the C++ standard of the CUDA sources"`
	Unsupported string `toml:"unsupported-compiler" demand:"yes" one:"forbid allow" doc:"whether -allow-unsupported-compiler is accepted; forbid unless said"`
}

// Arch says for which devices the kernels are built.
type Arch struct {
	Targets   []Target    `toml:"targets" demand:"each" doc:"architectures, in any spelling: sm_86, 8.6, 86, sm_90a"`
	Min       *CC         `toml:"min" demand:"yes" doc:"the lowest compute capability that works"`
	Fallback  *Target     `toml:"fallback" doc:"what to build for where no GPU is found"`
	Detect    bool        `toml:"detect" doc:"build for the GPUs found on the machine"`
	Suffix    string      `toml:"suffix" demand:"yes" one:"none a f" doc:"which variant of a target: none, architecture-specific, family-specific"`
	PTX       string      `toml:"ptx" demand:"yes" one:"highest all none" doc:"for which targets PTX is kept too"`
	Env       Words       `toml:"env" doc:"variables that carry the list to the build"`
	Spelling  string      `toml:"spelling" one:"86 8.6 sm_86 86-real 8.6+PTX" doc:"how the list is spelt"`
	Separator string      `toml:"separator" doc:"what stands between two of the list; ; unless said"`
	ByToolkit []ByToolkit `toml:"by-toolkit" demand:"each" doc:"other targets for some toolkits; the first row that fits wins"`
	Notes     []ArchNote  `toml:"note" doc:"what is known of an architecture"`
}

// ByToolkit gives the targets for a range of toolkits.
type ByToolkit struct {
	Toolkit Range    `toml:"toolkit" need:"yes" doc:"releases: \"<13\", \">=12.8, <13\""`
	Targets []Target `toml:"targets" need:"yes" doc:"architectures"`
	Reason  string   `toml:"reason" doc:"why"`
}

// ArchNote is a row of the table of architectures.
type ArchNote struct {
	Arch        Target   `toml:"arch" need:"yes" doc:"the architecture"`
	Status      string   `toml:"status" need:"yes" one:"verified expected partial untested unsupported" doc:"how well it is known to work"`
	Works       []string `toml:"works" doc:"what works"`
	DoesNotWork []string `toml:"does-not-work" doc:"what does not"`
	Reason      string   `toml:"reason" doc:"why"`
}

// GPU is the device a project needs. Without min-count none is needed.
type GPU struct {
	MinMemory   Size   `toml:"min-memory" demand:"yes" doc:"memory of each device: \"8 GiB\""`
	MinCount    int    `toml:"min-count" demand:"yes" doc:"how many devices; 0: none is needed"`
	ComputeMode string `toml:"compute-mode" demand:"yes" one:"default exclusive-process prohibited" doc:"the mode they must be in"`
	ExcludeOn   Words  `toml:"exclude-on" one:"linux windows wsl2 jetson ci" doc:"platforms that need none"`
	Reason      string `toml:"reason" doc:"why"`
}
