// Package choice decides which toolkit and which host compiler are meant on a machine: the one asked for, the
// one active in this shell, or the best that is there, each with the reason in words. It reads a fact.Machine
// and the tables; it never looks at the machine itself and changes nothing.
package choice

import (
	"cupel/internal/fact"
)

// Options are the places where a toolkit can be asked for, strongest first. Each holds a release in any
// spelling (12.4, cu124, V12.4.131) or the path of a root; empty means not asked there.
type Options struct {
	Flag          string // --toolkit
	Env           string // CUPEL_TOOLKIT
	ProjectChoice string // .cupel/choice.toml
	Lock          string // cupel.lock
	Recommended   string // the contract's recommended
}

// By names the step of the order that decided.
type By string

const (
	ByFlag        By = "flag"
	ByEnv         By = "env"
	ByProject     By = "project-choice"
	ByLock        By = "lock"
	ByRecommended By = "recommended"
	ByActive      By = "active"
	ByNewest      By = "newest"
	ByNone        By = "none"
)

// Pick is one toolkit and why it is the one. Toolkit is nil when there is none: Reason then says why not. It
// points into the machine that was asked about.
type Pick struct {
	Toolkit *fact.Toolkit `json:"-"`
	Root    string        `json:"root,omitempty"`
	By      By            `json:"by"`
	Reason  string        `json:"reason"`
	Missed  []string      `json:"missed,omitempty"` // asked for on the way, and not installed here
}

// Toolkit gives the active toolkit (first real nvcc on PATH) and the chosen one, by the order of Options, then
// the active one, then the newest complete one that fits this machine.
//
// A toolkit asked for by a person (flag, variable, project choice) and not installed ends the search: another
// one in its place would be a surprise. One asked for by a committed file (lock, recommended) may be missing
// on this machine; it is noted in Missed and the search goes on.
func Toolkit(m fact.Machine, opt Options) (active, chosen Pick) {
	active = activeOf(m)
	var missed []string
	for _, w := range opt.wishes() {
		if w.text == "" {
			continue
		}
		pick, ok := w.find(m, active.Toolkit)
		if ok || w.final {
			return active, pick
		}
		missed = append(missed, pick.Reason)
	}
	chosen = active
	if chosen.Toolkit == nil {
		chosen = newest(m)
	}
	chosen.Missed = missed
	return active, chosen
}

func pick(t *fact.Toolkit, by By, reason string) Pick {
	return Pick{Toolkit: t, Root: t.Root, By: by, Reason: reason}
}
