package data

import (
	"strings"
	"testing"
)

func TestMends(t *testing.T) {
	table := new(MendTable)
	if err := Read("mends.toml", table); err != nil {
		t.Fatal(err)
	}
	seen, used := map[string]bool{}, map[string]bool{}
	for _, m := range table.Mends {
		if seen[m.Name] {
			t.Errorf("%s stands twice", m.Name)
		}
		seen[m.Name] = true
		if m.Does == "" || m.Permanent == "" || m.Paste == "" || len(m.Source) == 0 {
			t.Errorf("%s: something is missing: %+v", m.Name, m)
		}
		for _, key := range m.Source {
			if table.Sources[key] == "" {
				t.Errorf("%s: there is no source %q", m.Name, key)
			}
			used[key] = true
		}
	}
	for key, text := range table.Sources {
		if !used[key] || !strings.Contains(text, " ") && !strings.HasPrefix(text, "https://") {
			t.Errorf("source %s = %q: not used, or neither an address nor a document", key, text)
		}
	}
}
