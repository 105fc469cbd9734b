package review

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/diagnose"
	"cupel/internal/finding"
)

// explain asks package diagnose about a failed call. The output stands there as in a log: below the words of nvcc's own
// version and the command, above how it ended. What is told of it knows the output's lines alone.
func (j *judge) explain(w *work, lines []string) (found []diagnose.Finding, telling []diagnose.Line) {
	var log []string
	if t := j.Run.Toolkit; t.Nvcc != "" && t.Release != "" {
		log = append(log, fmt.Sprintf("Cuda compilation tools, release %s, V%s", minor(t.Release), t.Nvcc))
	}
	log = append(log, w.command())
	head := len(log)
	log = append(log, lines...)
	log = append(log, w.lastWords()...)
	a, err := j.diagnose(strings.Join(log, "\n"), "call "+w.id(), "input")
	if err != nil {
		return []diagnose.Finding{unexplained(w, err.Error())}, nil
	}
	for _, f := range a.Findings {
		f.Command, f.Excerpt = "", nil // both stand beside it
		if f.Line -= head; f.Line < 1 || f.Line > len(lines) {
			f.Line, f.Text = 0, ""
		}
		w.rename(&f)
		j.here(w, &f)
		found = append(found, f)
	}
	for _, l := range a.Telling {
		if l.Line -= head; l.Line >= 1 && l.Line <= len(lines) {
			telling = append(telling, l)
		}
	}
	if len(found) == 0 || found[0].Label == diagnose.Unknown || w.killed(found[0]) {
		return []diagnose.Finding{j.byEnd(w, lines)}, telling
	}
	return found, telling
}

// rename gives a finding the source's whole name where the message has it: a name with a blank ends at it for a pattern.
func (w *work) rename(f *diagnose.Finding) {
	short := f.Values["file"]
	if short == "" || short == w.source || !strings.HasSuffix(w.source, short) || !strings.Contains(f.Text, w.source) {
		return
	}
	whole := func(text string) string { return strings.ReplaceAll(text, short, w.source) }
	f.What, f.Why, f.File = whole(f.What), whole(f.Why), w.source
	f.Next = slices.Clone(f.Next)
	for i := range f.Next {
		f.Next[i].Note = whole(f.Next[i].Note)
	}
}

// minor is a release as nvcc --version tells it.
func minor(release string) string {
	parts := strings.SplitN(release, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// muchMemory is what a process must have had before its end by SIGKILL is taken for one by the system's memory killer.
const muchMemory = 1 << 30

// lastWords are what a shell prints below the output of a call that ended so.
func (w *work) lastWords() []string {
	switch {
	case w.End.Signal == "SIGKILL" && w.End.Peak >= muchMemory:
		return []string{"Killed", "exit status 137"}
	case w.End.Signal != "" || w.End.Error != "" || w.windows && uint32(w.End.Code) > 0xFFFF:
		return nil
	}
	return []string{fmt.Sprintf("exit status %d", w.End.Code)}
}

// byEnd is the finding where the output tells no cause: how the call ended can tell one.
func (j *judge) byEnd(w *work, lines []string) diagnose.Finding {
	if w.windows && uint32(w.End.Code) > 0xFFFF {
		if c, ok := diagnose.CodeOf(fmt.Sprintf("0x%08X", uint32(w.End.Code))); ok {
			return c.Finding()
		}
	}
	switch {
	case w.End.Error != "":
		f := unexplained(w, "the system's own words: "+w.End.Error)
		f.What = w.Begin.Tool + " could not be started"
		f.Where = w.Begin.Path
		return f
	case w.signal() == "SIGPIPE":
		return unexplained(w, "the program that read its output was gone")
	case w.signal() == "SIGKILL":
		return unexplained(w, "SIGKILL comes from outside: the system's memory killer, the limit of a container or a person; the call itself says nothing, and its largest process had "+memory(w.End.Peak))
	case w.End.Signal != "":
		return unexplained(w, w.End.Signal+" ended it: a crash of the compiler, or somebody who stopped it")
	case len(lines) == 0:
		return unexplained(w, "it wrote nothing before it ended")
	}
	return unexplained(w, "no known message stands in its output")
}

func memory(n int64) string {
	if n <= 0 {
		return "an unknown amount of memory"
	}
	return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
}

// unexplained is a failed call whose cause is not known.
func unexplained(w *work, why string) diagnose.Finding {
	what := fmt.Sprintf("%s failed (%s), and cupel does not know the cause", w.Begin.Tool, w.ended())
	next := []finding.Step{{Command: "cupel replay " + w.id(), Note: "runs this call again, alone"}}
	return diagnose.Finding{Finding: finding.Finding{ID: diagnose.Unknown, Label: diagnose.Unknown, Severity: finding.Error, What: what, Why: why, Next: next}}
}

// diagnose reads a text as a log of this run.
func (j *judge) diagnose(text, name, kind string) (diagnose.Answer, error) {
	seen, err := diagnose.Read(strings.NewReader(text), j.Set)
	if err != nil {
		return diagnose.Answer{}, err
	}
	os := j.Run.OS
	if os == "darwin" {
		os = "macos"
	}
	a := diagnose.Judge(seen, diagnose.Options{Version: j.Version, Name: name, Kind: kind, Platform: os, Machine: j.Machine})
	if a.Machine != "" {
		j.machine = a.Machine
	}
	return a, nil
}

// ended says that the command was ended from outside, or never began: there is no failure of its own to explain.
func (j *judge) ended() bool {
	e := j.Run.End
	// A program that catches Ctrl-C ends with the code that shells have for it.
	return e == nil || e.Error != "" || e.TimedOut || slices.Contains(asked, e.Signal) || byCode[e.Code] == "SIGINT"
}

// causes are the first findings of the failing calls, each with its place, and those of the command's own output.
func causes(a Answer) []finding.Finding {
	var calls, told []finding.Finding
	for _, f := range a.Failing {
		for _, d := range f.Findings[:min(1, len(f.Findings))] {
			c := d.Finding
			if c.Where == "" {
				c.Where = "call " + f.ID
				if f.Source != "" {
					c.Where += ", " + f.Source
				}
			}
			calls = append(calls, c)
		}
	}
	if a.Told != nil {
		for _, d := range a.Told.Findings {
			told = append(told, d.Finding)
		}
	}
	if a.ToldFirst() {
		return slices.Concat(told, calls)
	}
	return slices.Concat(calls, told)
}
