package pip

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"cupel/internal/child"
	"cupel/internal/pattern"
	"cupel/internal/resolve"
)

// pipClient is pip.
type pipClient struct {
	run    runner
	work   string // folder for scratch folders
	mu     sync.Mutex
	listed []number            // versions of the metapackage; nil: not asked yet
	pages  map[string][]string // links of packages that were looked up; some have none
}

// pipSettings switch off what would stand in the way of reading an index: nothing is installed, so no environment is
// needed, and nobody is there to answer questions.
var pipSettings = []string{
	"PIP_REQUIRE_VIRTUALENV=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_PROGRESS_BAR=off", "PIP_QUIET=0", "PIP_VERBOSE=0",
	"PIP_NO_COLOR=1", "PYTHONUTF8=1", "PYTHONWARNINGS=ignore",
}

func (c *pipClient) title() string  { return "pip" }
func (c *pipClient) format() string { return resolve.Wheel }

// oldest is the first pip that lists the files of a package (its news of 21.2: pip index).
var oldest = number{21, 2}

var pipVersion = pattern.New(`^pip ([0-9.]+)`)

func (c *pipClient) starts(ctx context.Context) error {
	r, err := c.run.run(ctx, "--version")
	if err != nil {
		return err
	}
	m := pipVersion.FindStringSubmatch(strings.TrimSpace(r.Stdout))
	if m == nil {
		return errors.New("it does not say its version")
	}
	if n, _ := parseNumber(strings.Trim(m[1], ".")); n.compare(oldest) < 0 {
		return fmt.Errorf("pip %s is too old: from %s on it can list an index", m[1], oldest)
	}
	return nil
}

// reach lists the metapackage; one try, and no longer than the caller waits.
func (c *pipClient) reach(ctx context.Context, asking func()) error {
	lines := func(line string) {
		if strings.HasPrefix(line, "Starting new HTTP") {
			asking()
		}
	}
	r, err := c.run.with(ctx, child.Command{Args: []string{"index", "versions", metapackage, "-vv", "--retries", "0", "--timeout", seconds(ctx)}, Lines: lines})
	if err == nil {
		c.remember(available(r.Stdout))
	}
	return err
}

// seconds is how long a context still has, for pip; without an end it is pip's own patience.
func seconds(ctx context.Context) string {
	end, ok := ctx.Deadline()
	if !ok {
		return "15"
	}
	return strconv.Itoa(max(1, int(math.Ceil(time.Until(end).Seconds()))))
}

// releases asks once: a Python that starts costs more than the question, and Reach has asked it.
func (c *pipClient) releases(ctx context.Context) ([]number, error) {
	c.mu.Lock()
	found := c.listed
	c.mu.Unlock()
	if len(found) > 0 {
		return found, nil
	}
	r, err := c.run.run(ctx, "index", "versions", metapackage)
	if err != nil {
		return nil, err
	}
	if found = available(r.Stdout); len(found) == 0 {
		return nil, fmt.Errorf("%s lists no versions of %s", c.title(), metapackage)
	}
	c.remember(found)
	return found, nil
}

func (c *pipClient) remember(listed []number) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listed = listed
}

func (c *pipClient) metadata(ctx context.Context, spec string) (string, error) {
	s, err := newScratch(c.work)
	if err != nil {
		return "", err
	}
	defer s.remove()
	if _, err := c.run.with(ctx, child.Command{
		Args: []string{"download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", s.dir, metapackage + spec}, Env: with(c.run.env, s.env),
	}); err != nil {
		return "", err
	}
	files := filesIn(s.dir, ".whl")
	if len(files) != 1 {
		return "", fmt.Errorf("pip brought %d wheels of %s, not one", len(files), metapackage)
	}
	return wheelMetadata(filepath.Join(s.dir, files[0]))
}

// platformArgs ask for wheels of a platform, whatever this machine is.
func platformArgs(p resolve.Platform) []string {
	out := []string{"--only-binary=:all:", "--python-version", python, "--implementation", "py", "--abi", "none"}
	for _, t := range tags(p) {
		out = append(out, "--platform", t)
	}
	return out
}

// wheels looks packages up and picks their files.
func (c *pipClient) wheels(ctx context.Context, pins []pin, p resolve.Platform) ([]wheel, error) {
	_ = c.lookUp(ctx, pins) // what it did not find is asked for one by one
	out, errs := make([]wheel, len(pins)), make([]error, len(pins))
	for i, want := range pins {
		if out[i], errs[i] = c.pick(ctx, want, p); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return out, errors.Join(errs...)
}

func (c *pipClient) prepare(ctx context.Context, packages []string) {
	var pins []pin
	for _, p := range packages {
		pins = append(pins, pin{name: p})
	}
	_ = c.lookUp(ctx, pins)
}

// pick takes the file of a pin from what was looked up. A package without any file is asked for once more by itself: then
// pip says what is wrong with it.
func (c *pipClient) pick(ctx context.Context, want pin, p resolve.Platform) (wheel, error) {
	c.mu.Lock()
	found := c.pages[want.name]
	c.mu.Unlock()
	if len(found) == 0 {
		return c.wheel(ctx, want, p)
	}
	if w, ok := newest(found, want, p); ok {
		return w, nil
	}
	return wheel{}, fmt.Errorf("look up %s: the index has no wheel of it for %s", want, p)
}

// lookUp lists the files of packages, all in one start of pip: `pip list --outdated` of a folder in which they seem to be
// installed asks the index for each, and says with -vv which files it found. (pip install --dry-run --report would do it
// too, but downloads whole wheels from an index that serves no metadata apart.)
func (c *pipClient) lookUp(ctx context.Context, pins []pin) error {
	s, err := newScratch(c.work)
	if err != nil {
		return err
	}
	defer s.remove()
	seen := filepath.Join(s.dir, "seen")
	c.mu.Lock()
	defer c.mu.Unlock()
	var open bool
	pages := map[string][]string{}
	for _, p := range pins {
		if _, asked := c.pages[p.name]; asked {
			continue
		}
		open, pages[p.name] = true, nil
		if err := pretend(seen, p.name); err != nil {
			return err
		}
	}
	if !open {
		return nil
	}
	_, err = c.run.with(ctx, child.Command{
		Args:  []string{"list", "--outdated", "--path", seen, "-vv", "--format", "json", "--retries", "1"},
		Lines: func(line string) { note(pages, line) },
		Env:   with(c.run.env, s.env),
	})
	if err == nil { // else a list may end in its middle
		maps.Copy(c.pages, pages)
	}
	return err
}

// note keeps the link of a line by its package.
func note(pages map[string][]string, line string) {
	for _, link := range links(line) {
		if w, _, ok := parseWheel(linkFile(link)); ok {
			pages[w.name] = append(pages[w.name], link)
		}
	}
}

// pretend makes a package look installed, in a version that is older than any.
func pretend(dir, pkg string) error {
	info := filepath.Join(dir, strings.ReplaceAll(pkg, "-", "_")+"-0.dist-info")
	if err := os.MkdirAll(info, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(info, "METADATA"), []byte("Metadata-Version: 2.1\nName: "+pkg+"\nVersion: 0\n"), 0o644)
}

func (c *pipClient) wheel(ctx context.Context, want pin, p resolve.Platform) (wheel, error) {
	r, err := c.run.run(ctx, append([]string{"index", "versions", want.name, "-vv"}, platformArgs(p)...)...)
	if err != nil {
		return wheel{}, fmt.Errorf("look up %s for %s: %w", want, p, short(err))
	}
	found := links(r.Stdout)
	if w, ok := newest(found, want, p); ok {
		return w, nil
	}
	if len(found) == 0 { // a pip that does not name files
		for _, n := range available(r.Stdout) {
			if want.spec.allows(n) {
				return wheel{name: want.name, version: n}, nil
			}
		}
	}
	return wheel{}, fmt.Errorf("look up %s: the index has no wheel of it for %s", want, p)
}
