package call

import "strings"

// Variables by which exec and its shims know each other.
const (
	RunVariable = "CUPEL_RUN" // the folder of the run
	// NestVariable goes down to the real tool: the names of the tools whose shims were passed. A tool that meets its own name
	// was called by what stands in its real place: a script that looks for the tool on PATH.
	NestVariable = "CUPEL_SHIM"
)

// OfExec says that a variable is one of those: what is no call of the run must not have it.
func OfExec(name string) bool {
	return strings.EqualFold(name, RunVariable) || strings.EqualFold(name, NestVariable)
}

// Places in a mirror root that several packages look at.
const (
	RootFile  = "cupel-root" // the path of the real root, in a line
	ActiveDir = "active"     // a file for each run that goes on (shim.Announce)
)
