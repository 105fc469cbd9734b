package apt

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"cupel/data"
)

// ownKey names the state of the machine's own suites.
const ownKey = "own"

// Beside opens the state of the machine's own suites, with what is installed, and of one more suite of the distribution
// if it is named: what apt would install here. The key of a parcel leads to the same state.
func (s *Source) Beside(m Machine, suite string) (key string, state State, err error) {
	var sources []string
	for _, e := range m.entries {
		sources = append(sources, e.with(e.suites, m.all(e.components)))
	}
	key = ownKey
	if suite != "" {
		i := slices.IndexFunc(s.rows(m), func(r data.SuiteRow) bool { return suiteName(r) == suite })
		if i < 0 {
			return "", State{}, fmt.Errorf("%s has no suite named %q in the table", m.Distribution, suite)
		}
		r := s.rows(m)[i]
		key += "+" + suite
		sources = append(sources, m.own().with(strings.Fields(r.Suite), r.Components))
	}
	status := filepath.Join(s.config.Root, "/var/lib/dpkg/status")
	return key, s.state(m, key, strings.Join(sources, "\n"), "", status), nil
}

// Open finds the state of a parcel that Beside gave the key for.
func (s *Source) Open(place string) (State, error) {
	m, err := s.Machine()
	if err != nil {
		return State{}, err
	}
	key, _, _ := strings.Cut(place, ":")
	own, suite, _ := strings.Cut(key, "+")
	if own != ownKey {
		return State{}, fmt.Errorf("no state of apt is named %q", key)
	}
	_, state, err := s.Beside(m, suite)
	return state, err
}

// all adds the component in which Ubuntu keeps other compilers than its own.
func (m Machine) all(components []string) []string {
	if m.Distribution == "ubuntu" && !slices.Contains(components, "universe") {
		return append(slices.Clone(components), "universe")
	}
	return components
}

// Suites are the other suites of the distribution that have a compiler.
func (s *Source) Suites(m Machine, gcc int) []string {
	var out []string
	for _, r := range s.rows(m) {
		if slices.Contains(r.GCC, gcc) && !slices.Contains(m.Codenames, suiteName(r)) {
			out = append(out, suiteName(r))
		}
	}
	return out
}
