package profile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/environ"
)

func testSet(root string) environ.Set {
	bin := root + "/bin"
	return environ.Set{OS: "linux", Title: "CUDA in " + root, Vars: []environ.Var{
		{Name: "CUDA_HOME", Value: root, Kind: environ.Assign},
		{Name: "CUDA_PATH", Value: root, Kind: environ.Assign},
		{Name: "PATH", Value: bin, Dirs: []string{bin}, Kind: environ.Prepend},
	}}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keep persists and fails the test when that does not work.
func keep(t *testing.T, target Target, set environ.Set) Report {
	t.Helper()
	report, err := Persist(target, set)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestPersistAndUndoRestoresBytes(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind Kind
		text string
	}{
		{"plain profile", Bash, "alias ll='ls -l'\n"},
		{"no line break at the end", Bash, "alias ll='ls -l'"},
		{"empty profile", Zsh, ""},
		{"CRLF profile", Bash, "A=1\r\nB=2\r\n"},
		{"CRLF without the last", Zsh, "A=1\r\nB=2"},
		{"not UTF-8", Bash, "# caf\xe9\nexport X=\xff\n"},
		{"fish", Fish, "set -gx EDITOR vi\n"},
		{"cargo without env", Cargo, "# mine\n[build]\njobs = 2 # two\n"},
		{"cargo without a last line break", Cargo, "[build]\njobs = 2"},
		{"cargo with env", Cargo, "[env]\nOTHER = \"1\" # keep\n\n[build]\njobs = 2\n"},
		{"cargo with the same names", Cargo, "[env]\nCUDA_HOME = \"/old\" # my own\n  CUDA_PATH = { value = \"/old\", relative = true }\nOTHER = \"1\"\n[net]\nretry = 3\n"},
		{"cargo with a quoted name", Cargo, "[env] # env\n\"CUDA_HOME\" = '/old'\n"},
		{"cargo with CRLF", Cargo, "[env]\r\nCUDA_HOME = \"/old\"\r\n\r\n[build]\r\njobs = 2\r\n"},
		{"cargo ending in the header", Cargo, "[build]\njobs = 2\n[env]"},
		{"cargo of the same name elsewhere", Cargo, "[target.x86_64-unknown-linux-gnu.env]\nCUDA_HOME = \"/t\"\n"},
		{"cargo empty", Cargo, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := Target{Kind: tt.kind, Path: filepath.Join(t.TempDir(), "file")}
			write(t, target.Path, tt.text)
			if report := keep(t, target, testSet("/cuda 13")); !report.Changed {
				t.Error("Persist says that nothing changed")
			}
			once := read(t, target.Path)
			if report := keep(t, target, testSet("/cuda 13")); report.Changed || read(t, target.Path) != once {
				t.Errorf("Persist again changed the file:\n%s", read(t, target.Path))
			}
			keep(t, target, testSet("/cuda 12"))
			if got := read(t, target.Path); strings.Count(got, begin) != 1 || strings.Contains(got, "/cuda 13") || !strings.Contains(got, "/cuda 12") {
				t.Errorf("after another toolkit:\n%s\nwant one block, of the new one", got)
			}
			if _, err := Undo(target); err != nil {
				t.Fatal(err)
			}
			if got := read(t, target.Path); got != tt.text {
				t.Errorf("after undo %q, want %q", got, tt.text)
			}
			if _, err := Undo(target); !errors.Is(err, ErrNothing) {
				t.Errorf("second undo = %v, want ErrNothing", err)
			}
		})
	}
}

func TestFileMadeIsRemoved(t *testing.T) {
	home := t.TempDir()
	for _, kind := range []Kind{Bash, Fish, Cargo} {
		t.Run(string(kind), func(t *testing.T) {
			write(t, filepath.Join(home, "Cargo.toml"), "[package]\n")
			target, err := For(kind, home, "", home, home)
			if err != nil {
				t.Fatal(err)
			}
			keep(t, target, testSet("/c"))
			keep(t, target, testSet("/d"))
			if _, err := Undo(target); err != nil {
				t.Fatal(err)
			}
			if left, err := os.ReadDir(home); err != nil || len(left) != 1 {
				t.Errorf("left behind: %v (%v), want Cargo.toml alone", left, err)
			}
		})
	}
}

func TestLinesAroundTheBlockStay(t *testing.T) {
	target := Target{Kind: Bash, Path: filepath.Join(t.TempDir(), ".bashrc")}
	write(t, target.Path, "first")
	keep(t, target, testSet("/c"))
	write(t, target.Path, "zeroth\n"+read(t, target.Path)+"last\n")
	keep(t, target, testSet("/d"))
	if got := read(t, target.Path); !strings.HasPrefix(got, "zeroth\nfirst\n# >>>") || !strings.HasSuffix(got, end+"\nlast\n") {
		t.Errorf("the block moved:\n%s", got)
	}
	if _, err := Undo(target); err != nil {
		t.Fatal(err)
	}
	if got := read(t, target.Path); got != "zeroth\nfirst\nlast\n" {
		t.Errorf("after undo %q, want the three lines", got)
	}
}

func TestEditedBlock(t *testing.T) {
	for _, kind := range []Kind{Zsh, Cargo} {
		t.Run(string(kind), func(t *testing.T) {
			target := Target{Kind: kind, Path: filepath.Join(t.TempDir(), "file")}
			keep(t, target, testSet("/c"))
			edited := strings.Replace(read(t, target.Path), "/c", "/mine", 1)
			write(t, target.Path, edited)
			if _, err := Persist(target, testSet("/d")); !errors.Is(err, ErrEdited) {
				t.Errorf("Persist = %v, want ErrEdited", err)
			}
			if _, err := Undo(target); !errors.Is(err, ErrEdited) {
				t.Errorf("Undo = %v, want ErrEdited", err)
			}
			if read(t, target.Path) != edited {
				t.Error("the edited file was changed")
			}
			target.Force = true
			if _, err := Undo(target); err != nil {
				t.Errorf("Undo with Force = %v", err)
			}
		})
	}
}

func TestRefusedFiles(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind Kind
		text string
		want string
	}{
		{"no end mark", Bash, "a\n" + begin + "\nb\n", "no end mark"},
		{"no begin mark", Bash, "a\n" + end + "\nb\n", "no begin mark"},
		{"two begin marks", Bash, begin + "\n" + begin + "\n" + end + "\n", "no end mark"},
		{"state line gone", Bash, begin + "\n" + end + "\n", "state line"},
		{"broken TOML", Cargo, "[env\n", "not valid TOML"},
		{"env in one line", Cargo, "env = { CUDA_HOME = \"/x\" }\n", "cannot be merged"},
		{"sub-table of the same name", Cargo, "[env.CUDA_HOME]\nvalue = \"/x\"\n", "cannot be merged"},
		{"long string of the same name", Cargo, "[env]\nCUDA_HOME = \"\"\"\n/x\n\"\"\"\n", "cannot be merged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := Target{Kind: tt.kind, Path: filepath.Join(t.TempDir(), "file")}
			write(t, target.Path, tt.text)
			_, err := Persist(target, testSet("/c"))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Persist = %v, want %q", err, tt.want)
			}
			if got := read(t, target.Path); got != tt.text {
				t.Errorf("the file was changed to %q", got)
			}
		})
	}
}

func TestReadOnlyFile(t *testing.T) {
	target := Target{Kind: Bash, Path: filepath.Join(t.TempDir(), ".bashrc")}
	write(t, target.Path, "mine\n")
	if err := os.Chmod(target.Path, 0o444); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(target.Path, 0o644) })
	if _, err := Persist(target, testSet("/c")); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("Persist = %v, want that the file is read-only", err)
	}
	if read(t, target.Path) != "mine\n" {
		t.Error("a read-only file was changed")
	}
}

func TestLinkAndModeStay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that users of Windows do not have")
	}
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles", "bashrc")
	write(t, real, "mine\n")
	target := Target{Kind: Bash, Path: filepath.Join(dir, ".bashrc")}
	if err := os.Symlink("dotfiles/bashrc", target.Path); err != nil {
		t.Fatal(err)
	}
	keep(t, target, testSet("/c"))
	if to, err := os.Readlink(target.Path); err != nil || to != "dotfiles/bashrc" {
		t.Errorf("the link is now %q (%v)", to, err)
	}
	info, err := os.Stat(real)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode = %v (%v), want 0640", info.Mode(), err)
	}
	if names, _ := os.ReadDir(filepath.Dir(real)); len(names) != 1 {
		t.Errorf("left in the folder: %v", names)
	}
}

func TestDanglingLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that users of Windows do not have")
	}
	target := Target{Kind: Bash, Path: filepath.Join(t.TempDir(), ".bashrc")}
	if err := os.Symlink("nowhere", target.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := Persist(target, testSet("/c")); err == nil || !strings.Contains(err.Error(), "follow the link") {
		t.Errorf("Persist = %v, want that the link cannot be followed", err)
	}
}

func TestHomeThatIsNone(t *testing.T) {
	full := t.TempDir()
	for _, tt := range []struct {
		name         string
		kind         Kind
		home, config string
		want         string // below full; empty: refused
	}{
		{"bash without HOME", Bash, "", "", ""},
		{"zsh with a relative one", Zsh, "home", "", ""},
		{"fish with a relative one", Fish, "./home", "", ""},
		{"fish with both relative", Fish, "home", "config", ""},
		{"fish with a folder of its own", Fish, "", filepath.Join(full, "xdg"), "xdg/fish/config.fish"},
		{"a relative XDG_CONFIG_HOME is ignored", Fish, full, "config", ".config/fish/config.fish"},
		{"a full one", Bash, full, "", ".bashrc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target, err := For(tt.kind, tt.home, tt.config, full, full)
			if tt.want == "" {
				if err == nil || !strings.Contains(err.Error(), "home folder is not known") {
					t.Errorf("For = %+v, %v, want that the home folder is not known", target, err)
				}
				return
			}
			if err != nil || target.Path != filepath.Join(full, filepath.FromSlash(tt.want)) {
				t.Errorf("For = %q, %v, want %q", target.Path, err, tt.want)
			}
		})
	}
}

func TestCargoFile(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		in    string
		want  string // empty: refused
	}{
		{"beside the manifest", map[string]string{"Cargo.toml": "[package]\n"}, ".", ".cargo/config.toml"},
		{"from a folder below", map[string]string{"Cargo.toml": "[package]\n", "src/a/b.rs": ""}, "src/a", ".cargo/config.toml"},
		{"workspace above a member", map[string]string{"Cargo.toml": "[workspace]\nmembers = ['m']\n", "m/Cargo.toml": "[package]\n"}, "m", ".cargo/config.toml"},
		{"nearest workspace", map[string]string{"Cargo.toml": "[workspace]\n", "m/Cargo.toml": "[package]\n[workspace]\n"}, "m", "m/.cargo/config.toml"},
		{"package above that is no workspace", map[string]string{"Cargo.toml": "[package]\n", "m/Cargo.toml": "[package]\n"}, "m", "m/.cargo/config.toml"},
		{"broken manifest above", map[string]string{"Cargo.toml": "[workspace", "m/Cargo.toml": "[package]\n"}, "m", "m/.cargo/config.toml"},
		{"file without an ending", map[string]string{"Cargo.toml": "[package]\n", ".cargo/config": "", ".cargo/config.toml": ""}, ".", ".cargo/config"},
		{"no project", map[string]string{"x/y": ""}, "x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
			}
			target, err := For(Cargo, dir, "", filepath.Join(dir, filepath.FromSlash(tt.in)), dir)
			if tt.want == "" {
				if err == nil || !strings.Contains(err.Error(), "no Cargo.toml") {
					t.Errorf("For = %+v, %v, want that there is no Cargo.toml", target, err)
				}
				return
			}
			if err != nil || target.Path != filepath.Join(dir, filepath.FromSlash(tt.want)) {
				t.Errorf("For = %q, %v, want %q", target.Path, err, tt.want)
			}
		})
	}
}

// TestOtherKind: the environment of a running program does not silently take the place of a build's.
func TestOtherKind(t *testing.T) {
	running := environ.Set{OS: "linux", Runtime: true, Vars: []environ.Var{{Name: "LD_LIBRARY_PATH", Value: "/c/lib64", Dirs: []string{"/c/lib64"}, Kind: environ.Prepend}}}
	for _, tt := range []struct {
		name          string
		kind          Kind
		first, second environ.Set
	}{
		{"runtime over build in bash", Bash, testSet("/c"), running},
		{"build over runtime in bash", Bash, running, testSet("/c")},
		{"runtime over build in fish", Fish, testSet("/c"), running},
		{"runtime over build in cargo", Cargo, testSet("/c"), running},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := Target{Kind: tt.kind, Path: filepath.Join(t.TempDir(), "file")}
			write(t, target.Path, "# mine\n")
			keep(t, target, tt.first)
			once := read(t, target.Path)
			if _, err := Persist(target, tt.second); !errors.Is(err, ErrOther) || read(t, target.Path) != once {
				t.Errorf("Persist = %v, want ErrOther and the file as it was", err)
			}
			keep(t, target, tt.first)
			target.Force = true
			keep(t, target, tt.second)
			target.Force = false
			if _, err := Undo(target); err != nil || read(t, target.Path) != "# mine\n" {
				t.Errorf("Undo = %v, %q", err, read(t, target.Path))
			}
		})
	}
}

func TestNothingThatCanBeKept(t *testing.T) {
	split := testSet("/a:b")
	path := environ.Set{OS: "linux", Vars: testSet("/c").Vars[2:]}
	for _, tt := range []struct {
		name string
		kind Kind
		set  environ.Set
		want string
	}{
		{"separator in a folder", Cargo, split, "separates the folders"},
		{"separator in a folder, bash", Bash, split, "separates the folders"},
		{"PATH alone for cargo", Cargo, path, "nothing to keep but PATH"},
		{"empty set", Bash, environ.Set{OS: "linux"}, "nothing to keep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := Target{Kind: tt.kind, Path: filepath.Join(t.TempDir(), "file")}
			_, err := Persist(target, tt.set)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Persist = %v, want %q", err, tt.want)
			}
			if _, err := os.Stat(target.Path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a file was made: %v", err)
			}
		})
	}
}
