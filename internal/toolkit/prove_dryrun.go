package toolkit

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/child"
	"cupel/internal/pattern"
)

// dryRunSource is compiled in the dry run; nvcc does not read it.
const dryRunSource = "__global__ void proof() {}\n"

// dryRun lets nvcc plan a program: it finds its profile, its parts and a host compiler. The host compiler only answers
// what it is; one that is too new for the release is another matter, and not the toolkit's fault. Neither is a machine
// that has none, or a broken one.
func (p *prover) dryRun() error {
	host := hosts[p.plan.Platform.Windows()]
	compiler := p.compiler
	if compiler == "" {
		found, err := exec.LookPath(host.name)
		if err != nil {
			p.say("dry run left out: no host compiler on PATH")
			return nil
		}
		compiler = found
	}
	dir, err := os.MkdirTemp(p.scratch, ".proof-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	in, plain := filepath.Join(dir, "proof.cu"), filepath.Join(dir, "proof.cpp")
	if err := errors.Join(os.WriteFile(in, []byte(dryRunSource), 0o644), os.WriteFile(plain, nil, 0o644)); err != nil {
		return err
	}
	out, err := p.run("bin/nvcc", "--dryrun", "-ccbin", compiler, in, "-o", filepath.Join(dir, "proof"))
	if err != nil {
		if r, e := child.Run(p.ctx, child.Command{Path: compiler, Args: append(slices.Clone(host.preprocess), plain), Dir: dir}); e != nil && p.ctx.Err() == nil {
			p.say("dry run left out: %s does not work: %s", compiler, strings.TrimSpace(r.Stdout+r.Stderr))
			return nil
		}
		return p.failed("nvcc --dryrun with "+compiler, out, err)
	}
	return p.planned(compiler, out)
}

// hosts are the host compilers of Linux and Windows, and how each reads a file without compiling it.
var hosts = map[bool]struct {
	name       string
	preprocess []string
}{
	false: {"g++", []string{"-E", "-x", "c++"}},
	true:  {"cl.exe", []string{"/nologo", "/E"}},
}

// planned looks at what nvcc would do.
func (p *prover) planned(compiler, out string) error {
	for _, tool := range []string{"cicc", "ptxas", "fatbinary", "cudafe++"} {
		if !strings.Contains(out, tool) {
			return p.unproved("nvcc --dryrun with "+compiler, "it does not call %s: %s", tool, out)
		}
	}
	if err := p.libraries(compiler, out); err != nil {
		return err
	}
	p.say("dry run with %s: %d steps", filepath.Base(compiler), strings.Count(out, "#$ "))
	return nil
}

var libraryFolder = pattern.New(`"(?:-L|/LIBPATH:)([^"]+)"`)

// libraries looks whether the linker would find the runtime where nvcc sends it: the wheels' own layout fails there. A
// root that is only registered may have it anywhere.
func (p *prover) libraries(compiler, out string) error {
	if p.plan.Root != "" {
		return nil
	}
	file := map[bool]string{true: "cudart_static.lib", false: "libcudart_static.a"}[p.plan.Platform.Windows()]
	var folders []string
	for _, m := range libraryFolder.FindAllStringSubmatch(out, -1) {
		if _, err := os.Stat(filepath.Join(m[1], file)); err == nil {
			return nil
		}
		folders = append(folders, m[1])
	}
	return p.unproved("nvcc --dryrun with "+compiler, "the linker would not find %s: it would look in %q", file, folders)
}
