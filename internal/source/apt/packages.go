package apt

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/child"
	"cupel/internal/pattern"
	"cupel/internal/resolve"
)

// Package is one version of a package, as the lists describe it.
type Package struct {
	Name, Version, Section string
	File                   string // base name on the mirror
	SHA256                 string
	Size                   resolve.Size
}

// Show looks packages up, by name or name=version: every version that the lists have, newest first. One that they do
// not have is missing from the answer.
func (s State) Show(ctx context.Context, names ...string) (map[string][]Package, error) {
	out := map[string][]Package{}
	if len(names) == 0 {
		return out, nil
	}
	r, err := s.run(ctx, s.machine.cache, append([]string{"show", "--"}, names...)...)
	var failed child.Failed
	if err != nil && !errors.As(err, &failed) {
		return nil, fmt.Errorf("look packages up: %w", err)
	}
	// apt-cache ends with 100 when it knows one of the names not, or when it knows nothing at all.
	if err != nil && !strings.Contains(r.Stderr, "No packages found") && !strings.Contains(r.Stderr, "Unable to locate") && !strings.Contains(r.Stderr, "not found") {
		return nil, fmt.Errorf("look packages up: %w", err)
	}
	for _, p := range parsePackages(r.Stdout) {
		if !slices.ContainsFunc(out[p.Name], func(q Package) bool { return q.Version == p.Version }) {
			out[p.Name] = append(out[p.Name], p)
		}
	}
	return out, nil
}

var hex256 = pattern.New(`^[0-9a-f]{64}$`)

// parsePackages reads stanzas of a Packages file. One without a file to fetch (what is only installed) or without a
// checksum that could be compared is left out.
func parsePackages(text string) []Package {
	var out []Package
	for _, stanza := range stanzas(text) {
		var p Package
		for _, f := range stanza {
			switch f.name {
			case "Package":
				p.Name = f.value
			case "Version":
				p.Version = f.value
			case "Section":
				p.Section = f.value
			case "Filename":
				p.File = path.Base(f.value)
			case "SHA256":
				p.SHA256 = strings.ToLower(f.value)
			case "Size":
				p.Size.Download = count(f.value, 1)
			case "Installed-Size":
				p.Size.Installed = count(f.value, 1024)
			}
		}
		if p.Name != "" && p.Version != "" && strings.HasSuffix(p.File, ".deb") && hex256.MatchString(p.SHA256) {
			out = append(out, p)
		}
	}
	return out
}

func count(s string, unit int64) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > 1<<50/unit {
		return 0
	}
	return n * unit
}

// Parcel is the package as a thing to fetch. A key names the state that has it.
func (p Package) Parcel(key, component string, brings []string) resolve.Parcel {
	parcel := resolve.Parcel{
		Component: component, Brings: brings, Name: p.Name, Version: p.Version, File: p.File,
		Place: key + ":" + p.Name + "=" + p.Version, SHA256: p.SHA256, Size: p.Size, Format: resolve.Deb,
	}
	if area, _, ok := strings.Cut(p.Section, "/"); ok && (area == "non-free" || area == "multiverse") {
		parcel.License = data.LicenseOf(component)
	}
	return parcel
}

// Step is one line of a simulated install.
type Step struct {
	Name, New string
	Old       string // the version that is installed; empty: none
}

// inst is a line of apt-get -s: Inst libc6 [2.36-9] (2.36-9+deb12u1 Debian:12.1/oldstable [amd64])
var inst = pattern.New(`^Inst (\S+) (?:\[([^\]]+)\] )?\((\S+) `)

// Simulate asks apt what installing packages would bring, beside what is installed.
func (s State) Simulate(ctx context.Context, names ...string) ([]Step, error) {
	r, err := s.run(ctx, s.machine.get, append([]string{"-s", "-q", "-o", "Debug::NoLocking=1", "--no-install-recommends", "install", "--"}, names...)...)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", strings.Join(names, " "), err)
	}
	return parseSteps(r.Stdout), nil
}

func parseSteps(text string) []Step {
	var out []Step
	for line := range strings.Lines(text) {
		if m := inst.FindStringSubmatch(line); m != nil {
			name, _, _ := strings.Cut(m[1], ":") // libc6:amd64
			out = append(out, Step{Name: name, Old: m[2], New: m[3]})
		}
	}
	return out
}

// Names lists the packages whose names begin so.
func (s State) Names(ctx context.Context, prefix string) ([]string, error) {
	r, err := s.run(ctx, s.machine.cache, "pkgnames", "--", prefix)
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	return strings.Fields(r.Stdout), nil
}
