package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/depot"
	"cupel/internal/hostcompiler"
	"cupel/internal/remedy"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/toolkit"
)

// typed is a command as it was typed.
func typed(t *testing.T, args ...string) *cobra.Command {
	t.Helper()
	root := Root(io.Discard, io.Discard)
	cmd, rest, err := root.Find(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Fatal(err)
	}
	cmd.SetContext(context.Background())
	return cmd
}

func TestAgain(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		args         []string
		want         string
	}{
		{"nothing but a release", "pip", []string{"toolkit", "install", "13.0"}, "cupel toolkit install 13.0 --from pip"},
		{"every flag stays", "redist", []string{"toolkit", "install", "13.0", "--mirror", "http://m/x", "--with", "cublas,nvrtc", "--with-host-compiler", "--keep-downloads", "--platform", "linux-aarch64", "--jobs", "2", "--yes"},
			"cupel toolkit install 13.0 --from redist --jobs 2 --keep-downloads --mirror http://m/x --platform linux-aarch64 --with cublas,nvrtc --with-host-compiler --yes"},
		{"named source, no format, no limit", "redist", []string{"toolkit", "install", "12.4", "--from", "redist", "--full", "--json", "--timeout", "1m"}, "cupel toolkit install 12.4 --from redist --full"},
		{"up", "", []string{"up", "p", "--host-compiler", "g++-12", "--no-build"}, "cupel up p --host-compiler g++-12 --no-build"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := again(typed(t, tt.args...), tt.source); got != tt.want {
				t.Errorf("again(%q) =\n%s, want\n%s", tt.args, got, tt.want)
			}
		})
	}
}

func TestQuotedFor(t *testing.T) {
	for _, tt := range []struct{ word, unix, windows string }{
		{"redist", "redist", "redist"},
		{"/mnt/my mirror", "'/mnt/my mirror'", `"/mnt/my mirror"`},
		{"it's", `'it'\''s'`, `"it's"`},
		{`C:\cuda`, `'C:\cuda'`, `C:\cuda`},
		{"http://h/a?b=c&d", "'http://h/a?b=c&d'", `"http://h/a?b=c&d"`},
		{"$(id)", "'$(id)'", `"$(id)"`},
		{"", "''", `""`},
	} {
		if got := quotedFor(false, tt.word); got != tt.unix {
			t.Errorf("quotedFor(unix, %q) = %s, want %s", tt.word, got, tt.unix)
		}
		if got := quotedFor(true, tt.word); got != tt.windows {
			t.Errorf("quotedFor(windows, %q) = %s, want %s", tt.word, got, tt.windows)
		}
	}
}

// TestFindings: what stops an install is told as what it is, with a next step that can be pasted.
func TestFindings(t *testing.T) {
	cmd := typed(t, "toolkit", "install", "13.0", "--mirror", "my mirror")
	plan := resolve.Plan{Source: "redist", Release: "13.0.2"}
	retry := "cupel toolkit install 13.0 --from redist --mirror " + pasted("my mirror")
	denied := &fs.PathError{Op: "rename", Path: "x", Err: fs.ErrPermission}
	for _, tt := range []struct {
		name   string
		err    error
		adding bool
		id     string
		where  string
		next   string // one of the commands
		why    string
	}{
		{"Windows: a file is open", fmt.Errorf("install: %w", depot.InUse{Dir: "D", Err: denied}), false, "toolkit-in-use", "D", retry, "has a file of it open"},
		{"a read-only disk", fmt.Errorf("install: %w", depot.NotWritable{Dir: "D", Err: syscall.EROFS}), false, "no-permission", "D", retry, "cannot be written"},
		{"somebody else's folder", fmt.Errorf("install: %w", depot.NotWritable{Dir: "D", Err: fs.ErrPermission}), false, "no-permission", "D", retry, "cannot be written"},
		{"an error of the system alone", denied, false, "no-permission", "CUDA 13.0.2 from redist", retry, "permission"},
		{"no proof", toolkit.Unproved{Plan: plan, Step: "nvcc --version", Said: "no"}, false, "toolkit-unproved", "", "cupel doctor", "no"},
		{"no compiler", compilerTrouble{hostcompiler.Unavailable{What: "gcc 12", Why: []string{"apt: no"}, Next: []string{"conda create"}}}, false, "host-compiler-not-installed", "", "conda create", "no source has gcc 12: apt: no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := &install{cmd: cmd, adding: tt.adding}
			j.answer.Plan = &plan
			f, known := installFinding(j, tt.err)
			if !known || f.ID != tt.id || tt.where != "" && f.Where != tt.where || !strings.Contains(f.Why, tt.why) || strings.Contains(f.Why, "next:") {
				t.Errorf("%v: known %t, %+v", tt.err, known, f)
			}
			var commands []string
			for _, s := range f.Next {
				commands = append(commands, s.Command)
			}
			if !slices.Contains(commands, tt.next) {
				t.Errorf("next %q, want %q among them", commands, tt.next)
			}
		})
	}
	j := &install{cmd: cmd, adding: true}
	j.answer.Plan = &plan
	if f, _ := installFinding(j, toolkit.Unproved{Plan: plan}); !strings.Contains(f.What, "the toolkit that was there is untouched") {
		t.Errorf("adding to a toolkit: %s", f.What)
	}
}

// TestStoppedByDial: a connection that was not made in time is no --timeout, and there is no cause to tell.
func TestStoppedByDial(t *testing.T) {
	cmd := typed(t, "up")
	u := &up{cmd: cmd, ctx: context.Background()}
	err := u.stopped(remedy.Step{ID: "s", Title: "install"}, nil, fmt.Errorf("dial: %w", context.DeadlineExceeded))
	var stopped stoppedStep
	if !errors.As(err, &stopped) || !strings.Contains(stopped.check.Why, "dial: ") {
		t.Errorf("stopped: %#v", err)
	}
	late, cancel := sourceFlags{timeout: time.Nanosecond}.limited(context.Background())
	defer cancel()
	<-late.Done()
	u.ctx = late
	err = u.stopped(remedy.Step{ID: "s", Title: "install"}, nil, context.Cause(late))
	if !errors.As(err, &stopped) || !strings.Contains(stopped.check.Why, "--timeout") {
		t.Errorf("stopped: %#v", err)
	}
}

// named is a source of which only the name is asked.
type named struct {
	source.Source
	name string
}

func (n named) Name() string { return n.name }

// TestInRounds: where nobody answers, the slow ones get a second round with more patience; else there is none.
func TestInRounds(t *testing.T) {
	type answer struct{ fine, slow bool }
	for _, tt := range []struct {
		name    string
		answers []answer
		first   time.Duration
		again   []string
	}{
		{"one is there", []answer{{true, false}, {false, true}}, source.Patience, nil},
		{"all refuse", []answer{{false, false}, {false, false}}, source.Patience, nil},
		{"one refuses, one is slow", []answer{{false, false}, {false, true}}, source.Patience, []string{"s1"}},
		{"all are slow", []answer{{false, true}, {false, true}}, source.Patience, []string{"s0", "s1"}},
		{"named alone", []answer{{false, true}}, longPatience, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var all []source.Source
			for i := range tt.answers {
				all = append(all, named{name: fmt.Sprint("s", i)})
			}
			var told []string
			asked := make([][]time.Duration, len(all))
			inRounds(all, func(names []string) { told = names }, func(i int, limit time.Duration) (fine, slow bool) {
				asked[i] = append(asked[i], limit)
				return tt.answers[i].fine, tt.answers[i].slow
			})
			for i, a := range asked {
				want := []time.Duration{tt.first}
				if slices.Contains(tt.again, all[i].Name()) {
					want = append(want, longPatience)
				}
				if !slices.Equal(a, want) {
					t.Errorf("%s was asked with %v, want %v", all[i].Name(), a, want)
				}
			}
			if !slices.Equal(told, tt.again) {
				t.Errorf("told %v, want %v", told, tt.again)
			}
		})
	}
}

// TestConsent: each licence is accepted once; a further one is asked for by its name and page.
func TestConsent(t *testing.T) {
	cmd := typed(t, "toolkit", "install", "13.0")
	cmd.SetIn(strings.NewReader(""))
	d := depot.Depot{Home: t.TempDir()}
	t.Setenv("CUPEL_ACCEPT_LICENSE", "")
	toolkits, both := licensesOf([]resolve.Parcel{{}, {License: toolkitLicense}}), licensesOf([]resolve.Parcel{{License: "cuDNN SLA"}, {}})
	for _, tt := range []struct {
		name  string
		flags consentFlags
		under []string
		want  string // in the error
	}{
		{"nobody said anything", consentFlags{}, toolkits, "read CUDA Toolkit EULA https://docs.nvidia.com/cuda/eula/, then"},
		{"by a flag", consentFlags{accept: true}, toolkits, ""},
		{"it is recorded", consentFlags{}, toolkits, ""},
		{"another one is not", consentFlags{}, both, "read cuDNN SLA https://docs.nvidia.com/deeplearning/cudnn/sla/index.html, then"},
		{"by another flag", consentFlags{yes: true}, both, ""},
		{"both are recorded", consentFlags{}, both, ""},
		{"nothing is missing", consentFlags{}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := consent(cmd, d, tt.flags, tt.under, "licenses")
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("consent(%v, %v) = %v, want %q", tt.flags, tt.under, err, tt.want)
			}
		})
	}
	for _, c := range data.AllComponents().Components {
		if name := data.LicenseOf(c.Word); licensePages[name] == "" {
			t.Errorf("%s is under %q, which has no page", c.Word, name)
		}
	}
	if err := os.WriteFile(filepath.Join(d.Home, "consent.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := consent(cmd, d, consentFlags{}, toolkits, ""); err == nil {
		t.Error("an empty record counts as consent")
	}
}
