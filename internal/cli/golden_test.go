package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/cli"
)

const (
	hostsDir  = "../../testdata/hosts"
	goldenDir = "../../testdata/golden"
)

// otherForms lists the machines whose answer is also kept in another form than the text: one of each kind is
// enough, since what is said is the same.
var otherForms = []struct {
	host, form string
	args       []string
}{
	{"ubuntu-l4", "md", []string{"--format", "md"}},
	{"broken-mismatch", "md", []string{"--format", "md"}},
	{"windows-broken", "md", []string{"--format", "md"}},
	{"ubuntu-l4", "consumers", []string{"--consumers"}},
	{"ubuntu-five-toolkits", "consumers", []string{"--consumers"}},
	{"windows-rtx5060ti", "consumers", []string{"--consumers"}},
	{"conda", "consumers", []string{"--consumers"}},
	{"debian-distribution", "consumers", []string{"--consumers"}},
	{"ubuntu-ci", "need-gpu", []string{"--need", "gpu"}},
	{"container-nogpu", "need-gpu", []string{"--need", "gpu"}},
}

// TestGoldenDoctor keeps what a person sees on every recorded machine, notes in full, with the exit code. A
// change of it is read as a diff: run with -update, then read what came out as the user of that machine.
func TestGoldenDoctor(t *testing.T) {
	t.Setenv("CUPEL_TOOLKIT", "")
	for _, name := range hostNames(t) {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", transcript(t, name, "-v"))
		})
	}
	for _, f := range otherForms {
		t.Run(f.host+" "+f.form, func(t *testing.T) {
			golden(t, f.host+"."+f.form+".txt", transcript(t, f.host, f.args...))
		})
	}
}

// TestGoldenJSON keeps which keys the JSON answer has and what every finding of it says about itself, the
// silenced ones too; the values are the text's, and kept there.
func TestGoldenJSON(t *testing.T) {
	t.Setenv("CUPEL_TOOLKIT", "")
	for _, name := range hostNames(t) {
		t.Run(name, func(t *testing.T) {
			stdout, _, code := doctorOn(t, name, "--json")
			golden(t, name+".json.txt", shape(t, stdout)+fmt.Sprintf("exit %d\n", code))
		})
	}
}

func hostNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(hostsDir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded hosts in %s: %v", hostsDir, err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	return names
}

func doctorOn(t *testing.T, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(append([]string{"doctor", "--host", filepath.Join(hostsDir, name+".txtar")}, args...), &out, &errs)
	return out.String(), errs.String(), code
}

// transcript is what a terminal would show: the command, both streams, the exit code.
func transcript(t *testing.T, name string, args ...string) string {
	t.Helper()
	stdout, stderr, code := doctorOn(t, name, args...)
	command := strings.Join(append([]string{"$ cupel doctor --host", name + ".txtar"}, args...), " ")
	return fmt.Sprintf("%s\n%s%sexit %d\n", command, stdout, stderr, code)
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join(goldenDir, file)
	if *update {
		if err := os.MkdirAll(goldenDir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with: go test ./internal/cli -run Golden -update", err)
	}
	// A checkout on Windows may have given the file other line ends.
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s differs (-want +got), if this is right: go test ./internal/cli -run Golden -update\n%s", file, diff)
	}
}

// shape lists the keys of the answer and of its machine, and the findings in a line each.
func shape(t *testing.T, text string) string {
	t.Helper()
	var answer struct {
		Machine  map[string]json.RawMessage
		Findings []struct {
			ID, Severity string
			CausedBy     string `json:"caused_by"`
		}
	}
	var all map[string]json.RawMessage
	for _, into := range []any{&answer, &all} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("not one JSON object: %v\n%.400s", err, text)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "keys: %s\nmachine: %s\n", keysOf(all), keysOf(answer.Machine))
	for _, f := range answer.Findings {
		fmt.Fprintf(&b, "%s %s", f.Severity, f.ID)
		if f.CausedBy != "" {
			fmt.Fprintf(&b, " (caused by %s)", f.CausedBy)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func keysOf(m map[string]json.RawMessage) string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return strings.Join(keys, " ")
}

// TestGoldenComplete finds goldens that no case writes any more: a stale one would never fail.
func TestGoldenComplete(t *testing.T) {
	known := map[string]bool{}
	for _, name := range hostNames(t) {
		known[name+".txt"], known[name+".json.txt"] = true, true
	}
	for _, f := range otherForms {
		known[f.host+"."+f.form+".txt"] = true
	}
	for _, f := range exampleGoldens(t) {
		known[f] = true
	}
	files, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("testdata/golden/%s belongs to no case", f.Name())
		}
	}
}
