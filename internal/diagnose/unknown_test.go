package diagnose

import (
	"strings"
	"testing"

	"cupel/internal/logtext"
)

func TestTelling(t *testing.T) {
	warnings := strings.Repeat("a.cpp:1:2: warning: unused variable 'error' [-Wunused]\n", 200)
	for _, tt := range []struct {
		name, log string
		want      []string // texts that must be shown
		never     string   // one that must not
	}{
		{"what stands above make's line", "gcc -c a.c\nstep 2 of 3\nthe frame has no origin\nmake: *** [all] Error 7", []string{"the frame has no origin", "make: *** [all] Error 7"}, ""},
		{"not the warnings", warnings + "the frame has no origin\nmake: *** [all] Error 7", []string{"the frame has no origin"}, "unused variable"},
		{"the message of a panic", "thread 'main' panicked at src/main.rs:1:82:\ncalled `Result::unwrap()` on an `Err` value\nnote: run with RUST_BACKTRACE=1", []string{"called `Result::unwrap()`"}, "RUST_BACKTRACE"},
		{"the end of a traceback", "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nwidget.WidgetError: no origin", []string{"widget.WidgetError: no origin"}, "in f"},
		{"the first error of many", strings.Repeat("x.q:1: error: first kind\n", 1) + strings.Repeat("more\n", 50) + "x.q:9: error: last kind", []string{"first kind", "last kind"}, "more"},
		{"the last words where nothing speaks", "one\ntwo\nthree", []string{"three"}, "one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := strings.Split(tt.log, "\n")
			log := logtext.Log{Parts: []logtext.Lines{{First: 1, Text: lines}}, Lines: len(lines)}
			got := telling(&log)
			var all []string
			for _, l := range got {
				all = append(all, l.Text)
				if lines[l.Line-1] != l.Text {
					t.Errorf("line %d is not %q", l.Line, l.Text)
				}
			}
			shown := strings.Join(all, "\n")
			for _, want := range tt.want {
				if !strings.Contains(shown, want) {
					t.Errorf("%q is not shown in:\n%s", want, shown)
				}
			}
			if tt.never != "" && strings.Contains(shown, tt.never) {
				t.Errorf("%q is shown in:\n%s", tt.never, shown)
			}
			if len(got) > tellingLines {
				t.Errorf("%d lines", len(got))
			}
		})
	}
}

func TestUnknownHint(t *testing.T) {
	first := Note{ID: "wrap-make", Line: 3, Text: "make: *** [all] Error 1", Hint: "look above"}
	for _, tt := range []struct {
		name     string
		wrappers []Note
		want     int
	}{
		{"no wrapper", nil, 0},
		{"the first with a hint", []Note{{ID: "x", Line: 1}, first, {ID: "wrap-ninja", Line: 9, Hint: "b"}}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := unknown(tt.wrappers)
			if f.Line != tt.want || f.Label != Unknown || f.Why == "" {
				t.Errorf("got line %d, label %s, why %q", f.Line, f.Label, f.Why)
			}
		})
	}
}
