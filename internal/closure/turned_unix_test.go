//go:build unix

package closure

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestWay: other things come into the folders above a toolkit while it compiles, as where several are installed.
func TestWay(t *testing.T) {
	for _, tt := range []struct {
		name, want string // where it was turned
		then       func(t *testing.T, m *made)
	}{
		{"nothing", "", func(*testing.T, *made) {}},
		{"another toolkit beside it", "", func(t *testing.T, m *made) { m.write(t, "all/other/x", ""); m.write(t, "k.o", "") }},
		{"a file in each folder above", "", func(t *testing.T, m *made) {
			m.write(t, "all/x", "")
			m.write(t, "all/kit/x", "")
		}},
		{"folders behind a link", "", func(t *testing.T, m *made) {
			m.write(t, "to/x", "")
			m.write(t, "to/kit/x", "")
		}},
		{"another one in its place, and a file in that", "all/kit", func(t *testing.T, m *made) {
			m.rename(t, "all/kit", "all/old")
			m.rename(t, "all/new", "all/kit")
			m.write(t, "all/kit/x", "")
		}},
		{"another one in its place behind a link, and a file in that", "all/kit", func(t *testing.T, m *made) {
			m.rename(t, "to/kit", "to/old")
			m.rename(t, "to/new", "to/kit")
			m.write(t, "to/kit/x", "")
		}},
		{"another one in place of a folder that was not looked at, and a file in that", "all/kit/include/sub", func(t *testing.T, m *made) {
			m.rename(t, "all/kit/include/sub", "all/kit/include/old")
			m.rename(t, "all/new/include/sub", "all/kit/include/sub")
			m.write(t, "all/kit/include/sub/x", "")
		}},
		{"a file in the working folder and above it", "", func(t *testing.T, m *made) {
			m.write(t, "k.o", "")
			m.write(t, "../beside-"+filepath.Base(m.Dir), "")
		}},
		{"link turned", "all", func(t *testing.T, m *made) {
			m.remove(t, "all")
			m.write(t, "all", "-> to")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, files := "all/", map[string]string{"k.cu": ""}
			if strings.Contains(tt.name, "link") {
				in, files["all"] = "to/", "-> to"
			}
			for _, f := range []string{"kit/include/a.h", "kit/include/sub/a.h", "new/include/a.h", "new/include/sub/a.h"} {
				files[in+f] = ""
			}
			m := project(t, files, folders{{"tools", "all/kit/include"}})
			include := filepath.Join(m.Dir, "all/kit/include")
			m.keep(t, "k.cpp1.ii", fmt.Sprintf("# 1 \"k.cu\"\n# 1 \"%s/a.h\" 1\n# 1 \"%s/sub/a.h\" 1\n", include, include))
			m.settle()
			tt.then(t, m)
			got := ""
			if _, refusal := m.read(t); refusal != nil {
				got = refusal.Error()
			}
			switch {
			case tt.want == "" && got != "":
				t.Errorf("refused: %s", got)
			case tt.want != "" && !strings.HasSuffix(got, "a.h, through "+filepath.Join(m.Dir, tt.want)):
				t.Errorf("refused with %q, want one for %s", got, tt.want)
			}
		})
	}
}

// TestWayWithSlash: a folder that ends in a slash is looked at like another.
func TestWayWithSlash(t *testing.T) {
	m := project(t, map[string]string{"k.cu": "#if __has_include(<m.h>)\n#endif\n", "x/y/": "", "other/y/": ""}, folders{{"user", "x/y/"}})
	if _, refusal := m.read(t); refusal != nil {
		t.Fatalf("refused: %v", refusal)
	}
	m.rename(t, "x", "old") // m.h may have been in it
	m.rename(t, "other", "x")
	m.Before = Before{}
	if _, refusal := m.read(t); refusal == nil || refusal.Error() != "changed-meanwhile: x/y/" {
		t.Errorf("refused with %v", refusal)
	}
}
