package toolkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/child"
	"cupel/internal/pattern"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// proof is what was seen of a root.
type proof struct {
	nvcc  string // build: 13.0.88
	lines []string
}

// prove looks whether a root can be used: everything is there, and what can be run here answers. Below scratch it makes
// files for a moment; what a kill leaves of them is swept with that folder.
func (i Installer) prove(ctx context.Context, dir, scratch string, plan resolve.Plan) (proof, error) {
	i.Report.Say(progress.Prove, "proving the root")
	p := prover{ctx: ctx, dir: dir, scratch: scratch, plan: plan, compiler: i.Compiler}
	steps := []func() error{p.files}
	if plan.Root != "" { // somebody else's root: it may be laid out in another way
		steps = nil
	}
	if plan.Platform == i.Here {
		steps = append(steps, p.version, p.assemble, p.dryRun)
	} else {
		steps = append(steps, p.foreign)
	}
	for _, do := range steps {
		if err := do(); err != nil {
			return proof{}, err
		}
	}
	return p.proof, nil
}

type prover struct {
	proof
	ctx      context.Context
	dir      string
	scratch  string
	plan     resolve.Plan
	compiler string
}

func (p *prover) say(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

func (p *prover) unproved(step, format string, args ...any) error {
	return Unproved{p.plan, step, fmt.Sprintf(format, args...)}
}

// files looks for what every use of the components needs.
func (p *prover) files() error {
	var missing []string
	all := required(p.plan)
	for _, r := range all {
		if r.find(p.dir, p.plan.Platform) == "" {
			missing = append(missing, r.word+": "+strings.Join(r.patterns(p.plan.Platform), " or "))
		}
	}
	if len(missing) > 0 {
		return p.unproved("look for its parts", "%d of %d files are missing: %s", len(missing), len(all), strings.Join(missing, "; "))
	}
	p.say("%d parts are in their places", len(all))
	return nil
}

var nvccRelease = pattern.New(`release ([0-9.]+), V([0-9.]+)`)

// version asks nvcc itself.
func (p *prover) version() error {
	out, err := p.run("bin/nvcc", "--version")
	if err != nil {
		return p.failed("nvcc --version", out, err)
	}
	m := nvccRelease.FindStringSubmatch(out)
	if m == nil {
		return p.unproved("nvcc --version", "it names no release: %s", out)
	}
	got, gotErr := version.Parse(m[1])
	want, wantErr := version.Parse(p.plan.Release)
	if gotErr != nil || wantErr != nil || got.Short() != want.Short() {
		return p.unproved("nvcc --version", "it is of CUDA %s, want %s", m[1], p.plan.Release)
	}
	p.nvcc = m[2]
	p.say("nvcc %s answers", p.nvcc)
	return nil
}

// kernel is as old as any toolkit that this program installs: every ptxas since CUDA 11.0 takes it.
const kernel = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry proof() { ret; }\n"

// assemble lets ptxas make code; that needs no host compiler.
func (p *prover) assemble() error {
	dir, err := os.MkdirTemp(p.scratch, ".proof-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	in, cubin := filepath.Join(dir, "proof.ptx"), filepath.Join(dir, "proof.cubin")
	if err := os.WriteFile(in, []byte(kernel), 0o644); err != nil {
		return err
	}
	out, err := p.run("bin/ptxas", "-arch=sm_80", in, "-o", cubin)
	if err != nil {
		return p.failed("ptxas of a small kernel", out, err)
	}
	if info, err := os.Stat(cubin); err != nil || info.Size() == 0 {
		return p.unproved("ptxas of a small kernel", "it made no cubin: %s", out)
	}
	p.say("ptxas made a cubin for sm_80")
	return nil
}

// run starts a program of the root, without what the user's environment would add to its options. Its whole output is
// returned in any case.
func (p *prover) run(program string, args ...string) (string, error) {
	path := filepath.Join(p.dir, filepath.FromSlash(program))
	if p.plan.Platform.Windows() {
		path += ".exe"
	}
	r, err := child.Run(p.ctx, child.Command{Path: path, Args: args, Env: plainEnvironment()})
	return strings.TrimSpace(r.Stdout + "\n" + r.Stderr), err
}

// plainEnvironment is this process's own without nvcc's variables (NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, NVCC_CCBIN).
func plainEnvironment() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(strings.ToUpper(v), "NVCC_") {
			out = append(out, v)
		}
	}
	return out
}

// failed tells why a program did not do its work; an end from outside is not the root's fault.
func (p *prover) failed(step, out string, err error) error {
	if p.ctx.Err() != nil {
		return err
	}
	var failed child.Failed
	if errors.As(err, &failed) {
		return p.unproved(step, "it ended with code %d: %s", failed.Result.Code, out)
	}
	return p.unproved(step, "%v%s", err, p.loader())
}
