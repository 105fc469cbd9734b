package cli

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/render"
	"cupel/internal/trial"
	"cupel/internal/verify"
)

// runConfigs runs the smoke configs and adds a check for each to the answer. Each starts from the environment
// cupel itself was started with: nothing leaks from one into the next.
func runConfigs(cmd *cobra.Command, f verifyFlags, j judged, a *verify.Answer) error {
	if f.snapshot != "" || f.host != "" {
		return usage("--build runs commands on this machine: it excludes --snapshot and --host")
	}
	configs := wanted(trial.Smoke(j.contract, j.input.Platform), j.input.Only)
	if len(configs) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel verify: no [[config]] of %s is marked smoke for %s: --build has nothing to run\n", j.contract.File, a.Platform)
	}
	logs, err := logDir(j.root)
	if err != nil {
		return err
	}
	for i, cfg := range configs {
		outcome := verify.Outcome{Name: cfg.Name, Skipped: "stopped at the first failure"}
		if !j.input.FailFast || verify.Passed(a.Findings, false) {
			announce(cmd, "config %d of %d, %s: %s", i+1, len(configs), cfg.Name, cfg.Command.Text())
			outcome = j.run(cmd, f, cfg, logs)
		}
		if cmd.Context().Err() != nil {
			return errInterrupted
		}
		check := verify.ConfigCheck(cfg, outcome, j.contract.At(cfg.Key()+".command"))
		announce(cmd, "config %s: %s %s", cfg.Name, check.Status, cmp.Or(check.Found, check.Why))
		a.Add(check)
	}
	return nil
}

// announce writes one line on stderr, whatever stands in the texts.
func announce(cmd *cobra.Command, format string, args ...any) {
	fmt.Fprintln(cmd.ErrOrStderr(), "cupel verify: "+render.Line(fmt.Sprintf(format, args...)))
}

// wanted leaves out what --only does not name. Checks of another kind alone mean every config.
func wanted(all []contract.Config, only []string) []contract.Config {
	named := slices.DeleteFunc(slices.Clone(all), func(c contract.Config) bool { return !verify.Match(only, verify.ConfigID(c)) })
	if len(only) == 0 || len(named) == 0 {
		return all
	}
	return named
}

// run gives one config its own environment and runs it, or says why it was not run.
func (j judged) run(cmd *cobra.Command, f verifyFlags, cfg contract.Config, logs string) verify.Outcome {
	req := trial.Request{Config: cfg, Dir: j.root, Base: os.Environ(), Env: map[string]string{}, GPUs: j.machine.GPUs, LogDir: logs}
	if f.verbose {
		req.Stdout, req.Stderr = cmd.ErrOrStderr(), cmd.ErrOrStderr()
	}
	facts := environ.Facts{Machine: j.machine, Compiler: j.compiler, Root: j.root}
	if trial.Need(cfg) == "none" {
		hide := trial.HideFrom(j.machine, trial.ContractVars(j.contract)...)
		req.Hide = &hide
	} else {
		t := j.chosenToolkit().Toolkit
		if t == nil {
			return verify.Outcome{Name: cfg.Name, Skipped: "it needs a toolkit, and none is chosen here"}
		}
		r := j.contract.For(j.input.Platform)
		set := environ.For(j.machine, *t, environ.Options{Compiler: j.compiler, NvccCCBin: j.compiler != nil, Contract: &r, Root: j.root})
		req.Base = asList(set.Apply(asMap(os.Environ())))
		req.Stubs = trial.StubDirs(*t)
		facts.Toolkit, facts.Archs, facts.Arch = t, environ.Archs(j.machine, *t, r), r.Contract.Arch
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Env)) {
		text, missing := facts.Fill(name, cfg.Env[name])
		if len(missing) > 0 {
			return verify.Outcome{Name: cfg.Name, Skipped: fmt.Sprintf("%s has no value here: %s", name, strings.Join(missing, ", "))}
		}
		req.Env[name] = text
	}
	return trial.Run(cmd.Context(), req)
}

// logDir holds what the configs wrote; .cupel ignores itself.
func logDir(root string) (string, error) {
	own, dir := filepath.Join(root, ".cupel"), filepath.Join(root, ".cupel", "verify")
	for _, d := range []string{own, dir} {
		if info, err := os.Lstat(d); err == nil && !info.IsDir() {
			return "", fmt.Errorf("keep logs in %s: it is not a folder of its own; a link would lead out of the project", d)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the folder for logs: %w", err)
	}
	return dir, ignoreItself(own)
}

// ignoreItself keeps a folder of cupel's own out of version control. What somebody wrote there is left alone; an
// empty file is what a full disk left.
func ignoreItself(dir string) error {
	file := filepath.Join(dir, ".gitignore")
	if info, err := os.Lstat(file); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return nil
	}
	if err := writeWhole(file, []byte("*\n"), 0o644); err != nil {
		return fmt.Errorf("make .cupel ignore itself: %w", err)
	}
	return nil
}

// asMap leaves out what is no NAME=VALUE. Windows has names that begin with = (the folder of each drive).
func asMap(env []string) map[string]string {
	out := map[string]string{}
	for _, e := range env {
		if e == "" {
			continue
		}
		if at := strings.IndexByte(e[1:], '=') + 1; at > 0 {
			out[e[:at]] = e[at+1:]
		}
	}
	return out
}

func asList(env map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}
