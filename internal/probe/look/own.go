package look

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/resolve"
)

// ManifestName is the file that tells what lies in a folder that cupel installed (docs/formats/manifest.md).
const ManifestName = "cupel-manifest.json"

// manifestHead bounds what is read of one: its list of files, which stands last, is not looked at.
const manifestHead = 1 << 20

// Own is one thing that cupel installed, as the head of its manifest tells. Without a manifest it is a folder alone.
type Own struct {
	Dir        string
	Name       string           `json:"name"`
	Release    string           `json:"release"`
	Source     string           `json:"source"`
	Platform   string           `json:"platform"`
	Root       string           `json:"root"`    // a root elsewhere that is only registered
	Command    string           `json:"command"` // of a compiler, below the folder
	Components []fact.Component `json:"components"`
}

// visible leaves out what begins with a dot: installs under way, locks, and what is about to be removed.
var visible = pattern.New(`^[^.]`)

// Owned lists what cupel installed of a kind (toolkits, compilers, libraries) that is made for this machine's system and
// processor; there may be others beside it.
func Owned(a *At, kind string) []Own {
	home := CupelHome(a)
	dir := a.Path.Join(home, kind)
	if home == "" || !a.IsDir(dir) {
		return nil
	}
	var out []Own
	for _, p := range a.List(dir, visible) {
		if !a.IsDir(p) {
			continue
		}
		o, err := readOwn(a, p)
		a.Note("what cupel installed in "+p, a.Path.Join(p, ManifestName), err)
		if o.here(a) {
			out = append(out, o)
		}
	}
	return out
}

// here: what is made for another machine cannot run on this one. A folder whose manifest does not say goes by its name.
func (o Own) here(a *At) bool {
	here := resolve.Platform{OS: a.System.OS, Arch: a.System.Arch}.String()
	if o.Platform != "" {
		return o.Platform == here
	}
	for _, other := range resolve.PlatformNames() {
		if other != here && strings.HasSuffix(o.Dir, "-"+other) {
			return false
		}
	}
	return true
}

// readOwn reads the manifest's head. One that is broken is told beside the folder.
func readOwn(a *At, dir string) (Own, error) {
	f, err := a.Open(a.Path.Join(dir, ManifestName))
	if err != nil {
		return Own{Dir: dir}, err
	}
	defer f.Close()
	head, err := headOf(io.NewSectionReader(f, 0, min(manifestHead, f.Size())))
	var o Own
	if err == nil {
		err = json.Unmarshal(head, &o)
	}
	if err != nil {
		return Own{Dir: dir}, fmt.Errorf("not a manifest: %w", Plain(err))
	}
	o.Dir = dir
	return o, nil
}

// headOf is a manifest without its list of files.
func headOf(r io.Reader) ([]byte, error) {
	dec := json.NewDecoder(r)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("it does not begin with an object"), err)
	}
	head := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if name == "files" {
			break
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		head[name] = value
	}
	return json.Marshal(head)
}
