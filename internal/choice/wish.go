package choice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// wish is a toolkit asked for in one place.
type wish struct {
	by    By
	where string // how the place is called in a reason
	text  string
	final bool // when it is not here, nothing else will do
}

func (o Options) wishes() []wish {
	return []wish{
		{ByFlag, "--toolkit", o.Flag, true},
		{ByEnv, "CUPEL_TOOLKIT", o.Env, true},
		{ByProject, ".cupel/choice.toml", o.ProjectChoice, true},
		{ByLock, "cupel.lock", o.Lock, false},
		{ByRecommended, "recommended in cupel.toml", o.Recommended, false},
	}
}

// find looks for the wish among the toolkits. One that tells X.Y alone may be the update that is asked for; it is
// taken when no other one here could be used as it is.
func (w wish) find(m fact.Machine, active *fact.Toolkit) (Pick, bool) {
	want, err := reading(m.System, w.text)
	if err != nil {
		return Pick{By: ByNone, Reason: fmt.Sprintf("%s: %v", w.where, err)}, false
	}
	best := bestOf(m, active, want.is)
	if best == nil || !Complete(*best) {
		if t := bestOf(m, active, func(t fact.Toolkit) bool { return want.maybe(t) && Complete(t) }); t != nil {
			return pick(t, w.by, fmt.Sprintf("%s asks for %s; %s in %s does not say which update it is, and may be it", w.where, w.text, Name(*t), t.Root)), true
		}
	}
	if best == nil && want.folder {
		return Pick{By: w.by, Reason: fmt.Sprintf("%s asks for %s, where no CUDA toolkit is (%s)", w.where, w.text, listed(m))}, false
	}
	if best == nil {
		return Pick{By: w.by, Reason: fmt.Sprintf("%s asks for %s, which is not installed here (%s)", w.where, w.text, listed(m))}, false
	}
	return pick(best, w.by, fmt.Sprintf("%s asks for %s", w.where, w.text)), true
}

// bestOf is the preferred one of the toolkits that match.
func bestOf(m fact.Machine, active *fact.Toolkit, match func(fact.Toolkit) bool) (best *fact.Toolkit) {
	for i := range m.Toolkits {
		if t := &m.Toolkits[i]; match(*t) && (best == nil || prefer(t, best, active)) {
			best = t
		}
	}
	return best
}

// IsName says that a wish can be the name of a folder that cupel made: 13.0.2-pip-linux-x86_64.
func IsName(text string) bool { return strings.Count(text, "-") >= 3 }

// meant is a wish that was read: the toolkits it names, and those it may name.
type meant struct {
	is, maybe func(fact.Toolkit) bool
	folder    bool // a path was named
}

// reading reads a wish: a path when it has a separator or names a drive, a release, or the name of an installed folder.
func reading(sys fact.System, text string) (meant, error) {
	s := sys.Paths()
	if strings.Contains(text, "/") || (s.Windows() && strings.ContainsAny(text, `\:`)) {
		path := text
		if !s.Abs(path) && sys.Cwd != "" {
			path = s.Join(sys.Cwd, path)
		}
		return meant{folder: true, is: func(t fact.Toolkit) bool {
			names := append([]string{t.Root, t.Home(), t.Parts[fact.PartNvcc]}, t.Found...) // a folder has several through links
			return slices.ContainsFunc(names, func(name string) bool { return s.Abs(name) && s.Same(path, name) })
		}, maybe: func(fact.Toolkit) bool { return false }}, nil
	}
	want, err := version.ParseRelease(text)
	if err != nil && IsName(text) {
		return meant{is: func(t fact.Toolkit) bool { return t.Installed != nil && t.Installed.Name == text }, maybe: func(fact.Toolkit) bool { return false }}, nil
	}
	if err != nil {
		return meant{}, err
	}
	row, _ := compat.Release(want)
	return meant{is: func(t fact.Toolkit) bool {
		nvcc, _ := version.Parse(t.Nvcc.Value)
		return want.Covers(Release(t)) || want.Covers(nvcc)
	}, maybe: func(t fact.Toolkit) bool {
		// 12.4.131 is a build of nvcc and no update; an nvcc of another build is not of this update.
		known := row.Version == want.String() && (!t.Nvcc.Known() || row.Nvcc == "" || t.Nvcc.Value == row.Nvcc)
		return known && Release(t).Parts() < want.Parts() && Release(t).Covers(want)
	}}, nil
}

// prefer says that a is the better of two toolkits that were both asked for: a complete one, one that compiles at
// all, then the active one, then the newest.
func prefer(a, b, active *fact.Toolkit) bool {
	return cmp.Or(
		truth(Complete(*a), Complete(*b)),
		truth(a.Has(fact.PartNvcc), b.Has(fact.PartNvcc)),
		truth(a == active, b == active),
		Release(*a).Compare(Release(*b)),
	) > 0
}

// Release is the toolkit's release as a number: that of the tables, else nvcc's or the header's X.Y; zero
// when nothing tells it.
func Release(t fact.Toolkit) version.V {
	for _, f := range []fact.Fact[string]{t.Release, t.Nvcc, t.Header} {
		if v, err := version.Parse(f.Value); err == nil && f.Known() {
			if f != t.Release {
				return v.Short()
			}
			return v
		}
	}
	return version.V{}
}

// Complete says that nothing is missing or of no use that a toolkit has when it was installed whole.
func Complete(t fact.Toolkit) bool {
	return len(t.Missing) == 0 && len(t.Faults) == 0 && t.Has(fact.PartNvcc)
}

// Name is how a toolkit is called in a sentence: CUDA 12.4.1, or its root when the release is not known.
func Name(t fact.Toolkit) string {
	if v := Release(t); !v.IsZero() {
		return "CUDA " + v.String()
	}
	return "the toolkit in " + t.Root
}

func listed(m fact.Machine) string {
	if len(m.Toolkits) == 0 {
		return "none is installed"
	}
	var names []string
	for _, t := range m.Toolkits {
		names = append(names, Name(t)+" in "+t.Root)
	}
	return "installed: " + strings.Join(names, ", ")
}
