package pip

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/child"
	"cupel/internal/resolve"
)

// uvClient is uv. It lists no index and downloads no files, so releases are the table's, and what it brings is a folder
// that it unpacked itself, after it compared the wheel's checksum.
type uvClient struct {
	run  runner
	work string // folder for scratch folders
}

// uvSettings keep uv from asking, colouring and fetching a Python: it needs one, but cupel does not bring it unasked.
var uvSettings = []string{"UV_NO_PROGRESS=1", "NO_COLOR=1", "UV_PYTHON_DOWNLOADS=never"}

func (c *uvClient) title() string  { return "uv" }
func (c *uvClient) format() string { return resolve.Tree }

func (c *uvClient) starts(ctx context.Context) error {
	_, err := c.run.run(ctx, "--version")
	return err
}

func (c *uvClient) reach(ctx context.Context, asking func()) error {
	asking() // it starts in no time
	_, err := c.compile(ctx, metapackage+"\n", resolve.Platforms[0])
	return err
}

func (c *uvClient) releases(context.Context) ([]number, error) { return nil, nil }

// triples are uv's names of platforms; the C library of Linux is the newest that it knows a name for.
var triples = map[string]string{
	"linux-x86_64": "x86_64-manylinux_2_39", "linux-arm64": "aarch64-manylinux_2_39",
	"windows-x86_64": "x86_64-pc-windows-msvc", "windows-arm64": "aarch64-pc-windows-msvc",
}

func (c *uvClient) metadata(ctx context.Context, spec string) (string, error) {
	s, err := newScratch(c.work)
	if err != nil {
		return "", err
	}
	defer s.remove()
	to := filepath.Join(s.dir, "to")
	if _, err := c.run.with(ctx, child.Command{
		Args: []string{"pip", "install", "--no-deps", "--only-binary", ":all:", "--target", to, metapackage + spec}, Env: with(c.run.env, s.env),
	}); err != nil {
		if strings.Contains(reason(err), "unsatisfiable") {
			err = errors.Join(errNoVersion, err)
		}
		return "", err
	}
	infos := filesIn(to, ".dist-info")
	if len(infos) != 1 {
		return "", fmt.Errorf("uv brought %d packages for %s, not one", len(infos), metapackage)
	}
	text, err := os.ReadFile(filepath.Join(to, infos[0], "METADATA"))
	return string(text), err
}

func (c *uvClient) prepare(context.Context, []string) {}

// compile resolves requirements into a lock (PEP 751), which names files and checksums.
func (c *uvClient) compile(ctx context.Context, requirements string, p resolve.Platform) (string, error) {
	r, err := c.run.with(ctx, child.Command{
		Args: []string{"pip", "compile", "-", "--quiet", "--no-header", "--no-deps", "--only-binary", ":all:", "--format", "pylock.toml",
			"--python-version", python, "--python-platform", triples[p.String()]},
		Stdin: strings.NewReader(requirements),
	})
	return r.Stdout, err
}

func (c *uvClient) wheels(ctx context.Context, pins []pin, p resolve.Platform) ([]wheel, error) {
	var in strings.Builder
	for _, w := range pins {
		fmt.Fprintln(&in, w)
	}
	text, err := c.compile(ctx, in.String(), p)
	if err != nil {
		return nil, fmt.Errorf("look up %d packages for %s: %w", len(pins), p, short(err))
	}
	found, err := parseLock(text)
	if err != nil {
		return nil, err
	}
	var out []wheel
	for _, want := range pins {
		w, ok := newest(found, want, p)
		if !ok {
			return nil, fmt.Errorf("look up %s: the index has no wheel of it for %s", want, p)
		}
		out = append(out, w)
	}
	return out, nil
}

// parseLock lists the files of a pylock.toml as links with their checksums.
func parseLock(text string) ([]string, error) {
	var lock struct {
		Packages []struct {
			Wheels []struct {
				Name   string            `toml:"name"`
				URL    string            `toml:"url"`
				Path   string            `toml:"path"`
				Hashes map[string]string `toml:"hashes"`
			} `toml:"wheels"`
		} `toml:"packages"`
	}
	if err := toml.Unmarshal([]byte(text), &lock); err != nil {
		return nil, fmt.Errorf("read uv's lock: %w", err)
	}
	var out []string
	for _, p := range lock.Packages {
		for _, w := range p.Wheels {
			u, err := url.Parse(w.URL)
			if err != nil || w.URL == "" {
				u = &url.URL{Path: path.Clean("/" + filepath.ToSlash(w.Path))}
			}
			u.Fragment = ""
			out = append(out, u.String()+"#sha256="+w.Hashes["sha256"])
		}
	}
	return out, nil
}
