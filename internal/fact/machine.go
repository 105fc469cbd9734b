package fact

import "cupel/internal/ospath"

// Format is the version of the snapshot. A reader refuses a newer one: it could mean something else.
const Format = "cupel.machine/1"

// Machine is everything the probe concluded about one machine. Its JSON form is the snapshot. It holds no
// judgement: what is right or wrong about it is decided by rules.
type Machine struct {
	Format    string              `json:"format"`
	System    System              `json:"system"`
	Driver    Driver              `json:"driver"`
	GPUs      []GPU               `json:"gpus"`
	Toolkits  []Toolkit           `json:"toolkits"`
	Compilers []Compiler          `json:"compilers"`
	VS        []VisualStudio      `json:"visual_studio,omitempty"`
	SDKs      []WindowsSDK        `json:"windows_sdks,omitempty"`
	Libraries []Library           `json:"libraries,omitempty"` // cuDNN, NCCL, libclang, OpenBLAS …
	Pythons   []Python            `json:"pythons,omitempty"`
	Rust      Rust                `json:"rust"`
	Tools     []Tool              `json:"tools,omitempty"`
	Path      []PathDir           `json:"path"`
	Env       map[string]string   `json:"env"`
	StoredEnv map[string]string   `json:"stored_env,omitempty"` // Windows: what a new shell would get
	Places    map[string]Place    `json:"places,omitempty"`     // what consumers ask about, by path
	Globs     map[string][]string `json:"globs,omitempty"`      // pattern → paths, sorted
	MPS       MPS                 `json:"mps,omitzero"`
	Troubles  []Trouble           `json:"troubles,omitempty"`
}

// Platform names. WSL2 and Jetson are Linux with other rules, so they are platforms of their own.
const (
	Linux   = "linux"
	Windows = "windows"
	WSL2    = "wsl2"
	Jetson  = "jetson"
	Darwin  = "darwin"
)

// System is the operating system and what it runs in.
type System struct {
	OS         string       `json:"os"`       // as Go names it
	Platform   string       `json:"platform"` // linux, windows, wsl2, jetson, darwin
	Arch       string       `json:"arch"`     // amd64, arm64
	Distro     Fact[Distro] `json:"distro,omitzero"`
	Kernel     Fact[string] `json:"kernel,omitzero"`
	Glibc      Fact[string] `json:"glibc,omitzero"`
	Container  Fact[string] `json:"container,omitzero"` // docker, podman, kubernetes, lxc, …
	ImageBuild bool         `json:"image_build,omitempty"`
	CI         string       `json:"ci,omitempty"`   // the CI system's own name
	Board      Fact[string] `json:"board,omitzero"` // Jetson: model
	L4T        Fact[string] `json:"l4t,omitzero"`
	Home       string       `json:"home,omitempty"`
	Cwd        string       `json:"cwd,omitempty"`
}

// Paths is the path style of the system.
func (s System) Paths() ospath.Style { return ospath.For(s.OS) }

// Distro is a Linux distribution as /etc/os-release names it, or a Windows edition.
type Distro struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Name    string `json:"name"`
}

// Driver is the NVIDIA driver in its two halves, which can differ (error 803).
type Driver struct {
	Kernel     Fact[string]    `json:"kernel_module,omitzero"` // version of the loaded module; on Windows of the installed driver
	Open       bool            `json:"open_module,omitempty"`
	UserMode   Fact[string]    `json:"user_mode,omitzero"`  // version of the libcuda a program would load
	Level      Fact[string]    `json:"cuda_level,omitzero"` // "the driver supports up to CUDA X.Y"
	Libraries  []DriverLibrary `json:"libraries,omitempty"` // every libcuda, in loader order
	SMI        Fact[string]    `json:"nvidia_smi,omitzero"` // its path; unreadable when it hangs or fails
	NVML       Fact[string]    `json:"nvml,omitzero"`       // file loaded; unreadable with NVML's own error
	Nodes      []Node          `json:"nodes,omitempty"`
	PCI        []PCIDevice     `json:"pci,omitempty"`
	Helper     Fact[string]    `json:"helper,omitzero"`       // the program cupel-gpu
	Packages   []Package       `json:"packages,omitempty"`    // driver packages of the distribution
	CompatDirs []string        `json:"compat_dirs,omitempty"` // forward-compat libraries in the loader path
}

// DriverLibrary is one libcuda (nvcuda.dll). Stub is a link-time stand-in that refuses every call.
type DriverLibrary struct {
	Path    string `json:"path"`
	Real    string `json:"real,omitempty"`
	Version string `json:"version,omitempty"`
	Stub    bool   `json:"stub,omitempty"`
	Broken  string `json:"broken,omitempty"` // why the file is no library at all: empty, not ELF
	From    string `json:"from"`             // LD_LIBRARY_PATH, loader cache, default folder, wsl, system32, not on the loader path
	Rank    int    `json:"rank"`             // 1 is what a program would load; 0: not on the loader path
}

// Node is a device file.
type Node struct {
	Path string `json:"path"`
}

// PCIDevice is an NVIDIA display device on the bus, with or without a driver.
type PCIDevice struct {
	Slot   string `json:"slot"`
	Device string `json:"device"`           // four hex digits
	Driver string `json:"driver,omitempty"` // kernel driver bound to it
}

// Package is an installed system package.
type Package struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// GPU is one device. CC is known from NVML or nvidia-smi, else from the tables by PCI id or name.
type GPU struct {
	Index       int               `json:"index"`
	Name        string            `json:"name"`
	CC          Fact[string]      `json:"compute_capability,omitzero"`
	MemoryMiB   int64             `json:"memory_mib,omitempty"`
	UUID        string            `json:"uuid,omitempty"`
	PCI         string            `json:"pci,omitempty"`
	ComputeMode string            `json:"compute_mode,omitempty"`
	DriverModel string            `json:"driver_model,omitempty"`
	MIG         string            `json:"mig,omitempty"`
	Source      string            `json:"source"`
	Errors      map[string]string `json:"errors,omitempty"` // by field: what the driver refused to tell, and why
}

// PathDir is one folder of PATH.
type PathDir struct {
	Dir    string `json:"dir"`
	Exists bool   `json:"exists"`
	Real   string `json:"real,omitempty"` // when links lead elsewhere
	Why    string `json:"why,omitempty"`  // it may be there: why it could not be looked at
}

// Place is one path a consumer would look at.
type Place struct {
	Kind string `json:"kind"`           // file, dir, unreadable
	Real string `json:"real,omitempty"` // when links lead elsewhere
	Exec bool   `json:"exec,omitempty"`
}

// MPS is what is left of NVIDIA's Multi-Process Service.
type MPS struct {
	PipeDir string       `json:"pipe_dir,omitempty"`
	Pipes   bool         `json:"pipes,omitempty"` // control pipe exists
	Daemon  Fact[string] `json:"daemon,omitzero"` // pid of the control daemon when it runs
}

// Trouble is something the probe could not read and that belongs to no other fact.
type Trouble struct {
	About  string `json:"about"` // what was to be learnt
	Source string `json:"source"`
	Why    string `json:"why"`
}
