package main

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// key names a test of a package; an empty test is the package itself.
type key struct{ pkg, test string }

// outcome is what became of one test. A test with subtests is counted through them, unless it failed on its own.
type outcome struct {
	key
	lane    string
	action  string // pass, fail, skip; empty while it runs
	output  string
	seconds float64
}

// suite is one package's run.
type suite struct {
	pkg     string
	action  string
	seconds float64
	tests   int
}

// tally collects one lane's events. Order is the order in which tests began, so that two reports of one run read alike.
type tally struct {
	lane    string
	results map[key]*outcome
	order   []key
	parents map[key]bool
	suites  map[string]*suite
	builds  map[string]string
	loose   []string
}

func newTally(lane string) *tally {
	return &tally{lane: lane, results: map[key]*outcome{}, parents: map[key]bool{}, suites: map[string]*suite{}, builds: map[string]string{}}
}

// add takes one event and returns the package that it ended, if any.
func (t *tally) add(e event) *suite {
	switch e.Action {
	case "build-output":
		t.builds[e.ImportPath] += e.Output
		return nil
	case "build-fail", "bench", "pause", "cont", "attr", "artifacts":
		return nil
	}
	o := t.of(key{e.Package, e.Test})
	switch e.Action {
	case "output":
		o.output += e.Output
	case "pass", "fail", "skip":
		o.action, o.seconds = e.Action, e.Elapsed
		o.output += t.builds[e.FailedBuild]
		if e.Test == "" {
			return t.close(e)
		}
	}
	return nil
}

// of finds or begins a result, and marks every parent of a subtest.
func (t *tally) of(k key) *outcome {
	if o := t.results[k]; o != nil {
		return o
	}
	o := &outcome{key: k, lane: t.lane}
	t.results[k] = o
	t.order = append(t.order, k)
	for i, c := range k.test {
		if c == '/' {
			t.parents[key{k.pkg, k.test[:i]}] = true
		}
	}
	return o
}

func (t *tally) close(e event) *suite {
	s := &suite{pkg: e.Package, action: e.Action, seconds: e.Elapsed}
	for k := range t.results {
		if k.pkg == e.Package && k.test != "" && !t.parents[k] {
			s.tests++
		}
	}
	t.suites[e.Package] = s
	return s
}

// unbegun are packages whose program failed without a word: it was built, and no test of it began.
func (t *tally) unbegun() (list []string) {
	for _, k := range t.order {
		s := t.suites[k.pkg]
		if k.test == "" && s != nil && s.action == "fail" && s.tests == 0 && wordless.MatchString(t.results[k].output) {
			list = append(list, k.pkg)
		}
	}
	return list
}

// wordless is what go test itself says of a program that failed.
var wordless = pattern.New(`^(exit status \d+\n)?FAIL\t.*\n$`)

// hindered are packages of which every failure is wine's own.
func (t *tally) hindered() (list []string) {
	own := map[string]bool{}
	for _, o := range t.failures() {
		fault := wineFault.MatchString(o.output)
		if known, seen := own[o.pkg]; !seen {
			list, own[o.pkg] = append(list, o.pkg), fault
		} else {
			own[o.pkg] = known && fault
		}
	}
	return slices.DeleteFunc(list, func(pkg string) bool { return !own[pkg] })
}

// faults tells which tests of a package wine hindered, and by what.
func (t *tally) faults(pkg string) (list []string) {
	for _, o := range t.failures() {
		if fault := wineFault.FindString(o.output); o.pkg == pkg && fault != "" {
			list = append(list, o.name()+": "+strings.TrimSpace(fault))
		}
	}
	return list
}

// wineFault is what was seen under wine 8 on a busy machine, and not the second time: a program that is there is not started
// ("Internal error." is what CreateProcess answers; "fork/exec" says Go, "start" says the shim), Go's runtime finds the handle of its
// own event invalid, and a DLL of wine's own does not load into a program in Go that starts (before any of our code runs). Where nvcc.exe
// itself cannot start one of its programs it ends with -1 and not a word (255 on Linux); errors that it knows have words and other codes.
var wineFault = pattern.New(`nvcc\.exe[^\n]*: exit status (?:255|0xffffffff)\n|recorded: exit code \d+; now: exit code 255\n|(?:fork/exec|start) [A-Z]:\\[^\n]*: Internal error\.|runtime: setevent failed; errno=6\n|panic: Failed to load ws2_32\.dll: DLL initialization failed\.|Failed to run C:\\+users\\+root\\+Temp/\S+ \(Internal error\.`)

// forget takes back what is known of a package.
func (t *tally) forget(pkg string) {
	delete(t.suites, pkg)
	for k := range t.results {
		if k.pkg == pkg {
			delete(t.results, k)
			delete(t.parents, k)
		}
	}
	t.order = slices.DeleteFunc(t.order, func(k key) bool { return k.pkg == pkg })
}

// end closes what the stream left open: tests that never ended, packages that failed with no test to blame, a command that failed
// with neither.
func (t *tally) end(exit error) {
	for _, k := range t.order {
		if o := t.results[k]; o.action == "" {
			o.action, o.output = "fail", o.output+"    testrun: no end of this was seen\n"
		}
	}
	if exit != nil && len(t.failures()) == 0 {
		o := t.of(key{"(" + t.lane + ")", ""})
		o.action, o.output = "fail", fmt.Sprintf("%s    testrun: the test command ended with %v\n", strings.Join(t.loose, ""), exit)
	}
}

// counted lists the results that count: leaves of any package, parents and packages only when they failed and nothing below them did.
func (t *tally) counted() []*outcome {
	var list []*outcome
	for _, k := range t.order {
		o := t.results[k]
		leaf := k.test != "" && !t.parents[k]
		if leaf || o.action == "fail" && !t.failedBelow(k) {
			list = append(list, o)
		}
	}
	return list
}

func (t *tally) failedBelow(k key) bool {
	for other, o := range t.results {
		below := other.pkg == k.pkg && other.test != "" && (k.test == "" || strings.HasPrefix(other.test, k.test+"/"))
		if below && o.action == "fail" {
			return true
		}
	}
	return false
}

func (t *tally) failures() []*outcome { return t.with("fail") }
func (t *tally) skips() []*outcome    { return t.with("skip") }
func (t *tally) passes() []*outcome   { return t.with("pass") }

func (t *tally) with(action string) []*outcome {
	var list []*outcome
	for _, o := range t.counted() {
		if o.action == action {
			list = append(list, o)
		}
	}
	return list
}
