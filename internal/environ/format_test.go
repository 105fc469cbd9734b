package environ

import (
	"strings"
	"testing"
)

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name, format string
		v            Var
		want         string
	}{
		{"line break", "sh", Var{Name: "A", Value: "x\ny", Kind: Assign}, "line break"},
		{"NUL", "fish", Var{Name: "A", Value: "x\x00", Kind: Assign}, "NUL"},
		{"separator in a folder", "sh", Var{Name: "PATH", Dirs: []string{"/a:b"}, Value: "/a:b", Kind: Prepend}, "cannot stand in PATH"},
		{"bad name", "sh", Var{Name: "A;rm", Value: "x", Kind: Assign}, "variable name"},
		{"quotation mark in cmd", "cmd", Var{Name: "A", Value: `x"y`, Kind: Assign}, "quotation mark"},
		{"no common spelling", "dotenv", Var{Name: "A", Value: `it's $x`, Kind: Assign}, "do not agree"},
		{"unknown format", "tcsh", Var{Name: "A", Value: "x", Kind: Assign}, "it is one of sh, fish"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Format(Set{OS: "linux", Vars: []Var{tt.v}}, tt.format, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Format = %v, want an error about %q", err, tt.want)
			}
		})
	}
}

func TestQuotePowerShell(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"spaces", `C:\Program Files\x`, `'C:\Program Files\x'`},
		{"quote", `it's`, `'it''s'`},
		{"typographic quotes end a string too", "a‘b’c‚d‛e", "'a‘‘b’’c‚‚d‛‛e'"},
		{"dollar, backtick and double quote are themselves", "$x `n \"", "'$x `n \"'"},
		{"trailing backslash", `C:\`, `'C:\'`},
		{"percent and bang", `100%!`, `'100%!'`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := quotePowerShell(tt.in); got != tt.want {
				t.Errorf("quotePowerShell(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestPowerShellText(t *testing.T) {
	dir := `C:\Program Files\NVIDIA\v13.0\bin`
	set := Set{OS: "windows", Vars: []Var{{Name: "CUDA_PATH", Value: `C:\Program Files\it's`, Kind: Assign}, {Name: "PATH", Value: dir, Dirs: []string{dir}, Kind: Prepend}}}
	got, err := Format(set, "powershell", map[string]string{Recorded: "NVCC_CCBIN"})
	want := `Remove-Item -LiteralPath Env:NVCC_CCBIN -ErrorAction SilentlyContinue
$env:CUDA_PATH = 'C:\Program Files\it''s'
$cupelDirs = @('C:\Program Files\NVIDIA\v13.0\bin')
$env:PATH = ($cupelDirs + @("$env:PATH".Split(';') | Where-Object { $_ -and $cupelDirs -notcontains $_ })) -join ';'
Remove-Variable cupelDirs
$env:CUPEL_ENV_SET = 'CUDA_PATH'
`
	if err != nil || string(got) != want {
		t.Errorf("Format = %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestCmdText(t *testing.T) {
	dir := `C:\Program Files\NVIDIA\v13.0\bin`
	set := Set{OS: "windows", Vars: []Var{{Name: "CUDA_PATH", Value: `C:\100% & more!`, Kind: Assign}, {Name: "PATH", Value: dir, Dirs: []string{dir}, Kind: Prepend}}}
	for _, tt := range []struct {
		name string
		old  map[string]string
		want string
	}{
		{"computed from the environment", map[string]string{"Path": `C:\Windows;c:\program files\nvidia\V13.0\bin\;C:\x`},
			"@set \"CUDA_PATH=C:\\100%% & more!\"\r\n@set \"PATH=" + dir + ";C:\\Windows;C:\\x\"\r\n@set \"CUPEL_ENV_SET=CUDA_PATH\"\r\n"},
		{"no environment given", nil,
			"@set \"CUDA_PATH=C:\\100%% & more!\"\r\n@set \"PATH=" + dir + ";%PATH%\"\r\n@set \"CUPEL_ENV_SET=CUDA_PATH\"\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Format(set, "cmd", tt.old)
			if err != nil || string(got) != tt.want {
				t.Errorf("Format = %v\n%q\nwant\n%q", err, got, tt.want)
			}
		})
	}
}

func TestGitBashPath(t *testing.T) {
	dir := `C:\Program Files\NVIDIA\bin`
	set := Set{OS: "windows", Vars: []Var{{Name: "PATH", Value: dir, Dirs: []string{dir}, Kind: Prepend}, {Name: "LIB", Value: `D:\l`, Dirs: []string{`D:\l`}, Kind: Prepend}}}
	got, err := Format(set, "sh", nil)
	if err != nil || !strings.Contains(string(got), `in '/c/Program Files/NVIDIA/bin'; do`) || !strings.Contains(string(got), `in 'D:\l'; do`) {
		t.Errorf("Format = %v\n%s\nwant PATH in the form of Git's bash, LIB in that of Windows", err, got)
	}
}

func TestApply(t *testing.T) {
	dirs := []string{`C:\cuda\bin`}
	set := Set{OS: "windows", Vars: []Var{{Name: "PATH", Dirs: dirs, Value: dirs[0], Kind: Prepend}, {Name: "CUDA_PATH", Value: `C:\cuda`, Kind: Assign}}}
	old := map[string]string{"Path": `C:\w;C:\CUDA\BIN`, "cuda_path": "x"}
	got := set.Apply(set.Apply(old))
	if got["Path"] != `C:\cuda\bin;C:\w` || got["cuda_path"] != `C:\cuda` || len(got) != 2 {
		t.Errorf("Apply twice = %v, want the spelling kept, the folder once, in front", got)
	}
	if old["cuda_path"] != "x" {
		t.Error("Apply changed what it was given")
	}
}
