package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/call"
	"cupel/internal/child"
	"cupel/internal/diagnose"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
	"cupel/internal/record"
	"cupel/internal/render"
	"cupel/internal/review"
	"cupel/internal/signature"
	"cupel/internal/verify"
)

// tell judges the run and says how it went: in few words when it went well. Trouble with that costs neither the ending nor
// the command's own exit code.
func (x *execution) tell(r *recording, end call.RunEnd, as string) {
	if r == nil {
		return
	}
	a, err := x.judge(r)
	if err != nil {
		x.note("read the run back: %v", err)
		return
	}
	if x.flags.quiet && end.Code == 0 && end.Error == "" && x.flags.out == "" && as == "text" {
		return
	}
	hide := secretsOf(r.Run.Command, a)
	show := func(out io.Writer) error { return writeExec(out, a, as, x.flags.verbose, hide) }
	// Standard output is the command's.
	if err := writeOut(x.cmd.ErrOrStderr(), x.flags.out, show); err != nil && x.flags.out != "" {
		x.note("%v", err)
		_ = show(x.cmd.ErrOrStderr())
	}
}

// secretsOf replaces what may not be shown in a text: the secrets of this environment and of the command lines, wherever a
// build echoes them.
func secretsOf(command []string, a review.Answer) *strings.Replacer {
	var words []string
	for _, kv := range os.Environ() {
		if name, value, ok := strings.Cut(kv, "="); ok && len(value) >= 6 && call.Secret(name, value) {
			words = append(words, value, "***")
		}
	}
	for _, value := range call.SecretsOf(command) {
		if len(value) >= 4 {
			words = append(words, value, "***")
		}
	}
	return strings.NewReplacer(words...)
}

// writeOut puts a text into a file, or without one where the command's answers go.
func writeOut(where io.Writer, file string, show func(io.Writer) error) error {
	if file == "" {
		return show(where)
	}
	var b strings.Builder
	if err := show(&b); err != nil {
		return err
	}
	if err := writeWhole(file, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write --out: %w", err)
	}
	return nil
}

// writeExec shows the answer. What is meant to be passed on has no passwords of addresses in it.
func writeExec(out io.Writer, a review.Answer, as string, verbose bool, hide *strings.Replacer) error {
	var b strings.Builder
	switch as {
	case "json":
		if err := writeJSON(&b, a); err != nil {
			return err
		}
	case "md":
		b.WriteString(render.ExecMarkdown(a))
	default:
		b.WriteString(styleFor(out).Exec(a, verbose))
	}
	_, err := io.WriteString(out, hide.Replace(child.Mask(b.String())))
	return err
}

// judge reads the run back and decides what is told of it.
func (x *execution) judge(r *recording) (review.Answer, error) {
	ctx := context.WithoutCancel(x.cmd.Context())
	saved, err := x.store.Find(ctx, r.Run.ID)
	if err != nil {
		return review.Answer{}, err
	}
	m := x.machine()
	return judgeRun(ctx, saved, x.choice.project, x.choice.workspace, &m)
}

// machine is what the doctor says of this machine, from the facts that were gathered at the start.
func (x *execution) machine() diagnose.Machine {
	c := x.choice
	platform, _ := verify.PlatformOf(c.machine, "")
	return diagnose.Machine{Answer: doctor.Judge(c.machine, c.project, doctor.Options{
		Version: Version, Choice: c.choices(x.flags.toolkit, c.machine.System, platform), Flags: x.flags.asText(), Contract: c.contract != nil,
	})}
}

// judgeRun reads a saved run and judges it; cupel runs does so too, without a machine.
func judgeRun(ctx context.Context, saved record.Saved, p fact.Project, w workspace, m *diagnose.Machine) (review.Answer, error) {
	set, err := signature.Compile(slices.Concat(signature.OfProject(w.contract), signature.All()))
	if err != nil {
		return review.Answer{}, err
	}
	in := review.Input{Version: Version, Run: saved.Run, Project: p, Set: set, Machine: m}
	if in.Base, err = saved.Env(); err != nil {
		return review.Answer{}, err
	}
	if in.Calls, err = saved.Calls(ctx); err != nil {
		return review.Answer{}, err
	}
	for i, c := range in.Calls {
		if c.Failed() {
			if whole, err := saved.Read(c.Number); err == nil {
				in.Calls[i] = whole
			}
		}
	}
	if log, kept, err := saved.Output(); err == nil && kept {
		in.Log, in.Kept = log.Text(), true
	}
	at := look.New(host.Here())
	if in.Run.End != nil && in.Run.End.Code != 0 {
		in.Saved = cargoSaved(at, in.Run)
		// The build may have written files since the start: a cache that CMake made tells what it took.
		in.Project = project.Survey(ctx, at, in.Run.Dir)
	}
	in.Project = ownCaches(at, in.Run, in.Project)
	return review.Judge(in), nil
}

// buildFolder are the folders in which cargo keeps what build scripts printed: target/debug/build/CRATE-HASH.
var buildFolder = pattern.New(`^.+-[0-9a-f]{16}$`)

// cargoSaved reads what cargo saved of build scripts while the run went on.
func cargoSaved(here *look.At, run call.Run) []review.Saved {
	var out []review.Saved
	for _, target := range cargoTargets(run) {
		for _, profile := range here.List(target, pattern.New(`.`)) {
			for _, dir := range here.List(here.Path.Join(profile, "build"), buildFolder) {
				for _, name := range []string{"stderr", "output"} {
					file := here.Path.Join(dir, name)
					info, err := here.Stat(file)
					if err != nil || info.Dir || info.Size == 0 || info.MTime.Before(run.Began.Add(-time.Second)) {
						continue
					}
					if text, err := head(here, file, savedLimit); err == nil {
						out = append(out, review.Saved{File: file, Text: text})
					}
				}
			}
		}
	}
	return out
}

// cargoTargets are the folders that cargo may have built into: what is said, else target of this folder or one above.
func cargoTargets(run call.Run) []string {
	if dir := os.Getenv("CARGO_TARGET_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(run.Dir, dir)
		}
		return []string{dir}
	}
	for dir := run.Dir; ; dir = filepath.Dir(dir) {
		target := filepath.Join(dir, "target")
		if info, err := os.Stat(target); err == nil && info.IsDir() {
			return []string{target}
		}
		if filepath.Dir(dir) == dir {
			return nil
		}
	}
}
