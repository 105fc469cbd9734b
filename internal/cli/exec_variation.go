package cli

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/host"
	"cupel/internal/review"
	"cupel/internal/trial"
	"cupel/internal/verify"
)

// variation is one build of a set: its words, and the config as which it is run.
type variation struct {
	review.Try
	config contract.Config
}

// words are what is run: a line goes through the shell.
func (v variation) words() []string {
	switch {
	case len(v.config.Command.Argv) > 0:
		return v.config.Command.Argv
	case runtime.GOOS == "windows":
		return []string{"cmd.exe", "/d", "/s", "/c", v.config.Command.Line}
	}
	return []string{"/bin/sh", "-c", v.config.Command.Line}
}

// variations are those of --try, then those of --config, each with a name of its own.
func variations(cmd *cobra.Command, args []string, f execFlags) ([]variation, error) {
	var all []variation
	for _, text := range f.tries {
		t, err := review.ParseTry(text)
		if err != nil {
			return nil, usageError{err}
		}
		if len(t.Command) == 0 {
			t.Command = args
		}
		if len(t.Command) == 0 {
			return nil, usage("--try %q has no command, and none stands behind --", t.Name)
		}
		c := contract.Config{Name: t.Name, Env: t.Env}
		c.Command.Argv = t.Command
		all = append(all, variation{t, c})
	}
	configs, err := wantedConfigs(cmd, f)
	if err != nil {
		return nil, err
	}
	for _, c := range configs {
		all = append(all, variation{review.Try{Name: c.Name, Env: c.Env}, c})
	}
	seen := map[string]bool{}
	for _, v := range all {
		if seen[v.Name] {
			return nil, usage("two variations are called %q", v.Name)
		}
		seen[v.Name] = true
	}
	return all, nil
}

// wantedConfigs are the rows of the contract that --config names.
func wantedConfigs(cmd *cobra.Command, f execFlags) ([]contract.Config, error) {
	if len(f.configs) == 0 {
		return nil, nil
	}
	w, err := needWorkspace(cmd, host.Here(), "")
	if err != nil {
		return nil, err
	}
	if slices.Contains(f.configs, "all") {
		if len(w.contract.Configs) == 0 {
			return nil, usage("--config all: %s has no [[config]]", w.contract.File)
		}
		return w.contract.Configs, nil
	}
	var out []contract.Config
	for _, name := range f.configs {
		i := slices.IndexFunc(w.contract.Configs, func(c contract.Config) bool { return c.Name == name })
		if i < 0 {
			var have []string
			for _, c := range w.contract.Configs {
				have = append(have, c.Name)
			}
			return nil, usage("no [[config]] of %s is called %q%s", w.contract.File, name, suggest(name, have, "cupel exec --config all"))
		}
		out = append(out, w.contract.Configs[i])
	}
	return out, nil
}

// request is a variation as package trial runs it, or why it cannot be run here.
func (x *execution) request(v variation) (trial.Request, string) {
	c := x.choice
	dir := c.root
	if here, err := os.Getwd(); dir == "" && err == nil {
		dir = here
	}
	if len(v.Command) > 0 { // of --try: it runs where cupel was called
		dir, _ = os.Getwd()
	}
	req := trial.Request{Config: v.config, Dir: dir, Base: x.environment(os.Environ()), Env: map[string]string{}, GPUs: c.machine.GPUs, Stubs: trial.StubDirs(c.toolkit)}
	facts := environ.Facts{Machine: c.machine, Compiler: c.compiler, Root: c.root, Toolkit: &c.toolkit}
	if c.contract != nil {
		platform, _ := verify.PlatformOf(c.machine, "")
		if len(v.Command) == 0 && !platform.Wanted(v.config.On, v.config.ExcludeOn) {
			return req, "the contract has it for other platforms"
		}
		r := c.contract.For(platform)
		facts.Archs, facts.Arch = environ.Archs(c.machine, c.toolkit, r), r.Contract.Arch
	}
	if trial.Need(v.config) == "none" {
		hide := trial.HideFrom(c.machine, trial.ContractVars(c.contract)...)
		req.Hide, req.Base = &hide, os.Environ()
		facts.Toolkit = nil
	}
	for _, name := range slices.Sorted(maps.Keys(v.config.Env)) {
		text := v.config.Env[name]
		if len(v.Command) == 0 { // of a contract: it may be a template
			var missing []string
			if text, missing = facts.Fill(name, text); len(missing) > 0 {
				return req, fmt.Sprintf("%s has no value here: %s", name, strings.Join(missing, ", "))
			}
		}
		req.Env[name] = text
	}
	req.Base = slices.DeleteFunc(req.Base, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(v.Unset, func(u string) bool {
			return u == name || c.machine.System.OS == "windows" && strings.EqualFold(u, name)
		})
	})
	return req, ""
}
