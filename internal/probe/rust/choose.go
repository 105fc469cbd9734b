package rust

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// settings is what counts of rustup's settings.toml.
type settings struct {
	Default   string            `toml:"default_toolchain"`
	Host      string            `toml:"default_host_triple"`
	Overrides map[string]string `toml:"overrides"`
}

func settingsFile(at *look.At) string { return at.Path.Join(rustupHome(at), "settings.toml") }

// readSettings: no file means no settings; a broken one is an error.
func readSettings(at *look.At) (settings, error) {
	b, err := at.ReadFile(settingsFile(at))
	if errors.Is(err, fs.ErrNotExist) {
		return settings{}, nil
	}
	if err != nil {
		return settings{}, errors.New(look.Reason(err))
	}
	return parseSettings(b)
}

func parseSettings(b []byte) (settings, error) {
	var s settings
	if err := toml.Unmarshal(b, &s); err != nil {
		return settings{}, err
	}
	return s, nil
}

// choose follows rustup's order (rustup book, "Overrides"): the variable; then, folder by folder upwards, an
// override of that folder before its toolchain file; then the default.
func choose(at *look.At, set settings, dir string) (name, source string, err error) {
	if v := at.Env("RUSTUP_TOOLCHAIN"); v != "" {
		return v, "RUSTUP_TOOLCHAIN", nil
	}
	for d := dir; d != ""; d = at.Path.Dir(d) {
		if v := override(at, set, d); v != "" {
			return v, settingsFile(at), nil
		}
		if file := toolchainFile(at, d); file != "" {
			pin, err := readPin(at, file)
			return pin.Name(at, file), file, err
		}
		if d == at.Path.Dir(d) {
			break
		}
	}
	return set.Default, settingsFile(at), nil
}

// override compares as rustup does: it keeps folders with their links resolved, on Windows with a \\?\ in front.
func override(at *look.At, set settings, dir string) string {
	for folder, name := range set.Overrides {
		folder = strings.TrimPrefix(folder, `\\?\`)
		if at.Path.Same(folder, dir) || at.Path.Same(folder, at.Real(dir)) {
			return name
		}
	}
	return ""
}

// distributed is a toolchain that rustup can fetch: channel, date, host.
var distributed = pattern.New(`^((?:stable|beta|nightly|\d+\.\d+(?:\.\d+)?(?:-beta(?:\.\d+)?)?)(?:-\d{4}-\d\d-\d\d)?)(?:-([a-z0-9_]+-[a-z0-9_-]+))?$`)

// complete adds the host triple that rustup adds to a bare channel. A custom toolchain keeps its name.
func complete(at *look.At, name string, set settings, installed []string) string {
	m := distributed.FindStringSubmatch(name)
	if m == nil || m[2] != "" {
		return name
	}
	if host := defaultHost(at, set, name, installed); host != "" {
		return name + "-" + host
	}
	return name
}

// defaultHost is the triple of settings.toml, else of the default toolchain, else what is installed for this
// name, else what rustup takes on this system.
func defaultHost(at *look.At, set settings, name string, installed []string) string {
	if set.Host != "" {
		return set.Host
	}
	if m := distributed.FindStringSubmatch(set.Default); m != nil && m[2] != "" {
		return m[2]
	}
	for _, i := range installed {
		if host, ok := strings.CutPrefix(i, name+"-"); ok && distributed.MatchString(i) {
			return host
		}
	}
	return usualHost(at)
}

func usualHost(at *look.At) string {
	cpu := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[at.System.Arch]
	rest := map[string]string{"linux": "unknown-linux-gnu", "windows": "pc-windows-msvc", "darwin": "apple-darwin"}[at.System.OS]
	if cpu == "" || rest == "" {
		return ""
	}
	return cpu + "-" + rest
}
