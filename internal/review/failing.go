package review

import (
	"bytes"
	"slices"
	"time"

	"cupel/data"
	"cupel/internal/diagnose"
)

// mostExplained bounds the work: whoever has more failing calls has read enough.
const mostExplained = 200

// failing lists the failed calls: real failures, then calls that were stopped because of them, each kind by its end. What
// a build tool only tries is told where nothing else failed. Calls with one cause stand together.
func (j *judge) failing() []Failing {
	var real, stopped, ignored, tried []*work
	for _, w := range j.works {
		query := w.Begin.Tool == "nvcc" && w.read.Queries()
		switch {
		case !w.Failed() || w.source == determine: // the second fails whatever is wrong
		case query && w.signal() == "SIGPIPE": // its reader had seen enough
		case w.check || query:
			tried = append(tried, w)
		default:
			real = append(real, w)
		}
	}
	j.sort(real)
	real, stopped = j.part(real)
	real, ignored = j.split(real)
	j.blame(real)
	j.sort(tried)
	kinds := map[*work]string{}
	for _, w := range stopped {
		kinds[w] = Stopped
	}
	for _, w := range ignored {
		kinds[w] = Ignored
	}
	var out []Failing
	all := slices.Concat(real, stopped, ignored)
	for _, w := range all[:min(len(all), mostExplained)] {
		out = j.add(out, w, kinds[w])
	}
	if len(real)+len(stopped) > 0 {
		return out
	}
	for _, w := range tried[:min(len(tried), mostExplained)] {
		kind := Query
		if w.check {
			kind = Check
		}
		out = j.add(out, w, kind)
	}
	return out
}

// split takes out the calls that the build got over.
func (j *judge) split(works []*work) (real, ignored []*work) {
	for _, w := range works {
		if j.verdictOf(w) == gotOver {
			ignored = append(ignored, w)
			continue
		}
		real = append(real, w)
	}
	return real, ignored
}

// blame puts the calls that a build tool names first, and those last after which the build began something new: it may have
// got over them.
func (j *judge) blame(works []*work) {
	if len(works) < 2 || j.keepsGoing() {
		return
	}
	rank := map[*work]int{}
	for _, w := range works {
		switch {
		case j.verdictOf(w) == accepted:
		case j.wentOn(w, (*work).any) > 0:
			rank[w] = 2
		default:
			rank[w] = 1
		}
	}
	slices.SortStableFunc(works, func(a, b *work) int { return rank[a] - rank[b] })
}

// sort orders calls by their end, compiling before linking. What nvcc itself started (ptxas, a host compiler) failed
// because of the same thing as nvcc, whose call tells more: it stands behind it.
func (j *judge) sort(works []*work) {
	end := func(w *work) time.Time {
		at := w.End.At
		if w.Begin.Tool == "nvcc" {
			return at
		}
		for _, outer := range works {
			if outer.Begin.Tool == "nvcc" && !outer.Begin.At.After(w.Begin.At) && !outer.End.At.Before(w.End.At) {
				return outer.End.At
			}
		}
		return at
	}
	inner := func(w *work) bool { return w.Begin.Tool != "nvcc" }
	slices.SortStableFunc(works, func(a, b *work) int {
		return first(end(a).Compare(end(b)), order(inner(a), inner(b)), order(a.links(), b.links()))
	})
}

func first(orders ...int) int {
	for _, o := range orders {
		if o != 0 {
			return o
		}
	}
	return 0
}

// order puts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// add puts a call to the one with the same cause, else at the end.
func (j *judge) add(out []Failing, w *work, kind string) []Failing {
	f := j.failingCall(w, kind)
	for i := range out {
		if out[i].Kind == kind && (kind == Stopped || alike(out[i], f)) {
			out[i].Same = append(out[i].Same, Other{f.ID, f.Source})
			return out
		}
	}
	return append(out, f)
}

// alike: one known cause. Where it is not known, or is a mistake of the source, the words must be the same too, with the
// place: a mistake of a header is one cause, those of two files are two.
func alike(a, b Failing) bool {
	x, y := a.cause(), b.cause()
	switch {
	case x.Label != y.Label || x.ID != y.ID:
		return false
	case x.Label == diagnose.Unknown:
		return a.Output == b.Output && a.Ended == b.Ended
	case x.Label == diagnose.NotCUDA:
		return x.Text == y.Text
	}
	return x.What == y.What // it names the header, the symbol, the architecture
}

// cause is the first finding.
func (f Failing) cause() diagnose.Finding {
	if len(f.Findings) == 0 {
		return diagnose.Finding{}
	}
	return f.Findings[0]
}

// onlyTries: nothing failed but what the build tool only tries, or got over.
func onlyTries(all []Failing) bool {
	return !slices.ContainsFunc(all, func(f Failing) bool { return f.Kind != Check && f.Kind != Query && f.Kind != Ignored })
}

func (j *judge) failingCall(w *work, kind string) Failing {
	f := Failing{ID: w.id(), Kind: kind, Tool: w.Begin.Tool, Target: w.target, Source: w.source, Command: w.command(), Dir: w.Begin.Dir, Ended: w.ended(), Replay: "cupel replay " + w.id(), Env: j.matters(w), With: j.with(w)}
	lines := linesOf(w.Text())
	at := -1
	if kind != Stopped {
		f.Findings, f.Telling = j.explain(w, lines)
		at = f.cause().Line - 1
	}
	if kind == Stopped && j.Run.End.TimedOut {
		f.Ended += ", with the time limit"
	}
	if kind == "" && j.verdictOf(w) == unsaid {
		f.WentOn = j.wentOn(w, (*work).well)
	}
	f.Output, f.Cut = excerpt(lines, at)
	return f
}

// mattering are the kinds of variables (data/variables.toml) that decide what a CUDA build does.
var mattering = []string{"toolkit-root", "compiler", "flags", "arch"}

// matters is what the call has other than its run, of the variables that decide.
func (j *judge) matters(w *work) []Variable {
	var out []Variable
	add := func(v Variable) {
		if row, ok := data.VariableByName(v.Name, j.Run.OS); ok && !row.Private && slices.Contains(mattering, row.Kind) {
			out = append(out, v)
		}
	}
	for name, value := range w.Begin.Env.Set {
		add(Variable{Name: name, Value: value})
	}
	for _, name := range w.Begin.Env.Unset {
		add(Variable{Name: name, Unset: true})
	}
	slices.SortFunc(out, func(a, b Variable) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return out
}

// with are the variables that add arguments to a call of nvcc; the command does not show them.
func (j *judge) with(w *work) []Variable {
	if w.Begin.Tool != "nvcc" {
		return nil
	}
	var out []Variable
	for _, name := range []string{"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"} {
		if value := j.env(w, name); value != "" {
			out = append(out, Variable{Name: name, Value: value})
		}
	}
	return out
}
