package verify_test

import (
	"strings"
	"testing"

	"cupel/internal/contract"
	"cupel/internal/verify"
)

func TestReference(t *testing.T) {
	const text = "[toolkit]\nmin = \"12.0\"\n[reference]\nsnapshot = \"runner.json\"\nname = \"the runner\"\n"
	const ignoring = text + "ignore = [\"system\", \"driver\", \"gpu\", \"toolkit\", \"compiler\", \"library\", \"python\", \"rust\", \"variable\"]\n"
	for _, tt := range []struct {
		name, host, there, contract, why string
		want                             verify.Status
		says                             string
		differences                      bool
	}{
		{"another machine", five, ci, text, "", verify.Pass, "CI decides", true},
		{"what may differ", five, ci, ignoring, "", verify.Pass, "no difference", false},
		{"the runner itself", ci, ci, text, "", verify.Pass, "no difference", false},
		{"the runner has changed", ci, five, text, "", verify.Fail, "no longer true", true},
		{"how to save it again", ci, five, text, "", verify.Fail, "cupel doctor --json > runner.json", true},
		{"unreadable", five, "", text, "no such file", verify.Fail, "no such file", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, tt.host, tt.contract)
			in.RefWhy = tt.why
			if tt.there != "" {
				m := machine(t, tt.there)
				in.Reference = &m
			}
			a := verify.Judge(in)
			c := find(a.Findings, "reference")
			if c == nil || c.Status != tt.want || !strings.Contains(lines([]verify.Check{*c}), tt.says) {
				t.Fatalf("want %s saying %q in\n%s", tt.want, tt.says, lines(a.Findings))
			}
			if got := a.Reference != nil && len(a.Reference.Differences) > 0; got != tt.differences {
				t.Errorf("differences: %+v, want some: %t", a.Reference, tt.differences)
			}
		})
	}
}

func TestConfigCheck(t *testing.T) {
	pass := contract.Config{Name: "cpu only", Command: contract.Command{Line: "make cpu"}, Needs: contract.Needs{What: "none"}}
	fails := pass
	fails.Expect, fails.Reason = "fail", "issue 9"
	for _, tt := range []struct {
		name string
		cfg  contract.Config
		o    verify.Outcome
		want verify.Status
		says string
	}{
		{"passed", pass, verify.Outcome{Hidden: []string{"/usr/local/cuda"}, HiddenBy: "mounts"}, verify.Pass, "1 CUDA places hidden by mounts"},
		{"failed", pass, verify.Outcome{Code: 2, Tail: "no rule", Log: "x.log"}, verify.Fail, "ended with code 2"},
		{"signal", pass, verify.Outcome{Code: 139, Signal: "SIGSEGV"}, verify.Fail, "SIGSEGV"},
		{"timed out", pass, verify.Outcome{TimedOut: true}, verify.Fail, "took longer"},
		{"no artifact", pass, verify.Outcome{MissingArtifacts: []string{"out/*.so"}}, verify.Fail, "left no out/*.so"},
		{"could not start", pass, verify.Outcome{Err: "no such file"}, verify.Fail, "no such file"},
		{"skipped", pass, verify.Outcome{Skipped: "no GPU is here"}, verify.Skipped, "no GPU is here"},
		{"something stayed visible", pass, verify.Outcome{HiddenBy: "environment", NotHidden: []string{"nvcuda.dll"}}, verify.Pass, "still visible: nvcuda.dll"},
		{"failed as expected", fails, verify.Outcome{Code: 1}, verify.ExpectedFail, "issue 9"},
		{"passed against expectation", fails, verify.Outcome{}, verify.Fail, "passed, and the contract expects a failure"},
		{"a run that was stopped proves nothing", fails, verify.Outcome{Code: 137, TimedOut: true}, verify.Fail, "took longer"},
		{"a run that did not start proves nothing", fails, verify.Outcome{Err: "no such file"}, verify.Fail, "could not be started"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := verify.ConfigCheck(tt.cfg, tt.o, contract.Pos{File: "cupel.toml", Line: 3, Col: 1})
			if got := lines([]verify.Check{c}); c.ID != "config-cpu-only" || c.Status != tt.want || !strings.Contains(got, tt.says) || c.Where != "cupel.toml:3:1" {
				t.Errorf("ConfigCheck of %+v is\n%s at %s, want %s saying %q", tt.o, got, c.Where, tt.want, tt.says)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name     string
		patterns []string
		id       string
		want     bool
	}{
		{"none asked", nil, "mps", true}, {"itself", []string{"mps"}, "mps", true}, {"another", []string{"mps"}, "builders", false},
		{"pattern", []string{"toolkit-*"}, "toolkit-band", true}, {"pattern of others", []string{"toolkit-*"}, "driver-toolkit", false},
		{"a bad pattern matches nothing", []string{"[x"}, "mps", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := verify.Match(tt.patterns, tt.id); got != tt.want {
				t.Errorf("Match(%q, %q) = %t, want %t", tt.patterns, tt.id, got, tt.want)
			}
		})
	}
}
