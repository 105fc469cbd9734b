package project

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Limits of the walk for clues.
const (
	maxClueFiles   = 600
	maxClueFolders = 400
	maxClueDepth   = 6
	maxClueNames   = 5000 // of one folder
	maxClueFile    = 512 << 10
	maxCluesFile   = 200
	maxClues       = 2000
)

// foreign are folders whose files speak for somebody else, or for tests and examples: what they need is not what
// the project needs.
var foreign = pattern.New(`(?i)^(third[-_]?party|3rd[-_]?party|extern|external|external[-_].*|vendor|vendored|_deps|deps|submodules|tests?|testing|examples?|samples?|bench.*|docs?)$`)

// readers say who reads which file: the first row that fits the name does.
var readers = []struct {
	name *pattern.Pattern
	read func(*clueFile)
}{
	{pattern.New(`^Cargo\.toml$`), cargoClues},
	{pattern.New(`^Cargo\.lock$`), lockClues},
	{pattern.New(`^build\.rs$`), rustClues},
	{pattern.New(`^(CMakeLists\.txt|.+\.cmake)$`), cmakeClues},
	{pattern.New(`^CMakePresets\.json$`), presetClues},
	{pattern.New(`^pyproject\.toml$`), pyprojectClues},
	{pattern.New(`^setup\.(py|cfg)$`), setupClues},
	{pattern.New(`^(GNUmakefile|[Mm]akefile|.+\.mk)$`), makeClues},
	{pattern.New(`^meson\.build$`), func(f *clueFile) { f.rootBuild("meson") }},
	{pattern.New(`^.+\.cuh?$`), cudaClues},
	{pattern.New(`^rust-toolchain(\.toml)?$`), toolchainClues},
	{pattern.New(`^(Dockerfile.*|.+\.[Dd]ockerfile|Containerfile)$`), dockerClues},
}

// Clues reads what the files below dir show about what the project needs: build systems, toolkits, architectures,
// compilers, variables, libraries, kernels. Comments count for nothing. Order: nearest files first. What could not be
// read comes back too: a file that was passed over in silence would look like one that demands nothing.
func Clues(at *look.At, dir string) ([]fact.Clue, []fact.Trouble) {
	if !at.Path.Abs(dir) {
		dir = at.Path.Join(at.System.Cwd, dir)
	}
	w := &clueWalk{At: at, root: at.Path.Clean(dir)}
	w.folders()
	w.hidden(".cargo", pattern.New(`^config(\.toml)?$`), cargoConfigClues)
	w.hidden(".github/workflows", yaml, workflowClues)
	w.kernelFolders()
	return w.out[:min(len(w.out), maxClues)], w.unread
}

// clueFile is one file while it is read.
type clueFile struct {
	name  string // relative to the project
	text  string
	lines []string
	out   []fact.Clue
	fault string // what kept it from being understood

	instead map[string]string // a variable that is read only where another is not set → that other; see eitherOr
	starts  []int             // of the lines; see lineAt
}

// add keeps one clue; the same one again, further down, says nothing new.
func (f *clueFile) add(key, value string, line int, note string) {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > 300 || len(f.out) >= maxCluesFile || strings.ContainsRune(value, unicode.ReplacementChar) {
		return
	}
	same := func(c fact.Clue) bool { return c.Key == key && c.Value == value }
	if i := slices.IndexFunc(f.out, same); i >= 0 {
		if f.out[i].Note == "" || note != "" {
			return
		}
		f.out = slices.Delete(f.out, i, i+1) // what holds always is worth more than what holds sometimes
	}
	f.out = append(f.out, fact.Clue{Key: key, Value: value, File: f.name, Line: line, Text: f.line(line), Note: shorten(note)})
}

func (f *clueFile) line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return shorten(f.lines[n-1])
}

// shorten makes one line of at most 160 bytes.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

// isRoot: a file in the project's own folder speaks for the whole project.
func (f *clueFile) isRoot() bool { return path.Dir(f.name) == "." }

// rootBuild names a build system, when the file stands where that system would be started.
func (f *clueFile) rootBuild(words ...string) {
	if f.isRoot() {
		for _, w := range words {
			f.add("project.build", w, 1, "")
		}
	}
}

// place makes a path of the file's own folder relative to the project; "" when it leads out of it.
func (f *clueFile) place(rel string) string {
	p := path.Join(path.Dir(f.name), strings.ReplaceAll(rel, `\`, "/"))
	if path.IsAbs(rel) || p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

// lineOf is the first line that holds every one of parts; 0 when there is none.
func lineOf(lines []string, parts ...string) int {
	for i, l := range lines {
		if !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(l, p) }) {
			return i + 1
		}
	}
	return 0
}

// lineAt is the line of a byte of the file's text.
func (f *clueFile) lineAt(at int) int {
	if f.starts == nil {
		f.starts = []int{0}
		for i := 0; i < len(f.text); i++ {
			if f.text[i] == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	n, _ := slices.BinarySearch(f.starts, at+1)
	return n
}
