package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cupel/internal/cli"
	"cupel/internal/contract"
	"cupel/internal/testbed"
)

const examplesDir = "../../examples"

// exampleHosts are the machines every example is judged on: Linux with a GPU, Windows, WSL2, CI without a GPU.
var exampleHosts = []string{"ubuntu-l4", "windows-rtx5060ti", "wsl2-rtx4090", "ubuntu-ci"}

// exampleSources are the real projects whose files a contract's patterns name, as the test bed has them.
var exampleSources = map[string]string{"candle-kernels": "candle-kernels-0.11.1"}

// TestExamplesParse proves that every example is a contract without fault, and that its comments hold no host of
// a package registry and no path of one machine.
func TestExamplesParse(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)crates\.io|pypi\.org|registry\.npmjs|proxy\.golang|/home/|/work/|/root/`)
	for _, name := range exampleNames(t) {
		t.Run(name, func(t *testing.T) {
			text := exampleText(t, name)
			c, wrong := contract.Parse("cupel.toml", text)
			for _, f := range wrong {
				t.Errorf("%s: %s: %s\n  why: %s", f.Where, f.ID, f.What, f.Why)
			}
			if c != nil && c.Project.Name != name {
				t.Errorf("project.name = %q, want the folder's name %q", c.Project.Name, name)
			}
			if at := foreign.FindIndex(text); at != nil {
				t.Errorf("names %q, which belongs to one machine or to a registry", text[at[0]:at[1]])
			}
		})
	}
}

// TestExamplesReasons: these are facts about other people's projects, so every bound says why it is one. The
// bounds of vector-add, which is ours, are choices.
func TestExamplesReasons(t *testing.T) {
	for _, name := range exampleNames(t) {
		if name == "vector-add" {
			continue
		}
		c, wrong := contract.Parse("cupel.toml", exampleText(t, name))
		if len(wrong) > 0 {
			continue // told by TestExamplesParse
		}
		for key, why := range limitReasons(c) {
			if why == "" {
				t.Errorf("%s: %s has no reason", name, key)
			}
		}
	}
}

// limitReasons are the bounds of a contract with their reasons.
func limitReasons(c *contract.Contract) map[string]string {
	out := map[string]string{}
	for key, l := range map[string]*contract.Limit{"toolkit.min": c.Toolkit.Min, "toolkit.recommended": c.Toolkit.Recommended, "toolkit.max-verified": c.Toolkit.MaxVerified} {
		if l != nil {
			out[key] = l.Reason
		}
	}
	for key, l := range map[string]*contract.DriverLimit{"driver.linux": c.Driver.Linux, "driver.windows": c.Driver.Windows} {
		if l != nil {
			out[key] = l.Reason
		}
	}
	for key, h := range map[string]*contract.Host{"host.linux": c.Host.Linux, "host.windows": c.Host.Windows} {
		if h == nil {
			continue
		}
		for word, s := range map[string]*contract.Span{"gcc": h.GCC, "clang": h.Clang, "msvc": h.MSVC, "toolset": h.Toolset, "sdk": h.SDK} {
			if s != nil {
				out[key+"."+word] = s.Reason
			}
		}
	}
	for key, part := range c.Components {
		out["components."+key] = part.Reason
		if part.Version != nil {
			out["components."+key] = cmp.Or(part.Version.Reason, part.Reason)
		}
	}
	return out
}

// TestExamplesPins: the pins of vector-add hold its own files together. Changing a value in one of them is told, by
// the name of the pin.
func TestExamplesPins(t *testing.T) {
	for _, tt := range []struct{ name, file, old, new, pin string }{
		{"as it is", "", "", "", ""},
		{"the Makefile's standard", "Makefile", "= c++14", "= c++17", "pin-std"},
		{"that of build.cmd", "build.cmd", "=c++14", "=c++17", "pin-std"},
		{"that of the contract", "cupel.toml", `"c++14"`, `"c++17"`, "pin-std"},
		{"that of the page", "README.md", "C++14", "C++17", "pin-std"},
		{"the page's oldest toolkit", "README.md", "CUDA 11.8", "CUDA 12.0", "pin-oldest-toolkit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(examplesDir, "vector-add"))); err != nil {
				t.Fatal(err)
			}
			if tt.file != "" {
				replaceIn(t, filepath.Join(dir, tt.file), tt.old, tt.new)
			}
			if got := failedPins(t, dir); strings.Join(got, " ") != tt.pin {
				t.Errorf("%s: %q to %q: failed %q, want %q", tt.file, tt.old, tt.new, got, tt.pin)
			}
		})
	}
}

// failedPins are the pins that cupel verify says do not hold.
func failedPins(t *testing.T, dir string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Main([]string{"verify", "--host", filepath.Join(hostsDir, "ubuntu-l4.txtar"), "--project", dir, "--only", "pin-*", "--json"}, &out, &errs)
	var answer struct {
		Findings []struct{ ID, Status string }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatalf("%v in %s%s", err, out.String(), errs.String())
	}
	if len(answer.Findings) == 0 {
		t.Fatalf("no pin was checked: %s", out.String())
	}
	var failed []string
	for _, f := range answer.Findings {
		if f.Status != "pass" {
			failed = append(failed, f.ID)
		}
	}
	return failed
}

func replaceIn(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s does not hold %q", file, from)
	}
	writeExample(t, file, bytes.Replace(text, []byte(from), []byte(to), 1))
}

// TestExamplesPage: the page of the examples names each of them.
func TestExamplesPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(examplesDir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range exampleNames(t) {
		if row := "[" + name + "](" + name + "/cupel.toml)"; !bytes.Contains(page, []byte(row)) {
			t.Errorf("examples/README.md has no row with %s", row)
		}
	}
}

// TestGoldenExamples keeps what verify says of every example on every kind of machine. Read a change of it as the
// project's maintainer: is each line true, and is the advice right?
func TestGoldenExamples(t *testing.T) {
	t.Setenv("CUPEL_TOOLKIT", "")
	for _, name := range exampleNames(t) {
		for _, host := range exampleHosts {
			t.Run(name+" on "+host, func(t *testing.T) {
				golden(t, exampleGolden(name, host), verifyExample(t, name, host))
			})
		}
	}
}

func exampleGolden(name, host string) string { return "verify-" + name + "-" + host + ".txt" }

// exampleGoldens are all of them, for TestGoldenComplete.
func exampleGoldens(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range exampleNames(t) {
		for _, host := range exampleHosts {
			out = append(out, exampleGolden(name, host))
		}
	}
	return out
}

// verifyExample is what a terminal in the project's folder would show.
func verifyExample(t *testing.T, name, host string) string {
	t.Helper()
	dir := exampleProject(t, name)
	recording, err := filepath.Abs(filepath.Join(hostsDir, host+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	defer t.Chdir(back)
	var out, errs bytes.Buffer
	code := cli.Main([]string{"verify", "--host", recording}, &out, &errs)
	text := strings.ReplaceAll(out.String()+errs.String(), dir, "examples/"+name)
	return fmt.Sprintf("$ cd examples/%s && cupel verify --host %s.txtar\n%sexit %d\n", name, host, text, code)
}

// exampleProject is the example's folder, or a copy of the real project with the contract in it.
func exampleProject(t *testing.T, name string) string {
	t.Helper()
	real, ok := exampleSources[name]
	if !ok {
		dir, err := filepath.Abs(filepath.Join(examplesDir, name))
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(testbed.Root(t, "sources"), real))); err != nil {
		t.Fatal(err)
	}
	writeExample(t, filepath.Join(dir, "cupel.toml"), exampleText(t, name))
	return dir
}

func exampleText(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examplesDir, name, "cupel.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// exampleNames are the folders of examples/: one without a contract is an error, told when it is read.
func exampleNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(examplesDir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatalf("no examples in %s", examplesDir)
	}
	return names
}

func writeExample(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
