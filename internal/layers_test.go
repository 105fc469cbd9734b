// Package internal_test keeps the shape of the module: which package may lean on which.
package internal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// order is the list of packages: each may import only packages above it. A new package takes its place here and
// in docs/architecture.md.
var order = []string{
	// words
	"data", "internal/pattern", "internal/version", "internal/gpu", "internal/ospath", "internal/fact", "internal/finding", "internal/progress", "internal/call", "internal/digest", "internal/wire",
	// knowledge and decisions: pure
	"internal/compat", "internal/nvcc", "internal/recipe", "internal/include", "internal/mend", "internal/resolve", "internal/stub", "internal/contract", "internal/choice", "internal/mend/choose", "internal/consumer", "internal/vcenv", "internal/environ", "internal/rule", "internal/doctor",
	"internal/literal", "internal/logtext", "internal/signature", "internal/diagnose", "internal/review",
	"internal/verify", "internal/lock", "internal/remedy", "internal/pages", "internal/infer", "internal/ptxas", "internal/trace", "internal/emit",
	// the machine
	"internal/host", "internal/filelock", "internal/stamp", "internal/cas", "internal/toolchain", "internal/closure", "internal/cache", "internal/learned", "internal/jobserver", "internal/engine", "internal/pefile", "internal/pefile/pefiletest", "internal/probe/look",
	"internal/probe/system", "internal/probe/tools", "internal/probe/driver", "internal/probe/windriver", "internal/probe/gpus",
	"internal/probe/compiler", "internal/probe/msvc", "internal/probe/toolkit", "internal/probe/winroots", "internal/probe/python",
	"internal/probe/library", "internal/probe/rust", "internal/probe/project", "internal/probe",
	"internal/snapshot", "internal/profile", "internal/child", "internal/trial", "internal/record", "internal/relay", "internal/shim", "internal/mirror", "internal/tree", "internal/bundle", "internal/nvml",
	"internal/fetch", "internal/unpack", "internal/depot", "internal/source", "internal/source/redist", "internal/source/pip", "internal/source/apt",
	"internal/source/conda", "internal/source/local", "internal/toolkit", "internal/hostcompiler", "internal/build", "internal/watch",
	// the face
	"internal/render", "internal/cli", "cmd/cupel", "cmd/cupel-gpu", "cmd/cupel-nvcc",
	// tools of the project itself
	"internal/testbed", "internal/source/sourcetest", "internal/cmd/pack", "internal/cmd/testrun", "internal/cmd/score",
}

// pure packages decide and show: they know no file system, no process and no clock.
var pure = order[:slices.Index(order, "internal/host")]

// systems are the ones whose files import different things.
var systems = []string{"linux", "windows", "darwin"}

type goPackage struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
	Deps       []string
}

func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, "cupel/") }

// list asks the go command about packages of this module as goos would build them.
func list(t *testing.T, goos string, patterns ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,GoFiles,Deps"}, patterns...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list for %s: %v", goos, err)
	}
	return decode(t, out)
}

func decode(t *testing.T, out []byte) []goPackage {
	t.Helper()
	var all []goPackage
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p goPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 { // a folder that holds tests alone is not in the way of anybody
			all = append(all, p)
		}
	}
}

// TestOrder: every package stands in the list and imports only what stands before it.
func TestOrder(t *testing.T) {
	seen := map[string]bool{}
	for _, goos := range systems {
		for _, p := range list(t, goos, "./...") {
			seen[p.name()] = true
			at := slices.Index(order, p.name())
			if at < 0 {
				t.Errorf("%s has no place in the order list of internal/layers_test.go", p.name())
				continue
			}
			for _, imported := range p.Imports {
				name, ours := strings.CutPrefix(imported, "cupel/")
				if ours && !slices.Contains(order[:at], name) {
					t.Errorf("on %s, %s imports %s, which does not stand before it in the order list", goos, p.name(), name)
				}
			}
		}
	}
	for _, name := range order {
		if !seen[name] {
			t.Errorf("the order list names %s, which is gone", name)
		}
	}
}

// TestPure: packages that decide import nothing that touches a machine.
func TestPure(t *testing.T) {
	touching := []string{"os", "os/exec", "net", "net/http", "syscall", "path/filepath", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}
	for _, p := range list(t, "linux", "./...") {
		if !slices.Contains(pure, p.name()) && p.name() != "internal/render" {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(touching, imported) {
				t.Errorf("%s imports %s: it decides or shows, so it may not touch the machine", p.name(), imported)
			}
		}
	}
}

// network are the packages that may open a connection: they bring toolkits, when a person asks for one. (pflag links
// package net for its address flags.)
var network = []string{"internal/fetch", "internal/source/redist", "internal/source/sourcetest"}

// TestNetworkOfFewPackages: nothing else of this module opens a connection, and nothing that looks, judges or builds leans
// on what does.
func TestNetworkOfFewPackages(t *testing.T) {
	for _, goos := range systems {
		for _, p := range list(t, goos, "./cmd/...", "./internal/...", "./data") {
			for _, imported := range p.Imports {
				if (imported == "net" || imported == "net/http") && !slices.Contains(network, p.name()) {
					t.Errorf("%s imports %s", p.name(), imported)
				}
			}
			for _, dep := range p.Deps {
				if name := strings.TrimPrefix(dep, "cupel/"); slices.Contains(network, name) && !mayFetch(p.name()) {
					t.Errorf("%s depends on %s, which opens connections", p.name(), name)
				}
			}
		}
	}
}

// mayFetch: the packages behind "toolkit search", "toolkit install" and "up", and the face that has all commands.
func mayFetch(name string) bool {
	return strings.HasPrefix(name, "internal/source") || slices.Contains([]string{"internal/fetch", "internal/toolkit", "internal/hostcompiler", "internal/cli", "cmd/cupel"}, name)
}

// TestMainProgramLoadsNoDriver: the driver's libraries are loaded by cupel-gpu alone, so that they cannot take
// the doctor down and the main program stays static.
func TestMainProgramLoadsNoDriver(t *testing.T) {
	for _, goos := range systems {
		for _, p := range list(t, goos, "./cmd/cupel") {
			for _, dep := range p.Deps {
				if dep == "cupel/internal/nvml" || strings.HasPrefix(dep, "github.com/ebitengine/purego") {
					t.Errorf("on %s, cmd/cupel depends on %s", goos, dep)
				}
			}
		}
	}
}

// TestArchitecturePage: the page that explains the packages names every one of them, in this order.
func TestArchitecturePage(t *testing.T) {
	b, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(b), "\n## Packages\n")
	at := 0
	for _, name := range order {
		i := strings.Index(table[at:], "`"+name+"`")
		if i < 0 {
			t.Errorf("docs/architecture.md does not name %s in its place", name)
			continue
		}
		at += i
	}
}
