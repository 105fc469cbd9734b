// Package apt brings toolkits out of the packages of Debian and Ubuntu: downloaded by apt itself with a state of its
// own, to be unpacked and never installed, so no root is needed and nothing of the system changes. Mirror and keyring
// are those of the machine's own sources; which suite has which release stands in data/sources/apt.toml. It reads the
// machine's sources and runs apt-get and apt-cache.
package apt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"cupel/data"
	"cupel/internal/child"
	"cupel/internal/resolve"
	"cupel/internal/source"
)

// Name is the source's name.
const Name = "apt"

// Config says where apt works.
type Config struct {
	State string // folder for the private states, below CUPEL_CACHE
	Root  string // where the machine's etc is read; empty: /
}

// Source is the distribution's packages.
type Source struct {
	config Config
	suites []data.SuiteRow
}

// New gives the source; nothing is read before it is asked.
func New(c Config) *Source { return &Source{config: c, suites: data.SourceOf(Name).Suites} }

var _ source.Source = (*Source)(nil)

// Name is "apt".
func (s *Source) Name() string { return Name }

// Reach asks the mirror for the signed list of one suite, through apt's own transport. How long that may take is the
// caller's matter.
func (s *Source) Reach(ctx context.Context) error {
	start := time.Now()
	m, err := s.Machine()
	if err != nil {
		return err
	}
	entry := m.own()
	if err := os.MkdirAll(s.config.State, 0o700); err != nil {
		return unreachable(err.Error(), "")
	}
	sweep(s.config.State)
	dir, err := os.MkdirTemp(s.config.State, "reach-")
	if err != nil {
		return unreachable(err.Error(), "")
	}
	defer os.RemoveAll(dir)
	if err = m.ask(ctx, entry, dir); err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return unreachable(fmt.Sprintf("the mirror %s did not answer within %s", child.Mask(entry.uri()), time.Since(start).Round(time.Second)), "")
	}
	return unreachable(fmt.Sprintf("the mirror %s does not answer: %s", child.Mask(entry.uri()), reason(err)), "")
}

// ask fetches what stands at the top of a suite, signed in one file or in two. apt would wait between its tries for
// longer than the answer may take.
func (m Machine) ask(ctx context.Context, e entry, dir string) (err error) {
	for _, name := range []string{"InRelease", "Release"} {
		address := strings.TrimSuffix(e.uri(), "/") + "/dists/" + m.suiteOf(e) + "/" + name
		_, err = child.Run(ctx, child.Command{Path: m.helper, Args: []string{"-o", "Acquire::Retries=0", "download-file", address, filepath.Join(dir, name)}, Env: plainEnv()})
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// Machine reads the distribution and its sources; an error is source.Unreachable.
func (s *Source) Machine() (Machine, error) {
	if runtime.GOOS != "linux" {
		return Machine{}, unreachable("packages of Debian and Ubuntu are fetched on Linux only", "")
	}
	return readMachine(s.config.Root)
}

func unreachable(why, next string) error {
	return source.Unreachable{Source: Name, Why: why, Next: next}
}

// reason is the line in which apt says what is wrong.
func reason(err error) string { return child.Mask(said(err)) }

func said(err error) string {
	var failed child.Failed
	if !errors.As(err, &failed) {
		return err.Error()
	}
	for _, text := range []string{failed.Result.Stderr, failed.Result.Stdout} {
		for line := range strings.Lines(text) {
			if what, ok := strings.CutPrefix(strings.TrimSpace(line), "E: "); ok {
				return what
			}
		}
	}
	return err.Error()
}

// plainEnv is this program's environment with messages in English, which are read.
func plainEnv() []string { return append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive") }

// program finds a client of apt.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", unreachable("no "+name+" on PATH", "")
	}
	return filepath.Abs(path)
}

// debian is Debian's name of a processor: the same words as Go's.
func debian(p resolve.Platform) string { return p.Arch }
