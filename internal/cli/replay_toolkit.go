package cli

import (
	"errors"
	"maps"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"cupel/internal/call"
	"cupel/internal/choice"
	"cupel/internal/host"
	"cupel/internal/ospath"
	"cupel/internal/probe/look"
)

// withToolkit puts another toolkit in the place of the recorded one: its program, its environment, and its root where an
// argument leads into the recorded one's.
func (r *rerun) withToolkit(cmd *cobra.Command, text string) error {
	var f envFlags
	var err error
	if f.toolkit, err = meantBy(text); err != nil {
		return err
	}
	c, err := chooseEnv(cmd, f)
	var none noToolkit
	if errors.As(err, &none) {
		return notHere(text, exitUnable)
	}
	if err != nil {
		return err
	}
	tool := r.call.Begin.Tool
	program := programIn(look.New(host.Here()), c.toolkit, tool)
	if program == "" {
		return usage("--with-toolkit: %s has no %s, which is what %s called", choice.Name(c.toolkit), tool, r.id)
	}
	r.program = program
	r.env = c.set.Apply(r.env)
	maps.DeleteFunc(r.env, func(name, _ string) bool { return call.OfExec(name) })
	args, changed := moved(ospath.For(runtime.GOOS), r.args, r.roots(), c.toolkit.Home())
	r.args = args
	r.note("with %s in %s in the place of %s", choice.Name(c.toolkit), c.toolkit.Home(), r.run.Toolkit.Root)
	for _, a := range changed {
		r.note("an argument leads there too: %s", a)
	}
	return nil
}

// roots are the folders that stand for the recorded toolkit.
func (r *rerun) roots() []string {
	var out []string
	for _, root := range []string{r.run.Toolkit.Mirror, r.run.Toolkit.Root} {
		if root == "" {
			continue
		}
		out = append(out, root)
		if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
			out = append(out, real)
		}
	}
	return out
}

// moved puts one root in the place of others wherever an argument has a path below them: /root/include, -I/root/include,
// -Xlinker=-rpath,/root/lib64.
func moved(s ospath.Style, args, from []string, to string) (out, changed []string) {
	for _, a := range args {
		now := a
		for _, root := range from {
			now = s.Replace(now, root, to)
		}
		if now != a {
			changed = append(changed, now)
		}
		out = append(out, now)
	}
	return out, changed
}
