package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/depot"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/verify"
)

func toolkitList() *cobra.Command {
	var f machineFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "The toolkits that are here: installed by cupel and found on the machine",
		Long: `Lists the toolkits that cupel installed, also those for other platforms, the roots that were registered with it, and
every other toolkit of this machine; then the compilers and libraries that cupel brought. * is the chosen one (the one
that builds here), > the active one (the first nvcc on PATH).

Exit code: 0, also when there is none; 3 cupel could not do its work.`,
		Example: `  cupel toolkit list
  cupel toolkit list --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runList(cmd, f) },
	}
	f.add(cmd.Flags())
	_ = cmd.Flags().MarkHidden("snapshot")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runList(cmd *cobra.Command, f machineFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	m, active, chosen, err := chosenHere(cmd, f)
	if err != nil {
		return err
	}
	d := depotHere()
	a := render.ToolkitList{Format: "cupel.toolkit.list/1", Cupel: Version, Findings: []finding.Finding{}, Home: d.Home, Toolkits: []render.ListedToolkit{}, Others: []render.ListedOther{}}
	if err := listDepot(d, &a); err != nil {
		return err
	}
	listMachine(m, &a)
	for i := range a.Toolkits {
		t := &a.Toolkits[i]
		t.Active = active.Toolkit != nil && t.Root == active.Root
		if t.Chosen = chosen.Toolkit != nil && t.Root == chosen.Root; t.Chosen {
			t.Reason = chosen.Reason
		}
	}
	a.Findings = append(a.Findings, listFindings(a, chosen)...)
	out := cmd.OutOrStdout()
	if as == "json" {
		return writeJSON(out, a)
	}
	_, err = io.WriteString(out, styleFor(out).ToolkitList(a))
	return err
}

// listFindings: a choice that names nothing, and folders that cannot be read.
func listFindings(a render.ToolkitList, chosen choice.Pick) []finding.Finding {
	var out []finding.Finding
	if chosen.Toolkit == nil && chosen.By == choice.ByProject {
		out = append(out, finding.Finding{ID: "choice-not-installed", Severity: finding.Warning, What: "the toolkit that this project chose is not here", Where: choiceFile, Why: chosen.Reason,
			Next: []finding.Step{{Command: "cupel toolkit use --unset", Note: "takes the choice back"}}})
	}
	for _, t := range a.Toolkits {
		if t.Name != "" && t.Broken != "" {
			out = append(out, notAsLeft(t.Name, t.Root, t.Broken))
		}
	}
	for _, o := range a.Others {
		if o.Broken != "" {
			out = append(out, notAsLeft(o.Name, o.Path, o.Broken))
		}
	}
	return out
}

func notAsLeft(name, where, why string) finding.Finding {
	return finding.Finding{ID: "toolkit-unreadable", Severity: finding.Warning, What: name + " is not as cupel left it", Where: where, Why: why,
		Next: []finding.Step{{Command: "cupel toolkit remove " + pasted(name) + " --yes", Note: "then install it again"}}}
}

// chosenHere surveys the machine and decides as env does.
func chosenHere(cmd *cobra.Command, f machineFlags) (m fact.Machine, active, chosen choice.Pick, err error) {
	w := wishes(cmd, f)
	g, err := gather(cmd, f, gatherOptions{contract: w.contract})
	if err != nil {
		return m, active, chosen, err
	}
	platform, _ := verify.PlatformOf(g.machine, "")
	asked := w.choices(f.toolkit, g.machine.System, platform)
	asked.Env = g.machine.Env["CUPEL_TOOLKIT"]
	active, chosen = choice.Toolkit(g.machine, asked)
	return g.machine, active, chosen, nil
}

// listDepot lists what cupel installed, for whatever platform.
func listDepot(d depot.Depot, a *render.ToolkitList) error {
	all, err := d.List(depot.Toolkits)
	if err != nil {
		return err
	}
	for _, i := range all {
		a.Toolkits = append(a.Toolkits, listed(i))
	}
	for _, kind := range []string{depot.Compilers, depot.Libraries} {
		all, err := d.List(kind)
		if err != nil {
			return err
		}
		for _, i := range all {
			m := i.Manifest
			path := i.Dir
			if m.Command != "" {
				path += "/" + m.Command
			}
			a.Others = append(a.Others, render.ListedOther{Kind: kind, Name: nameOf(i), Release: m.Release, Source: m.Source, Path: path, Size: m.Size, Broken: brokenText(i)})
		}
	}
	return nil
}

func listed(i depot.Installed) render.ListedToolkit {
	m := i.Manifest
	return render.ListedToolkit{Name: nameOf(i), Release: m.Release, Nvcc: m.Nvcc, Source: m.Source, Platform: platformText(m.Platform), Root: i.Root(),
		Size: m.Size, Cupel: m.Root == "", Foreign: i.Broken == nil && m.Platform != platformHere(), Broken: brokenText(i)}
}

func platformText(p resolve.Platform) string {
	if p.OS == "" {
		return ""
	}
	return p.String()
}

func brokenText(i depot.Installed) string {
	if i.Broken == nil {
		return ""
	}
	return "its manifest cannot be read: " + i.Broken.Error()
}

// listMachine adds the toolkits that cupel did not bring; of a registered one it tells how it came.
func listMachine(m fact.Machine, a *render.ToolkitList) {
	here := resolve.Platform{OS: m.System.OS, Arch: m.System.Arch}
	s := m.System.Paths()
	for _, t := range m.Toolkits {
		i := slices.IndexFunc(a.Toolkits, func(l render.ListedToolkit) bool { return s.Same(l.Root, t.Root) || s.Same(l.Root, t.Home()) })
		if i >= 0 {
			l := &a.Toolkits[i]
			l.Root = t.Root
			l.Nvcc = orText(l.Nvcc, t.Nvcc)
			l.Release = orText(l.Release, t.Release)
			continue
		}
		a.Toolkits = append(a.Toolkits, render.ListedToolkit{Release: orText("", t.Release), Nvcc: orText("", t.Nvcc), Source: t.Origin,
			Platform: here.String(), Root: t.Root, Broken: missingText(t)})
	}
}

func orText(have string, f fact.Fact[string]) string {
	if have == "" && f.Known() {
		return f.Value
	}
	return have
}

func missingText(t fact.Toolkit) string {
	if choice.Complete(t) {
		return ""
	}
	if len(t.Missing) == 0 {
		return "incomplete"
	}
	return "lacks " + strings.Join(t.Missing, ", ")
}
