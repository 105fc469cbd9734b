package pip

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/resolve"
)

// core is what the METADATA of the metapackage says.
type core struct {
	version  number
	requires []requirement
}

// requirement is one Requires-Dist line.
type requirement struct {
	name   string
	spec   spec
	marker marker // nil: always
}

// pin is a package that a release is made of.
type pin struct {
	name string
	spec spec
}

func (p pin) String() string { return p.name + p.spec.String() }

// requires is a package name, extras of its own (not used by NVIDIA's), a specifier and a marker.
var requires = pattern.New(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([^;]*?)\s*(?:;\s*(.*))?$`)

// separators are equal in names of packages (PEP 503).
var separators = pattern.New(`[-_.]+`)

func canonical(name string) string { return strings.ToLower(separators.ReplaceAllString(name, "-")) }

func parseCore(text string) (core, error) {
	var c core
	in := bufio.NewScanner(strings.NewReader(text))
	in.Buffer(nil, metadataLimit)
	for in.Scan() && strings.TrimSpace(in.Text()) != "" { // the description begins after an empty line
		key, value, _ := strings.Cut(in.Text(), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "Version":
			n, ok := parseNumber(value)
			if !ok {
				return c, fmt.Errorf("%q is no version of %s", value, metapackage)
			}
			c.version = n
		case "Requires-Dist":
			r, err := parseRequirement(value)
			if err != nil {
				return c, err
			}
			c.requires = append(c.requires, r)
		}
	}
	if c.version == nil {
		return c, fmt.Errorf("the METADATA of %s names no version", metapackage)
	}
	return c, in.Err()
}

func parseRequirement(s string) (requirement, error) {
	m := requires.FindStringSubmatch(s)
	if m == nil {
		return requirement{}, fmt.Errorf("%q is no requirement", s)
	}
	r := requirement{name: canonical(m[1])}
	var err error
	if r.spec, err = parseSpec(m[2]); err != nil {
		return r, fmt.Errorf("read requirement %q: %w", s, err)
	}
	if m[3] != "" {
		r.marker, err = parseMarker(m[3])
	}
	return r, err
}

// extra lists what an extra needs on a platform. What is needed without any extra is no part of it.
func (c core) extra(word string, p resolve.Platform) ([]pin, error) {
	with, without := variables(p, word), variables(p, "")
	var out []pin
	for _, r := range c.requires {
		if r.marker == nil {
			continue
		}
		ok, err := r.marker.holds(with)
		if err != nil {
			return nil, err
		}
		if always, err := r.marker.holds(without); err == nil && ok && !always {
			out = append(out, pin{r.name, r.spec.narrow()})
		}
	}
	return out, nil
}

// metadataLimit is far above the METADATA of the metapackage, which is some 30 kB.
const metadataLimit = 4 << 20

// wheelMetadata reads the METADATA of a wheel.
func wheelMetadata(file string) (string, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", fmt.Errorf("read the wheel of %s: %w", metapackage, err)
	}
	defer z.Close()
	for _, f := range z.File {
		if ok, _ := path.Match("*.dist-info/METADATA", f.Name); !ok {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return "", fmt.Errorf("read %s: %w", f.Name, err)
		}
		defer r.Close()
		text, err := io.ReadAll(io.LimitReader(r, metadataLimit))
		if err != nil {
			return "", fmt.Errorf("read %s: %w", f.Name, err)
		}
		return string(text), nil
	}
	return "", errors.New("the wheel of " + metapackage + " has no METADATA")
}
