// Package progress holds the words in which long work tells how far it is. Whoever works calls a Report; the face
// decides what is drawn. It is pure.
package progress

// The phases of an install, in order.
const (
	Resolve = "resolve"
	Fetch   = "fetch"
	Check   = "check"
	Unpack  = "unpack"
	Finish  = "finish"
	Prove   = "prove"
	Build   = "build"
	Wait    = "wait" // for another process
)

// Event is one step forward. Done and Total are bytes (files for Check and Build) of Item; Total is 0 when it is not
// known. An event with neither is a line of Text.
type Event struct {
	Phase string
	Item  string
	Done  int64
	Total int64
	Text  string
}

// Report takes events. It may be called from several goroutines at once; nil is allowed where Send is used.
type Report func(Event)

// Send reports an event if anybody listens.
func (r Report) Send(e Event) {
	if r != nil {
		r(e)
	}
}

// Say reports a line.
func (r Report) Say(phase, text string) { r.Send(Event{Phase: phase, Text: text}) }
