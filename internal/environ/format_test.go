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
		{"separator in a folder", "sh", Var{Name: "PATH", Dirs: []string{"/a:b"}, Value: "/a:b", Kind: Prepend}, "is what separates the folders of that list"},
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
$cupelGone = @("$env:CUPEL_ENV_DIRS_PATH".Split(';'))
$cupelRest = @("$env:PATH".Split(';') | Where-Object { $_ -and $cupelGone -notcontains $_ })
$env:CUPEL_ENV_DIRS_PATH = @($cupelDirs | Where-Object { $cupelRest -notcontains $_ }) -join ';'
$env:PATH = ($cupelDirs + @($cupelRest | Where-Object { $cupelDirs -notcontains $_ })) -join ';'
Remove-Variable cupelDirs, cupelGone, cupelRest
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
			"@set \"CUDA_PATH=C:\\100%% & more!\"\r\n@set \"PATH=" + dir + ";C:\\Windows;C:\\x\"\r\n@set \"CUPEL_ENV_DIRS_PATH=\"\r\n@set \"CUPEL_ENV_SET=CUDA_PATH\"\r\n"},
		{"no environment given", nil,
			"@set \"CUDA_PATH=C:\\100%% & more!\"\r\n@set \"PATH=" + dir + ";%PATH%\"\r\n@set \"CUPEL_ENV_DIRS_PATH=" + dir + "\"\r\n@set \"CUPEL_ENV_SET=CUDA_PATH\"\r\n"},
		{"after another toolkit", map[string]string{"Path": `C:\12\bin;C:\Windows`, "LIB": `C:\12\lib`, "CUPEL_ENV_DIRS_PATH": `C:\12\bin`, "CUPEL_ENV_DIRS_LIB": `C:\12\lib`, Recorded: "NVCC_CCBIN CUDA_PATH"},
			"@set \"NVCC_CCBIN=\"\r\n@set \"LIB=\"\r\n@set \"CUPEL_ENV_DIRS_LIB=\"\r\n@set \"CUDA_PATH=C:\\100%% & more!\"\r\n@set \"PATH=" + dir + ";C:\\Windows\"\r\n@set \"CUPEL_ENV_DIRS_PATH=" + dir + "\"\r\n@set \"CUPEL_ENV_SET=CUDA_PATH\"\r\n"},
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
	if got["Path"] != `C:\cuda\bin;C:\w` || got["cuda_path"] != `C:\cuda` || got[Recorded] != "CUDA_PATH" || len(got) != 4 {
		t.Errorf("Apply twice = %v, want the spelling kept, the folder once, in front", got)
	}
	if old["cuda_path"] != "x" {
		t.Error("Apply changed what it was given")
	}
}

// TestRuntimeText: the environment of a running program takes nothing away and notes nothing, in any language.
func TestRuntimeText(t *testing.T) {
	set := Set{OS: "windows", Runtime: true, Vars: []Var{{Name: "PATH", Value: `C:\c\bin`, Dirs: []string{`C:\c\bin`}, Kind: Prepend}}}
	old := map[string]string{"PATH": `C:\b;C:\w`, Recorded: "CUDA_PATH", RecordedDirs + "PATH": `C:\b`, RecordedDirs + "LIB": `C:\l`}
	for _, format := range Formats {
		if format == "systemd" {
			continue // not for Windows
		}
		got, err := Format(set, format, old)
		if err != nil || strings.Contains(string(got), "CUPEL_ENV") || strings.Contains(string(got), "CUDA_PATH") {
			t.Errorf("%s: %v\n%s\nwant no word about the build's variables", format, err, got)
		}
	}
	if got := set.Apply(old); got["PATH"] != `C:\c\bin;C:\b;C:\w` || got[Recorded] != "CUDA_PATH" {
		t.Errorf("Apply = %v, want the folder added and nothing else changed", got)
	}
}

func TestFormatNotes(t *testing.T) {
	m, tk := linuxMachine()
	set := For(m, tk, Options{})
	for format, want := range map[string]string{"cargo": "bindgen_cuda", "cmake-preset": "cmake --preset cupel"} {
		if got := strings.Join(FormatNotes(set, format), "\n"); !strings.Contains(got, want) {
			t.Errorf("notes of %s = %q, want %q in them", format, got, want)
		}
	}
	if got := FormatNotes(set, "sh"); got != nil {
		t.Errorf("notes of sh = %q, want none", got)
	}
}
