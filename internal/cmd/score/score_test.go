package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/diagnose"
	"cupel/internal/finding"
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const row = `{"id": "a", "os": "wsl", "log": "x", "cause": "no-driver|driver-not-loaded"}`

func TestReadCases(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // id os labels log, or the error
	}{
		{"JSON", map[string]string{"a.json": row}, "a wsl2 no-driver,driver-not-loaded x"},
		{"in the folder cases", map[string]string{"cases/a.json": row, "README.json": "no"}, "a wsl2 no-driver,driver-not-loaded x"},
		{"no id", map[string]string{"b.json": `{"log": "x", "cause": "none"}`}, "b  none x"},
		{"raw", map[string]string{"labels.tsv": "file\tlabels\tnote\nd/a.log\tnone | unknown\tn\n", "d/a.log": "x"}, "d/a.log  none,unknown x"},
		{"raw, Windows line ends and remarks", map[string]string{"labels.tsv": "# r\r\n\r\na.log\tnone\r\n", "a.log": "x"}, "a.log  none x"},
		{"nothing", map[string]string{}, "neither labels.tsv nor JSON"},
		{"not JSON", map[string]string{"a.json": "{"}, "a.json"},
		{"no cause", map[string]string{"a.json": `{"log": "x"}`}, "no log or no cause"},
		{"no labels", map[string]string{"labels.tsv": "a.log\n", "a.log": "x"}, "labels.tsv:1"},
		{"an empty label", map[string]string{"labels.tsv": "a.log\tnone|\n", "a.log": "x"}, "labels.tsv:1"},
		{"no log", map[string]string{"labels.tsv": "a.log\tnone\n"}, "a.log"},
		{"no rows", map[string]string{"labels.tsv": "file\tlabels\tnote\n"}, "labels.tsv: no case"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cases, err := readCases(folder(t, tt.files))
			got := ""
			for _, c := range cases {
				got += strings.Join([]string{c.ID, c.OS, strings.Join(c.Want, ","), string(c.Log)}, " ")
			}
			if err != nil {
				got = err.Error()
			}
			if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if _, err := readCases(filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a folder that is not there is read")
	}
}

// told makes an answer with these labels.
func told(labels ...string) diagnose.Answer {
	var a diagnose.Answer
	for _, l := range labels {
		a.Findings = append(a.Findings, diagnose.Finding{Finding: finding.Finding{Label: l}})
	}
	return a
}

func TestCounts(t *testing.T) {
	var r Result
	for _, c := range []struct {
		want string
		got  []string
	}{
		{"a", []string{"a"}},                // right
		{"a|b", []string{"b", "a"}},         // right
		{"a", []string{"b", "a"}},           // wrong, in the first three
		{"a", []string{"b", "c", "d", "a"}}, // wrong
		{"a", []string{"unknown"}},          // unknown
		{"a", nil},                          // unknown
		{"none", nil},                       // right
		{"none", []string{"a"}},             // wrong
		{"not-cuda", []string{"not-cuda"}},  // right
		{"not-cuda", []string{"unknown"}},   // right: no cause of CUDA was told
		{"not-cuda", []string{"a"}},         // wrong, and a false cause
	} {
		r.add(Case{Want: strings.Split(c.want, "|")}, told(c.got...))
	}
	got := []int{r.Total, r.RightFirst, r.RightTop3, r.Wrong, r.Unknown, r.FalseOnNotCUDA}
	if want := []int{11, 5, 6, 4, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("total, right, top 3, wrong, unknown, false = %v, want %v", got, want)
	}
	if tally := r.Labels["a"]; tally.Total != 6 || tally.RightFirst != 2 {
		t.Errorf("label a: %+v", *tally)
	}
}

// TestKeys: the keys of the JSON answer are promised.
func TestKeys(t *testing.T) {
	var r Result
	r.add(Case{ID: "x", Want: []string{"a"}}, told("b"))
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"total", "right_first", "right_top3", "wrong", "unknown", "false_on_not_cuda", "labels", "cases"} {
		if _, ok := got[key]; !ok {
			t.Errorf("no key %q in %s", key, text)
		}
	}
	if !bytes.Contains(text, []byte(`{"id":"x","want":["a"],"got":["b"]}`)) {
		t.Errorf("the case is told as %s", text)
	}
}
