package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/choice"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe"
)

// TestEnvAgain: on every recorded machine and for every toolkit there, a shell that has the environment gets
// the same one again: what cupel set does not change what it finds and decides the next time.
func TestEnvAgain(t *testing.T) {
	proved := 0
	for _, name := range hostNames(t) {
		m := surveyWith(t, name, nil)
		for _, tk := range m.Toolkits {
			for _, opt := range []environ.Options{{}, {NvccCCBin: true, CCAndCXX: true}, {Runtime: true}} {
				first := envOf(t, m, tk.Home(), opt)
				if first == nil {
					continue
				}
				proved++
				env := first
				for range 2 {
					env = envOf(t, surveyWith(t, name, env), tk.Home(), opt)
					if diff := cmp.Diff(first, env); diff != "" {
						t.Errorf("%s, %s, %+v: the next time (-first +again):\n%s", name, tk.Home(), opt, diff)
						break
					}
				}
			}
		}
	}
	if proved == 0 {
		t.Error("no recorded machine has a toolkit")
	}
}

// TestEnvSwitchAll goes through all toolkits of each machine in one shell: each one's environment is what a
// fresh shell gets. Only folders that were on PATH before cupel may stand in another order behind the front.
func TestEnvSwitchAll(t *testing.T) {
	for _, name := range hostNames(t) {
		fresh := surveyWith(t, name, nil)
		m := fresh
		for _, tk := range fresh.Toolkits {
			want, got := envOf(t, fresh, tk.Home(), environ.Options{}), envOf(t, m, tk.Home(), environ.Options{})
			if diff := cmp.Diff(want, got, cmp.FilterPath(isList, cmp.Comparer(sameFolders))); diff != "" {
				t.Errorf("%s: %s after another (-fresh +after):\n%s", name, tk.Home(), diff)
			}
			if got != nil {
				m = surveyWith(t, name, got)
			}
		}
	}
}

func isList(p cmp.Path) bool {
	at, ok := p.Last().(cmp.MapIndex)
	return ok && (at.Key().String() == "PATH" || strings.HasPrefix(at.Key().String(), environ.RecordedDirs))
}

// sameFolders also holds the first one to its place.
func sameFolders(a, b string) bool {
	sep := ":"
	if strings.Contains(a+b, `\`) {
		sep = ";"
	}
	x, y := strings.Split(a, sep), strings.Split(b, sep)
	return len(x) == len(y) && x[0] == y[0] && slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}

// surveyWith reads a recorded machine whose variables are env instead; nil: its own.
func surveyWith(t *testing.T, name string, env map[string]string) fact.Machine {
	t.Helper()
	load := func(file string) ([]byte, error) { return os.ReadFile(filepath.Join(hostsDir, file)) }
	parse := func(text string) host.Host {
		h, err := host.Parse([]byte(text), load)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	text := "-- host --\nbase = " + name + ".txtar\n-- env --\n"
	h := parse(text)
	if env != nil {
		for _, have := range h.Environ() {
			key, _, _ := strings.Cut(have, "=")
			if _, ok := env[key]; !ok && probe.Known(key, h.System().OS) {
				text += "-" + key + "\n"
			}
		}
		for _, key := range slices.Sorted(maps.Keys(env)) {
			text += key + "=" + env[key] + "\n"
		}
		h = parse(text)
	}
	m, _ := probe.Survey(t.Context(), h, probe.Options{})
	return m
}

// envOf is the environment after the one of a toolkit; nil when the toolkit cannot be chosen.
func envOf(t *testing.T, m fact.Machine, root string, opt environ.Options) map[string]string {
	t.Helper()
	_, chosen := choice.Toolkit(m, choice.Options{Flag: root})
	if chosen.Toolkit == nil {
		return nil
	}
	return environ.For(m, *chosen.Toolkit, opt).Apply(m.Env)
}
