package verify

import (
	"fmt"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/finding"
)

// Outcome is what came of running one [[config]]. It is made where processes are started and judged here.
type Outcome struct {
	Name             string   `json:"name"`
	Code             int      `json:"code"`
	Signal           string   `json:"signal,omitempty"`
	Err              string   `json:"error,omitempty"` // why it could not be started
	TimedOut         bool     `json:"timed_out,omitempty"`
	Seconds          float64  `json:"seconds"`
	Tail             string   `json:"tail,omitempty"` // the last lines it wrote
	Log              string   `json:"log,omitempty"`
	Hidden           []string `json:"hidden,omitempty"`     // what was hidden from it
	HiddenBy         string   `json:"hidden_by,omitempty"`  // mounts | environment
	NotHidden        []string `json:"not_hidden,omitempty"` // what should have been hidden and could not be
	MissingArtifacts []string `json:"missing_artifacts,omitempty"`
	Skipped          string   `json:"skipped,omitempty"` // why it was not run
}

// trouble says how a run failed; "" when it passed. The first that holds is the reason: an artifact that is
// missing after a crash is no news.
func (o Outcome) trouble(cfg contract.Config) string {
	switch {
	case o.Err != "":
		return "could not be started: " + o.Err
	case o.TimedOut:
		return fmt.Sprintf("took longer than %s and was stopped", cfg.Timeout.Duration)
	case o.Signal != "":
		return "was ended by signal " + o.Signal
	case o.Code != 0:
		return fmt.Sprintf("ended with code %d", o.Code)
	case len(o.MissingArtifacts) > 0:
		return "left no " + strings.Join(o.MissingArtifacts, ", ")
	}
	return ""
}

// ConfigCheck judges one run. A config that could not be started or was stopped never counts as the failure that was
// expected: it proves nothing.
func ConfigCheck(cfg contract.Config, o Outcome, pos contract.Pos) Check {
	c := Check{Key: cfg.Key(), Expected: "passes", Finding: finding.Finding{ID: ConfigID(cfg), Severity: finding.Error,
		What: "config " + cfg.Name, Where: place(pos)}}
	if cfg.Expect == "fail" {
		c.Expected = "fails"
	}
	if o.Skipped != "" {
		c.Status, c.Severity, c.Why = Skipped, finding.Info, o.Skipped
		return c
	}
	bad := o.trouble(cfg)
	c.Found = found(o, bad)
	c.Evidence = proof(o)
	switch {
	case cfg.Expect == "fail" && bad != "" && o.Err == "" && !o.TimedOut:
		c.Status, c.Severity, c.Why = ExpectedFail, finding.Info, contract.Because("the contract expects it", cfg.Reason)
	case cfg.Expect == "fail" && bad == "":
		c.Status, c.What = Fail, fmt.Sprintf("config %s passed, and the contract expects a failure", cfg.Name)
		c.Why = contract.Because("what the contract says about it is no longer true", cfg.Reason)
		c.Next = []finding.Step{{Note: fmt.Sprintf("take expect and reason out of %s when this is right", place(pos))}}
	case bad != "":
		c.Status, c.What = Fail, fmt.Sprintf("config %s %s", cfg.Name, bad)
		c.Why = hiddenText(cfg, o)
		c.Next = retry(cfg, o)
	default:
		c.Status, c.Severity = Pass, finding.Info
		c.Why = hiddenText(cfg, o)
	}
	return c
}

func found(o Outcome, bad string) string {
	if bad == "" {
		bad = "passed"
	}
	if o.Err != "" {
		return bad
	}
	return fmt.Sprintf("%s after %.1f s", bad, o.Seconds)
}

func proof(o Outcome) []finding.Evidence {
	source := o.Log
	if source == "" {
		source = "its last lines"
	}
	if strings.TrimSpace(o.Tail) == "" {
		return nil
	}
	return []finding.Evidence{{Source: source, Text: strings.TrimRight(o.Tail, "\n")}}
}

// hiddenText says what a run without CUDA proves. Where something stayed visible it proves less.
func hiddenText(cfg contract.Config, o Outcome) string {
	if cfg.Needs.What != "none" {
		return ""
	}
	text := fmt.Sprintf("run with %d CUDA places hidden", len(o.Hidden))
	if o.HiddenBy != "" {
		text += " by " + o.HiddenBy
	}
	if len(o.NotHidden) > 0 {
		text += "; still visible: " + strings.Join(o.NotHidden, ", ")
	}
	return text
}

func retry(cfg contract.Config, o Outcome) []finding.Step {
	var steps []finding.Step
	if o.Log != "" {
		steps = append(steps, finding.Step{Note: "the whole output is in " + o.Log})
	}
	return append(steps, finding.Step{Command: cfg.Command.Text(), Note: "what was run"})
}
