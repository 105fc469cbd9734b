package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/finding"
	"cupel/internal/lock"
	"cupel/internal/verify"
)

type lockFlags struct {
	contractFlags
	check bool
	force bool
	out   string
}

func lockCommand() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock",
		Short: "Writes what the contract came to (cupel.lock), so that two machines build alike",
		Long: `Writes cupel.lock beside cupel.toml: the release, the compiler in it, the host compiler and the architectures that the
contract comes to on this machine. Each platform has a part of its own; the others are kept as they are. Commit the
file: from then on the locked release is chosen wherever it is installed.

It is made anew from the contract, whatever was locked before. Nothing is written where the toolkit, a part of it or
the host compiler does not meet the contract, or where the cupel.lock that is there cannot be read (--force writes all
the same, and keeps one that cannot be read as cupel.lock.old).

--check writes nothing and says whether the lock still fits the contract and this machine.

Exit code: 0 written, or it fits; 1 it does not fit, or there is nothing good to lock; 2 called wrongly or a contract
that cannot be used; 3 cupel could not do its work.`,
		Example: `  cupel lock
  cupel lock --check                     for CI
  cupel lock --toolkit 12.4              lock this one
  cupel lock --snapshot windows.json     add another machine's platform`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLock(cmd, f) },
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.BoolVar(&f.check, "check", false, "write nothing; say whether the lock fits")
	fs.BoolVar(&f.force, "force", false, "write also what does not meet the contract, and over a lock that cannot be read (kept as cupel.lock.old)")
	fs.StringVar(&f.out, "out", "", "the `FILE` to write or to check (default: cupel.lock beside cupel.toml)")
	formatFlags(cmd, "text", "json")
	_ = cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(verify.As, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// lockAnswer is what the command says.
type lockAnswer struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	File     string            `json:"file"`
	Platform string            `json:"platform"`
	Checked  bool              `json:"checked,omitempty"` // --check: nothing was to be written
	Written  bool              `json:"written"`
	Changed  bool              `json:"changed"`       // what was there before was another
	Old      string            `json:"old,omitempty"` // where a lock that could not be read was kept
	Lock     *lock.Lock        `json:"lock,omitempty"`
}

func runLock(cmd *cobra.Command, f lockFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	if f.check && f.force {
		return usage("--check and --force exclude each other")
	}
	j, broken, err := gatherLock(cmd, f)
	if err != nil {
		return err
	}
	a, err := makeAnswer(cmd, f, j, broken)
	if err != nil {
		return err
	}
	if err := showLock(cmd, a, as); err != nil {
		return err
	}
	if finding.Count(a.Findings, finding.Error) > 0 && !a.Written {
		return codeError(exitFindings)
	}
	return nil
}

// makeAnswer writes or checks. A broken lock that was set aside comes back where nothing was written in its place.
func makeAnswer(cmd *cobra.Command, f lockFlags, j judged, broken aside) (a lockAnswer, err error) {
	path := f.out
	if path == "" {
		path = filepath.Join(j.root, lockFile)
	}
	a = lockAnswer{Format: lock.AnswerFormat, Cupel: Version, Findings: []finding.Finding{}, File: fromHere(path), Checked: f.check,
		Platform: lock.Key(j.input.Platform.Name, j.machine.System.Arch)}
	if broken.path != "" {
		a.Old = fromHere(broken.old)
	} else if path, err = behindLink(path); err != nil {
		return a, err
	}
	if f.check {
		return a, checkLock(j, path, &a)
	}
	err = writeLock(cmd, j, f, cmp.Or(broken.path, path), &a)
	if !a.Written {
		a.Old = ""
		err = errors.Join(err, broken.back())
	}
	return a, err
}

// fromHere names a file as a person in this folder would.
func fromHere(path string) string {
	cwd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(cwd, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}

// checkLock holds the file against contract and machine; the locked release is what verify is to choose.
func checkLock(j judged, path string, a *lockAnswer) error {
	old, _, err := oldLock(path)
	if err != nil {
		return err
	}
	if old == nil {
		a.Findings = append(a.Findings, finding.Finding{ID: "lock-missing", Severity: finding.Error, What: "there is no " + lockFile, Where: a.File,
			Why: "nothing says with what the project is built", Next: []finding.Step{{Command: "cupel lock", Note: "writes it"}}})
		return nil
	}
	j.input.Choice.Lock = old.Release(a.Platform)
	a.Lock = old
	a.Findings = append(a.Findings, lock.Check(a.File, old, j.input, verify.Judge(j.input))...)
	return nil
}

// writeLock resolves anew: what was locked before is no wish of the contract.
func writeLock(cmd *cobra.Command, j judged, f lockFlags, path string, a *lockAnswer) error {
	j.input.Choice.Lock = ""
	ans := verify.Judge(j.input)
	a.Findings = append(a.Findings, unlockable(ans)...)
	made := lock.Make(j.input, ans)
	if len(made.Platforms) == 0 && len(a.Findings) == 0 {
		a.Findings = append(a.Findings, nothingToLock(a, ans))
	}
	if len(made.Platforms) == 0 || len(a.Findings) > 0 && !f.force {
		return nil
	}
	g := guard{patience: 15 * time.Second, quiet: time.Second, tell: func(format string, args ...any) {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel lock: "+format+"\n", args...)
	}}
	release, err := g.take(cmd.Context(), path)
	if err != nil {
		return fmt.Errorf("write %s: %w", lockFile, err)
	}
	defer release()
	return mergeInto(path, made, f.force, a)
}

// mergeInto puts the new part beside the others of the file as it is now: another machine's may have come to it
// while this one's was resolved.
func mergeInto(path string, made lock.Lock, force bool, a *lockAnswer) error {
	old, before, err := oldLock(path)
	if force && isBroken(err) {
		a.Old, err = keepOld(path)
		a.Old = fromHere(a.Old)
	}
	if err != nil {
		return err
	}
	merged := made.Merge(old)
	text := lock.Format(merged)
	a.Lock, a.Changed = &merged, !bytes.Equal(text, before)
	if a.Changed {
		if err := replaceLock(path, text); err != nil {
			return fmt.Errorf("write %s: %w", lockFile, err)
		}
	}
	a.Written = true
	return nil
}

// nothingToLock: a contract without demands on the toolkit has no check that fails where there is none.
func nothingToLock(a *lockAnswer, ans verify.Answer) finding.Finding {
	why := ans.Chosen.Reason
	if t := ans.Chosen.Toolkit; t != nil {
		why = "the release of the toolkit in " + t.Root + " could not be read"
	}
	return finding.Finding{ID: "lock-nothing", Severity: finding.Error, What: "there is nothing to lock for " + a.Platform, Where: a.File,
		Why: cmp.Or(why, "no toolkit was found"), Next: []finding.Step{{Command: "cupel doctor", Note: "shows which toolkits were found, and what is wrong"}}}
}

// unlockable are the failed checks that make a lock worthless: it would carry what is wrong to every machine.
func unlockable(ans verify.Answer) []finding.Finding {
	var out []finding.Finding
	for _, c := range ans.Findings {
		if c.Status == verify.Fail && c.CausedBy == "" && verify.Match([]string{"toolkit-present", "toolkit-band", "toolkit-components", "host-*", "arch-toolkit"}, c.ID) {
			out = append(out, c.Finding)
		}
	}
	return out
}

func showLock(cmd *cobra.Command, a lockAnswer, as string) error {
	out := cmd.OutOrStdout()
	if as == "json" {
		return writeJSON(out, a)
	}
	style := styleFor(out)
	for _, f := range a.Findings {
		fmt.Fprint(out, style.Finding(f), "\n")
	}
	_, err := fmt.Fprint(out, lockText(a))
	return err
}

// lockText says in a few lines what was done and what is locked.
func lockText(a lockAnswer) string {
	bad := finding.Count(a.Findings, finding.Error) > 0
	verdict := map[bool]string{true: "does not fit", false: "fits"}[bad]
	switch {
	case a.Written && a.Changed:
		verdict = "written"
	case a.Written:
		verdict = "was right already"
	case !a.Checked:
		return a.File + ": not written\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", a.File, verdict)
	if a.Old != "" {
		fmt.Fprintf(&b, "the one that was there could not be read; it is now %s\n", a.Old)
	}
	if a.Lock == nil {
		return b.String()
	}
	for _, key := range slices.Sorted(maps.Keys(a.Lock.Platforms)) {
		lockLines(&b, key, a.Lock.Platforms[key])
	}
	return b.String()
}

func lockLines(b *strings.Builder, key string, p lock.Platform) {
	fmt.Fprintf(b, "  %-14s CUDA %s", key, p.Toolkit.Release)
	if p.Toolkit.Nvcc != "" {
		fmt.Fprintf(b, " (nvcc %s, %s)", p.Toolkit.Nvcc, p.Toolkit.Source)
	}
	if p.Host != nil {
		fmt.Fprintf(b, ", %s %s", p.Host.Family, p.Host.Version)
	}
	if p.Arch != nil {
		fmt.Fprintf(b, ", %s", strings.Join(p.Arch.Targets, " "))
	}
	fmt.Fprintln(b)
}
