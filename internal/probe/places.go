package probe

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"

	"cupel/data"
	"cupel/internal/consumer"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// maxRounds bounds the questions: each round asks only below places the last one found.
const maxRounds = 8

// places looks at every path a consumer would look at, and at every path a variable or a project file names,
// so that rules and the consumer table can be answered from the snapshot alone.
func places(a *look.At, m *fact.Machine, p fact.Project) {
	m.Places = map[string]fact.Place{}
	m.Globs = map[string][]string{}
	asked := map[string]bool{}
	see := func(path string) {
		if path = a.Path.Clean(path); path == "" || asked[path] || !a.Path.Abs(path) {
			return
		}
		asked[path] = true
		if place, ok := placeAt(a, path); ok {
			m.Places[path] = place
		}
	}
	for _, path := range named(m, p) {
		see(path)
	}
	for _, t := range m.Toolkits {
		for _, how := range t.Found {
			see(how) // the fixed folders are named by their path
		}
	}
	for range maxRounds {
		paths, globs := consumer.Missing(worldOf(m, asked))
		if len(paths)+len(globs) == 0 {
			return
		}
		for _, path := range paths {
			see(path)
			asked[path] = true
		}
		for _, g := range globs {
			m.Globs[g] = glob(a, g)
			for _, path := range m.Globs[g] {
				see(path) // two names of one folder must be told to be one
			}
		}
	}
}

// named lists the paths that variables and project files name.
func named(m *fact.Machine, p fact.Project) []string {
	var out []string
	for name, value := range m.Env {
		switch row, _ := data.VariableByName(name, m.System.OS); row.Kind {
		case "toolkit-root", "compiler", "cudnn":
			out = append(out, value)
		case "library-path":
			out = append(out, m.System.Paths().List(value)...)
		}
	}
	for _, v := range p.Cache {
		out = append(out, v.Value)
	}
	return out
}

func placeAt(a *look.At, path string) (fact.Place, bool) {
	info, err := a.Stat(path)
	if errors.Is(err, fs.ErrNotExist) { // so is a link to nothing
		return fact.Place{}, false
	}
	if err != nil {
		a.Note("what a build would find there", blamed(a, path, err), err)
		return fact.Place{Kind: "unreadable"}, true
	}
	place := fact.Place{Kind: "file", Real: a.RealIfOther(path), Exec: info.Exec && !info.Dir}
	if info.Dir {
		place.Kind = "dir"
	}
	return place, true
}

// blamed is the folder that keeps path from being looked at, so that it is told once and not for each path
// below it.
func blamed(a *look.At, path string, err error) string {
	if !errors.Is(err, fs.ErrPermission) {
		return path
	}
	for dir := a.Path.Dir(path); dir != path; path, dir = dir, a.Path.Dir(dir) {
		if _, err := a.Stat(dir); err == nil {
			return dir
		}
	}
	return path
}

// worldOf is World with what was asked and found absent told apart from what was never asked.
func worldOf(m *fact.Machine, asked map[string]bool) consumer.World {
	w := consumer.FromMachine(*m)
	for path := range asked {
		if _, ok := w.Places[path]; !ok {
			w.Places[path] = consumer.Place{Path: path, Kind: consumer.Absent}
		}
	}
	return w
}

// glob answers a pattern whose only wildcard is * in its last or middle element.
func glob(a *look.At, pattern string) []string {
	out := []string{""}
	for i, elem := range strings.Split(strings.ReplaceAll(pattern, `\`, "/"), "/") {
		var next []string
		for _, dir := range out {
			switch {
			case i == 0:
				next = append(next, elem+a.Path.Separator())
			case !strings.Contains(elem, "*"):
				next = append(next, a.Path.Join(dir, elem))
			default:
				next = append(next, matches(a, dir, elem)...)
			}
		}
		out = next
	}
	var found []string
	for _, p := range out {
		if a.Exists(p) {
			found = append(found, p)
		}
	}
	if found == nil {
		found = []string{}
	}
	return found
}

func matches(a *look.At, dir, elem string) []string {
	if !a.IsDir(dir) {
		return nil
	}
	re := "^" + strings.ReplaceAll(regexp.QuoteMeta(elem), `\*`, ".*") + "$"
	return a.List(dir, pattern.New(re))
}
