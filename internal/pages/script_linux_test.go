package pages

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/host"
	"cupel/internal/lock"
	"cupel/internal/probe"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
	"cupel/internal/verify"
)

// TestScriptAgrees runs the generated script and verify in the same environment: each check that the script makes
// must end as verify's does.
func TestScriptAgrees(t *testing.T) {
	for _, shell := range []string{"bash", "dash"} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed here", shell)
			}
			for _, s := range scenes {
				// A short run has the telling ones in dash, which knows the least, and two in bash.
				if testing.Short() && (!s.short || shell == "bash" && !s.lib) {
					continue
				}
				t.Run(s.name, func(t *testing.T) { compare(t, path, s) })
			}
		})
	}
}

// TestVagueVersions: what the functions of the script make of a version that tells fewer parts than a bound.
func TestVagueVersions(t *testing.T) {
	shell, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("dash is not installed here")
	}
	words, err := os.ReadFile("sh/1-words.sh")
	if err != nil {
		t.Fatal(err)
	}
	toolkits, err := os.ReadFile("sh/2-toolkit.sh")
	if err != nil {
		t.Fatal(err)
	}
	checks, err := os.ReadFile("sh/5-checks.sh")
	if err != nil {
		t.Fatal(err)
	}
	const pick = "releases() { echo '13.0.2|13.0.88|'; }; active=; toolkits='%s\n'; pick 13.0.2; echo \"chosen $chosen\""
	for _, tt := range []struct{ name, call, want string }{
		{"below a finer bound, perhaps", "fit 3.22.1 '' 3.22", "maybe"},
		{"every one of them is inside", "fit 3.22.0 '' 3.22", "inside"},
		{"at the end, perhaps", "fit '' 13.0.2 13.0", "maybe"},
		{"above", "fit 1.0 2.0 2.0", "outside"},
		{"below", "fit 3.22.1 '' 3.21", "outside"},
		{"not known", "fit 3.22.1 '' ''", "outside"},
		{"one update is excluded", "release=13.0; toolkit_band x 12.0 '' '' 13.0.1 13.0.2", "warn toolkit-band: expected x, found 13.0, update not known"},
		{"all updates are", "release=13.0; toolkit_band x 12.0 '' '' 13.0 13.1", "fail toolkit-band: expected x, found 13.0, excluded"},
		{"the first update is the minimum", "release=13.0; toolkit_band x 13.0.0 '' ''", "pass toolkit-band: expected x, found 13.0, supported"},
		{"a later one is", "release=13.0; toolkit_band x 13.0.1 '' ''", "warn toolkit-band: expected x, found 13.0, update not known"},
		{"one that may be the update asked for", fmt.Sprintf(pick, "13.0||6|/whole"), "chosen /whole"},
		{"its nvcc is of another update", fmt.Sprintf(pick, "13.0|13.0.48|6|/whole"), "chosen"},
		{"it is not whole", fmt.Sprintf(pick, "13.0||2|/part"), "chosen"},
		{"the update itself is not whole", fmt.Sprintf(pick, "13.0.2||0|/pip\n13.0||6|/whole"), "chosen /whole"},
		{"one that compiles before the newer", fmt.Sprintf(pick, "13.0.2||0|/pip\n13.0.2||2|/nvcc"), "chosen /nvcc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := exec.Command(shell, "-c", string(words)+string(toolkits)+string(checks)+tt.call).CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != tt.want {
				t.Errorf("%s says %q (%v), want %q", tt.call, got, err, tt.want)
			}
		})
	}
}

// TestSilentContract: of a contract that says nothing of drivers, a driver that does not serve the toolkit is told, and
// one that is not here is not.
func TestSilentContract(t *testing.T) {
	shell, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("dash is not installed here")
	}
	c := parsed(t, "cupel = 1\n[project]\nname = \"p\"\n[toolkit]\nmin = \"12.0\"\n")
	// Each scene has its environment, which ends with its test.
	t.Run("an old driver", func(t *testing.T) {
		agree(t, shell, scene{parts: []string{"cuda-13.0"}, smi: oneL4, proc: proc535, lib: true, want: "driver-toolkit=warn"}, c, 3)
	})
	t.Run("no driver", func(t *testing.T) {
		agree(t, shell, scene{parts: []string{"cuda-13.0"}, want: "toolkit-present=pass"}, c, 3)
	})
}

// TestExampleScripts does the same with the contracts of the examples, which other people's projects are behind.
func TestExampleScripts(t *testing.T) {
	shell, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("dash is not installed here")
	}
	files, err := filepath.Glob("../../examples/*/cupel.toml") // before a test changes the folder
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		if testing.Short() && name != "tensorwasm" && name != "vector-add" {
			continue
		}
		for _, part := range []string{"cuda-12.4", "cuda-13.0"} {
			t.Run(name+" with "+part, func(t *testing.T) {
				agree(t, shell, scene{parts: []string{part}, smi: oneL4, proc: proc535, lib: true}, parsed(t, string(text)), 3)
			})
		}
		t.Run(name+" in PowerShell", func(t *testing.T) {
			powerShellShape(t, All(parsed(t, string(text)), Options{Only: []string{"ps1"}})[0].Data)
		})
	}
}

func compare(t *testing.T, shell string, s scene) {
	agree(t, shell, s, parsed(t, strings.Replace(demands, s.edit[0], s.edit[1], 1)), 20)
}

// agree holds the script's lines against verify's checks; least is how many the script must make.
func agree(t *testing.T, shell string, s scene, c *contract.Contract, least int) {
	dir := s.build(t)
	script := strings.Replace(string(All(c, Options{Only: []string{"sh"}})[0].Data), "proc_version=/proc/driver/nvidia/version", "proc_version="+sh(filepath.Join(dir, "proc-version")), 1)
	text, code := run(t, shell, dir, script)
	answer := judgeHere(t, dir, c)
	want := map[string]verify.Status{}
	for _, f := range answer.Findings {
		want[f.ID] = f.Status
	}
	got, made := statuses(text), 0
	for _, w := range strings.Fields(s.want) {
		if id, status, _ := strings.Cut(w, "="); got[id].status != status {
			t.Errorf("%s is %q, want %s", id, got[id].status, status)
		}
	}
	for id, line := range got {
		if line.why != "not checked by this script" {
			made++
			if line.status != string(want[id]) {
				t.Errorf("%s: the script says %s, cupel verify says %s\nscript: %s", id, line.status, want[id], line.text)
			}
		}
	}
	for id := range want {
		if _, ok := got[id]; !ok {
			t.Errorf("%s has no line in the script's answer", id)
		}
	}
	if made < least {
		t.Errorf("only %d checks were made:\n%s", made, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
		t.Error("text was executed")
	}
	// verify also counts what a shell cannot tell, so a good code of the script is the one of its own lines.
	if failed := strings.Contains("\n"+text, "\nfail "); (code == 1) != failed || code > 1 {
		t.Errorf("exit code %d with failures %v", code, failed)
	}
	if t.Failed() {
		t.Log("script:\n" + text)
	}
}

type told struct{ status, why, text string }

var toldLine = regexp.MustCompile(`^(pass|fail|warn|skipped) ([a-z0-9-]+): (.*)$`)

func statuses(text string) map[string]told {
	out := map[string]told{}
	for _, l := range strings.Split(text, "\n") {
		if m := toldLine.FindStringSubmatch(l); m != nil {
			out[m[2]] = told{m[1], m[3], l}
		}
	}
	return out
}

func parsed(t *testing.T, text string) *contract.Contract {
	t.Helper()
	c, wrong := contract.Parse("cupel.toml", []byte(text))
	if len(wrong) > 0 {
		t.Fatalf("the contract of the test: %+v", wrong)
	}
	return c
}

func run(t *testing.T, shell, dir, script string) (string, int) {
	t.Helper()
	file := filepath.Join(dir, "docs", "cuda", "verify-cuda.sh")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(shell, file)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "PWD=/")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if errs.Len() > 0 {
		t.Errorf("the script wrote to stderr: %s", errs.String())
	}
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// procHost is this machine with a stand-in for one file of /proc.
type procHost struct {
	host.Host
	file string
}

func (h procHost) ReadFile(path string) ([]byte, error) {
	if path == "/proc/driver/nvidia/version" {
		return os.ReadFile(h.file)
	}
	return h.Host.ReadFile(path)
}

func judgeHere(t *testing.T, dir string, c *contract.Contract) verify.Answer {
	t.Helper()
	h := procHost{host.Here(), filepath.Join(dir, "proc-version")}
	m, p := probe.Survey(context.Background(), h, probe.Options{Dir: dir, Contract: c})
	project.Ask(context.Background(), look.New(h), dir, c, &p)
	platform, err := verify.PlatformOf(m, "")
	if err != nil {
		t.Fatal(err)
	}
	opt := choice.Options{Env: os.Getenv("CUPEL_TOOLKIT")}
	if b, err := os.ReadFile(filepath.Join(dir, ".cupel", "choice.toml")); err == nil {
		opt.ProjectChoice = strings.Trim(strings.TrimPrefix(strings.TrimSpace(string(b)), "toolkit = "), `"`)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "cupel.lock")); err == nil {
		l, err := lock.Parse("cupel.lock", b)
		if err != nil {
			t.Fatal(err)
		}
		opt.Lock = l.Release(platform.Name)
	}
	a := verify.Judge(verify.Input{Contract: c, Machine: m, Project: p, Platform: platform, Choice: opt, NoRules: true, Asked: true})
	a.Findings = slices.DeleteFunc(a.Findings, func(f verify.Check) bool { return f.ID == "reference" })
	return a
}
