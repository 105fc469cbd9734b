package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// line is what is shown when a package ends.
func (s *suite) line(lane string) string {
	word := map[string]string{"pass": "ok", "fail": "FAIL", "skip": "no tests"}[s.action]
	return fmt.Sprintf("%-9s %-8s %8.2fs  %4d tests  %s", lane, word, s.seconds, s.tests, s.pkg)
}

// report prints skips, failures and the closing count, and says whether the run is good.
func report(w io.Writer, all []*tally, allowed []allowance) bool {
	var passed, failed, skipped, unlisted int
	for _, t := range all {
		passed += len(t.passes())
		for _, o := range t.skips() {
			skipped++
			note := ""
			if !isAllowed(allowed, o) {
				unlisted++
				note = "   NOT IN THE LIST OF ALLOWED SKIPS"
			}
			fmt.Fprintf(w, "skipped   %s: %s: %s%s\n", t.lane, o.name(), skipReason(o.output), note)
		}
	}
	for _, t := range all {
		for _, o := range t.longest() {
			fmt.Fprintf(w, "long      %s: %7.2fs  %s\n", t.lane, o.seconds, o.name())
		}
	}
	for _, t := range all {
		for _, o := range t.failures() {
			failed++
			fmt.Fprintf(w, "\nFAILED    %s: %s\n%s", t.lane, o.name(), ended(o.output))
		}
	}
	if unlisted > 0 {
		fmt.Fprintf(w, "\n%d skips are not in the list of allowed skips\n", unlisted)
	}
	fmt.Fprintf(w, "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	return failed == 0 && unlisted == 0
}

// longest are the tests that take most of the time, without subtests.
func (t *tally) longest() []*outcome {
	const most, least = 25, 5 // seconds
	var list []*outcome
	for _, k := range t.order {
		if o := t.results[k]; k.test != "" && !strings.Contains(k.test, "/") && o.seconds >= least {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b *outcome) int { return cmp.Compare(b.seconds, a.seconds) })
	return list[:min(len(list), most)]
}

func (o *outcome) name() string {
	return strings.TrimSpace(o.pkg + " " + o.test)
}

// skipReason keeps the words of t.Skip: not the lines of the test framework, not the file and line number in front.
func skipReason(output string) string {
	var words []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if _, rest, ok := strings.Cut(line, ".go:"); ok {
			if _, text, ok := strings.Cut(rest, ": "); ok {
				line = text
			}
		}
		words = append(words, line)
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, "; ")
}

func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return text + "\n"
	}
	return text
}
