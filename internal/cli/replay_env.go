package cli

import (
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/call"
	"cupel/internal/finding"
	"cupel/internal/ospath"
	"cupel/internal/render"
)

// needed are the variables that stay with --clean-env: what a compiler needs to find its parts, a place for temporary
// files and, on Windows, the system's and Microsoft's own libraries.
var needed = map[string][]string{
	"linux":  {"PATH", "HOME", "TMPDIR"},
	"darwin": {"PATH", "HOME", "TMPDIR"},
	"windows": {
		"PATH", "PATHEXT", "USERPROFILE", "TMP", "TEMP", "SystemRoot", "windir", "SystemDrive", "ComSpec",
		"INCLUDE", "LIB", "LIBPATH", // cl.exe and link.exe look there
		"ProgramFiles", "ProgramFiles(x86)", "ProgramData", // vswhere.exe, which finds Visual Studio, lies below them
	},
}

// cleaned leaves only what a compiler needs.
func (r *rerun) cleaned() {
	gone := 0
	for name := range r.env {
		if !slices.ContainsFunc(needed[runtime.GOOS], func(n string) bool { return sameName(n, name) }) {
			delete(r.env, name)
			gone++
		}
	}
	r.bare = true
	r.note("%d variables are left out (--clean-env); left: %s", gone, strings.Join(slices.Sorted(maps.Keys(r.env)), ", "))
}

// showDifference tells what this shell's environment has other than the recorded one.
func (r *rerun) showDifference(cmd *cobra.Command, as string) error {
	a := r.difference(call.Keep(os.Environ()))
	out := cmd.OutOrStdout()
	var err error
	switch as {
	case "json":
		return writeJSON(out, a)
	case "md":
		_, err = io.WriteString(out, render.EnvDiffMarkdown(a))
	default:
		_, err = io.WriteString(out, styleFor(out).EnvDiff(a))
	}
	return err
}

// difference compares the recorded environment with another. The mirror's folders stand for the toolkit's own there.
func (r *rerun) difference(here call.Env) render.EnvDiff {
	a := render.EnvDiff{Format: "cupel.replay/1", Cupel: Version, Findings: []finding.Finding{}, Call: r.id, Command: r.shortCommand(), Dir: r.dir, Differences: []render.VarDiff{}}
	there := call.Env{Values: map[string]string{}, Hidden: r.had.Hidden}
	if r.bare {
		there.Hidden = nil
	}
	for name, value := range r.env {
		if !slices.Contains(r.had.Hidden, name) {
			there.Values[name] = r.withoutMirror(value)
		}
	}
	for _, name := range variableNames(there, here) {
		d, same := compareVariable(name, there, here)
		switch {
		case call.OfExec(name), strings.HasPrefix(name, "CUPEL_ENV_"), name == "_":
		case same && d.Hidden:
			a.Unknown = append(a.Unknown, name)
		case same:
			a.Same++
		default:
			a.Differences = append(a.Differences, d)
		}
	}
	slices.SortStableFunc(a.Differences, func(x, y render.VarDiff) int { return rank(x) - rank(y) })
	return a
}

// rank puts first what a tool of CUDA builds reads.
func rank(d render.VarDiff) int {
	switch {
	case d.Matters:
		return 0
	case d.Meaning != "":
		return 1
	}
	return 2
}

// withoutMirror is a value as it would be with the real toolkit in the place of the one with the shim.
func (r *rerun) withoutMirror(value string) string {
	if r.run.Toolkit.Mirror == "" || r.run.Toolkit.Root == "" {
		return value
	}
	return ospath.For(runtime.GOOS).Replace(value, r.run.Toolkit.Mirror, r.run.Toolkit.Root)
}

// variableNames are all names of two environments, sorted; on Windows a name stands once however it is spelt.
func variableNames(a, b call.Env) []string {
	names := slices.Concat(slices.Collect(maps.Keys(a.Values)), a.Hidden, slices.Collect(maps.Keys(b.Values)), b.Hidden)
	slices.SortFunc(names, func(x, y string) int { return strings.Compare(folded(x), folded(y)) })
	return slices.CompactFunc(names, sameName)
}

func folded(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// valueIn finds a variable; hidden: it is set, and its value is not told.
func valueIn(e call.Env, name string) (value string, hidden, ok bool) {
	for n, v := range e.Values {
		if sameName(n, name) {
			return v, false, true
		}
	}
	hidden = slices.ContainsFunc(e.Hidden, func(n string) bool { return sameName(n, name) })
	return "", hidden, hidden
}

// systemKinds are rows that cupel reads for its own reasons: a difference in them makes no other build.
var systemKinds = []string{"system", "cupel", "ci", "container"}

func compareVariable(name string, there, here call.Env) (d render.VarDiff, same bool) {
	d.Name = name
	var inThere, inHere, hiddenThere, hiddenHere bool
	d.Recorded, hiddenThere, inThere = valueIn(there, name)
	d.Here, hiddenHere, inHere = valueIn(here, name)
	d.Hidden = hiddenThere || hiddenHere
	switch {
	case inThere && inHere:
		d.Where = "both"
	case inThere:
		d.Where = "recorded"
	default:
		d.Where = "here"
	}
	row, known := data.VariableByName(name, runtime.GOOS)
	if known {
		d.Meaning, d.Matters = row.Meaning, !slices.Contains(systemKinds, row.Kind)
		for _, reader := range row.Readers {
			d.Readers = append(d.Readers, reader.Tool)
		}
	}
	if d.Where == "both" && !d.Hidden && row.List {
		compareLists(&d)
		return d, len(d.OnlyRecorded)+len(d.OnlyHere) == 0 && !d.Order
	}
	return d, d.Where == "both" && d.Recorded == d.Here
}

// compareLists compares folder by folder. Another order matters as much as another folder: the first nvcc or g++ wins.
func compareLists(d *render.VarDiff) {
	s := ospath.For(runtime.GOOS)
	without := func(list, other []string) (rest, common []string) {
		for _, dir := range list {
			if slices.ContainsFunc(other, func(o string) bool { return s.Same(o, dir) }) {
				common = append(common, s.Key(dir))
			} else {
				rest = append(rest, dir)
			}
		}
		return rest, common
	}
	recorded, here := s.List(d.Recorded), s.List(d.Here)
	var a, b []string
	d.OnlyRecorded, a = without(recorded, here)
	d.OnlyHere, b = without(here, recorded)
	d.OnlyRecorded, d.OnlyHere = once(d.OnlyRecorded), once(d.OnlyHere)
	d.Order = !slices.Equal(once(a), once(b))
}

// once leaves out what stands in a list before.
func once(list []string) []string {
	var out []string
	for _, e := range list {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
