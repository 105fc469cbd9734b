package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/build"
)

// TestBuildViewWaits: what holds the next step up is shown until that step goes on, whatever else ends meanwhile.
func TestBuildViewWaits(t *testing.T) {
	var out strings.Builder
	v := newBuildView(&out, viewOptions{verbose: true})
	event := func(state, name, waits string, done int) build.Event {
		how := map[string]string{"ended": build.Built}[state]
		return build.Event{State: state, Step: build.Step{Out: "o/" + name, How: how, Argv: []string{"nvcc", name}}, Done: done, Total: 3, Waits: waits}
	}
	for _, tt := range []struct {
		event build.Event
		waits string
	}{
		{event("started", "a", "", 0), ""},
		{event("waiting", "b", "memory", 0), "b waits for memory"},
		{event("started", "c", "", 0), "b waits for memory"},
		{event("ended", "c", "", 1), "b waits for memory"},
		{event("waiting", "b", "tokens", 1), "b waits for tokens"},
		{event("started", "b", "", 1), ""},
	} {
		v.take(tt.event)
		_, waits, _ := strings.Cut(v.line(), "  b waits")
		if got := strings.TrimSpace(waits); got != strings.TrimPrefix(tt.waits, "b waits ") {
			t.Errorf("after %s %s: %q, want %q", tt.event.State, tt.event.Step.Out, v.line(), tt.waits)
		}
	}
	if got, want := out.String(), "[0/3] o/b waits for memory\n[1/3] built o/c\n  nvcc c\n[1/3] o/b waits for tokens\n"; got != want {
		t.Errorf("--verbose says\n%swant\n%s", got, want)
	}
}

// TestBuildEmitRefused: an error of a format names it once.
func TestBuildEmitRefused(t *testing.T) {
	b := building{root: t.TempDir(), out: filepath.Join(t.TempDir(), "a#b"), emits: []emission{{format: "pkg-config"}}}
	lib := filepath.Join(b.out, "libk.a")
	r := build.Result{Steps: []build.Step{{Out: lib, How: build.Built}}, Planned: []build.PlannedCall{{Kernel: "k", Kind: "static", Out: lib, Asked: true, Argv: []string{"/cuda/bin/nvcc", "-lib"}}}}
	_, err := b.emitAll(r)
	if err == nil || strings.Count(err.Error(), "emit pkg-config: ") != 1 || !strings.Contains(err.Error(), "a#b") {
		t.Errorf("error %v", err)
	}
}
