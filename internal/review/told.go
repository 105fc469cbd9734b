package review

import (
	"slices"
	"strings"

	"cupel/internal/diagnose"
	"cupel/internal/signature"
)

// lay puts what failed in the order in which it is told: the failing calls, and what the command's own output or a file that
// cargo saved says besides. Where the build got over the calls, that is the cause and they only failed too.
func (j *judge) lay(failing []Failing) ([]Failing, *diagnose.Answer) {
	told := j.told(failing)
	if told == nil {
		return failing, nil
	}
	known := told.Findings[0].Label != diagnose.Unknown
	switch {
	case onlyTries(failing) && !known && slices.ContainsFunc(failing, j.blamed):
		return failing, nil // the build tool ends with the words of a check, and what they mean is known
	case onlyTries(failing):
		if known && !slices.ContainsFunc(failing, func(f Failing) bool { return f.Kind == Ignored }) {
			failing = nil // a cause is named: what a build tool tries is not it
		}
		return failing, told
	case says(failing[0]) && !known:
		return failing, nil
	case says(failing[0]) && j.besides(failing, told.Findings[0]):
		for i := range failing {
			if failing[i].Kind == "" {
				failing[i].Kind = Ignored
			}
		}
	case !known:
		return failing, nil // the call says as much
	}
	return failing, told
}

// blamed: the cause of a try is known, and the command's own output quotes it: CMake does so when it gives up.
func (j *judge) blamed(f Failing) bool {
	if f.Kind == Ignored || len(f.Findings) == 0 || f.cause().Label == diagnose.Unknown {
		return false
	}
	return slices.ContainsFunc(j.works, func(w *work) bool { return w.id() == f.ID && j.lastSaid(w) >= 0 })
}

// says: a call whose output or end tells something.
func says(f Failing) bool { return f.Output != "" || f.cause().Label != diagnose.Unknown }

// besides says that a cause in the command's output came of no failed call, and that the build stopped at it and not at them:
// no build tool blames a call, and nvcc was called again with success, or another compiler refuses another file.
func (j *judge) besides(failing []Failing, cause diagnose.Finding) bool {
	for _, w := range j.works {
		if !w.Failed() || !slices.ContainsFunc(failing, func(f Failing) bool { return f.ID == w.id() && f.Kind == "" }) {
			continue
		}
		if j.verdictOf(w) == accepted || j.lastSaid(w)+1 > cause.Line {
			return false
		}
		other := refuses(cause) && (cause.File == "" || j.path.Base(cause.File) != j.path.Base(w.source))
		if !other && j.wentOn(w, (*work).well) == 0 {
			return false
		}
	}
	return true
}

// refuses: a compiler other than nvcc does not take a file. A linker's complaint can be the consequence of a call that made
// no object.
func refuses(cause diagnose.Finding) bool {
	s := signature.ByID(cause.ID)
	return s != nil && s.Stage == "compile" && slices.ContainsFunc(strings.Split(s.Tool, ", "), func(tool string) bool {
		return slices.Contains([]string{"gcc", "clang", "cl", "rustc"}, tool)
	})
}

// told asks the command's own output, then what cargo saved.
func (j *judge) told(failing []Failing) *diagnose.Answer {
	if j.ended() || piped(j.Run.End) {
		return nil
	}
	best := j.toldByOutput()
	for _, s := range j.Saved {
		if best != nil && best.Findings[0].Label != diagnose.Unknown || len(failing) > 0 && !onlyTries(failing) && says(failing[0]) {
			break
		}
		a, err := j.diagnose(string(s.Text), s.File, "file")
		if err == nil && len(a.Findings) > 0 && (best == nil || a.Findings[0].Label != diagnose.Unknown) {
			best = &a
		}
	}
	return best
}

// mostRounds bounds how often the output is read anew without what cannot be its own.
const mostRounds = 4

// toldByOutput reads the command's output without what failed calls wrote. Words of nvcc and its tools that are left there
// were written by no recorded call: where every call of them is recorded, they are quoted, and whatever else is there counts
// before them.
func (j *judge) toldByOutput() *diagnose.Answer {
	if len(j.log.lines) == 0 {
		return nil
	}
	var bad []*work
	for _, w := range j.works {
		if w.Failed() {
			bad = append(bad, w)
		}
	}
	lines := j.without(bad)
	var decoys []diagnose.Finding
	for range mostRounds {
		a, err := j.diagnose(strings.Join(lines, "\n"), "the command's output", "input")
		if err != nil || len(a.Findings) == 0 {
			return nil
		}
		foreign := j.foreign(a.Findings, bad)
		if len(foreign) == 0 {
			if a.Findings[0].Label != diagnose.Unknown {
				a.Findings = append(a.Findings, decoys...)
			}
			for i := range a.Findings {
				onThisMachine(&a.Findings[i])
				j.noNvcc(&a.Findings[i])
			}
			return &a
		}
		for _, f := range foreign {
			if !j.ofCall(f, bad) {
				decoys = append(decoys, f)
			}
			for i, line := range lines {
				if strings.Contains(line, f.Text) || i == f.Line-1 {
					lines[i] = ""
				}
			}
		}
	}
	return nil
}

// foreign are the findings that rest on what a failed call wrote, put into other words by a builder, or on what only nvcc
// writes though no recorded call did.
func (j *judge) foreign(all []diagnose.Finding, bad []*work) []diagnose.Finding {
	var out []diagnose.Finding
	for _, f := range all {
		if f.Text != "" && f.Label != diagnose.Unknown && (j.ofCall(f, bad) || j.accounted() && ofNvcc(f)) {
			out = append(out, f)
		}
	}
	return out
}

// ofCall says that the text of a finding has a line that a failed call wrote.
func (j *judge) ofCall(f diagnose.Finding, bad []*work) bool {
	for _, w := range bad {
		for line := range w.saying() {
			if strings.Contains(f.Text, line) {
				return true
			}
		}
	}
	return false
}

// accounted says that every call of nvcc is recorded, as far as was seen.
func (j *judge) accounted() bool {
	return len(j.passed) == 0 && len(j.works) > 0 && !slices.ContainsFunc(j.works, func(w *work) bool { return w.End == nil || w.Torn != "" })
}

// ofNvcc: only nvcc and the tools that it starts write such a message.
func ofNvcc(f diagnose.Finding) bool {
	s := signature.ByID(f.ID)
	return s != nil && !slices.ContainsFunc(strings.Split(s.Tool, ", "), func(tool string) bool {
		return !slices.Contains([]string{"nvcc", "ptxas", "cicc", "cudafe++", "nvlink", "fatbinary"}, tool)
	})
}
