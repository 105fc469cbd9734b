package contract

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// Words is a list for which one plain word may stand.
type Words []string

// Command is what is run: Line for the platform's shell, or Argv without one.
type Command struct {
	Line string
	Argv []string
}

// IsZero says that nothing is to be run.
func (c Command) IsZero() bool { return c.Line == "" && len(c.Argv) == 0 }

// Text is the command as a person would type it.
func (c Command) Text() string {
	if c.Line != "" {
		return c.Line
	}
	var words []string
	for _, w := range c.Argv {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`;&|<>()*?[]{}#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// Release is a CUDA release, written 12, 12.4 or 12.4.1.
type Release struct{ version.V }

// UnmarshalText refuses releases that never existed. One that is newer than the tables is taken: a contract may be
// younger than the cupel that reads it.
func (r *Release) UnmarshalText(text []byte) error {
	v, err := version.Parse(string(text))
	if err != nil {
		return badForm("write 12.4 or 12.4.1", "%q is not a CUDA release", text)
	}
	if ok, why := compat.Exists(v); !ok && !comesNext(v) {
		return unknownRelease(v, why)
	}
	r.V = v
	return nil
}

// Dotted is any dotted number: a driver, an SDK.
type Dotted struct{ version.V }

// UnmarshalText reads one to four dotted numbers.
func (d *Dotted) UnmarshalText(text []byte) (err error) {
	if d.V, err = version.Parse(string(text)); err != nil {
		return badForm("write up to four numbers with dots between them: 550.54.15", "%q is not a version", text)
	}
	return nil
}

// Target is an architecture in any spelling.
type Target struct{ gpu.Arch }

// UnmarshalText refuses an architecture that no toolkit of the tables knows.
func (t *Target) UnmarshalText(text []byte) (err error) {
	if t.Arch, err = gpu.ParseArch(string(text)); err != nil {
		return badForm("write it as sm_86, compute_86, 86 or 8.6", "%q is not a GPU architecture", text)
	}
	if !compat.KnownCC(t.CC) {
		return unknownArch(t.CC)
	}
	if !knownVariant(t.Arch) {
		return unknownVariant(t.Arch)
	}
	return nil
}

// CC is a compute capability.
type CC struct{ gpu.CC }

// UnmarshalText reads 8.6 and refuses a capability that no toolkit of the tables knows.
func (c *CC) UnmarshalText(text []byte) (err error) {
	if c.CC, err = gpu.ParseCC(string(text)); err != nil {
		return badForm("write it as 8.6", "%q is not a compute capability", text)
	}
	if !compat.KnownCC(c.CC) {
		return unknownArch(c.CC)
	}
	return nil
}

// Regexp is a compiled expression that remembers its text.
type Regexp struct{ *regexp.Regexp }

// UnmarshalText compiles it.
func (r *Regexp) UnmarshalText(text []byte) (err error) {
	if r.Regexp, err = regexp.Compile(string(text)); err != nil {
		return &problem{id: "contract-bad-pattern", what: fmt.Sprintf("%q is not a regular expression", text), why: strings.TrimPrefix(err.Error(), "error parsing regexp: "),
			next: note("expressions are those of RE2: no look-around and no back references; 'single quotes' keep backslashes")}
	}
	return nil
}

// Duration is a length of time.
type Duration struct{ time.Duration }

// UnmarshalText reads 90s, 10m, 1h30m.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(text))
	if err != nil || d.Duration <= 0 {
		return badForm("write 90s, 10m or 1h30m", "%q is not a length of time", text)
	}
	return nil
}

// Path is a relative path with forward slashes that stays inside the project.
type Path string

// UnmarshalText refuses paths of one machine: a contract holds on all of them.
func (p *Path) UnmarshalText(text []byte) error {
	clean, err := relative(string(text))
	*p = Path(clean)
	return err
}

// Glob is a relative path that may hold *, ** and ?.
type Glob string

// UnmarshalText refuses patterns of one machine.
func (g *Glob) UnmarshalText(text []byte) error {
	clean, err := relative(string(text))
	if err != nil {
		return err
	}
	if _, err := path.Match(clean, ""); err != nil {
		return &problem{id: "contract-bad-pattern", what: fmt.Sprintf("%q is not a file pattern", text), why: "a [ has no ]",
			next: note("a pattern holds *, **, ? and [abc]")}
	}
	*g = Glob(clean)
	return nil
}

// Label is one of the causes cupel knows by name.
type Label string

// UnmarshalText refuses a word that is no label.
func (l *Label) UnmarshalText(text []byte) error {
	if !slices.ContainsFunc(data.Labels(), func(known data.Label) bool { return known.Label == string(text) }) {
		return badForm("leave it out, or take one that cupel explain --list names", "%q is none of the causes cupel knows", text)
	}
	*l = Label(text)
	return nil
}
