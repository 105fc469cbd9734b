//go:build !linux

package trial

import (
	"cupel/internal/verify"
)

// Child is the supervising child of Linux; elsewhere there is none.
func Child([]string) bool { return false }

// describe says what was hidden, and what an environment cannot hide.
func describe(req Request, o *verify.Outcome, vars []string) {
	if req.Hide == nil || Need(req.Config) != "none" {
		return
	}
	o.HiddenBy, o.Hidden, o.NotHidden = "environment", vars, stillVisible(*req.Hide)
}
