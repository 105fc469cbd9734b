package contract

import "cmp"

// Kernel is a set of sources built alike.
type Kernel struct {
	Name           string       `toml:"name" need:"yes" doc:"its name: the folder of its outputs"`
	Sources        []Glob       `toml:"sources" need:"yes" doc:"files or patterns (*, **, ?) relative to cupel.toml"`
	Exclude        []Glob       `toml:"exclude" doc:"patterns taken out"`
	Includes       []Path       `toml:"includes" doc:"include folders"`
	Defines        []string     `toml:"defines" doc:"NAME or NAME=VALUE"`
	Flags          []string     `toml:"flags" doc:"options for nvcc"`
	FlagsGCC       []string     `toml:"flags-gcc" doc:"options for gcc, passed on by nvcc"`
	FlagsClang     []string     `toml:"flags-clang" doc:"options for clang, passed on by nvcc"`
	FlagsMSVC      []string     `toml:"flags-msvc" doc:"options for cl.exe, passed on by nvcc"`
	Kinds          Words        `toml:"kinds" one:"ptx cubin fatbin object static shared" doc:"what is made; object unless said"`
	Archs          []Target     `toml:"archs" doc:"architectures; those of [arch] unless said"`
	ArchsByToolkit []ByToolkit  `toml:"archs-by-toolkit" doc:"other architectures for some toolkits"`
	PerFile        []KernelFile `toml:"per-file" doc:"what is different for some files"`
	RDC            bool         `toml:"rdc" doc:"relocatable device code"`
	DeviceLink     bool         `toml:"device-link" doc:"link device code of all files together"`
	LinkName       string       `toml:"link-name" doc:"name of the library without prefix and ending; name unless said"`
	Optional       bool         `toml:"optional" doc:"a failure is a notice, not an error"`
	ExcludeOn      Words        `toml:"exclude-on" one:"linux windows wsl2 jetson ci" doc:"platforms that do not build it"`
}

// KernelFile is what is different for some files of a kernel.
type KernelFile struct {
	Sources  []Glob   `toml:"sources" need:"yes" doc:"which files"`
	Defines  []string `toml:"defines" doc:"added"`
	Flags    []string `toml:"flags" doc:"added"`
	Archs    []Target `toml:"archs" doc:"instead of the kernel's"`
	MinArch  *CC      `toml:"min-arch" doc:"lower targets are left out for these files"`
	Optional bool     `toml:"optional" doc:"a failure is a notice"`
}

// Config is one way to build.
type Config struct {
	Name      string            `toml:"name" need:"yes" doc:"its name"`
	Command   Command           `toml:"command" need:"yes" doc:"what is run: a line for the shell, or a list of words run without one"`
	Dir       Path              `toml:"dir" doc:"where, relative to cupel.toml"`
	Env       map[string]string `toml:"env" doc:"variables of this config; values are templates"`
	Needs     Needs             `toml:"needs" doc:"what must be there: none, stub, toolkit, gpu or { gpu = \"8.0\" }; toolkit unless said"`
	Expect    string            `toml:"expect" one:"pass fail" doc:"what should happen; pass unless said"`
	Reason    string            `toml:"reason" doc:"why it should fail"`
	Timeout   Duration          `toml:"timeout" doc:"how long it may take: 90s, 10m; no limit unless said"`
	Artifacts []Glob            `toml:"artifacts" doc:"files that must be there afterwards"`
	Smoke     bool              `toml:"smoke" doc:"run by cupel verify --build"`
	On        Words             `toml:"on" one:"linux windows wsl2 jetson ci" doc:"platforms; all unless said"`
	ExcludeOn Words             `toml:"exclude-on" one:"linux windows wsl2 jetson ci" doc:"not on these"`

	key string // config[2]; see Key
}

// Key is where the config stands: config[2]. One that was not read from a file has no number.
func (c Config) Key() string { return cmp.Or(c.key, "config") }

// Needs is what a config needs.
type Needs struct {
	What string `toml:"what" short:"yes" one:"none stub toolkit gpu" doc:"none, stub, toolkit or gpu"`
	GPU  *CC    `toml:"gpu" doc:"the lowest compute capability"`
}

// Matrix is a set of combinations.
type Matrix struct {
	Axes     map[string][]string `toml:"axes" doc:"values by axis: toolkit, arch, feature, host-compiler, python, or a name of your own"`
	Include  []map[string]string `toml:"include" doc:"combinations added"`
	Exclude  []map[string]string `toml:"exclude" doc:"combinations taken out; the key reason says why"`
	Artifact string              `toml:"artifact" doc:"template of the artifact's name"`
	Where    string              `toml:"where" one:"local container conda remote" doc:"where they are built"`
	Command  Command             `toml:"command" doc:"what is run"`
}

// Stubs are stand-ins for driver libraries.
type Stubs struct {
	Libraries Words  `toml:"libraries" one:"cuda nvidia-ml cudart nvrtc cublas cudnn" doc:"which"`
	On        Words  `toml:"on" one:"linux windows wsl2 jetson ci" doc:"where they are used"`
	Reason    string `toml:"reason" doc:"why"`
}

// Runtime is what the built program needs.
type Runtime struct {
	Libraries []string `toml:"libraries" doc:"shared libraries of CUDA it loads"`
	Bundled   []string `toml:"bundled" doc:"those that are shipped with it"`
	Loads     []string `toml:"loads" doc:"those it loads by name while it runs"`
}

// Link says how libraries are linked.
type Link struct {
	CUDA LinkCUDA `toml:"cuda" doc:"the driver library"`
}

// LinkCUDA says how the driver library gets into the program.
type LinkCUDA struct {
	How       string   `toml:"how" one:"link load none" doc:"linked, loaded while it runs, or not used"`
	Libraries []string `toml:"libraries" doc:"names given to the linker"`
	Dirs      []string `toml:"dirs" doc:"folders given to the linker; templates"`
}
