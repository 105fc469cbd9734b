package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/cas"
	"cupel/internal/contract"
	"cupel/internal/digest"
	"cupel/internal/emit"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// emission is one --emit.
type emission struct{ format, file string }

// newBuilding reads the command line; the machine is not asked yet.
func newBuilding(cmd *cobra.Command, args []string, f buildFlags, as string) (*building, error) {
	b := &building{cmd: cmd, ctx: cmd.Context(), flags: f, as: as, names: args}
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		b.names, b.nvcc = args[:at], args[at:]
	}
	b.names = unique(b.names)
	if err := b.check(); err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current folder: %w", err)
	}
	if b.root, err = contractRoot(look.New(host.Here()), ""); err != nil {
		return nil, err
	}
	if b.root == "" || b.named() {
		b.root = here
	}
	b.root = filepath.Clean(b.root) // a shell may have said //home or /home/ in PWD
	b.out = filepath.Join(b.root, "build", "cupel")
	if f.out != "" {
		if b.out, err = filepath.Abs(f.out); err != nil {
			return nil, fmt.Errorf("find --out: %w", err)
		}
	}
	if err := b.checkPlaces(); err != nil {
		return nil, err
	}
	var on bool
	if b.store, on = cas.Here(); !on && b.store.Dir != "" {
		b.flags.noCache = true // CUPEL_NO_CACHE
	}
	if wrong := limitIgnored(); wrong != "" && !b.flags.noCache {
		b.say("%s", wrong)
	}
	b.store.Hard = b.store.Hard || f.links
	return b, nil
}

// named: files are named on the command line, and no kernels of the contract.
func (b *building) named() bool { return slices.ContainsFunc(b.names, isSource) }

// isSource: a word that names a file for nvcc. A kernel has no such name, or the file is meant.
func isSource(word string) bool {
	switch strings.ToLower(filepath.Ext(word)) {
	case ".cu", ".c", ".cc", ".cpp", ".cxx", ".ptx":
		return true
	}
	return false
}

// onlyDots: a file without a stem that could be a folder: ...cu.
func onlyDots(file string) bool {
	return strings.Trim(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), ".") == ""
}

func (b *building) check() error {
	f := b.flags
	if err := f.sensible(b.cmd.Flags()); err != nil {
		return err
	}
	mixed := b.named() && !slices.ContainsFunc(b.names, func(n string) bool { return !isSource(n) })
	switch {
	case slices.Contains(b.names, ""):
		return usage("one of the names is empty: name files (cupel build k.cu) or kernels of the contract, or none for all of them")
	case b.named() && !mixed:
		return usage("name files or kernels of the contract, not both: %s", strings.Join(b.names, " "))
	case !b.named() && (len(f.kinds)+len(f.includes)+len(f.defines)+len(b.nvcc) > 0 || f.name != ""):
		return usage("--kind, --name, --include, --define and options behind -- belong to files that are named here; the contract has its own")
	case f.name != "" && !contract.IsName(f.name):
		return usage("--name %s: it becomes a folder, so write letters, digits, and _ . + - between them", f.name)
	case f.name == "" && b.named() && onlyDots(b.names[0]):
		return usage("%s gives its kernel no name: --name says one", b.names[0])
	case f.memory != "" && cas.Size(f.memory) == 0:
		return usage("--memory %s is no size: write 8G or 500M", f.memory)
	case f.snapshot != "" || f.host != "":
		return usage("kernels are built on this machine: --snapshot and --host have no place here")
	}
	for _, k := range f.kinds {
		if !slices.Contains(kinds, k) {
			return usage("--kind %s: choose from %s", k, strings.Join(kinds, ", "))
		}
	}
	for _, d := range f.defines {
		if !contract.IsDefine(d) {
			return usage("--define %s: write NAME or NAME=VALUE", d)
		}
	}
	if at := contract.Decided(b.nvcc); at >= 0 {
		return usage("%s is decided by cupel: --arch, --kind and --out say it", b.nvcc[at])
	}
	return b.checkEmits()
}

func (b *building) checkEmits() error {
	stdout := 0
	for _, text := range b.flags.emit {
		name, file, given := strings.Cut(text, "=")
		if !slices.Contains(emit.Formats, name) {
			return usage("--emit %s: choose from %s", name, strings.Join(emit.Formats, ", "))
		}
		if given && file == "" {
			return usage("--emit %s: no file is named; without = it goes to stdout", text)
		}
		if file == "-" {
			return usage("--emit %s: write --emit %s, which goes to stdout; a file of that name is ./-", text, name)
		}
		if file == "" {
			stdout++
		}
		b.emits = append(b.emits, emission{name, file})
	}
	if stdout > 1 || stdout == 1 && b.as == "json" {
		return usage("stdout takes one answer: give --emit a file, as in --emit cmake=kernels.cmake")
	}
	return nil
}

func (b *building) say(text string, args ...any) {
	fmt.Fprintf(b.cmd.ErrOrStderr(), "cupel build: "+text+"\n", args...)
}

// request is what the plan depends on besides files: what was asked for, the environment, this program.
func (b *building) request() digest.Digest {
	h := digest.NewHash()
	f := b.flags
	h.Field("cupel", Version, runtime.GOOS, runtime.GOARCH)
	h.Field("names", b.names...)
	h.Field("nvcc", b.nvcc...)
	h.Field("root", b.root)
	h.Field("out", b.out)
	for _, list := range [][]string{f.archs, f.kinds, f.includes, f.defines, f.pythons, f.conda} {
		h.Field("list", list...)
	}
	h.Field("flags", f.toolkit, f.compiler, f.name, fmt.Sprint(f.resources))
	h.Field("environment", settled(os.Environ())...)
	return h.Sum()
}

// settled is the environment without what differs from shell to shell and decides nothing.
func settled(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains([]string{"_", "SHLVL", "OLDPWD", "COLUMNS", "LINES", "WINDOWID", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CARGO_MAKEFLAGS"}, name)
	})
	slices.Sort(env)
	return env
}

// machineWord is what the plan takes from the machine beside files of a disk: the driver and the GPUs that are there.
func machineWord() digest.Digest {
	h := digest.NewHash()
	for _, file := range []string{"/proc/driver/nvidia/version", "/proc/self/cgroup"} {
		text, _ := os.ReadFile(file)
		h.Field(file, string(text))
	}
	for _, dir := range []string{"/proc/driver/nvidia/gpus", "/dev"} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if dir != "/dev" || strings.HasPrefix(e.Name(), "nvidia") || e.Name() == "dxg" {
				h.Field(dir, e.Name())
			}
		}
	}
	return h.Sum()
}

// onDisk leaves out what the kernel makes up: its stamps tell nothing. A project may lie in a file system in memory.
func (b *building) onDisk(paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool {
		if below(b.root, p) || below("/dev/shm", p) {
			return false
		}
		made := slices.ContainsFunc([]string{"/proc", "/sys", "/dev", "/run"}, func(top string) bool { return below(top, p) })
		return made || p == "" || p == "/"
	})
}

// below: a path is a folder or lies in it.
func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
