package project

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// passed writes troubles as FILE: WHY.
func passed(all []fact.Trouble) []string {
	var out []string
	for _, t := range all {
		out = append(out, t.Source+": "+t.Why)
	}
	return out
}

// TestUnreadFiles: what is not read is told, and the rest is read.
func TestUnreadFiles(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		want        []string
	}{
		{"closed", "-- tree --\n/home/u/ws/CMakeLists.txt ! permission denied\n", []string{"CMakeLists.txt: permission denied"}},
		{"a closed folder", "-- tree --\n/home/u/ws/src d ! permission denied\n", []string{"src: permission denied"}},
		{"a folder", "-- tree --\n/home/u/ws/setup.py d\n", []string{"setup.py: it is a folder"}},
		{"a folder with a name of its own", "-- tree --\n/home/u/ws/Dockerfiles d\n", nil},
		{"a link to a device", "-- tree --\n/dev/zero c\n/home/u/ws/Makefile -> /dev/zero\n", []string{"Makefile: it is a link to something that is no file of the project"}},
		{"a link out of the project", "-- tree --\n/etc/Makefile f 3\n/home/u/ws/Makefile -> /etc/Makefile\n", []string{"Makefile: it is a link to something that is no file of the project"}},
		{"a link to nothing", "-- tree --\n/home/u/ws/Makefile -> gone\n", []string{"Makefile: it is a link to something that is no file of the project"}},
		{"a link to a file that is read", "-- file /home/u/ws/GNUmakefile --\nall:\n-- tree --\n/home/u/ws/Makefile -> GNUmakefile\n", nil},
		{"a link that nobody would read", "-- tree --\n/home/u/ws/notes -> /etc/notes\n", nil},
		{"too large", "-- tree --\n/home/u/ws/CMakeLists.txt f 9000000\n", []string{"CMakeLists.txt: it is larger than 512 KiB"}},
		{"no TOML", "-- file /home/u/ws/pyproject.toml --\n[project\n", []string{"pyproject.toml: it is not understood: toml: expected ']' to close table name"}},
		{"no JSON", "-- file /home/u/ws/CMakePresets.json --\n{\n", []string{"CMakePresets.json: it is not understood: unexpected end of JSON input"}},
		{"a workflow that is a folder", "-- tree --\n/home/u/ws/.github/workflows/ci.yml d\n", []string{".github/workflows/ci.yml: it is a folder"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := host.Parse([]byte(head+"-- file /home/u/ws/sub/CMakeLists.txt --\nfind_package(CUDAToolkit 12.4)\n"+tt.files), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, unread := Clues(look.New(h), "/home/u/ws")
			if !slices.Equal(passed(unread), tt.want) {
				t.Errorf("not read: %q, want %q", passed(unread), tt.want)
			}
			if !slices.Contains(told(got), "toolkit.min = 12.4 @ sub/CMakeLists.txt:1") {
				t.Errorf("clues %q lack those of the other file", told(got))
			}
		})
	}
}

// TestEncodings: bytes that are no UTF-8 are told; what is plain in a text with such bytes is still read.
func TestEncodings(t *testing.T) {
	const line = "find_package(CUDAToolkit 12.4)\n"
	wide := strings.Join(strings.Split(line, ""), "\x00") + "\x00"
	for _, tt := range []struct {
		name, text, why string
		clues           []string
	}{
		{"UTF-8 with a mark", "\ufeff" + line, "", []string{"toolkit.min = 12.4 @ CMakeLists.txt:1"}},
		{"UTF-16, low byte first", "\xff\xfe" + wide, errUTF16.Error(), nil},
		{"UTF-16, high byte first", "\xfe\xff\x00" + wide, errUTF16.Error(), nil},
		{"no text", "\x7fELF\x00\x01" + line, errBinary.Error(), nil},
		{"Latin-1 in a comment", "# f\xfcr alle\n" + line, errBytes.Error(), []string{"toolkit.min = 12.4 @ CMakeLists.txt:2"}},
		{"Latin-1 in a value", "project(f\xfcr)\n" + line, errBytes.Error(), []string{"toolkit.min = 12.4 @ CMakeLists.txt:2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "CMakeLists.txt"), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			got, unread := Clues(look.New(host.Here()), dir)
			var want []string
			if tt.why != "" {
				want = []string{"CMakeLists.txt: " + tt.why}
			}
			if !slices.Equal(passed(unread), want) {
				t.Errorf("not read of %q: %q, want %q", tt.text, passed(unread), want)
			}
			left := slices.DeleteFunc(told(got), func(s string) bool { return strings.HasPrefix(s, "project.build") })
			if !slices.Equal(left, tt.clues) && len(left)+len(tt.clues) > 0 {
				t.Errorf("clues of %q: %q, want %q", tt.text, left, tt.clues)
			}
		})
	}
}

// TestTooManyFiles: the limit is told once.
func TestTooManyFiles(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + "-- tree --\n")
	for i := range maxClueFiles + 20 {
		fmt.Fprintf(&b, "/home/u/ws/k%04d.cuh f 1\n", i)
	}
	h, err := host.Parse([]byte(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, unread := Clues(look.New(h), "/home/u/ws")
	n := 0
	for _, p := range passed(unread) {
		if strings.Contains(p, "one of too many") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the limit is told %d times, want once", n)
	}
}
