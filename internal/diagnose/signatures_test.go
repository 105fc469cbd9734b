package diagnose

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/rule"
	"cupel/internal/signature"
)

func whole(t *testing.T) *signature.Set {
	t.Helper()
	set, err := signature.Compile(signature.All())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func answer(t *testing.T, set *signature.Set, text, platform string) Answer {
	t.Helper()
	seen, err := Read(strings.NewReader(strings.TrimPrefix(text, "\n")), set)
	if err != nil {
		t.Fatal(err)
	}
	return Judge(seen, Options{Platform: platform})
}

// TestSignatures refuses a signature that says too little about itself, whose examples are not told as it says,
// or that claims what it must not.
func TestSignatures(t *testing.T) {
	set := whole(t)
	for _, s := range signature.All() {
		t.Run(s.ID, func(t *testing.T) {
			complete(t, s)
			examples(t, set, s)
			misses(t, set, s)
		})
	}
}

// complete checks the parts of a signature.
func complete(t *testing.T, s *signature.Signature) {
	if s.Title == "" || s.Tool == "" || len(s.Source) == 0 || len(s.Patterns) == 0 || len(s.Examples) == 0 || len(s.Near) == 0 {
		t.Errorf("it needs title, tool, source, pattern, example and near-miss")
	}
	if !slices.Contains(signature.Stages, s.Stage) {
		t.Errorf("stage %q is none of %q", s.Stage, signature.Stages)
	}
	if !slices.Contains(signature.Roles, s.Role) {
		t.Errorf("role %q is none of %q", s.Role, signature.Roles)
	}
	silent := s.Role == signature.Wrapper || s.Role == signature.Warning
	if silent != (len(s.Causes) == 0) {
		t.Errorf("a %s has %d causes", s.Role, len(s.Causes))
	}
	if silent && s.Hint == "" {
		t.Errorf("a %s needs a hint", s.Role)
	}
	for _, id := range s.Beats {
		if signature.ByID(id) == nil {
			t.Errorf("beats %q, which is no signature", id)
		}
	}
	if s.Toolkit != "" {
		if _, err := contract.ParseRange(s.Toolkit); err != nil {
			t.Error(err)
		}
	}
	for _, e := range s.Examples {
		knownPlatforms(t, e.Platform)
	}
	knownPlatforms(t, s.Platform...)
	for _, p := range s.Patterns {
		if n := min(1, len(p.Literal)) + min(1, len(p.Regex)) + min(1, p.Code); n != 1 {
			t.Errorf("a pattern needs exactly one of literal, regex and code: %+v", p)
		}
		expr, err := p.Expr()
		if err != nil {
			t.Error(err)
			continue
		}
		compiles(t, expr, p.Unless)
	}
	for _, r := range s.Causes {
		reason(t, r)
	}
}

// reason checks one cause: its label, its page, its words and conditions.
func reason(t *testing.T, r signature.Reason) {
	if !slices.ContainsFunc(data.Labels(), func(l data.Label) bool { return l.Label == r.Label }) {
		t.Errorf("label %q is not in data/labels.toml", r.Label)
	}
	if _, err := fs.Stat(data.Files, "topics/"+r.Label+".md"); err != nil && r.Label != NotCUDA {
		t.Errorf("there is no page data/topics/%s.md", r.Label)
	}
	if r.What == "" || r.Why == "" || len(r.Fixes) == 0 {
		t.Errorf("cause %s needs what, why and a fix", r.Label)
	}
	if strings.HasSuffix(r.What, ".") {
		t.Errorf("cause %s: what ends with a full stop", r.Label)
	}
	for _, id := range r.Rules {
		if !slices.ContainsFunc(rule.All(), func(r rule.Rule) bool { return r.ID == id }) {
			t.Errorf("rule %q is none of the doctor's", id)
		}
	}
	condition(t, r.When)
	for _, f := range r.Fixes {
		condition(t, f.When)
		if f.Command == "" && f.Note == "" {
			t.Errorf("cause %s has an empty fix", r.Label)
		}
	}
}

func condition(t *testing.T, w signature.When) {
	for _, list := range [][]string{w.Log, w.NotLog, w.Above, w.Near, w.NotNear, w.Line, w.NotLine} {
		compiles(t, list...)
	}
	for _, m := range []map[string]string{w.Capture, w.NotCapture} {
		for _, e := range m {
			compiles(t, e)
		}
	}
	knownPlatforms(t, w.Platform...)
	if w.Toolkit != "" {
		if _, err := contract.ParseRange(w.Toolkit); err != nil {
			t.Error(err)
		}
	}
	if !slices.Contains([]string{"", "newer", "dropped", "known"}, w.Arch) {
		t.Errorf("arch %q is none of newer, dropped, known", w.Arch)
	}
	for _, id := range slices.Concat(w.Doctor, w.NotDoctor) {
		if !slices.ContainsFunc(rule.All(), func(r rule.Rule) bool { return r.ID == id || r.Label == id }) {
			t.Errorf("doctor %q is no rule's id or label", id)
		}
	}
}

func knownPlatforms(t *testing.T, names ...string) {
	for _, p := range names {
		if !slices.Contains([]string{"", "linux", "windows", "wsl2", "container", "macos"}, p) {
			t.Errorf("platform %q is not known", p)
		}
	}
}

// TestValueNames: a name in a text is a capture of its signature, a clue, or what the tables and the machine tell: a
// misspelt one would never be filled.
func TestValueNames(t *testing.T) {
	fixed := []string{"first-toolkit", "last-toolkit", "last-installable", "arch-came"}
	for _, c := range data.Clues() {
		fixed = append(fixed, c.Name)
	}
	machine := []string{"machine.toolkit", "machine.root", "machine.lib", "machine.stub", "machine.compiler", "machine.compiler-version", "machine.toolkit-for-arch", "machine.gpu", "machine.capability",
		"machine.arch", "machine.toolkit-for-gpu", "machine.driver", "machine.driver-level", "machine.toolkit-for-driver"}
	check := func(where string, captures []string, texts ...string) {
		for _, m := range names.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
			if !slices.Contains(slices.Concat(fixed, machine, captures), m[1]) {
				t.Errorf("%s: {%s} is no capture and no value", where, m[1])
			}
		}
	}
	for _, s := range signature.All() {
		var captures []string
		for _, p := range s.Patterns {
			if expr, err := p.Expr(); err == nil {
				captures = append(captures, regexp.MustCompile(expr).SubexpNames()...)
			}
		}
		for _, r := range s.Causes {
			check(s.ID, captures, r.What, r.Why)
			for _, f := range r.Fixes {
				check(s.ID, captures, f.Command, f.Note)
			}
		}
	}
	for _, row := range data.Sharpenings() {
		check("sharpen.toml", []string{"arch"}, row.Command, row.Note)
	}
}

// TestBeats: no signature silences itself, by itself or through others: then all of them would be gone.
func TestBeats(t *testing.T) {
	var walk func(from, at string, seen []string)
	walk = func(from, at string, seen []string) {
		for _, next := range signature.ByID(at).Beats {
			if next == from {
				t.Errorf("%s silences itself through %q", from, seen)
				return
			}
			if !slices.Contains(seen, next) {
				walk(from, next, append(seen, next))
			}
		}
	}
	for _, s := range signature.All() {
		walk(s.ID, s.ID, nil)
	}
}

func compiles(t *testing.T, exprs ...string) {
	for _, e := range exprs {
		if _, err := regexp.Compile(e); err != nil {
			t.Error(err)
		}
	}
}

// examples: each is claimed by this signature first, with its label.
func examples(t *testing.T, set *signature.Set, s *signature.Signature) {
	for i, e := range s.Examples {
		a := answer(t, set, e.Text, e.Platform)
		switch {
		case s.Role == signature.Wrapper:
			if !noted(a.Wrappers, s.ID) {
				t.Errorf("example %d is not seen as a wrapper: %v", i+1, a.Wrappers)
			}
			if len(a.Findings) != 1 || a.Findings[0].Label != Unknown {
				t.Errorf("example %d: a wrapper alone tells no cause, got %s", i+1, told(a))
			}
		case s.Role == signature.Warning:
			if !noted(a.Noticed, s.ID) || len(a.Findings) > 0 {
				t.Errorf("example %d: want it noticed and no finding, got %s, noticed %v", i+1, told(a), a.Noticed)
			}
		case len(a.Findings) == 0 || a.Findings[0].ID != s.ID || a.Findings[0].Label != e.Label:
			t.Errorf("example %d: want %s with %s first, got %s", i+1, s.ID, e.Label, told(a))
		}
		for _, f := range a.Findings {
			if names.MatchString(f.What + f.Why) {
				t.Errorf("example %d: a value is missing in %q, %q: give it a default, {name|text}", i+1, f.What, f.Why)
			}
		}
	}
}

// misses: none is claimed by this signature.
func misses(t *testing.T, set *signature.Set, s *signature.Signature) {
	for i, n := range s.Near {
		a := answer(t, set, n.Text, "")
		if n.Why == "" {
			t.Errorf("near miss %d does not say why", i+1)
		}
		for _, f := range a.Findings {
			if f.ID == s.ID {
				t.Errorf("near miss %d is claimed: %s", i+1, told(a))
			}
		}
		if noted(a.Wrappers, s.ID) || noted(a.Noticed, s.ID) {
			t.Errorf("near miss %d is seen by it", i+1)
		}
		if got := first(a); n.Label != "" && got != n.Label {
			t.Errorf("near miss %d: want %s, got %s", i+1, n.Label, told(a))
		}
	}
}

func noted(notes []Note, id string) bool {
	return slices.ContainsFunc(notes, func(n Note) bool { return n.ID == id })
}

func first(a Answer) string {
	if len(a.Findings) == 0 {
		return "none"
	}
	return a.Findings[0].Label
}

func told(a Answer) string {
	var out []string
	for _, f := range a.Findings {
		out = append(out, f.ID+"="+f.Label)
	}
	return strings.Join(out, ", ")
}
