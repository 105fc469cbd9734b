package remedy

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/verify"
)

// TestPlansDeliver: for every example on every recorded host, the machine that a plan promises passes the checks that
// its steps say they fix, and the steps stand in the order in which they work.
func TestPlansDeliver(t *testing.T) {
	for _, file := range glob(t, "..", "..", "testdata", "hosts", "*.txtar") {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		h, err := host.LoadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, p := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
		platform, err := verify.PlatformOf(m, "")
		if err != nil {
			continue // no contract can be judged there
		}
		for _, example := range glob(t, "..", "..", "examples", "*", "cupel.toml") {
			in := verify.Input{Contract: read(t, example), Machine: m, Project: p, Platform: platform, Version: "test"}
			t.Run(filepath.Base(filepath.Dir(example))+" on "+name, func(t *testing.T) { delivers(t, in) })
		}
	}
}

func glob(t *testing.T, parts ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(parts...))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files, %v", parts, len(files), err)
	}
	return files
}

func read(t *testing.T, path string) *contract.Contract {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, wrong := contract.Parse("cupel.toml", text)
	if len(wrong) > 0 {
		t.Fatalf("%s: %s", path, wrong[0].What)
	}
	return c
}

// delivers searches as Plan does, and looks at the machine of the cheapest goal.
func delivers(t *testing.T, in verify.Input) {
	t.Helper()
	now := failing(verify.Judge(in), false)
	if len(now) == 0 || slices.ContainsFunc(now, func(c verify.Check) bool { return c.ID == "platform" }) {
		return
	}
	s := newSearch(in, now)
	goals := s.run(false)
	if len(goals) == 0 {
		return // a conflict; TestConflictIsMinimal is about those
	}
	n := goals[0]
	r := s.plan(n)
	inWorkingOrder(t, r)
	left := s.judge(after(n))
	for _, step := range r.Steps {
		for _, id := range step.Fixes {
			if byHandOnly(n, id) {
				continue
			}
			if i := slices.IndexFunc(left, func(c verify.Check) bool { return c.ID == id }); i >= 0 {
				t.Errorf("step %s says that it fixes %s, which still fails: %s", step.ID, id, left[i].What)
			}
		}
		if len(step.Fixes) == 0 && step.Why == "" {
			t.Errorf("step %s fixes nothing and does not say why it is there", step.ID)
		}
	}
}

// after is the machine with every step done.
func after(n *node) verify.Input {
	in := n.in
	for _, e := range n.extras {
		if e.apply != nil {
			e.apply(&in)
		}
	}
	in.Machine.Env = inShell(in.Machine.Env, environment(n))
	return in
}

// byHandOnly: what a person does by a finding's own advice, or as the contract says, is not made up.
func byHandOnly(n *node, id string) bool {
	return settledBy(id) == "advice" || settledBy(id) == "env" || slices.ContainsFunc(n.extras, func(e extra) bool { return e.apply == nil && slices.Contains(e.Fixes, id) })
}

// inWorkingOrder: a compiler before the toolkit, Python before pip, a driver after everything that is installed.
func inWorkingOrder(t *testing.T, r Route) {
	t.Helper()
	gives := map[string]string{}
	for _, w := range data.Ways() {
		gives[w.ID] = w.Gives
	}
	place := func(is func(Step) bool) int { return slices.IndexFunc(r.Steps, is) }
	of := func(what string) int { return place(func(s Step) bool { return gives[s.ID] == what }) }
	pip := place(func(s Step) bool { return strings.Contains(strings.Join(s.Commands, " "), "pip install") })
	python := place(func(s Step) bool { return slices.Contains(s.Fixes, "component-python") })
	for _, tt := range []struct {
		name          string
		first, second int
	}{
		{"the compiler before the toolkit", of("compiler"), of("toolkit")},
		{"Python before pip", python, pip},
		{"the toolkit before the driver", of("toolkit"), of("driver")},
		{"components before the driver", of("component"), of("driver")},
		{"the driver before the environment", of("driver"), place(func(s Step) bool { return s.ID == "env" })},
	} {
		if tt.first >= 0 && tt.second >= 0 && tt.first > tt.second {
			t.Errorf("%s: steps %d and %d", tt.name, tt.first+1, tt.second+1)
		}
	}
}

// TestPromises: what a made-up component is judged as.
func TestPromises(t *testing.T) {
	for _, name := range data.AllRemedies().Order {
		in := verify.Input{Machine: machine(fact.Linux, "debian", "13", "amd64")}
		addComponent(name, "", parsed(fact.Of("9.9", "")))(&in)
		m := in.Machine
		if len(m.Tools)+len(m.Pythons)+len(m.Libraries) == 0 && !m.Rust.Cargo.Known() {
			t.Errorf("%s leaves nothing on the machine", name)
		}
	}
}
