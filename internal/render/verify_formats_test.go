package render

import (
	"encoding/json"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupel/internal/finding"
	"cupel/internal/verify"
)

// readJUnit reads a report as a CI server does, and checks that its counts are right.
func readJUnit(t *testing.T, a verify.Answer) junitSuite {
	t.Helper()
	b, err := JUnit(a)
	if err != nil {
		t.Fatal(err)
	}
	var all junitSuites
	if err := xml.Unmarshal(b, &all); err != nil {
		t.Fatalf("not XML: %v\n%s", err, b)
	}
	s := all.Suites[0]
	failures, skipped, names := 0, 0, map[string]bool{}
	for _, c := range s.Cases {
		if c.Failure != nil {
			failures++
		}
		if c.Skipped != nil {
			skipped++
		}
		if names[c.Name] || c.Name == "" || c.Classname == "" {
			t.Errorf("case %q of class %q: no name or one that is used twice", c.Name, c.Classname)
		}
		names[c.Name] = true
	}
	if got, want := []int{all.Tests, all.Failures, s.Tests, s.Failures, s.Skipped, s.Errors}, []int{len(s.Cases), failures, len(s.Cases), failures, skipped, 0}; !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
	return s
}

func TestJUnitStatus(t *testing.T) {
	for _, tt := range []struct {
		name    string
		status  verify.Status
		strict  bool
		failure string
		skipped string
		out     string
	}{
		{"pass", verify.Pass, false, "", "", "what\nwhy: reason"},
		{"fail", verify.Fail, false, "what", "", ""},
		{"warn", verify.Warn, false, "", "", "warning: what\nwhy: reason"},
		{"warn, strict", verify.Warn, true, "what", "", ""},
		{"expected to fail", verify.ExpectedFail, true, "", "", "failed as expected: what\nwhy: reason"},
		{"skipped", verify.Skipped, true, "", "reason (after x)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := verify.Check{Finding: finding.Finding{ID: "id", What: "what", Why: "reason"}, Status: tt.status}
			if tt.status == verify.Skipped {
				c.After = "x"
			}
			got := readJUnit(t, verify.Answer{Project: "p", Strict: tt.strict, Findings: []verify.Check{c}}).Cases[0]
			failure, skipped, out := "", "", ""
			if got.Failure != nil {
				failure = got.Failure.Message
			}
			if got.Skipped != nil {
				skipped = got.Skipped.Message
			}
			if got.Out != nil {
				out = got.Out.Text
			}
			if failure != tt.failure || skipped != tt.skipped || out != tt.out {
				t.Errorf("failure %q, skipped %q, out %q; want %q, %q, %q", failure, skipped, out, tt.failure, tt.skipped, tt.out)
			}
		})
	}
}

func TestJUnitKeepsText(t *testing.T) {
	readJUnit(t, goodAnswer())
	text := readJUnit(t, evilAnswer()).Cases[0].Failure.Text
	for _, want := range []string{"]]>", "<script>x</script>", "&amp;", "</system-out>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is lost in:\n%s", want, text)
		}
	}
}

// TestSARIFRequired: the properties that the schema and GitHub's code scanning require are there and agree.
func TestSARIFRequired(t *testing.T) {
	uri := regexp.MustCompile(`^[A-Za-z0-9._~/:%+,;=@!$&'()*-]+$`)
	for _, a := range []verify.Answer{goodAnswer(), evilAnswer(), {Contract: "cupel.toml"}} {
		b, err := SARIF(a)
		if err != nil {
			t.Fatal(err)
		}
		var log sarifLog
		if err := json.Unmarshal(b, &log); err != nil {
			t.Fatalf("not JSON: %v\n%s", err, b)
		}
		if log.Version != "2.1.0" || log.Schema != sarifSchema || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "cupel" {
			t.Errorf("head of the log: %+v", log)
		}
		run := log.Runs[0]
		for _, r := range run.Results {
			if rule := run.Tool.Driver.Rules[r.RuleIndex]; rule.ID != r.RuleID || rule.Short.Text == "" || rule.Full.Text == "" || rule.Help.Text == "" {
				t.Errorf("result of %s points at rule %+v", r.RuleID, rule)
			}
			if len(r.Locations) != 1 || r.Message.Text == "" || r.Fingerprints["cupelCheck/v1"] == "" || !slices.Contains([]string{"error", "warning"}, r.Level) {
				t.Errorf("result lacks something: %+v", r)
			}
			if at := r.Locations[0].Physical; !uri.MatchString(at.Artifact.URI) || at.Region.StartLine < 1 {
				t.Errorf("place of %s: %+v", r.RuleID, at)
			}
		}
	}
}

func TestSARIFResults(t *testing.T) {
	b, err := SARIF(goodAnswer())
	if err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b, &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	prints := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		got = append(got, r.Level+" "+r.RuleID+" "+r.Locations[0].Physical.Artifact.URI)
		prints[r.Fingerprints["cupelCheck/v1"]] = true
	}
	want := []string{"error host-compiler cupel.toml", "warning env-cuda-home cupel.toml", "error pin-rust ci/Dockerfile", "warning toolkit-mixed cupel.toml", "warning toolkit-mixed cupel.toml", "error config-gpu cupel.toml"}
	if !slices.Equal(got, want) {
		t.Errorf("results\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(prints) != len(want) {
		t.Errorf("%d fingerprints for %d results", len(prints), len(want))
	}
}

// TestFingerprintStays: a contract that grew a line is still the same contract.
func TestFingerprintStays(t *testing.T) {
	at := func(where string) string {
		return fingerprint(verify.Check{Finding: finding.Finding{ID: "driver-floor", Where: where}, Key: "driver.linux"}, "cupel.toml")
	}
	if at("cupel.toml:3:1") != at("cupel.toml:9:5") {
		t.Error("the fingerprint changed with the line")
	}
	if at("/opt/cuda-12") == at("/opt/cuda-13") {
		t.Error("two roots have one fingerprint")
	}
}

func TestSARIFText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"placeholder", "set {toolkit.root} {0}", "set {{toolkit.root}} {{0}}"},
		{"link", "[a](b)", "[a] (b)"},
		{"empty", " ", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sarifText(tt.in).Text; got != tt.want {
				t.Errorf("sarifText(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestPlaceOf(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     place
	}{
		{"line and column", "cupel.toml:3:7", place{"cupel.toml", 3, 7}},
		{"line alone", "sub/Cargo.toml:3", place{"sub/Cargo.toml", 3, 0}},
		{"drive", `C:\p\cupel.toml:3:7`, place{`C:\p\cupel.toml`, 3, 7}},
		{"several", "Cargo.toml:3:1, README.md:9:2", place{"Cargo.toml", 3, 1}},
		{"comma in the name", "a, b.toml:3:1", place{"a, b.toml", 3, 1}},
		{"the contract itself", "x.toml", place{file: "x.toml"}},
		{"sentence", "g++ first on PATH, called by nvcc 12.3.107", place{}},
		{"path", "/usr/local/cuda-12.4", place{}},
		{"address", "http://h:80", place{}},
		{"no file", ":3:1", place{}},
		{"line 0", "cupel.toml:0", place{}},
		{"sign", "cupel.toml:+3", place{}},
		{"nothing", "", place{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := placeOf(tt.in, "x.toml"); got != tt.want {
				t.Errorf("placeOf(%q) = %+v, want %+v", tt.in, got, tt.want)
			}
		})
	}
}

func TestFileURI(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"relative", "sub/cupel.toml", "sub/cupel.toml"},
		{"backslashes", `sub\cupel.toml`, "sub/cupel.toml"},
		{"dot", "./cupel.toml", "cupel.toml"},
		{"blank and percent", "my dir/a%20b.toml", "my%20dir/a%2520b.toml"},
		{"not ASCII", "ü.toml", "%C3%BC.toml"},
		{"question mark and hash", "a?b#c", "a%3Fb%23c"},
		{"colon first", "a:b", "./a:b"},
		{"absolute", "/p q/cupel.toml", "file:///p%20q/cupel.toml"},
		{"drive", `C:\p\cupel.toml`, "file:///C:/p/cupel.toml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fileURI(tt.in); got != tt.want {
				t.Errorf("fileURI(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// githubCommand is what the runner takes for a command (actions/runner, ActionCommand.cs, TryParseV2).
var githubCommand = regexp.MustCompile(`^::(error|warning|notice) ([a-z]+=[^,:]*(?:,[a-z]+=[^,:]*)*)::([^\r\n]*)$`)

// checkGitHub: as many commands as there is to tell, then one plain line.
func checkGitHub(t *testing.T, a verify.Answer) {
	t.Helper()
	want := 1
	for _, c := range shownChecks(a) {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			want++
		}
	}
	if a.Reference != nil && len(a.Reference.Differences) > 0 {
		want++
	}
	text := strings.TrimSuffix(GitHub(a), "\n")
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) != want {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), want, text)
	}
	last := lines[want-1]
	if strings.HasPrefix(last, "::") || strings.Contains(last, "##[") {
		t.Errorf("the last line is a command: %q", last)
	}
	for _, line := range lines[:want-1] {
		if !githubCommand.MatchString(line) {
			t.Errorf("not one command: %q", line)
		}
	}
}

func TestGitHubCommands(t *testing.T) {
	checkGitHub(t, goodAnswer())
	checkGitHub(t, evilAnswer())
	checkGitHub(t, verify.Answer{})
}

func FuzzVerifyFormats(f *testing.F) {
	f.Add("toolkit-band", "what", "cupel.toml:3:1", "why", "expected", "found")
	f.Add("\n::error::x", "##[error]x\r\n::error::y", "a:b,c:1:2", "]]>\x00\ufffe", "{0}[x](y)", "\xff`|<b>")
	f.Fuzz(func(t *testing.T, id, what, where, why, expected, found string) {
		a := verify.Answer{Cupel: why, Contract: where, Project: what, Platform: found, Toolkit: expected, Band: verify.Supported}
		a.Reference = &verify.Compared{Name: what, Snapshot: where, Differences: []verify.Difference{{About: id, What: what, Here: expected, There: found}}}
		for i, s := range []verify.Status{verify.Pass, verify.Fail, verify.Warn, verify.ExpectedFail, verify.Skipped, verify.Fail} {
			c := verify.Check{Finding: finding.Finding{ID: id, What: what, Where: where, Why: why, Next: []finding.Step{{Command: found, Note: expected}},
				Evidence: []finding.Evidence{{Source: what, Text: why}}}, Status: s, Expected: expected, Found: found, Key: what, After: why}
			if i == 5 {
				c.CausedBy = found
			}
			a.Findings = append(a.Findings, c)
		}
		for _, a.Strict = range []bool{false, true} {
			readJUnit(t, a)
			checkGitHub(t, a)
			b, err := SARIF(a)
			if err != nil || !json.Valid(b) {
				t.Errorf("SARIF: %v\n%s", err, b)
			}
			checkMarkdownTable(t, VerifyMarkdown(a))
			(Style{Width: 60}).Verify(a, true)
		}
	})
}

// checkMarkdownTable: no foreign text opens a cell or a row of its own.
func checkMarkdownTable(t *testing.T, text string) {
	t.Helper()
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "| ") && len(bar.FindAllString(line, -1)) != 5 {
			t.Errorf("not four cells: %q", line)
		}
	}
}
