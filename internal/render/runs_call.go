package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/logtext"
)

// ShownCall is a call with all that was written down of it.
type ShownCall struct {
	ListedCall
	Command string        `json:"command"` // what was run, as it can be pasted
	Path    string        `json:"path"`
	Args    []string      `json:"args"`              // as the tool was called
	Argv    []string      `json:"argv"`              // as it ran: response files in their place, repairs made
	Lost    []string      `json:"lost,omitempty"`    // response files that could not be read
	Changes []call.Change `json:"changes,omitempty"` // repairs
	Caller  string        `json:"caller,omitempty"`  // the program that called it
	Outside bool          `json:"outside,omitempty"` // its environment did not name the run any more
	Env     call.Diff     `json:"env"`               // what its environment had other than the run's
	Inputs  []call.File   `json:"inputs"`            // size -1: not there
	Outputs []call.File   `json:"outputs"`
	Merged  bool          `json:"merged,omitempty"` // both streams went to one place: all is in stdout
	Stdout  string        `json:"stdout"`
	Stderr  string        `json:"stderr"`
	Dropped int64         `json:"dropped_bytes,omitempty"` // output that was not kept
	User    float64       `json:"user_seconds"`
	System  float64       `json:"system_seconds"`
}

// Call shows one call whole.
func (s Style) Call(a Runs) string {
	c := a.Call
	var b strings.Builder
	colour := bold
	if c.Failed {
		colour = red
	}
	b.WriteString(s.paint(colour, "call "+c.ID) + ": " + callHead(c) + "\n")
	for _, f := range callFields(c) {
		fmt.Fprintf(&b, "  %-8s %s\n", f[0]+":", f[1])
	}
	for _, p := range callParts(c) {
		b.WriteString("\n" + s.paint(bold, p.head) + "\n")
		for _, line := range p.lines {
			b.WriteString(strings.TrimRight(p.mark+line, " ") + "\n")
		}
	}
	fmt.Fprintf(&b, "\nnext: %s    runs it again\n", s.paint(green, "cupel replay "+c.ID))
	s.foot(&b, a)
	return b.String()
}

// callHead is the call in a line.
func callHead(c *ShownCall) string {
	tool := fit(c.Tool)
	switch {
	case !c.Ended:
		return tool + ", of which no end was recorded"
	case c.Error != "":
		return tool + " could not be started: " + fit(c.Error)
	}
	return fmt.Sprintf("%s, %s after %.2f s", tool, fit(call.End{Signal: c.Signal, Status: c.Status, Code: c.Code}.Words()), c.Seconds)
}

// callFields never wraps: they are there to be pasted.
func callFields(c *ShownCall) [][2]string {
	out := [][2]string{{"in", fit(c.Dir)}, {"ran", fit(c.Command)}}
	add := func(name, text string) {
		if text != "" {
			out = append(out, [2]string{name, fit(text)})
		}
	}
	if !slices.Equal(c.Args, c.Argv) {
		add("called", strings.Join(c.Args, " "))
	}
	for _, change := range c.Changes {
		add("repair", fmt.Sprintf("%s: %s became %s, because %s", change.Fix, quoteList(change.Before), quoteList(change.After), change.Why))
	}
	for _, lost := range c.Lost {
		add("lost", lost)
	}
	add("by", c.Caller)
	if c.Outside {
		add("note", "its environment did not name the run any more: it was found by its parents")
	}
	add("began", moment(c.Began))
	if c.Ended {
		used := fmt.Sprintf("%.2f s of the processor, %.2f s of it in the system", c.User+c.System, c.System)
		if c.Peak > 0 {
			used += ", " + Bytes(c.Peak) + " at most"
		}
		add("used", used)
	}
	add("cache", c.Cache)
	add("damaged", c.Torn)
	return out
}

func quoteList(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}

// callPart is a list below the head.
type callPart struct {
	head, mark string
	lines      []string
}

func callParts(c *ShownCall) []callPart {
	var out []callPart
	add := func(head, mark string, lines []string) {
		if len(lines) > 0 {
			out = append(out, callPart{head, mark, lines})
		}
	}
	say := func(text string) { out = append(out, callPart{head: text}) }
	add("environment, where it differs from the run's:", "  ", envLines(c.Env))
	add("inputs:", "  ", fileLines(c.Inputs))
	add("outputs:", "  ", fileLines(c.Outputs))
	if c.Merged {
		add("output, both streams in one:", "  | ", outputLines(c.Stdout))
	} else {
		add("stdout:", "  | ", outputLines(c.Stdout))
		add("stderr:", "  | ", outputLines(c.Stderr))
	}
	if c.Stdout == "" && c.Stderr == "" {
		say("it wrote nothing")
	}
	if c.Dropped > 0 {
		say(Bytes(c.Dropped) + " of output were passed on and not kept")
	}
	return out
}

// envLines: + set there, - not there, * a secret.
func envLines(d call.Diff) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(d.Set)) {
		out = append(out, "+ "+fit(name+"="+d.Set[name]))
	}
	for _, name := range d.Unset {
		out = append(out, "- "+fit(name))
	}
	for _, name := range d.Hidden {
		out = append(out, "* "+fit(name)+"    a secret: its value was not kept")
	}
	return out
}

func fileLines(all []call.File) []string {
	var rows [][]string
	for _, f := range all {
		size := "was not there"
		if f.Size >= 0 {
			size = Bytes(f.Size)
		}
		rows = append(rows, []string{fit(f.Path), size})
	}
	return table(rows)
}

// outputLines are without colours: they are those of another program.
func outputLines(text string) []string {
	if text == "" {
		return nil
	}
	return textLines(string(logtext.Strip(nil, []byte(text))))
}

// CallMarkdown is a call for an issue.
func CallMarkdown(a Runs) string {
	c := a.Call
	var b strings.Builder
	fmt.Fprintf(&b, "### cupel call %s\n\n%s\n\n", c.ID, sentenceMD(callHead(c)))
	for _, f := range callFields(c) {
		fmt.Fprintf(&b, "- %s: %s\n", f[0], codeMD(f[1]))
	}
	for _, p := range callParts(c) {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(p.head))
		if text := strings.Join(p.lines, "\n"); text != "" {
			b.WriteString("\n" + fenced(text))
		}
	}
	footMarkdown(&b, a)
	return b.String()
}
