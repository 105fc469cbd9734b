package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"cupel/internal/signature"
)

// TestQuoted: a line that speaks of a message and does not print it tells no cause, whatever the signature. The log
// itself fails for a plain reason.
func TestQuoted(t *testing.T) {
	set := whole(t)
	for _, form := range []string{
		"HEAD is now at 1a2b3c4 Fix: %s", "1a2b3c4 (HEAD -> main) Fix %s", "+ echo '%s'", "#9 [5/7] RUN grep -q '%s' out.txt", "test parses: %s ... ok", "tests/t.py::test_m[%s] PASSED",
		"Hint: if you see `%s` reinstall it", "   14 |   return \"%s\";", "    raise RuntimeError(\"%s\")", "docs/errors.md:12: %s", "| %s | 100 |",
		"a.cu:1:2: warning: #warning \"%s\" [-Wcpp]", "a.cpp:1:2: warning: \"%s\" [-W#warnings]", "a.cu(1): warning #1105-D: #warning directive: \"%s\"", "  #warning \"%s\"", "C:\\src\\a.cpp(12,3): warning C4996: %s", "src/a.h:3: warning: %s",
	} {
		lines := []string{"starting"}
		for _, s := range signature.All() {
			if text := strings.TrimSpace(s.Examples[0].Text); !strings.Contains(text, "\n") && len(text) < 160 {
				lines = append(lines, fmt.Sprintf(form, text))
			}
		}
		if len(lines) < 100 {
			t.Fatalf("only %d one-line examples", len(lines))
		}
		a := answer(t, set, strings.Join(lines, "\n")+"\nsrc/main.rs:4: error[E0425]: cannot find value `x` in this scope\nerror: could not compile `a` (bin \"a\") due to 1 previous error\n", "")
		for _, f := range a.Findings {
			if f.Label != NotCUDA {
				t.Errorf("%q: line %d is told as %s (%s): %s", form, f.Line, f.ID, f.Label, f.Text)
			}
		}
	}
}

// TestNotQuoted: what only looks like a quotation is still told.
func TestNotQuoted(t *testing.T) {
	set := whole(t)
	for _, log := range []string{
		"+ ./app\nCUDA error 209: no kernel image is available for execution on the device",
		"Traceback (most recent call last):\n    raise AssertionError(\"Torch not compiled with CUDA enabled\")\nAssertionError: Torch not compiled with CUDA enabled",
		"time=2025-01-28T16:55:12.133Z level=WARN msg=\"cuda driver library init failure: 999\"",
	} {
		if a := answer(t, set, log, ""); first(a) == Unknown || first(a) == "none" || first(a) == NotCUDA {
			t.Errorf("%q: got %s", log, told(a))
		}
	}
}
