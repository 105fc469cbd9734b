package review

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/call"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

// passedBy: compilers that were started without the shim, a finding for each program.
func (j *judge) passedBy() []finding.Finding {
	var out []finding.Finding
	for _, path := range j.paths() {
		var parents []string
		n := 0
		for _, p := range j.passed {
			if j.path.Same(p.Path, path) {
				n++
				parents = append(parents, p.Parent)
			}
		}
		parents = each(parents)
		f := finding.Finding{ID: ShimPassedBy, Severity: finding.Warning, What: fmt.Sprintf("%s was started without the shim, %s at least", path, times(n)), Where: list(parents), Subject: path}
		if f.Where == "" {
			f.Where = path
		}
		if all := j.naming(path); len(all) > 0 {
			v := all[0]
			f.Why, f.Next = fmt.Sprintf("%s sets %s to %s; what it compiles is not recorded", place(v), v.Name, v.Value), j.obey(v)
			f.Evidence = setting(v)
		} else {
			f.Why, f.Next = j.whyPassed(path, parents)
		}
		if release := j.releaseOf(path); release != "" && !j.path.Same(path, j.Run.Tools["nvcc"]) {
			f.Why += "; it is of CUDA " + release
		}
		out = append(out, f)
	}
	return out
}

// releaseOf is the release of the toolkit that a program belongs to, where the machine's toolkits are known.
func (j *judge) releaseOf(path string) string {
	if j.Machine == nil {
		return ""
	}
	for _, t := range j.Machine.Machine.Toolkits {
		if j.path.Same(t.Parts["nvcc"], path) {
			return t.Release.Value
		}
	}
	return ""
}

// reallyPassed leaves out what was recorded all the same: the shim of another toolkit, which CMake keeps, and the compilers
// that it starts.
func (j *judge) reallyPassed() []call.Process {
	if j.Run.End == nil {
		return nil
	}
	var out []call.Process
	for _, p := range j.Run.End.PassedBy {
		if p.Parent != "" && j.path.Same(p.Path, p.Parent) { // nvcc before it becomes one of its tools
			continue
		}
		if j.shim(p.Path) || j.shim(p.Parent) || p.Parent == "" && j.recorded(p.Path) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// shim says that a program stands in a mirror root: they are all in one folder.
func (j *judge) shim(path string) bool {
	mirror := j.Run.Toolkit.Mirror
	return mirror != "" && path != "" && j.path.Within(path, j.path.Dir(mirror))
}

// recorded: a call of this program, which is not the run's own, is in the record.
func (j *judge) recorded(path string) bool {
	return slices.ContainsFunc(j.works, func(w *work) bool { return j.elsewhereFrom(w) && j.path.Same(w.Begin.Path, path) })
}

// elsewhereFrom says that a call was made with another nvcc than the run's.
func (j *judge) elsewhereFrom(w *work) bool {
	own := j.Run.Tools["nvcc"]
	return w.Begin.Tool == "nvcc" && own != "" && w.Begin.Path != "" && !j.path.Same(w.Begin.Path, own)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// paths are the programs that passed the shim by, each once.
func (j *judge) paths() []string {
	var out []string
	for _, p := range j.passed {
		if !slices.ContainsFunc(out, func(o string) bool { return j.path.Same(o, p.Path) }) {
			out = append(out, p.Path)
		}
	}
	return out
}

// whyPassed says what leads to a program that no file of the project names: a builder that is known for it.
func (j *judge) whyPassed(path string, parents []string) (why string, next []finding.Step) {
	shim := j.path.Join(j.Run.Toolkit.Mirror, "bin", j.path.Program("nvcc"))
	if b, ok := j.hardCoded(path); ok {
		return fmt.Sprintf("%s: what it compiles is not recorded", b), []finding.Step{{Note: "take a published version of the crate, which looks for nvcc on PATH"}, {Command: j.show()}}
	}
	why = "its path is written into a build script, or taken from a variable that something on the way set; what it compiles is not recorded"
	if crate := crateOf(parents); crate != "" {
		why = "the build script of " + crate + " takes it from a fixed place or from a variable of its own; what it compiles is not recorded"
	}
	return why, []finding.Step{{Note: "where the builder reads a variable for nvcc, give it the shim: NVCC=" + shim}, {Command: j.show()}}
}

// scripts is the program of a cargo build script: its folder is named for the crate.
var scripts = pattern.New(`[/\\]build[/\\]([^/\\]+)-[0-9a-f]{16}[/\\]build-script-`)

// crateOf names the crate whose build script is among the programs.
func crateOf(parents []string) string {
	for _, p := range parents {
		if m := scripts.FindStringSubmatch(p); m != nil {
			return m[1]
		}
	}
	return ""
}

// naming lists the settings of the project's files that name the program or the toolkit it belongs to.
func (j *judge) naming(path string) []fact.FileValue {
	root := j.path.Dir(j.path.Dir(path))
	var out []fact.FileValue
	for _, v := range j.settings() {
		if value := j.path.Clean(v.Value); value != "" && j.path.Abs(value) && (j.path.Same(value, path) || j.path.Same(value, root)) {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, func(a, b fact.FileValue) int { // the program itself says more than its root
		return order(!j.path.Same(j.path.Clean(a.Value), path), !j.path.Same(j.path.Clean(b.Value), path))
	})
	return out
}

// settings are those of all files of the project, the ones that hold against the environment first.
func (j *judge) settings() []fact.FileValue {
	p := j.Project
	all := slices.Concat(p.Cache, p.CargoEnv, p.Exports, p.Presets)
	slices.SortStableFunc(all, func(a, b fact.FileValue) int { return order(!a.Force, !b.Force) })
	return all
}

// place is the file and line of a setting.
func place(v fact.FileValue) string {
	if v.Line > 0 {
		return fmt.Sprintf("%s line %d", v.File, v.Line)
	}
	return v.File
}

// setting is a line of a file as evidence.
func setting(v fact.FileValue) []finding.Evidence {
	return []finding.Evidence{{Source: place(v), Text: v.Name + "=" + v.Value}}
}

// because silences what the same line of a file makes: the compiler that passed the shim by is told with it.
func because(causes, all []finding.Finding) []finding.Finding {
	for i := range all {
		for _, c := range causes {
			if len(c.Evidence) > 0 && slices.Equal(c.Evidence, all[i].Evidence) {
				all[i].CausedBy = c.ID
			}
		}
	}
	return all
}

// obey is how a setting of a file is made to follow exec.
func (j *judge) obey(v fact.FileValue) []finding.Step {
	base := strings.ToLower(j.path.Base(v.File))
	switch {
	case base == "cmakecache.txt":
		dir := j.path.Dir(v.File)
		return []finding.Step{{Command: j.exec("cmake", "--fresh", dir), Note: "configures anew with the toolkit of exec (CMake 3.24 and newer); give -G and the -D options again that it was configured with"}, {Command: j.again()}}
	case strings.HasSuffix(base, ".json"):
		return []finding.Step{{Note: "take " + v.Name + " out of " + place(v) + ", or give it the toolkit that exec shall use"}, {Command: j.again()}}
	case base == "config.toml" || base == "config":
		return []finding.Step{{Note: "take " + v.Name + " out of [env] in " + place(v) + ", or write it without force = true: then the environment wins"}, {Command: j.again()}}
	}
	return []finding.Step{{Note: "in " + place(v) + " let the environment win: " + v.Name + " ?= …"}, {Command: j.again()}}
}

// hardCoded: a crate of the lock file whose row says that it takes nvcc from this place before all others.
func (j *judge) hardCoded(path string) (string, bool) {
	for _, c := range j.Project.Crates {
		for _, b := range data.Builders() {
			if b.Name != c.Name || !between(c.Version, b.First, b.Last) {
				continue
			}
			for _, note := range b.Notes {
				if strings.Contains(note, path) {
					return fmt.Sprintf("%s %s: %s", c.Name, c.Version, note), true
				}
			}
		}
	}
	return "", false
}

// between says that a version stands in a row's range; one without a last holds from its first on.
func between(text, first, last string) bool {
	v, err := version.Parse(text)
	from, err2 := version.Parse(first)
	if err != nil || err2 != nil || v.Less(from) {
		return false
	}
	to, err := version.Parse(last)
	return err != nil || !to.Less(v)
}
