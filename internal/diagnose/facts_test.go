package diagnose

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/signature"
	"cupel/internal/testbed"
)

func readFacts(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testbed.Repo(t), "testdata", "facts", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// notShipped reads the rows of the fact base that no signature covers, each with its reason.
func notShipped(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testbed.Repo(t), "testdata", "facts", "not-shipped.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if id, why, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			out[id] = why
		}
	}
	return out
}

// TestErrorRows: every row of the fact base is covered by the signature that names it, which claims the row's
// example, or is listed as not shipped with a reason. What was read in a source, a log or a document may only be
// left out where it is no failure.
func TestErrorRows(t *testing.T) {
	var facts struct {
		Diagnostics []struct{ ID, Stage, Severity, Example, Verified string }
	}
	readFacts(t, "errors.json", &facts)
	covers := map[string][]*signature.Signature{}
	for _, s := range signature.All() {
		for _, row := range s.Rows {
			covers[row] = append(covers[row], s)
		}
	}
	left, set := notShipped(t), whole(t)
	for _, row := range facts.Diagnostics {
		by, why := covers[row.ID], left[row.ID]
		switch {
		case len(by) == 0 && why == "":
			t.Errorf("row %s (%s, %s) is neither covered nor listed as not shipped: %s", row.ID, row.Verified, row.Stage, row.Example)
		case len(by) > 0 && why != "":
			t.Errorf("row %s is covered by %s and listed as not shipped", row.ID, by[0].ID)
		case len(by) == 0 && row.Verified != "known" && row.Severity == "error":
			t.Errorf("row %s is a failure verified as %s and not shipped: %s", row.ID, row.Verified, why)
		case len(by) > 0 && !claimed(answer(t, set, row.Example, ""), by):
			t.Errorf("row %s: its example %q is told as %s", row.ID, row.Example, told(answer(t, set, row.Example, "")))
		}
		delete(covers, row.ID)
		delete(left, row.ID)
	}
	for id := range covers {
		t.Errorf("signature %s covers %q, which is no row", covers[id][0].ID, id)
	}
	for id := range left {
		t.Errorf("not-shipped.txt names %q, which is no row", id)
	}
}

// claimed: one of the signatures tells the cause, or has seen it where it is none.
func claimed(a Answer, by []*signature.Signature) bool {
	return slices.ContainsFunc(by, func(s *signature.Signature) bool {
		return len(a.Findings) > 0 && a.Findings[0].ID == s.ID || noted(a.Wrappers, s.ID) || noted(a.Noticed, s.ID)
	})
}

// TestTroubleshootingRows: the messages of real setup pages get the right cause, and never the wrong one that the
// pages tell.
func TestTroubleshootingRows(t *testing.T) {
	var facts struct {
		Rows []struct {
			ID, Label, Note string
			Message         []string
			Wrong           string `json:"often_told_wrongly"`
		}
	}
	readFacts(t, "troubleshooting-rows.json", &facts)
	set := whole(t)
	if len(facts.Rows) != 52 {
		t.Errorf("%d rows, want 52", len(facts.Rows))
	}
	for _, row := range facts.Rows {
		for _, message := range row.Message {
			t.Run(row.ID, func(t *testing.T) {
				a := answer(t, set, message, "")
				if got := first(a); !slices.Contains(accepted(row.Label), got) {
					t.Errorf("%q: got %s, want %s", message, told(a), row.Label)
				}
				for _, f := range a.Findings {
					if row.Wrong != "" && strings.Contains(strings.ToLower(f.What+" "+f.Why), strings.ToLower(row.Wrong)) {
						t.Errorf("%q: it tells the wrong cause %q", message, row.Wrong)
					}
				}
			})
		}
	}
}

// accepted are the labels a row allows: "(new label: x)" and "(none of its own …)" are words for people.
func accepted(label string) []string {
	if strings.HasPrefix(label, "(none") {
		return []string{Unknown}
	}
	label = strings.TrimSuffix(strings.TrimPrefix(label, "(new label: "), ")")
	return strings.Split(label, "|")
}
