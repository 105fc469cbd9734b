package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"cupel/internal/infer"
)

// showInit tells a person what was read from where, and what is left to say.
func showInit(out io.Writer, a initAnswer) error {
	fmt.Fprintf(out, "wrote %s\n", fromHere(a.File))
	if a.Old != "" {
		fmt.Fprintf(out, "the one that was there is now %s\n", fromHere(a.Old))
	}
	showPassed(out, a)
	var sure, maybe []infer.Line
	for _, l := range a.Inferred {
		if l.Maybe {
			maybe = append(maybe, l)
		} else {
			sure = append(sure, l)
		}
	}
	showLines(out, "read from the project's files", sure)
	showLines(out, "seen, not certain: comments in the file", maybe)
	if len(a.Unknown) > 0 {
		fmt.Fprint(out, "\nnothing tells, for you to say:\n")
		for _, u := range a.Unknown {
			fmt.Fprintf(out, "  %s\n", u)
		}
	}
	fmt.Fprintf(out, "\nnext:  cupel verify     does this machine meet it?\n")
	switch {
	case slices.ContainsFunc(sure, isKernels):
		fmt.Fprintf(out, "       cupel build      builds its kernels\n")
	case slices.ContainsFunc(maybe, isKernels):
		fmt.Fprintf(out, "       cupel build      builds its kernels, once [[kernels]] is no comment any more\n")
	}
	return nil
}

// isKernels: the line says what there is to build.
func isKernels(l infer.Line) bool {
	return strings.HasPrefix(l.Key, "kernels") && strings.HasSuffix(l.Key, "sources")
}

func showLines(out io.Writer, title string, lines []infer.Line) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		where := strings.TrimPrefix(strings.Join([]string{l.From, l.Note}, ": "), ": ")
		fmt.Fprintf(w, "  %s\t%s\t%s\n", l.Key, short(l.Value, 60), strings.TrimSuffix(where, ": "))
	}
	_ = w.Flush()
}

// short cuts a long list: the file has it whole.
func short(s string, max int) string {
	r := []rune(s)
	if len(r) <= max {
		return s
	}
	return string(r[:max-1]) + "…"
}

// plainName is a path without characters that move the cursor.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// maxPassed bounds the list that people are shown; programs get all of it.
const maxPassed = 20

// showPassed says what the draft does not know of, and what stands above it.
func showPassed(out io.Writer, a initAnswer) {
	if a.Above != "" {
		fmt.Fprintf(out, "a contract stands in %s already; this one will hold below %s\n", a.Above, filepath.Dir(a.File))
	}
	if len(a.Findings) == 0 {
		return
	}
	fmt.Fprint(out, "\nnot read; what these demand is missing:\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range a.Findings[:min(len(a.Findings), maxPassed)] {
		fmt.Fprintf(w, "  %s\t%s\n", f.Where, strings.TrimSuffix(f.Why, "; what it demands is missing from the contract"))
	}
	_ = w.Flush()
	if more := len(a.Findings) - maxPassed; more > 0 {
		fmt.Fprintf(out, "  … and %d more: --json has all of them\n", more)
	}
}
