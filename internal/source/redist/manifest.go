package redist

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"cupel/internal/resolve"
)

// manifest is one redistrib_X.Y.Z.json.
type manifest struct {
	label      string // release_label; empty in old lists
	product    string // release_product: cuda, cudnn; empty in old lists
	components map[string]entry
}

// entry is one component of a list.
type entry struct {
	name, license, version string
	archives               map[string]map[string]archive // by platform and CUDA variant (cuda12); "" is for all
}

// archive is one file of a component.
type archive struct {
	path   string // relative to the list
	sha256 string
	size   int64
	format string // empty: none that cupel reads
}

// limit is far above a list (60 kB).
const limit = 16 << 20

// parse reads a list. Keys that it does not know are left alone; an archive whose place, checksum or size is not what it
// must be is an error, because the list cannot be trusted then.
func parse(text []byte) (manifest, error) {
	m := manifest{components: map[string]entry{}}
	var top map[string]json.RawMessage
	if err := decode(text, &top); err != nil {
		return m, fmt.Errorf("it is not a list of components: %w", plainJSON(err))
	}
	m.label, m.product = word(top["release_label"]), word(top["release_product"])
	for key, raw := range top {
		if !isObject(raw) {
			continue
		}
		e, err := parseEntry(raw)
		if err != nil {
			return m, fmt.Errorf("component %q: %w", key, err)
		}
		m.components[key] = e
	}
	if len(m.components) == 0 {
		return m, errors.New("it names no component")
	}
	return m, nil
}

func parseEntry(raw json.RawMessage) (entry, error) {
	var fields map[string]json.RawMessage
	if err := decode(raw, &fields); err != nil {
		return entry{}, err
	}
	e := entry{name: word(fields["name"]), license: word(fields["license"]), version: word(fields["version"]), archives: map[string]map[string]archive{}}
	for key, raw := range fields {
		if !isObject(raw) {
			continue
		}
		found, err := parsePlatform(raw)
		if err != nil {
			return entry{}, fmt.Errorf("%s: %w", key, err)
		}
		if len(found) > 0 {
			e.archives[key] = found
		}
	}
	return e, nil
}

// parsePlatform reads the archive of a platform, or those of its CUDA variants one level deeper.
func parsePlatform(raw json.RawMessage) (map[string]archive, error) {
	var fields map[string]json.RawMessage
	if err := decode(raw, &fields); err != nil {
		return nil, err
	}
	out := map[string]archive{}
	if _, ok := fields["relative_path"]; ok {
		a, err := parseArchive(raw)
		out[""] = a
		return out, err
	}
	for variant, raw := range fields {
		if !isObject(raw) {
			continue
		}
		a, err := parseArchive(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variant, err)
		}
		out[variant] = a
	}
	return out, nil
}

func parseArchive(raw json.RawMessage) (archive, error) {
	var f struct {
		Path   string          `json:"relative_path"`
		SHA256 string          `json:"sha256"`
		Size   json.RawMessage `json:"size"`
	}
	if err := decode(raw, &f); err != nil {
		return archive{}, err
	}
	size, err := strconv.ParseInt(strings.Trim(string(f.Size), `"`), 10, 64)
	sum, bad := hex.DecodeString(f.SHA256)
	switch {
	case !clean(f.Path):
		return archive{}, fmt.Errorf("%q is not a path below the list", f.Path)
	case bad != nil || len(sum) != 32:
		return archive{}, fmt.Errorf("%s: %q is no sha256", f.Path, f.SHA256)
	case err != nil || size <= 0:
		return archive{}, fmt.Errorf("%s: %s is no size", f.Path, f.Size)
	}
	return archive{path: f.Path, sha256: strings.ToLower(f.SHA256), size: size, format: formatOf(f.Path)}, nil
}

// clean says that a path leads down from the list and nowhere else, on every system.
func clean(p string) bool {
	if p == "" || p != path.Clean(p) || strings.HasPrefix(p, "/") || p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return false
	}
	return !strings.ContainsFunc(p, func(r rune) bool { return r < 0x20 || r == 0x7f || strings.ContainsRune(`\:*?"<>|%#`, r) })
}

var formats = map[string]string{".tar.xz": resolve.TarXZ, ".tar.gz": resolve.TarGZ, ".zip": resolve.Zip}

func formatOf(file string) string {
	for ending, format := range formats {
		if strings.HasSuffix(file, ending) {
			return format
		}
	}
	return ""
}

func decode(text []byte, out any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(out); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("there is more after its end")
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	return strings.HasPrefix(strings.TrimSpace(string(raw)), "{")
}

// word is a string, or nothing.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// on is the archive of a component for a platform: the one for all of CUDA, else the one of a major.
func (m manifest) on(component, platform string, major int) (archive, entry, bool) {
	e, ok := m.components[component]
	if !ok {
		return archive{}, entry{}, false
	}
	for _, variant := range []string{"", fmt.Sprintf("cuda%d", major)} {
		if a, ok := e.archives[platform][variant]; ok && a.format != "" {
			return a, e, true
		}
	}
	return archive{}, entry{}, false
}

// plainJSON says in words what Go says with the names of its types.
func plainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("it holds %s where names and values belong", kind.Value)
	}
	return err
}
