package apt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/child"
)

// fresh is how long lists are used before they are fetched again.
const fresh = time.Hour

// State is a folder of apt's own: sources, lists and cache of some suites. The system's are neither read nor changed.
type State struct {
	dir     string
	machine Machine
	sources string // what stands in its sources file
	arch    string // Debian's name; empty: the machine's own
	status  string // file of what is installed; empty: nothing is
}

// state names a private state; two of the same name have the same sources.
func (s *Source) state(m Machine, name, sources, arch, status string) State {
	return State{dir: filepath.Join(s.config.State, name), machine: m, sources: sources, arch: arch, status: status}
}

// Update fetches the lists, unless they are young enough. Another process at the same is waited for.
func (s State) Update(ctx context.Context) error {
	if err := s.lay(); err != nil {
		return fmt.Errorf("make a state for apt: %w", err)
	}
	for !s.young() {
		_, err := s.run(ctx, s.machine.get, "update", "-q")
		switch {
		case err == nil:
			return os.WriteFile(s.stamp(), []byte(s.sources), 0o600)
		case !locked(err):
			return fmt.Errorf("fetch the package lists: %w", err)
		}
		select { // the other one is doing the same work
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}

// Stale makes the next Update fetch the lists.
func (s State) Stale() { _ = os.Remove(s.stamp()) }

func (s State) stamp() string { return filepath.Join(s.dir, "updated") }

func (s State) young() bool {
	info, err := os.Stat(s.stamp())
	if err != nil || time.Since(info.ModTime()) > fresh {
		return false
	}
	text, err := os.ReadFile(s.stamp())
	return err == nil && string(text) == s.sources
}

func locked(err error) bool {
	var failed child.Failed
	return errors.As(err, &failed) && strings.Contains(failed.Result.Stderr, "Could not get lock")
}

// lay makes the folders and files that apt needs. They are for this user alone: the address of a mirror may hold a
// password.
func (s State) lay() error {
	for _, d := range []string{"parts", "lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(s.dir, d), 0o700); err != nil {
			return err
		}
	}
	if err := os.Chmod(s.dir, 0o700); err != nil { // earlier versions left it open
		return err
	}
	sweep(filepath.Dir(s.dir))
	sweep(s.dir)
	return errors.Join(
		replace(filepath.Join(s.dir, "parts", "cupel.sources"), s.sources),
		replace(filepath.Join(s.dir, "status"), ""),
		replace(s.conf(), s.settings()))
}

// replace writes a file in one step, and only when it differs: another process may be reading it. The new file begins
// outside the folder, where apt would read it too.
func replace(path, text string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(filepath.Dir(path)), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o600), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// leftovers is how the names begin of what a run makes and takes away again, and old the age at which the run that made it
// must have been killed.
var leftovers = []string{"reach-", ".new-"}

const old = time.Hour

// sweep takes away what killed runs left in a folder.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		ours := slices.ContainsFunc(leftovers, func(p string) bool { return strings.HasPrefix(e.Name(), p) })
		if info, err := e.Info(); ours && err == nil && time.Since(info.ModTime()) > old {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

func (s State) conf() string { return filepath.Join(s.dir, "apt.conf") }

// settings are read after the machine's own: proxies stay, places change. Hooks are cleared, because those of
// container images delete the system's archives, and fail without root.
func (s State) settings() string {
	status := s.status
	if status == "" {
		status = filepath.Join(s.dir, "status")
	}
	values := [][2]string{
		{"Dir::State::lists", filepath.Join(s.dir, "lists") + "/"},
		{"Dir::State::status", status},
		{"Dir::State::extended_states", filepath.Join(s.dir, "extended_states")},
		{"Dir::Cache", filepath.Join(s.dir, "cache") + "/"},
		{"Dir::Cache::pkgcache", "pkgcache.bin"}, // container images switch it off
		{"Dir::Cache::srcpkgcache", ""},          // a second copy of the lists that only helps who installs often
		{"Dir::Etc::sourcelist", "/dev/null"},
		{"Dir::Etc::sourceparts", filepath.Join(s.dir, "parts") + "/"},
		{"Dir::Etc::preferences", "/dev/null"},
		{"Dir::Etc::preferencesparts", "/dev/null"},
		{"APT::Sandbox::User", userName()},
		{"APT::Default-Release", ""},
		{"APT::Update::Error-Mode", "any"}, // else a mirror that is away is a warning
		{"Acquire::Languages", "none"},
		{"Acquire::Retries", "2"},
		{"APT::Get::AllowUnauthenticated", "false"},
	}
	if s.arch != "" {
		values = append(values, [2]string{"APT::Architecture", s.arch})
	}
	var b strings.Builder
	for _, name := range []string{"APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success", "Acquire::Languages", "APT::Architectures", "DPkg::Pre-Install-Pkgs"} {
		b.WriteString("#clear " + name + ";\n")
	}
	for _, v := range values {
		fmt.Fprintf(&b, "%s %q;\n", v[0], v[1])
	}
	if s.arch != "" {
		fmt.Fprintf(&b, "APT::Architectures:: %q;\n", s.arch)
	}
	return b.String()
}

// userName: apt as root would hand downloads to a user of its own, who cannot write into cupel's folders.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "root"
}

// run starts a client of apt with the state.
func (s State) run(ctx context.Context, program string, args ...string) (child.Result, error) {
	return s.runIn(ctx, "", program, args...)
}

func (s State) runIn(ctx context.Context, dir, program string, args ...string) (child.Result, error) {
	return child.Run(ctx, child.Command{Path: program, Args: append([]string{"-c", s.conf()}, args...), Dir: dir, Env: plainEnv()})
}

// ready makes sure that there are lists, however old: an exact version is looked for.
func (s State) ready(ctx context.Context) error {
	if text, err := os.ReadFile(s.stamp()); err == nil && string(text) == s.sources {
		return s.lay()
	}
	return s.Update(ctx)
}
