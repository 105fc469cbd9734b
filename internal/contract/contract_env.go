package contract

// Env is what the build and the program read. Values are templates with {toolkit.root} and the like; see
// Values. Names maps such a value to the variables that must hold it.
type Env struct {
	EnvTable
	Linux   EnvTable `toml:"linux" doc:"on Linux besides"`
	Windows EnvTable `toml:"windows" doc:"on native Windows besides"`
	WSL2    EnvTable `toml:"wsl2" doc:"under WSL2 besides (with those of linux)"`
	CI      EnvTable `toml:"ci" doc:"on CI besides"`
	Runtime EnvTable `toml:"runtime" doc:"what a running program needs, not the build"`
}

// EnvTable holds two kinds of keys: a value of Values (toolkit.root = ["CUDA_HOME", "CUDA_PATH"]) and a variable
// with a template (BNB_CUDA_VERSION = "{toolkit.short}").
type EnvTable struct {
	Names map[string][]string // value → variables
	Vars  map[string]string   // variable → template
}

// Values are the words a template may hold and [env] may give names to.
var Values = map[string]string{
	"toolkit.root":    "the root of the chosen toolkit",
	"toolkit.release": "its release: 12.4.1",
	"toolkit.dotted":  "major and minor with a dot: 12.4",
	"toolkit.short":   "major and minor without a dot: 124",
	"toolkit.major":   "major: 12",
	"toolkit.nvcc":    "the path of its nvcc",
	"toolkit.bin":     "its folder of programs",
	"toolkit.lib":     "its folder of libraries for the linker",
	"toolkit.include": "its folder of headers",
	"arch.list":       "the targets, spelt and separated as [arch] says",
	"arch.first":      "the first target, spelt as [arch] says",
	"host.cxx":        "the path of the C++ host compiler",
	"host.cc":         "the path of the C host compiler",
	"host.cxx-dir":    "the folder of the C++ host compiler",
	"project.root":    "the folder of cupel.toml",
}

// Component is a library or tool beside the toolkit.
type Component struct {
	Required  *bool    `toml:"required" doc:"false: its absence is told and does no harm; true unless said"`
	Version   *Span    `toml:"version" demand:"yes" doc:"versions that work"`
	Toolchain string   `toml:"toolchain" demand:"yes" doc:"of rust: the toolchain that must be active"`
	OnlyFor   []string `toml:"only-for" doc:"names of configs or features that need it"`
	On        Words    `toml:"on" one:"linux windows wsl2 jetson ci" doc:"platforms that need it; all unless said"`
	ExcludeOn Words    `toml:"exclude-on" one:"linux windows wsl2 jetson ci" doc:"platforms that do not"`
	Install   PerOS    `toml:"install" doc:"how to get it: a command, or one per platform; templates"`
	Severity  string   `toml:"severity" one:"error warning info" doc:"how bad its absence is; error unless said"`
	Reason    string   `toml:"reason" doc:"why it is needed"`
	Source    string   `toml:"source" doc:"where that can be read"`
}

// ComponentNames are the names [components] may use: what the probe can tell.
var ComponentNames = []string{"cudnn", "nccl", "cublas", "libclang", "openblas", "mkl", "rust", "cargo", "cmake", "ninja", "git", "python", "torch", "bitsandbytes", "cupel-gpu"}

// PerOS is a text for every platform, or one per platform.
type PerOS struct {
	All     string `toml:"all" short:"yes" doc:"on every platform"`
	Linux   string `toml:"linux" doc:"on Linux"`
	Windows string `toml:"windows" doc:"on native Windows"`
	WSL2    string `toml:"wsl2" doc:"under WSL2"`
	CI      string `toml:"ci" doc:"on CI"`
}
