package apt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Machine is the distribution and where its packages come from.
type Machine struct {
	Distribution string   // debian, ubuntu
	Codenames    []string // bookworm; of a derivative also its parent's
	entries      []entry  // the distribution's own, its main archive first
	get, cache   string
	helper       string
}

// archives are the names under which a distribution's packages lie on a mirror.
var archives = map[string][]string{
	"debian": {"debian", "debian-security"},
	"ubuntu": {"ubuntu", "ubuntu-ports"},
}

// aliases are names of suites that are not code names.
var aliases = map[string][]string{"debian": {"stable", "oldstable", "testing", "unstable", "sid"}}

const helperPlace = "/usr/lib/apt/apt-helper"

func readMachine(root string) (Machine, error) {
	var m Machine
	var err error
	if m.get, err = program("apt-get"); err != nil {
		return m, err
	}
	if m.cache, err = program("apt-cache"); err != nil {
		return m, err
	}
	m.helper = helperPlace
	release, err := os.ReadFile(filepath.Join(root, "/etc/os-release"))
	if err != nil {
		return m, unreachable("the distribution cannot be told: "+err.Error(), "")
	}
	m.Distribution, m.Codenames = distribution(string(release))
	if m.Distribution == "" {
		return m, unreachable("this is neither Debian nor Ubuntu, nor made from them", "")
	}
	all, err := readSources(filepath.Join(root, "/etc/apt"))
	if err != nil {
		return m, unreachable("the package sources cannot be read: "+err.Error(), "")
	}
	m.entries = m.ours(all)
	if len(m.entries) == 0 {
		return m, unreachable("no package source of "+m.Distribution+" is configured, so no mirror is known", "")
	}
	return m, nil
}

// distribution reads os-release: Debian or Ubuntu, or what a derivative is made from.
func distribution(text string) (id string, codenames []string) {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name] = strings.Trim(value, `"'`)
	}
	for _, word := range append([]string{values["ID"]}, strings.Fields(values["ID_LIKE"])...) {
		if archives[word] != nil {
			id = word
			break
		}
	}
	for _, name := range []string{"VERSION_CODENAME", "UBUNTU_CODENAME", "DEBIAN_CODENAME"} {
		if v := values[name]; v != "" && !slices.Contains(codenames, v) {
			codenames = append(codenames, v)
		}
	}
	return id, codenames
}

// readSources reads every file of sources in both forms.
func readSources(etc string) ([]entry, error) {
	var out []entry
	files := []string{filepath.Join(etc, "sources.list")}
	parts, err := os.ReadDir(filepath.Join(etc, "sources.list.d"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, p := range parts {
		files = append(files, filepath.Join(etc, "sources.list.d", p.Name()))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case strings.HasSuffix(file, ".sources"):
			out = append(out, parseDeb822(string(text))...)
		case strings.HasSuffix(file, ".list"):
			out = append(out, parseOneLine(string(text))...)
		}
	}
	return out, nil
}

// ours keeps the distribution's own sources: the archive has its name or is signed with its keys, the suite has its code
// name (or an alias), and main is a component; others' repositories lack at least one of these. The main archive stands
// first.
func (m Machine) ours(all []entry) []entry {
	var out []entry
	for _, e := range all {
		named := slices.Contains(archives[m.Distribution], archive(e.uri())) || e.signedBy(m.Distribution+"-archive-")
		if !named || !slices.Contains(e.components, "main") {
			continue
		}
		if suites := slices.DeleteFunc(slices.Clone(e.suites), func(s string) bool { return !m.mine(s) }); len(suites) > 0 {
			e.suites = suites
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return m.rank(a) - m.rank(b) })
	if len(out) > 0 && m.rank(out[0]) > 0 {
		return nil // security or updates alone are no archive
	}
	return out
}

// mine: bookworm, bookworm-updates, bookworm-security, stable.
func (m Machine) mine(suite string) bool {
	base, _, _ := strings.Cut(suite, "-")
	base, _, _ = strings.Cut(base, "/") // buster/updates
	return slices.Contains(m.Codenames, base) || slices.Contains(aliases[m.Distribution], base)
}

func (m Machine) rank(e entry) int {
	if slices.ContainsFunc(e.suites, func(s string) bool { return !strings.ContainsAny(s, "-/") }) {
		return 0
	}
	return 1
}

// own is the entry of the main archive.
func (m Machine) own() entry { return m.entries[0] }

// suiteOf is the main suite of an entry.
func (m Machine) suiteOf(e entry) string {
	for _, s := range e.suites {
		if !strings.ContainsAny(s, "-/") {
			return s
		}
	}
	return e.suites[0]
}
