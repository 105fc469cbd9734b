package rule_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"cupel/data"
	"cupel/internal/doctor"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/review"
	"cupel/internal/rule"
)

const (
	rulesDir = "../../testdata/rules"
	hostsDir = "../../testdata/hosts"
)

// judge probes a recorded host and judges it, as the doctor does.
func judge(t *testing.T, path string, head map[string]string) []finding.Finding {
	t.Helper()
	h, err := host.LoadFile(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	helper := "cupel-gpu"
	if head["helper"] == "none" {
		helper = ""
	}
	m, p := probe.Survey(context.Background(), h, probe.Options{Helper: helper})
	return doctor.Judge(m, p, doctor.Options{NeedGPU: head["need"] == "gpu"}).Findings
}

// header reads the "key: value" lines at the top of a fixture.
func header(t *testing.T, path string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, line := range strings.Split(string(txtar.Parse(b).Comment), "\n") {
		if key, value, ok := strings.Cut(line, ": "); ok && !strings.Contains(key, " ") {
			out[key] = strings.TrimSpace(value)
		}
	}
	return out
}

// TestEveryRule proves probe and rule together: each rule fires in its own recorded host, with the severity the
// fixture expects, and stays silent in the near miss the fixture names.
func TestEveryRule(t *testing.T) {
	for _, r := range rule.All() {
		t.Run(r.ID, func(t *testing.T) {
			path := filepath.Join(rulesDir, r.ID+".txtar")
			head := header(t, path)
			all := judge(t, path, head)
			f := find(all, r.ID)
			if f == nil {
				t.Fatalf("%s does not fire in %s", r.ID, path)
			}
			if again := judge(t, path, head); !cmp.Equal(all, again) {
				t.Errorf("the same machine is judged in two ways: %s", cmp.Diff(all, again))
			}
			for _, f := range all {
				if f.Severity == finding.Error && f.CausedBy == "" && len(f.Next) == 0 {
					t.Errorf("the error %s has no next step", f.ID)
				}
			}
			if f.CausedBy != "" {
				t.Errorf("%s is silenced by %s in its own host", r.ID, f.CausedBy)
			}
			if want := head["severity"]; want == "" || string(f.Severity) != want {
				t.Errorf("%s has severity %q, the fixture wants %q", r.ID, f.Severity, want)
			}
			if f.What == "" || f.Why == "" {
				t.Errorf("%s says too little: %+v", r.ID, *f)
			}
			if want := head["says"]; want == "" || !strings.Contains(f.What+"\n"+f.Where+"\n"+f.Why, want) {
				t.Errorf("%s does not say %q: %s | %s | %s", r.ID, want, f.What, f.Where, f.Why)
			}
			silent(t, r.ID, head)
		})
	}
}

func silent(t *testing.T, id string, head map[string]string) {
	t.Helper()
	name := head["silent"]
	if name == "" {
		t.Fatalf("the fixture of %s names no host in which it stays silent", id)
	}
	path := filepath.Join(hostsDir, name+".txtar")
	if strings.HasPrefix(name, "rules/") {
		path = filepath.Join(rulesDir, strings.TrimPrefix(name, "rules/")+".txtar")
	}
	if f := find(judge(t, path, map[string]string{"need": head["need"]}), id); f != nil {
		t.Errorf("%s fires in %s: %s", id, name, f.What)
	}
}

func find(all []finding.Finding, id string) *finding.Finding {
	for i := range all {
		if all[i].ID == id {
			return &all[i]
		}
	}
	return nil
}

// TestNoStrayFixture finds fixtures and pages whose rule is gone.
func TestNoStrayFixture(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range rule.All() {
		ids[r.ID] = true
	}
	paths, err := filepath.Glob(filepath.Join(rulesDir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, p := range paths {
		// A near miss of its own is called ID.silent.txtar.
		if id := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p), ".txtar"), ".silent"); !ids[id] {
			t.Errorf("%s belongs to no rule", p)
		}
	}
}

// TestTopics: every rule and every cause that a log can show has a page that names it, says why and how to mend it,
// and gives its sources.
func TestTopics(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range rule.All() {
		ids[r.ID] = true
	}
	for _, l := range data.Labels() {
		ids[l.Label] = l.Label != "project-known" // its page is the contract
	}
	for _, id := range review.IDs() {
		ids[id] = true
	}
	for id, wants := range ids {
		if !wants {
			continue
		}
		t.Run(id, func(t *testing.T) {
			b, err := data.Files.ReadFile("topics/" + id + ".md")
			if err != nil {
				t.Fatalf("no page: %v", err)
			}
			text := string(b)
			if !strings.HasPrefix(text, "# "+id+"\n") {
				t.Errorf("the page does not begin with %q", "# "+id)
			}
			for _, part := range []string{"\n## Why\n", "\n## What to do\n", "\n## Sources\n"} {
				if !strings.Contains(text, part) {
					t.Errorf("the page has no part %q", strings.TrimSpace(part))
				}
			}
		})
	}
	entries, err := data.Files.ReadDir("topics")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".md"); ok && id != "README" && !ids[id] {
			t.Errorf("topics/%s belongs to no rule and no cause", e.Name())
		}
	}
}

// TestIDs: ids are slugs, each once, and every cause named exists.
func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rule.All() {
		if seen[r.ID] || strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || r.Title == "" {
			t.Errorf("rule %q: the id is not a slug of its own, or the title is missing", r.ID)
		}
		seen[r.ID] = true
	}
	for _, r := range rule.All() {
		for _, c := range r.CausedBy {
			if !seen[c] {
				t.Errorf("rule %s is caused by %q, which does not exist", r.ID, c)
			}
		}
	}
}

// TestCauseOfAnotherToolkit: what is wrong with one toolkit never hides what is wrong with another.
func TestCauseOfAnotherToolkit(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(hostsDir, "h200-server.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	over := "-- host --\nbase = x\n-- tree --\n- /usr/local/cuda-13.0/nvvm/bin/cicc\n"
	h, err := host.Parse([]byte(over), func(string) ([]byte, error) { return b, nil })
	if err != nil {
		t.Fatal(err)
	}
	m, p := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
	f := find(doctor.Judge(m, p, doctor.Options{}).Findings, "toolkit-incomplete")
	if f == nil || f.CausedBy != "" || f.Severity != finding.Error {
		t.Errorf("the active toolkit lacks cicc, beside one that is libraries only: %+v", f)
	}
}
