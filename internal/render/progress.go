package render

import (
	"fmt"

	"cupel/internal/progress"
)

// doing is how a phase is called while it lasts.
var doing = map[string]string{
	progress.Resolve: "resolve", progress.Fetch: "fetch", progress.Check: "check", progress.Unpack: "unpack",
	progress.Finish: "finish", progress.Prove: "prove", progress.Build: "build", progress.Wait: "wait",
}

// counted are the phases that count files, not bytes.
var counted = map[string]bool{progress.Check: true, progress.Build: true}

// Progress is one step forward as a line of a log: fetch cuda_nvcc: 34 MB of 92 MB.
func Progress(e progress.Event) string {
	head := doing[e.Phase]
	if head == "" {
		head = e.Phase
	}
	if e.Item != "" {
		head += " " + e.Item
	}
	if e.Text != "" {
		return clean(head + ": " + e.Text)
	}
	return clean(head + ": " + Amount(e))
}

// Amount is how far a step is: 34 MB of 92 MB, 120 of 3001 files.
func Amount(e progress.Event) string {
	write := Bytes
	unit := ""
	if counted[e.Phase] {
		write, unit = func(n int64) string { return fmt.Sprint(n) }, " files"
	}
	if e.Total <= 0 {
		return write(e.Done) + unit
	}
	return write(e.Done) + " of " + write(e.Total) + unit
}
