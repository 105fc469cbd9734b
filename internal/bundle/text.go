package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/call"
)

// record is what call.json holds.
type record struct {
	Format string    `json:"format"`
	Cupel  string    `json:"cupel"`
	ID     string    `json:"id"` // RUN.NUMBER
	Run    call.Run  `json:"run"`
	Call   call.Call `json:"call"`
}

// callJSON is the record without its output, each text of it redacted for itself: a secret in JSON has other quotes around
// it than in an argument.
func (m *maker) callJSON() []byte {
	in, h := m.in, m.hide
	run, c := in.Run, in.Call
	run.Command, run.Dir, run.Project, run.Compiler = h.Words(run.Command), h.String(run.Dir), h.String(run.Project), h.String(run.Compiler)
	run.Toolkit.Root, run.Toolkit.Mirror, run.Name = h.String(run.Toolkit.Root), h.String(run.Toolkit.Mirror), h.String(run.Name)
	run.Tools, run.Set = m.values(run.Tools), m.values(run.Set)
	if run.End != nil {
		end := *run.End
		end.Error, end.Left, end.PassedBy = h.String(end.Error), m.processes(end.Left), m.processes(end.PassedBy)
		run.End = &end
	}
	c.Output = nil
	b := &c.Begin
	b.Path, b.Dir, b.Caller = h.String(b.Path), h.String(b.Dir), h.String(b.Caller)
	b.Args, b.Expanded, b.Used, b.Lost = m.words(b.Args), m.words(b.Expanded), m.words(b.Used), m.words(b.Lost)
	b.Env = call.Diff{Set: m.cudaOnly(b.Env.Set), Unset: b.Env.Unset, Hidden: b.Env.Hidden}
	b.Inputs = m.files(b.Inputs)
	b.Changes = slices.Clone(b.Changes)
	for i, change := range b.Changes {
		b.Changes[i].Before, b.Changes[i].After, b.Changes[i].Why = m.words(change.Before), m.words(change.After), h.String(change.Why)
	}
	if c.End != nil {
		end := *c.End
		end.Error, end.Outputs = h.String(end.Error), m.files(end.Outputs)
		c.End = &end
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record{Format, in.Version, in.ID, run, c}); err != nil {
		return []byte(err.Error() + "\n")
	}
	return text.Bytes()
}

// words keeps nil as it is: it has a meaning in a record.
func (m *maker) words(list []string) []string {
	if list == nil {
		return nil
	}
	return m.hide.Words(list)
}

func (m *maker) values(set map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range set {
		out[name] = m.hide.String(value)
	}
	return out
}

func (m *maker) files(list []call.File) []call.File {
	out := slices.Clone(list)
	for i := range out {
		out[i].Path = m.hide.String(out[i].Path)
	}
	return out
}

func (m *maker) processes(list []call.Process) []call.Process {
	out := slices.Clone(list)
	for i, p := range out {
		out[i].Path, out[i].Args, out[i].Dir, out[i].Parent = m.hide.String(p.Path), m.words(p.Args), m.hide.String(p.Dir), m.hide.String(p.Parent)
	}
	return out
}

// cudaOnly leaves the variables that cupel's table knows and that hold nothing private.
func (m *maker) cudaOnly(set map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range set {
		if m.in.shows(name) {
			out[name] = m.hide.String(value)
		}
	}
	return out
}

// shows: only variables of cupel's table are told. A name that is not there may be a secret.
func (in Input) shows(name string) bool {
	row, known := data.VariableByName(name, in.Run.OS)
	return known && !row.Private
}

func (m *maker) command() string {
	c := m.in.Call
	var b strings.Builder
	fmt.Fprintf(&b, "folder:  %s\nprogram: %s\n", c.Begin.Dir, c.Begin.Path)
	for _, a := range m.hide.Words(c.Argv()) {
		fmt.Fprintf(&b, "  %s\n", a)
	}
	if c.Begin.Expanded != nil || c.Begin.Used != nil {
		b.WriteString("as the build called it:\n")
		for _, a := range m.hide.Words(c.Begin.Args) {
			fmt.Fprintf(&b, "  %s\n", a)
		}
	}
	fmt.Fprintf(&b, "ended:   %s\nrun:     %s\n", ended(c), strings.Join(m.hide.Words(m.in.Run.Command), " "))
	return b.String()
}

// told is a value, or that there is none.
func told(value string) string { return cmp.Or(value, "(not told)") }

func ended(c call.Call) string {
	if c.End == nil {
		return "not recorded"
	}
	return c.End.Words()
}

// environment tells the variables that matter, those first that the call had other than the run.
func (m *maker) environment() string {
	var b strings.Builder
	in := m.in
	others := 0
	own := func(name string) bool { _, ok := in.Call.Begin.Env.Set[name]; return ok }
	for _, part := range []struct {
		title string
		want  bool
	}{{"# the call had them other than the run", true}, {"# of the run", false}} {
		fmt.Fprintln(&b, part.title)
		for _, name := range slices.Sorted(maps.Keys(in.Env.Values)) {
			switch {
			case own(name) != part.want:
			case !m.in.shows(name):
				others++
			default:
				fmt.Fprintf(&b, "%s=%s\n", name, in.Env.Values[name])
			}
		}
	}
	for _, name := range in.Call.Begin.Env.Unset {
		if m.in.shows(name) {
			fmt.Fprintf(&b, "# the call did not have %s, which the run has\n", name)
		}
	}
	fmt.Fprintf(&b, "# %d others, and %d whose names look like secrets, are left out\n", others, len(in.Env.Hidden))
	return b.String()
}

func (m *maker) readme() string {
	in := m.in
	var b strings.Builder
	fmt.Fprintf(&b, "# A compiler call that cupel recorded: %s\n\n", in.ID)
	fmt.Fprintf(&b, "Made by cupel %s on %s/%s. Toolkit: CUDA %s, nvcc %s. The call ended: %s.\n\n", in.Version, in.System.OS, in.System.Arch,
		told(in.Run.Toolkit.Release), told(in.Run.Toolkit.Nvcc), ended(in.Call))
	b.WriteString("Names of people and machines and whatever looks like a secret were replaced (`user`, `host`, `***`), in sources too.\n\n| file | holds |\n|---|---|\n")
	for _, p := range m.parts {
		fmt.Fprintf(&b, "| `%s` | %s |\n", p.Name, p.What)
	}
	b.WriteString(`
## To run it by hand

Install the toolkit that is named above. A preprocessed source has the device's side and needs no headers; this makes the
PTX that the call made of it (add the call's own -arch or -gencode and device options):

    nvcc -ptx -x cu -D__CUDA_RUNTIME_H__ preprocessed/NAME.ii

The macro keeps nvcc from including cuda_runtime.h once more. For the host's side take the arguments of command.txt, the files of
sources/ and their headers, and the variables of environment.txt that name no path of the other machine.

On the machine where it was recorded: ` + "`cupel replay " + in.ID + "`" + `
`)
	return string(m.hide.Text([]byte(b.String())))
}
