package msvc

import (
	"context"
	"slices"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

var (
	anyName = pattern.New(`.`)
	// product lines are years up to 2022 and plain numbers since (18 is Visual Studio 2026)
	lineName    = pattern.New(`^\d{2}(\d{2})?$`)
	editionName = pattern.New(`(?i)^(BuildTools|Community|Professional|Enterprise|Preview|Insiders)$`)
)

// instances asks the installer's records first, then the usual folders (an instance can outlive its record),
// then vswhere.
func instances(ctx context.Context, at *look.At) []fact.VisualStudio {
	var out []fact.VisualStudio
	seen := newSet(at.Path)
	for _, vs := range slices.Concat(recorded(at), inFolders(at)) {
		if seen.add(vs.Path) {
			out = append(out, vs)
		}
	}
	if len(out) == 0 {
		out = askVswhere(ctx, at)
	}
	slices.SortStableFunc(out, func(a, b fact.VisualStudio) int { return number(b.Version).Compare(number(a.Version)) })
	return out
}

// number reads a version leniently; what is no number sorts last.
func number(text string) version.V {
	if v, err := version.Parse(text); err == nil {
		return v
	}
	v, _ := version.Find(text)
	return v
}

// recorded reads what the Visual Studio installer keeps about each instance.
func recorded(at *look.At) []fact.VisualStudio {
	dir := at.Path.Join(folder(at, "ProgramData", `C:\ProgramData`), `Microsoft\VisualStudio\Packages\_Instances`)
	var out []fact.VisualStudio
	for _, instance := range at.List(dir, anyName) {
		file := at.Path.Join(instance, "state.json")
		text, err := at.ReadFile(file)
		if err != nil {
			at.Note("Visual Studio instance", file, err)
			continue
		}
		vs, err := parseState(text)
		if err != nil {
			at.Note("Visual Studio instance", file, err)
			continue
		}
		// The record of a removed instance can stay behind; it is told, and it is not complete.
		vs.Complete = vs.Complete && at.IsDir(vs.Path)
		vs.Source = file
		out = append(out, vs)
	}
	return out
}

// inFolders looks where the installer puts instances when nothing is said.
func inFolders(at *look.At) []fact.VisualStudio {
	var out []fact.VisualStudio
	for _, files := range programFiles(at) {
		for _, line := range at.List(at.Path.Join(files, "Microsoft Visual Studio"), lineName) {
			for _, dir := range at.List(line, editionName) {
				if at.IsDir(at.Path.Join(dir, "VC")) || at.IsDir(at.Path.Join(dir, "Common7")) {
					out = append(out, fact.VisualStudio{
						Path: dir, Name: "Visual Studio " + at.Path.Base(dir) + " " + at.Path.Base(line),
						Source: "folder " + dir,
					})
				}
			}
		}
	}
	return out
}

// askVswhere starts a process: the last resort, for records in a place only the installer knows.
func askVswhere(ctx context.Context, at *look.At) []fact.VisualStudio {
	program := at.Path.Join(programFiles(at)[1], `Microsoft Visual Studio\Installer\vswhere.exe`)
	if !at.IsFile(program) {
		return nil
	}
	text, err := at.Ask(ctx, program, "-products", "*", "-format", "json", "-utf8", "-include", "packages")
	if err != nil {
		at.Note("Visual Studio instances", program, err)
		return nil
	}
	out, err := parseVswhere([]byte(text))
	at.Note("Visual Studio instances", program, err)
	for i := range out {
		out[i].Source = program
	}
	return out
}
