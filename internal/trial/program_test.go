package trial

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
)

func TestCandidates(t *testing.T) {
	for _, tt := range []struct {
		name, os, word, dir string
		env, want           []string
	}{
		{"each folder of PATH", "linux", "make", "/p", []string{"PATH=/a:/b/"}, []string{"/a/make", "/b/make"}},
		{"the last of two", "linux", "make", "/p", []string{"PATH=/a", "PATH=/b"}, []string{"/b/make"}},
		{"no current folder", "linux", "make", "/p", []string{"PATH=:.:bin:/b"}, []string{"/b/make"}},
		{"no PATH", "linux", "make", "/p", []string{"HOME=/h"}, nil},
		{"from the folder", "linux", "./x.sh", "/p", []string{"PATH=/a"}, []string{"/p/./x.sh"}},
		{"a folder up", "linux", "../x.sh", "/p/link", nil, []string{"/p/link/../x.sh"}},
		{"a whole path", "linux", "/a/x", "/p", []string{"PATH=/b"}, []string{"/a/x"}},
		{"no word", "linux", "", "/p", []string{"PATH=/a"}, nil},
		{"Windows: PATHEXT", "windows", "cl", `C:\p`, []string{`Path=C:\a;"D:\b c"`, "PathExt=.EXE;.BAT"}, []string{`C:\a\cl.EXE`, `C:\a\cl.BAT`, `D:\b c\cl.EXE`, `D:\b c\cl.BAT`}},
		{"Windows: with extension", "windows", "cl.exe", `C:\p`, []string{`PATH=C:\a`, "PATHEXT=.EXE"}, []string{`C:\a\cl.exe`, `C:\a\cl.exe.EXE`}},
		{"Windows: no PATHEXT", "windows", "cl", `C:\p`, []string{`PATH=C:\a`}, []string{`C:\a\cl.COM`, `C:\a\cl.EXE`, `C:\a\cl.BAT`, `C:\a\cl.CMD`}},
		{"Windows: from the folder", "windows", "bin/x.exe", `C:\p`, []string{`PATH=C:\a`, "PATHEXT=.EXE"}, []string{`C:\p\bin\x.exe`, `C:\p\bin\x.exe.EXE`}},
		{"Windows: no current folder", "windows", "x", `C:\p`, []string{`PATH=.;bin;C:\a`, "PATHEXT=.EXE"}, []string{`C:\a\x.EXE`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, candidates(tt.word, tt.dir, tt.env, tt.os)); diff != "" {
				t.Errorf("candidates for %q in %q with %q (-want +got):\n%s", tt.word, tt.dir, tt.env, diff)
			}
		})
	}
}

// TestProgramHidden: the same program is found, or not, as a list and as a line: by the PATH the command gets, not by
// that of this program.
func TestProgramHidden(t *testing.T) {
	kit := filepath.Join(t.TempDir(), "kit")
	name, text := "planted-nvcc", "#!/bin/sh\nexit 0\n"
	if runtime.GOOS == "windows" {
		name, text = "planted-nvcc.bat", "@exit /b 0\r\n"
	}
	if err := os.Mkdir(kit, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(kit, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", kit+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, tt := range []struct {
		name, needs string
		command     contract.Command
		fine        bool
	}{
		{"a list that may see it", "toolkit", contract.Command{Argv: []string{"planted-nvcc"}}, true},
		{"a line that may see it", "toolkit", contract.Command{Line: "planted-nvcc"}, true},
		{"a list that may not", "none", contract.Command{Argv: []string{"planted-nvcc"}}, false},
		{"a list that may not, by its whole name", "none", contract.Command{Argv: []string{name}}, false},
		{"a line that may not", "none", contract.Command{Line: "planted-nvcc"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Run(context.Background(), Request{
				Config: contract.Config{Name: "x", Needs: contract.Needs{What: tt.needs}, Command: tt.command}, Dir: t.TempDir(), Base: os.Environ(),
				Hide: &Hide{OS: runtime.GOOS, Roots: []string{kit}, Vars: variables(nil)},
			})
			if fine := o.Code == 0 && o.Err == ""; fine != tt.fine {
				t.Errorf("%s %q: %+v, want it to run: %v", tt.needs, tt.command.Text(), o, tt.fine)
			}
			if len(tt.command.Argv) > 0 && !tt.fine && !strings.Contains(o.Err, "no such program in the PATH it would get") {
				t.Errorf("error %q, want that it is not in PATH", o.Err)
			}
		})
	}
}

// TestProgramBesideContract: a list may name what lies in the folder it runs in, by its path alone.
func TestProgramBesideContract(t *testing.T) {
	dir := t.TempDir()
	name, text := "build.sh", "#!/bin/sh\ntest \"$1\" = 'a b'\n"
	if runtime.GOOS == "windows" {
		name, text = "build.bat", "@if not %1==\"a b\" exit /b 1\r\n"
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	for word, fine := range map[string]bool{"./" + name: true, "../sub/" + name: true, name: false} {
		o := Run(context.Background(), Request{Config: contract.Config{Name: "x", Dir: "sub", Command: contract.Command{Argv: []string{word, "a b"}}}, Dir: dir, Base: os.Environ()})
		if got := o.Code == 0 && o.Err == ""; got != fine {
			t.Errorf("%s: %+v, want it to run: %v", word, o, fine)
		}
	}
}
