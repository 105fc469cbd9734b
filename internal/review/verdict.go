package review

import (
	"slices"
	"strconv"
	"strings"

	"cupel/internal/pattern"
)

// verdict is what the build made of a failed call.
type verdict int

const (
	unsaid   verdict = iota
	accepted         // a build tool says that it failed because of it
	gotOver          // the build ignored it, or tried again and succeeded
)

// output is the command's own, with what is looked for in it again and again.
type output struct {
	lines  []string
	last   map[string]int  // of lines that tell a program from others: where each stands last
	files  map[string]bool // names of files that build tools say could not be made
	crates map[string]bool // whose build scripts failed, as cargo says
	nvcc   bool            // a program says that the nvcc it started failed
	makes  []made          // make's words, in their order
}

// made is a line of make about a command that failed.
type made struct {
	line    int
	code    string
	ignored bool
}

func (j *judge) newOutput(lines []string) output {
	o := output{lines: lines, last: map[string]int{}, files: map[string]bool{}, crates: map[string]bool{}}
	for i, line := range lines {
		if text := strings.TrimSpace(line); len(text) >= shortest {
			o.last[text] = i
		}
		if slices.ContainsFunc(spoken, func(word string) bool { return strings.Contains(line, word) }) {
			o.hear(i, strings.TrimRight(line, "\r"), j.path.Base)
		}
	}
	return o
}

// spoken are words of which every verdict of a build tool has one.
var spoken = []string{"] Error ", "*** [", "FAILED: ", "custom build command", "non-zero exit status", "failed", "MSB3721"}

// hear takes in what a line says of a failure.
func (o *output) hear(at int, line string, base func(string) string) {
	if m := makes.FindStringSubmatch(line); m != nil {
		o.makes = append(o.makes, made{at, m[1], m[2] != ""})
	}
	if m := stars.FindStringSubmatch(line); m != nil {
		o.files[base(m[1])] = true
	}
	if m := failedAt.FindStringSubmatch(line); m != nil {
		for _, file := range strings.Fields(m[1]) {
			o.files[base(file)] = true
		}
	}
	if m := script.FindStringSubmatch(line); m != nil {
		o.crates[m[1]] = true
	}
	o.nvcc = o.nvcc || started.MatchString(line)
}

// verdictOf asks the calls, then the words of build tools in the command's output.
func (j *judge) verdictOf(w *work) verdict {
	if w.verdict == nil {
		v := j.decide(w)
		w.verdict = &v
	}
	return *w.verdict
}

func (j *judge) decide(w *work) verdict {
	named := slices.ContainsFunc(w.outputs(), func(file string) bool { return j.log.files[j.path.Base(file)] })
	switch {
	case j.retried(w):
		return gotOver
	case named || j.log.nvcc || j.log.crates[j.env(w, "CARGO_PKG_NAME")]:
		return accepted
	}
	from := j.lastSaid(w)
	at := slices.IndexFunc(j.log.makes, func(m made) bool { return from >= 0 && m.line > from })
	switch {
	case at < 0:
		return unsaid
	case j.log.makes[at].ignored:
		return gotOver
	case j.log.makes[at].code == strconv.FormatInt(w.End.Code, 10):
		return accepted
	}
	return unsaid
}

// Words with which build tools say what failed, as the tools wrote them here: GNU make 4.3 (with stars it stops the build, with
// (ignored) it does not), Ninja 1.11, cargo 1.95, CPython 3.11 with setuptools 66, MSBuild's task for CUDA
// (data/signatures/vs-msb3721.toml).
var (
	makes    = pattern.New(`^\S*make\S*: (?:\*\*\* )?\[.*\] Error (-?\d+)( \(ignored\))?$`)
	stars    = pattern.New(`\*\*\* \[(?:[^\]]*: )?([^\]]+)\] (?:Error -?\d+|Killed|Terminated|Segmentation fault)`)
	failedAt = pattern.New(`^FAILED: (?:\[code=\d+\] )?(.+)$`)
	script   = pattern.New("failed to run custom build command for `([^` ]+)")
	started  = pattern.New(`error: command '?[^']*\bnvcc(?:\.exe)?'? failed|\bnvcc\b.*returned non-zero exit status|MSB3721.*\bnvcc\b`)
)

// outputs are the files that the call should have made, and those that it was seen to make.
func (w *work) outputs() []string {
	out := slices.Clone(w.asked)
	if w.End != nil {
		for _, f := range w.End.Outputs {
			out = append(out, f.Path)
		}
	}
	return out
}
