package redist

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	sum  = "48e35be3cfbf4b4fbc16828eaec8a7048ee789403049dc409f7b643d6259cf7a"
	good = `{"relative_path": "a/b/c.zip", "sha256": "` + sum + `", "size": "5"}`
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, in, err string }{
		{"one component", `{"release_date": "x", "a": {"version": "1", "linux-x86_64": ` + good + `}}`, ""},
		{"size as a number", `{"a": {"linux-x86_64": ` + strings.Replace(good, `"5"`, `5`, 1) + `}}`, ""},
		{"keys nobody knows", `{"new": [1], "a": {"new": true, "more": {"x": 1}, "linux-x86_64": ` + strings.Replace(good, "{", `{"new": {}, `, 1) + `}}`, ""},
		{"variants", `{"a": {"cuda_variant": ["12"], "linux-x86_64": {"cuda12": ` + good + `}}}`, ""},
		{"empty", ``, "not a list"},
		{"a page of a proxy", `<html>`, "not a list"},
		{"no components", `{"release_date": "x"}`, "names no component"},
		{"two documents", `{"a": {"x": ` + good + `}} {}`, "more after its end"},
		{"absolute path", `{"a": {"x": ` + strings.Replace(good, "a/b", "/a/b", 1) + `}}`, "not a path below the list"},
		{"path upwards", `{"a": {"x": ` + strings.Replace(good, "a/b", "../b", 1) + `}}`, "not a path below the list"},
		{"path that goes down and up", `{"a": {"x": ` + strings.Replace(good, "a/b", "a/../../b", 1) + `}}`, "not a path below the list"},
		{"path of Windows", `{"a": {"x": ` + strings.Replace(good, "a/b", `C:\\b`, 1) + `}}`, "not a path below the list"},
		{"an address", `{"a": {"x": ` + strings.Replace(good, "a/b", "http://b", 1) + `}}`, "not a path below the list"},
		{"no path", `{"a": {"x": ` + strings.Replace(good, "a/b/c.zip", "", 1) + `}}`, "not a path below the list"},
		{"short checksum", `{"a": {"x": ` + strings.Replace(good, sum, sum[2:], 1) + `}}`, "is no sha256"},
		{"no hex", `{"a": {"x": ` + strings.Replace(good, "48e3", "xxxx", 1) + `}}`, "is no sha256"},
		{"no size", `{"a": {"x": ` + strings.Replace(good, `"5"`, `""`, 1) + `}}`, "is no size"},
		{"size below zero", `{"a": {"x": ` + strings.Replace(good, `"5"`, `-5`, 1) + `}}`, "is no size"},
		{"size of nothing", `{"a": {"x": ` + strings.Replace(good, `"5"`, `null`, 1) + `}}`, "is no size"},
		{"fraction", `{"a": {"x": ` + strings.Replace(good, `"5"`, `5.5`, 1) + `}}`, "is no size"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse([]byte(tt.in))
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("parse(%s): %v, want %q", tt.in, err, tt.err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a": {"linux-x86_64": ` + good + `}}`, `{"a": {"linux-x86_64": {"cuda12": ` + good + `}}}`, `{}`, `{"a": {}}`, `{"a": {"b": {"c": {"d": {}}}}}`} {
		f.Add([]byte(s))
	}
	lists, _ := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "redist", "*.json"))
	for _, l := range lists {
		if text, err := os.ReadFile(l); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := parse(in)
		if err != nil {
			return
		}
		for name, e := range m.components {
			for platform, variants := range e.archives {
				for _, a := range variants {
					if !clean(a.path) || !filepath.IsLocal(filepath.FromSlash(a.path)) || len(a.sha256) != 64 || a.size <= 0 {
						t.Errorf("parse let %s/%s through: %+v", name, platform, a)
					}
				}
			}
		}
	})
}
