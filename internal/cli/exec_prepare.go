package cli

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"cupel/internal/call"
	"cupel/internal/environ"
	"cupel/internal/host"
	"cupel/internal/mend"
	"cupel/internal/mend/choose"
	"cupel/internal/mirror"
	"cupel/internal/probe/look"
	"cupel/internal/record"
)

// execution is one environment in which commands are run and recorded.
type execution struct {
	cmd     *cobra.Command
	flags   execFlags
	choice  chosenEnv
	store   record.Store
	passing bool // the store is a folder that goes with this program
	mirror  mirror.Plan
	shims   bool        // calls are recorded
	set     environ.Set // with the mirror in the place of the toolkit, when they are
	mend    mend.Plan
	fixes   []string
}

// newExecution decides and makes the environment. Where no shim can be put in front, it says so and goes on: a build that
// is not recorded is better than none.
func newExecution(cmd *cobra.Command, f execFlags) (*execution, error) {
	c, err := chooseEnv(cmd, f.envFlags)
	if err != nil {
		return nil, err
	}
	x := &execution{cmd: cmd, flags: f, choice: c, set: c.set}
	if err := x.planFixes(); err != nil {
		return nil, err
	}
	home := look.CupelHome(look.New(host.Here()))
	if home == "" {
		x.unrecorded("there is no place for them, neither CUPEL_HOME nor a home folder is known")
		return x, nil
	}
	x.store = record.Store{Dir: filepath.Join(home, "runs")}
	return x, x.putShim(home)
}

// putShim makes the mirror and lets the environment lead to it.
func (x *execution) putShim(home string) (err error) {
	program := besides("cupel-nvcc")
	if program == "" {
		x.unrecorded("cupel-nvcc lies neither beside this program nor in CUPEL_HOME/bin")
		return nil
	}
	c := x.choice
	if x.mirror, err = mirror.For(c.machine, c.toolkit, home, mirror.Options{Tools: x.flags.tools, Set: c.set}); err != nil {
		if unknown := (*mirror.UnknownTool)(nil); errors.As(err, &unknown) {
			err = usageError{unknown}
		}
		return err
	}
	if err := mirror.Make(x.cmd.Context(), x.mirror, program); err != nil {
		if x.cmd.Context().Err() != nil {
			return errInterrupted
		}
		x.unrecorded(err.Error())
		return nil
	}
	if _, err := exec.LookPath(x.mirror.Nvcc); err != nil {
		// A folder that is mounted without the right to run programs in it.
		x.unrecorded(fmt.Sprintf("programs in CUPEL_HOME cannot be run: %v", err))
		return nil
	}
	x.shims, x.set = true, x.mirror.Redirect(c.set)
	if warning := x.mirror.Warning(); warning != "" {
		x.note("%s", warning)
	}
	return nil
}

// unrecorded goes on without the shim, and says what that costs.
func (x *execution) unrecorded(why string) {
	x.note("calls are not recorded: %s", why)
	if len(x.fixes) > 0 {
		x.note("--fix has no effect: repairs are made where calls are recorded")
		x.fixes = nil
	}
}

func (x *execution) planFixes() error {
	if len(x.flags.fix) == 0 {
		return nil
	}
	wanted := x.flags.fix
	if slices.Contains(wanted, "all") {
		wanted = choose.Names()
	}
	var notes []string
	var err error
	x.mend, notes, err = choose.For(x.choice.machine, x.choice.toolkit, x.choice.compiler, wanted)
	x.fixes = wanted
	for _, n := range notes {
		if x.flags.verbose {
			x.note("%s", n)
		}
	}
	return err
}

// environment is what the command gets, the way to the run apart.
func (x *execution) environment(old []string) []string {
	env := x.set.Apply(asMap(old))
	// cupel itself, called by the build, means the same toolkit and not the mirror that it finds first on PATH.
	env["CUPEL_TOOLKIT"] = x.choice.toolkit.Home()
	if x.flags.noCache {
		env["CUPEL_NO_CACHE"] = "1" // read by package cas, in the shim
	}
	maps.DeleteFunc(env, func(name, _ string) bool { return call.OfExec(name) }) // of an exec around this one
	return asList(env)
}

// given are the variables that exec set, as far as they may be written down.
func (x *execution) given() map[string]string {
	out := map[string]string{}
	for _, v := range x.set.Vars {
		if !call.Secret(v.Name, v.Value) {
			out[v.Name] = v.Value
		}
	}
	return out
}
