package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/build"
	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/emit"
	"cupel/internal/jobserver"
)

// buildFlags are what cupel build can be told.
type buildFlags struct {
	machineFlags
	compiler string
	archs    []string
	out      string
	kinds    []string
	name     string
	includes []string
	defines  []string

	emit      []string
	jobs      int
	memory    string
	keepGoing bool
	dryRun    bool
	why       bool
	noCache   bool
	links     bool
	resources bool
	timeline  string
	watch     bool
	timeout   time.Duration
	verbose   bool
	quiet     bool
}

func newBuild() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build [KERNEL…|FILE.cu…] [-- NVCC OPTIONS]",
		Short: "Builds kernels: PTX, cubin, fatbin, objects and libraries, incremental and cached",
		Long: `Builds the [[kernels]] of cupel.toml, or files that are named here with the options behind --. What is up to
date stays, what the cache has is placed without starting a compiler, the rest is compiled: the longest first, as
many at once as processors, memory and the job server of make or cargo allow.

A result is looked up by everything it depends on: the options, the bytes of the source and of every header that
any architecture or the host reads, the names that are not there and would be included if they were, nvcc and
its tools, the host compiler, the environment that matters. So the outputs are those of a clean build. A call
with an option that cupel does not know is made each time; --why tells the reason.

Outputs go to build/cupel/KERNEL/, or to KERNEL/ below --out. What an earlier build made there and the contract asks for
no more goes with a build of the whole contract that ends well, unless somebody changed it; --arch and names of
kernels keep everything. --emit tells a build system what was built: cargo (lines for build.rs), rust (constants: PTX as
text, cubins and fatbins as bytes), cmake, cgo, pkg-config, json, depfile, compile-commands. FORMAT=FILE writes a
file, FORMAT alone goes to stdout and the rest to stderr; after a failure nothing is emitted.

Exit code: 0 everything is built, but for kernels that are optional, 1 not so, 2 called wrongly or a contract that cannot
be used, 3 cupel could not do its work, 128+n ended by signal n (130: Ctrl-C; 0 while --watch waits). With 2 and 3
stdout stays empty and stderr has the reason, with --json too; but mistakes in the contract are findings there.`,
		Example: `  cupel build                                    the contract's kernels
  cupel build flash-attn --why                   one of them, and why each step ran
  cupel build k.cu --kind ptx --arch 80,90 -- -O3 --use_fast_math
  cupel build --arch native --resources          for the GPUs here, with registers and spills
  cupel build --emit cargo                       in build.rs (examples/build-rs)
  cupel build --emit compile-commands=compile_commands.json
  cupel build --timeline trace.json              for ui.perfetto.dev or chrome://tracing
  cupel build --watch`,
		ValidArgsFunction: completeKernels,
		RunE:              func(cmd *cobra.Command, args []string) error { return runBuild(cmd, args, f) },
	}
	f.add(cmd)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if err = cmd.Parent().FlagErrorFunc()(cmd, err); strings.HasPrefix(err.Error(), "unknown ") {
			return usage("%v; options for nvcc go behind --: cupel build k.cu -- -O3", err)
		}
		return err
	})
	return cmd
}

func (f *buildFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	f.machineFlags.add(fs)
	f.addWhat(fs)
	fs.StringArrayVar(&f.emit, "emit", nil, "tell a build system: `FORMAT[=FILE]`, one of "+strings.Join(emit.Formats, ", "))
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "calls at once (default: the processors; of those as many as a job server gives)")
	fs.StringVar(&f.memory, "memory", "", "memory that compilers may take together: `SIZE` (8G; default: what is free)")
	fs.BoolVarP(&f.keepGoing, "keep-going", "k", false, "build everything that can be built after a failure")
	fs.BoolVarP(&f.dryRun, "dry-run", "n", false, "say what would be done, and do nothing")
	fs.BoolVar(&f.why, "why", false, "say of each step why it ran, or why its result is not cached")
	fs.BoolVar(&f.noCache, "no-cache", false, "neither ask the cache nor fill it; what is up to date still stays")
	fs.BoolVar(&f.links, "hard-links", false, "place results as read-only hard links into the cache")
	fs.BoolVar(&f.resources, "resources", false, "registers, memory and spills of each kernel, as ptxas tells them")
	fs.StringVar(&f.timeline, "timeline", "", "write what ran when into `FILE`, in Chrome's trace format")
	fs.BoolVarP(&f.watch, "watch", "w", false, "build again whenever a file changes; with --json one answer after the other")
	fs.DurationVar(&f.timeout, "timeout", 0, "stop after this long (no limit unless said)")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "show every step, its compiler call, and what it waits for")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "when all went well, say nothing but what compilers say")
	formatFlags(cmd, "text", "json", "md")
	_ = fs.MarkHidden("snapshot") // refused: kernels are built on this machine
	_ = cmd.RegisterFlagCompletionFunc("emit", cobra.FixedCompletions(emit.Formats, cobra.ShellCompDirectiveNoSpace))
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
}

// addWhat adds the flags that say what is built.
func (f *buildFlags) addWhat(fs *pflag.FlagSet) {
	fs.StringVar(&f.compiler, "host-compiler", "", "the host compiler: a command (g++-12) or a path")
	fs.StringSliceVar(&f.archs, "arch", nil, "architectures instead of the contract's: 86, sm_90a, compute_80, native, all-major, all")
	fs.StringVar(&f.out, "out", "", "folder of the outputs (default: build/cupel in the project, of files named here in the current folder)")
	fs.StringSliceVar(&f.kinds, "kind", nil, "of files named here: ptx, cubin, fatbin, object, static, shared (default: object)")
	fs.StringVar(&f.name, "name", "", "of files named here: the kernel's name (default: the first file's)")
	fs.StringArrayVarP(&f.includes, "include", "I", nil, "of files named here: include `FOLDER`")
	fs.StringArrayVarP(&f.defines, "define", "D", nil, "of files named here: `NAME[=VALUE]`")
}

var kinds = []string{"ptx", "cubin", "fatbin", "object", "static", "shared"}

var errTimeLimit = errors.New("it took longer than --timeout")

func runBuild(cmd *cobra.Command, args []string, f buildFlags) error {
	as, err := format(cmd, "text", "json", "md")
	if err != nil {
		return err
	}
	// Manifests are read, compared and thrown away by the thousand: collecting less often halves what a warm build computes.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	b, err := newBuilding(cmd, args, f, as)
	if err != nil {
		return err
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		b.ctx, cancel = context.WithTimeoutCause(b.ctx, f.timeout, errTimeLimit)
		defer cancel()
		cmd.SetContext(b.ctx) // asking the machine takes time too
	}
	if f.watch {
		return b.watch()
	}
	return b.once()
}

// building is one call of cupel build.
type building struct {
	cmd   *cobra.Command
	ctx   context.Context
	flags buildFlags
	as    string
	names []string // kernels or files
	nvcc  []string // options behind --
	root  string   // folder of cupel.toml, else the current one
	out   string   // whole
	store cas.Store
	emits []emission

	failed   digest.Digest // how the files looked before a watched build that failed
	eachTime digest.Digest // and before one with steps that are made each time
	untold   bool          // what a watched build was to write into files is not written
}

// options are how the engine is told to build.
func (b *building) options() build.Options {
	return build.Options{Store: b.store, NoCache: b.flags.noCache, Jobs: b.flags.jobs, Memory: cas.Size(b.flags.memory), KeepGoing: b.flags.keepGoing, DryRun: b.flags.dryRun}
}

// tokens opens the job server of a build around this one.
func tokens(o *build.Options, say func(string, ...any)) func() {
	server, why := jobserver.Found(os.Environ())
	if why != "" && o.Jobs == 0 {
		o.Jobs = 1 // as make itself does then
		say("the build around this one has a job server that cannot be used, so one call is made at a time (cupel build -j says how many): %s", why)
	}
	if server == nil {
		if o.Jobs == 0 && oneJob(os.Environ()) {
			o.Jobs = 1
		}
		return func() {}
	}
	o.Server = server
	return func() { _ = server.Close() }
}

// oneJob: make -j1 has no job server, and tells its children by its flags alone.
func oneJob(env []string) bool {
	return slices.ContainsFunc(env, func(kv string) bool {
		flags, ok := strings.CutPrefix(kv, "MAKEFLAGS=")
		return ok && slices.Contains(strings.Fields(flags), "-j1")
	})
}

// place is a path as seen from the project.
func (b *building) place(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(b.root, path)
}
