package diagnose

import (
	"slices"
	"strings"
	"sync"

	"cupel/internal/finding"
	"cupel/internal/literal"
	"cupel/internal/logtext"
	"cupel/internal/pattern"
	"cupel/internal/signature"
)

// unknown is the answer where no signature tells the cause. The wrapper that threw the output away, else the
// first in the log, says where the real words are.
func unknown(wrappers []Note) Finding {
	f := Finding{Finding: finding.Finding{ID: Unknown, Label: Unknown, Severity: finding.Error, What: "the log shows a failure whose cause cupel does not know"}}
	f.Why = "no known message stands in it; the lines that tell most are shown"
	hints := slices.DeleteFunc(slices.Clone(wrappers), func(n Note) bool { return n.Hint == "" })
	if len(hints) == 0 {
		return f
	}
	w := hints[0]
	if i := slices.IndexFunc(hints, loses); i >= 0 {
		w = hints[i]
	}
	f.Why, f.Line, f.Text = w.Hint, w.Line, w.Text
	return f
}

// loses says that the tool which printed the wrapper does not show what failed.
func loses(n Note) bool {
	s := signature.ByID(n.ID)
	return s != nil && s.Lost
}

// words are expressions behind a filter: most lines have none of them.
type words struct {
	all    []*pattern.Pattern
	filter *literal.Filter
}

func newWords(exprs ...string) func() *words {
	return sync.OnceValue(func() *words {
		w := &words{}
		for i, e := range exprs {
			exprs[i] = `(?i)` + e
			w.all = append(w.all, pattern.New(exprs[i]))
		}
		w.filter = literal.NewFilter(exprs, nil)
		return w
	})
}

// in says that one of them stands in a line.
func (w *words) in(lines *literal.Lines, text string) bool {
	return slices.ContainsFunc(lines.May(text), func(i int) bool { return w.all[i].MatchString(text) })
}

var (
	// speaks are the words of a line that names what went wrong.
	speaks = newWords(`\berror\b ?[:\[(#]`, `\b(fatal|panicked|undefined|unresolved|exception|traceback|cannot|unable to|failed to|refused|denied|unsupported|invalid|missing|assert\w*|segmentation fault|killed|aborted)\b`, `could ?n[o']t`, `no such file`, `not found`, `\w(Error|Exception)\b`)
	// ends are lines that only say that something failed, and where the search upwards for the reason begins.
	ends = newWords(`\*\*\* .*(error -?\d+|stop\.)`, `^ninja: build stopped`, `^FAILED: `, `build failed`, `exit(ed)?( with)?( non-?zero)?( status| code)`, `returned (a )?non-?zero`, `did not (run|complete) successfully`, `could not compile`, `errors occurred!`, `panicked at`, `core dumped`, `test result: FAILED`, `aborting due to`, `returned \d+ exit status`)
	// chatter are lines that never tell the reason.
	chatter = pattern.New(`(?i)\bwarning\b|^\s*(note|help|hint|info|remark)\b|^\s*\d* *\|[ ^~-]*|^\s*[\^~]+|^\s*at |^\s*\d+: |^-- |^\s*File "|stack backtrace|-W\w+|Entering directory|Leaving directory|^\[ *\d+%\]|^\[\d+/\d+\]|^\s*(Compiling|Checking|Downloading|Collecting)\b|^For more information|^/?\S*(gcc|g\+\+|cc|c\+\+|clang|nvcc|cl\.exe)["']? .* -[cIDo]|^-{3,}$|^={3,}$`)
)

const (
	tellingLines = 8 // shown
	firstErrors  = 4 // of these, the first that name an error
	lastWords    = 2 // and the last
	linesAbove   = 3 // what stands next above the first line that only says that something failed
)

// telling picks the lines to read first: the first that name an error, those next above the line with which the
// failure shows, what a panic or a traceback says below it, and the log's last words. They stand in the log's
// order, equal texts once.
func telling(log *logtext.Log) []Line {
	var lines []Line
	log.Each(func(line int, text string) bool {
		if strings.TrimSpace(text) != "" {
			lines = append(lines, Line{line, text})
		}
		return true
	})
	p := picker{lines: lines, taken: map[int]bool{}, texts: map[string]bool{}, speaking: speaks().filter.Lines(), ending: ends().filter.Lines()}
	p.around(slices.IndexFunc(lines, func(l Line) bool { return ends().in(p.ending, begin(l.Text)) }))
	p.first(firstErrors)
	p.last(lastWords)
	return p.picked()
}

// picker takes lines by their place.
type picker struct {
	lines []Line
	taken map[int]bool
	texts map[string]bool

	speaking, ending *literal.Lines
}

// begin is the start of a line: what tells stands there.
func begin(text string) string { return text[:min(len(text), clueLength)] }

// new says that a line's text is not taken yet: a log can say the same a thousand times.
func (p *picker) new(at int) bool { return !p.texts[strings.TrimSpace(p.lines[at].Text)] }

// take adds a line unless it is there, or there are enough.
func (p *picker) take(at int) bool {
	text := strings.TrimSpace(p.lines[at].Text)
	if p.taken[at] || p.texts[text] || len(p.taken) >= tellingLines {
		return false
	}
	p.taken[at], p.texts[text] = true, true
	return true
}

// around takes the line that says that it failed, the nearest above it that are no chatter, and the message of a
// panic below it.
func (p *picker) around(end int) {
	if end < 0 {
		return
	}
	p.take(end)
	if strings.Contains(p.lines[end].Text, "panicked at") && end+1 < len(p.lines) {
		p.take(end + 1)
	}
	for at, n := end-1, 0; at >= 0 && n < linesAbove && at > end-40; at-- {
		if !chatter.MatchString(begin(p.lines[at].Text)) && p.take(at) {
			n++
		}
	}
}

// first takes the first lines that name an error.
func (p *picker) first(n int) {
	for at := 0; at < len(p.lines) && n > 0; at++ {
		if t := begin(p.lines[at].Text); p.new(at) && speaks().in(p.speaking, t) && !chatter.MatchString(t) && p.take(at) {
			n--
		}
	}
}

// last takes the last lines that name an error; where none does, the last lines.
func (p *picker) last(n int) {
	for at := len(p.lines) - 1; at >= 0 && n > 0; at-- {
		if t := begin(p.lines[at].Text); (speaks().in(p.speaking, t) || ends().in(p.ending, t)) && !chatter.MatchString(t) {
			p.take(at)
			n--
		}
	}
	for at := len(p.lines) - 1; at >= 0 && len(p.taken) < lastWords; at-- {
		p.take(at)
	}
}

func (p *picker) picked() []Line {
	var out []Line
	for at, l := range p.lines {
		if p.taken[at] {
			out = append(out, l)
		}
	}
	return out
}
