package nvcc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// releases are the tested ones; those of make test alone come first.
var releases = []string{"13.0", "12.4", "11.8", "13.1", "13.2", "13.3", "13.4"}

// eachRelease runs a test with the real nvcc of every release.
func eachRelease(t *testing.T, test func(t *testing.T, release, nvcc string)) {
	for k, release := range releases {
		t.Run(release, func(t *testing.T) {
			if k > 1 {
				testbed.Long(t)
			}
			test(t, release, filepath.Join(testbed.Toolkit(t, "cuda-"+release), "bin", "nvcc"))
		})
	}
}

// run is what a program says, both streams. Its failure is no error here: nvcc is asked for those too.
func run(t *testing.T, dir string, env []string, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil || cmd.ProcessState == nil {
		t.Fatalf("%s %q: %v", program, args, err)
	}
	return string(out)
}

// inHelp is an option as --help shows it: --threads <number>  (-t).
var inHelp = regexp.MustCompile(`(?m)^--(\S+) +(?:(<.*?>,\.\.\.|<.*?>|\{.*?\}|\[.*?\]|entry,\.\.\.) +)?(?:\(-(\S+)\)|--\S+) *\r?$`)

// in says that the table has the option for a release.
func (o Option) in(release string) bool {
	order := []string{"11.8", "12.4", "13.0", "13.1", "13.2", "13.3", "13.4"}
	at := func(r string) int { return slices.Index(order, r) }
	return at(o.First) <= at(release) && (o.Last == "" || at(release) <= at(o.Last))
}

// sameAsHelp compares the table with a help, both ways.
func sameAsHelp(t *testing.T, help, release, system string) {
	t.Helper()
	found := map[string]bool{}
	for _, m := range inHelp.FindAllStringSubmatch(help, -1) {
		long, value, short := m[1], m[2], m[3]
		found[long+" "+short] = true
		at := slices.IndexFunc(options[:], func(o Option) bool {
			return !o.Hidden && o.Long == long && o.Short == short && o.in(release)
		})
		if at < 0 {
			t.Errorf("nvcc %s has --%s (-%s), which the table has not", release, long, short)
			continue
		}
		o := options[at]
		kinds := []Kind{Single, Optional}
		switch {
		case value == "" && (long == "dependency-output" || long == "qpp-config"): // the help leaves their value out
		case value == "":
			kinds = []Kind{Flag}
		case value == "{true|false}":
			kinds = []Kind{Bool}
		case strings.HasSuffix(value, ",..."):
			kinds = []Kind{List}
		}
		if !slices.Contains(kinds, o.Kind) {
			t.Errorf("--%s %s of nvcc %s: the table has kind %d, want one of %d", long, value, release, o.Kind, kinds)
		}
		if o.Only != "" && o.Only != system {
			t.Errorf("--%s is in the help for %s; the table has it for %s only", long, system, o.Only)
		}
	}
	if len(found) < 100 {
		t.Fatalf("only %d options in this help:\n%.500s", len(found), help)
	}
	for _, o := range options {
		listed := !o.Hidden && o.in(release) && (o.Only == "" || o.Only == system)
		if o.Long == "version-ident" { // taken by every release, in the help of 11.8 alone
			listed = release == "11.8"
		}
		if listed && !found[o.Long+" "+o.Short] {
			t.Errorf("nvcc %s for %s does not have --%s (-%s)", release, system, o.Long, o.Short)
		}
	}
}

func TestHelp(t *testing.T) {
	eachRelease(t, func(t *testing.T, release, nvcc string) {
		sameAsHelp(t, run(t, t.TempDir(), nil, nvcc, "--help"), release, "linux")
	})
}

// TestKinds: nvcc itself takes every option of the table, hidden ones too, and wants a value for it or none as the table
// says; releases outside the row refuse it.
func TestKinds(t *testing.T) {
	eachRelease(t, func(t *testing.T, release, nvcc string) {
		dir := t.TempDir()
		for _, o := range options {
			for _, name := range []string{"--" + o.Long, "-" + o.Short} {
				if name == "-" || name == "--" || o.Only == "windows" {
					continue
				}
				want := map[Kind]string{Flag: "flag", Bool: "value", Single: "value", List: "value", Optional: "optional"}[o.Kind]
				if !o.in(release) {
					other := slices.ContainsFunc(options[:], func(p Option) bool {
						return p.in(release) && (name == "--"+p.Long || name == "-"+p.Short)
					})
					if other || strings.IndexByte(joined, name[1]) >= 0 { // -ltoir was the library "toir"
						continue
					}
					want = "unknown"
				}
				if kind := ask(t, dir, nvcc, name); kind != want {
					t.Errorf("nvcc %s takes %s as %s, the table says %s", release, name, kind, want)
				}
			}
		}
	})
}

// ask finds out what nvcc takes an option for.
func ask(t *testing.T, dir, nvcc, name string) string {
	alone := run(t, dir, nil, nvcc, "--dryrun", name)
	switch {
	case strings.Contains(alone, "Unknown option"):
		return "unknown"
	case strings.Contains(alone, "argument expected after"):
		return "value"
	case strings.Contains(run(t, dir, nil, nvcc, "--dryrun", name+"=zz"), "no argument expected"):
		return "flag"
	}
	return "optional"
}
