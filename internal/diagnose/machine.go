package diagnose

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/rule"
	"cupel/internal/signature"
)

// Machine is what the doctor knows and says of the machine that is asked. A nil one knows nothing.
type Machine struct {
	doctor.Answer
}

// fires says that the doctor found one of the rules, named by id or label.
func (m *Machine) fires(rules []string) bool {
	return slices.ContainsFunc(m.Findings, func(f finding.Finding) bool { return slices.Contains(rules, f.ID) || slices.Contains(rules, f.Label) })
}

// shown lists what the doctor found that is the same cause: by the label, or by the rules that the cause names.
func (m *Machine) shown(r signature.Reason) []finding.Finding {
	var out []finding.Finding
	for _, f := range m.Findings {
		if f.Severity != finding.Info && (f.ID == r.Label || f.Label == r.Label || slices.Contains(r.Rules, f.ID)) {
			out = append(out, f)
		}
	}
	return out
}

// names says that a rule of just this cause fires: its id is the label, or the cause names it.
func (m *Machine) names(r signature.Reason) bool {
	return slices.ContainsFunc(m.shown(r), func(f finding.Finding) bool { return f.ID == r.Label || slices.Contains(r.Rules, f.ID) })
}

// judges says that the doctor has a rule about just this cause, so that not finding it means something.
func (m *Machine) judges(r signature.Reason) bool {
	return slices.ContainsFunc(rule.All(), func(d rule.Rule) bool {
		on := len(d.On) == 0 || slices.Contains(d.On, m.Machine.System.Platform)
		return on && d.Severity != finding.Info && (d.ID == r.Label || slices.Contains(r.Rules, d.ID))
	})
}

// fits says that the log can be of this machine: what it tells of its platform is not against it.
func (m *Machine) fits(platforms []string) bool {
	if m == nil || len(platforms) == 0 {
		return m != nil
	}
	if slices.Contains(platforms, "wsl2") && m.Machine.System.Platform != fact.WSL2 {
		return false
	}
	os := map[string]string{"darwin": "macos"}[m.Machine.System.OS]
	if os == "" {
		os = m.Machine.System.OS
	}
	return slices.Contains(platforms, os)
}

// platforms are what the machine is: a log that says nothing of its own was made there.
func (m *Machine) platforms() []string {
	if m == nil {
		return nil
	}
	sys := m.Machine.System
	out := traits(map[string]string{"darwin": "macos"}[sys.OS])
	if out[0] == "" {
		out = traits(sys.OS)
	}
	if sys.Platform == fact.WSL2 {
		out = append(out, "wsl2")
	}
	if sys.Container.Known() {
		out = append(out, "container")
	}
	return out
}

// sharpen adds what the machine's facts say: whether the cause is seen here, and what to do here.
func (m *Machine) sharpen(f *Finding, r signature.Reason, values map[string]string) {
	if m == nil {
		return
	}
	found := m.shown(r)
	f.Machine = m.compare(f.Label, values)
	switch {
	case f.Machine != nil:
	case len(found) > 0:
		f.Machine = &Check{State: Confirmed, Text: found[0].What}
	case m.judges(r):
		f.Machine = &Check{State: NotSeen, Text: "cupel doctor finds nothing of the kind here now: the log may be of another machine or an earlier state"}
	}
	var first []finding.Step
	for _, d := range found {
		f.Machine.Rules = append(f.Machine.Rules, d.ID)
		first = append(first, d.Next...)
	}
	first = append(first, localFixes(f.Label, m.platforms(), values)...)
	f.Next = m.merge(first, f.Next)
}

// mostSteps is how many things to do are told.
const mostSteps = 6

// merge puts what holds here before what holds everywhere, each once: one toolkit is installed, and the environment of
// one that is not here is not taken over.
func (m *Machine) merge(first, then []finding.Step) []finding.Step {
	var out []finding.Step
	for _, s := range slices.Concat(first, then) {
		same := func(o finding.Step) bool {
			return o == s || s.Command != "" && o.Command == s.Command || installs(o) && installs(s)
		}
		if !slices.ContainsFunc(out, same) && (len(m.toolkits()) > 0 || !entersToolkit(s)) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		out = then
	}
	return out[:min(len(out), mostSteps)]
}

func installs(s finding.Step) bool { return strings.HasPrefix(s.Command, "cupel toolkit install ") }

func entersToolkit(s finding.Step) bool {
	return strings.HasPrefix(s.Command, "cupel env") || strings.HasPrefix(s.Command, `eval "$(cupel env`)
}

// localFixes are the rows of sharpen.toml whose values this machine has.
func localFixes(label string, platforms []string, values map[string]string) []finding.Step {
	var out []finding.Step
	for _, row := range data.Sharpenings() {
		if slices.Contains(row.Labels, label) && onShell(row.Platform, platforms) && known(row.Command, values) && pasteable(row.Command, values) && known(row.Note, values) {
			out = append(out, finding.Step{Command: fill(row.Command, values), Note: fill(row.Note, values)})
		}
	}
	return out
}

// compare is what the facts say to values that the log names; nil where they say nothing.
func (m *Machine) compare(label string, values map[string]string) *Check {
	switch label {
	case "arch-newer-than-toolkit", "arch-dropped-by-toolkit":
		return m.compareArch(values)
	case "driver-older-than-toolkit", "ptx-newer-than-driver":
		return m.compareDriver(label, values)
	}
	return nil
}

// toolkits are the complete ones, the chosen one first, then the newest.
func (m *Machine) toolkits() []fact.Toolkit {
	var out []fact.Toolkit
	for _, t := range m.Machine.Toolkits {
		if choice.Complete(t) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b fact.Toolkit) int { return choice.Release(b).Compare(choice.Release(a)) })
	if t := m.Chosen.Toolkit; t != nil {
		out = slices.Insert(out, 0, *t)
	}
	return out
}

// words name the machine in one line.
func (m *Machine) words() string {
	sys := m.Machine.System
	parts := []string{sys.Distro.Value.Name}
	if parts[0] == "" {
		parts[0] = sys.OS
	}
	parts[0] += " (" + sys.Platform + ", " + sys.Arch + ")"
	if v := choice.DriverVersion(m.Machine); !v.IsZero() {
		parts = append(parts, "driver "+v.String())
	}
	for _, g := range m.Machine.GPUs {
		parts = append(parts, g.Name)
	}
	if t := m.Chosen.Toolkit; t != nil {
		parts = append(parts, choice.Name(*t))
	} else {
		parts = append(parts, "no toolkit")
	}
	if c := choice.DefaultCompiler(m.Machine); c != nil {
		parts = append(parts, c.Family+" "+c.Version.Value)
	}
	return strings.Join(parts, "; ")
}

// asked tells which machine's facts were used, or why none were.
func (c *Context) asked(opt Options) string {
	switch {
	case opt.Machine == nil:
		return ""
	case c.machine == nil:
		return "not asked: the log was made on " + strings.Join(c.platforms, ", ") + ", and this machine is " + opt.Machine.Machine.System.Platform
	}
	return c.machine.words()
}
