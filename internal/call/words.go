package call

import (
	"cmp"
	"fmt"
)

// Words say how the call ended.
func (e End) Words() string { return words(e.Error, e.Signal, e.Status, e.Code) }

// Words say how the command ended.
func (e RunEnd) Words() string {
	if e.TimedOut && e.Error == "" {
		return "time limit"
	}
	return words(e.Error, e.Signal, e.Status, e.Code)
}

func words(trouble, signal, status string, code int64) string {
	if trouble != "" {
		return "could not be started: " + trouble
	}
	return cmp.Or(signal, status, fmt.Sprintf("exit code %d", code))
}
