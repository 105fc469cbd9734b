package realbuilds

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCandleErrors: a mistake in a kernel. The builder's own report is empty where it promises nvcc's words; exec ends with them,
// their explanation and a command that shows them again.
func TestCandleErrors(t *testing.T) {
	for _, tt := range []struct {
		part, version, empty, file string
	}{
		{"candle-0.9", "0.9.1", `# stdout\s+# stderr\s+note: run with`, "exec-rust-candle-0.9-error.txt"},
		{"sources", "0.11.1", `message: "nvcc error:\\n\\n" }\s*$`, "exec-rust-candle-0.11-error.txt"},
	} {
		t.Run(tt.version, func(t *testing.T) {
			c := candle(t, tt.part, tt.version)
			c.keep("fill.cu", "affine.cu", "sort.cu")
			fill := filepath.Join(c.dir, "src", "fill.cu")
			write(t, fill, "static int injected = undeclared_thing;\n"+read(t, fill))
			const said = `src/fill.cu(1): error: identifier "undeclared_thing" is undefined`

			plain := c.plain("cargo", "build")
			if plain.code != 101 || !regexp.MustCompile(tt.empty).MatchString(plain.stderr) {
				t.Errorf("plain cargo build: exit code %d, want 101 and an empty capture as in %s:\n%s", plain.code, tt.empty, plain.all)
			}
			c.clean("candle-kernels") // the plain build made the other kernels
			r := c.exec("cargo", "build")
			if r.code != 101 {
				t.Errorf("cupel exec: exit code %d, want cargo's 101", r.code)
			}
			end := ending(t, r)
			contains(t, "the ending", end, "call ", " failed (exit code 1): nvcc, src/fill.cu, candle-kernels "+tt.version, "  | "+said, "error["+c.explained(plain)+"]")
			count := c.sources()
			for _, k := range append(slices.Sorted(maps.Keys(count)), "src/fill.cu") {
				if count[k] != 1 {
					t.Errorf("%s has %d records, want 1", k, count[k])
				}
			}

			replay := c.cupel(again(t, end)...)
			call := c.runs("show", again(t, end)[1]).Call
			if replay.code != 1 || call.Code != 1 || replay.stdout != call.Stdout || !strings.HasSuffix(replay.stderr, call.Stderr) || !strings.Contains(call.Stderr, said) {
				t.Errorf("replay: exit code %d\n%s\nwant the recorded %d and\n%s", replay.code, replay.all, call.Code, call.Stdout+call.Stderr)
			}
			evidence(t, tt.file, transcript("\n$ cargo build", plain)+transcript(c.execLine("cargo", "build"), r)+
				transcript("\n$ cupel "+strings.Join(again(t, end), " "), replay), c.dir, "$TMP/candle-kernels-"+tt.version)
		})
	}
}

// explained is what cupel explain makes of a plain build's log.
func (c crate) explained(r result) string {
	c.t.Helper()
	log := filepath.Join(c.t.TempDir(), "build.log")
	write(c.t, log, r.all)
	e := c.cupel("explain", "--no-machine", "--json", log)
	var answer struct {
		Findings []struct{ ID, Label string }
	}
	if err := json.Unmarshal([]byte(e.stdout), &answer); err != nil || len(answer.Findings) == 0 {
		c.t.Fatalf("cupel explain: exit code %d, %v\n%s", e.code, err, e.all)
	}
	first := answer.Findings[0]
	if first.Label != "not-cuda" && first.Label != "kernel-source-error" {
		c.t.Errorf("cupel explain says %s (%s), want a mistake of the source", first.Label, first.ID)
	}
	return first.ID
}
