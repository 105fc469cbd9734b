package resolve

import (
	"strings"
	"testing"

	"cupel/data"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name, pattern, in, rest string
		ok                      bool
	}{
		{"everything below", "a/b/**", "a/b/c/d", "c/d", true},
		{"the folder itself is not below it", "a/b/**", "a/b", "", false},
		{"a wildcard folder", "*/bin/**", "cuda_nvcc-13/bin/crt/x", "crt/x", true},
		{"a wildcard is one folder", "*/bin/**", "a/b/bin/x", "", false},
		{"a file", "usr/bin/ptxas", "usr/bin/ptxas", "ptxas", true},
		{"files by wildcard", "usr/lib/*/libcudart*", "usr/lib/x86_64-linux-gnu/libcudart.so.12", "libcudart.so.12", true},
		{"a wildcard ends at a slash", "usr/lib/lib*", "usr/lib/libx/y", "", false},
		{"all", "**", "a/b", "a/b", true},
		{"shorter than the pattern", "a/b/c", "a/b", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rest, ok := match(tt.pattern, tt.in)
			if ok != tt.ok || rest != tt.rest {
				t.Errorf("match(%q, %q) = %q, %v, want %q, %v", tt.pattern, tt.in, rest, ok, tt.rest, tt.ok)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	l := Layout{target: "x86_64-linux", component: "nvcc", rows: []data.LayoutRow{
		{From: "n/include/secret/**", Drop: true},
		{From: "n/include/**", To: "targets/<target>/include/"},
		{From: "n/*.dist-info/LICENSE*", To: "licenses/<component>/"},
		{From: "n/top", To: "bin/renamed"},
	}}
	for _, tt := range []struct{ name, in, want string }{
		{"below a folder", "n/include/crt/x.h", "targets/x86_64-linux/include/crt/x.h"},
		{"an earlier row drops it", "n/include/secret/x.h", ""},
		{"a licence", "n/a.dist-info/LICENSE.txt", "licenses/nvcc/LICENSE.txt"},
		{"renamed", "./n/top", "bin/renamed"},
		{"backslashes", `n\include\x.h`, "targets/x86_64-linux/include/x.h"},
		{"no row", "other", ""},
		{"upwards out of the archive", "../n/top", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := l.Place(tt.in); got != tt.want || ok != (tt.want != "") {
				t.Errorf("Place(%q) = %q, %v, want %q", tt.in, got, ok, tt.want)
			}
		})
	}
}

// FuzzPlace: whatever an archive calls its files, none is placed outside the root.
func FuzzPlace(f *testing.F) {
	l := Layout{target: "x86_64-linux", component: "nvcc", rows: []data.LayoutRow{
		{From: "n/**", To: "a/"}, {From: "*/x/**", To: ""}, {From: "**", To: "rest/"},
	}}
	for _, s := range []string{"n/../../etc/passwd", `..\..\x`, "/etc/passwd", "n/./x", "a/x/../../../b", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		to, ok := l.Place(name)
		if ok && (to == ".." || strings.HasPrefix(to, "../") || strings.HasPrefix(to, "/") || strings.Contains(to, "/../")) {
			t.Errorf("Place(%q) = %q, which is outside", name, to)
		}
	})
}
