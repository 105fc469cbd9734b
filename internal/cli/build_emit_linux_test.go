package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

const partContract = `cupel = 1
[project]
name = "part"
[arch]
targets = ["sm_80"]
[[kernels]]
name = "k"
sources = ["*.cu"]
kinds = "static"
[[kernels.per-file]]
sources = ["bad.cu"]
optional = true
`

// TestBuildEmittedPart: a library that lacks an optional file is told as one, also when there is nothing to do; one with device
// code that nobody linked is told too.
func TestBuildEmittedPart(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := func(format string) string {
		t.Helper()
		return cupelIn(t, dir, nil, "build", "-q", "--toolkit", root, "--emit", format)
	}
	write("cupel.toml", partContract)
	for _, tt := range []struct{ name, bad, want string }{
		{"whole", "", `"complete": true`}, {"again", "", `"complete": true`}, {"without a file", "not C++\n", `"complete": false`}, {"and again", "not C++\n", `"complete": false`},
	} {
		write("bad.cu", tt.bad)
		if got := build("json"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: want %s in\n%s", tt.name, tt.want, got)
		}
	}
	write("bad.cu", "")
	for _, tt := range []struct{ keys, want string }{
		{"rdc = true", "device code of kernel k is not linked"}, {`flags = ["-rdc=true"]`, "device code of kernel k is not linked"}, {"device-link = true", ""},
	} {
		write("cupel.toml", strings.Replace(partContract, "kinds", tt.keys+"\nkinds", 1))
		_, got, told := strings.Cut(build("cargo"), "cargo:warning=")
		if told != (tt.want != "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: warning %q, want %q", tt.keys, got, tt.want)
		}
	}
}

const absentContract = `cupel = 1
[project]
name = "absent"
[arch]
targets = ["sm_80"]
[[kernels]]
name = "elsewhere"
sources = ["k.cu"]
kinds = "ptx"
exclude-on = "linux"
[[kernels]]
name = "k"
sources = ["k.cu"]
kinds = ["ptx", "static"]
[[kernels]]
name = "none"
sources = ["none*.cu"]
optional = true
`

// TestBuildEmittedAbsent: JSON has a row for each kernel that was asked for, also when there is nothing to do; a depfile is written
// where none of them is built; and the Go file changes with the archive.
func TestBuildEmittedAbsent(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := func(args ...string) string {
		t.Helper()
		return cupelIn(t, dir, nil, append([]string{"build", "-q", "--toolkit", root}, args...)...)
	}
	write("cupel.toml", absentContract)
	for _, tt := range []struct{ name, only, want string }{
		{"all", "", "elsewhere:false k:true none:false"}, {"again", "", "elsewhere:false k:true none:false"}, {"one", "none", "none:false"},
	} {
		var got struct {
			Kernels []struct {
				Name     string
				Complete bool
			}
		}
		if err := json.Unmarshal([]byte(build(append(strings.Fields(tt.only), "--emit", "json")...)), &got); err != nil {
			t.Fatal(err)
		}
		var rows []string
		for _, k := range got.Kernels {
			rows = append(rows, fmt.Sprintf("%s:%t", k.Name, k.Complete))
		}
		if got := strings.Join(rows, " "); got != tt.want {
			t.Errorf("%s: rows %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := build("elsewhere", "--emit", "depfile"); !strings.Contains(got, filepath.Join(dir, "cupel.toml")) {
		t.Errorf("a depfile of nothing: %q", got)
	}
	first, again := build("--emit", "cgo"), build("--emit", "cgo")
	write("k.cu", "__global__ void k(int *p) { *p = 2; }\n")
	if edited := build("--emit", "cgo"); first != again || first == edited || !strings.Contains(first, "sha256 ") {
		t.Errorf("the Go file, again, and after an edit:\n%s\n%s\n%s", first, again, edited)
	}
}

// TestBuildEmitPlace: that a file cannot be written is told by its name, before anything is built. One that is there may have the
// right text already.
func TestBuildEmitPlace(t *testing.T) {
	dir := emitProject(t)
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(closed, "old.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, want string }{
		{"closed/new.txt", "emit cargo: write closed/new.txt: permission denied"}, {"closed/old.txt", "nowhere"}, {"build/cupel/new.txt", "nowhere"}, {"build/new.txt", "nowhere"},
	} {
		cmd := asOwner(exec.Command(program(t), "build", "--toolkit", filepath.Join(dir, "nowhere"), "--emit", "cargo="+tt.file))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CUPEL_CACHE="+filepath.Join(dir, "cache"))
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: exit %d, want 3 and %q:\n%s", tt.file, code, tt.want, out)
		}
	}
}

// TestBuildEmittedChoice: what chooses the toolkit is an input as soon as it is there. Before, a first choice makes the contract look
// new, since build systems take a file that is missing for one that changed, each time.
func TestBuildEmittedChoice(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	contract := filepath.Join(dir, "cupel.toml")
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	inputs := func() string {
		t.Helper()
		var names []string
		for line := range strings.Lines(cupelIn(t, dir, nil, "build", "-q", "--toolkit", root, "--emit", "cargo")) {
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), "cargo:rerun-if-changed="+dir+"/"); ok {
				names = append(names, file)
			}
		}
		return strings.Join(names, " ")
	}
	for _, tt := range []struct {
		name string
		args []string // of cupel
		want string
		new  bool // the contract looks new
	}{
		{"neither is there", nil, "cupel.toml k.cu", false},
		{"a lock", []string{"lock", "--toolkit", root}, "cupel.lock cupel.toml k.cu", false},
		{"a first choice", []string{"toolkit", "use", root}, ".cupel/choice.toml cupel.lock cupel.toml k.cu", true},
		{"a second choice", []string{"toolkit", "use", root}, ".cupel/choice.toml cupel.lock cupel.toml k.cu", false},
		{"none again", []string{"toolkit", "use", "--unset"}, "cupel.lock cupel.toml k.cu", false},
	} {
		if err := os.Chtimes(contract, old, old); err != nil {
			t.Fatal(err)
		}
		if tt.args != nil {
			cupelIn(t, dir, nil, tt.args...)
		}
		info, err := os.Stat(contract)
		if err != nil {
			t.Fatal(err)
		}
		if got := inputs(); got != tt.want || info.ModTime().Equal(old) == tt.new {
			t.Errorf("%s: inputs %s, want %s; the contract is of %s", tt.name, got, tt.want, info.ModTime())
		}
	}
}
