package diagnose

import (
	"slices"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/literal"
	"cupel/internal/pattern"
)

// clueAt is what one line told.
type clueAt struct {
	line        int
	name, value string
}

type clue struct {
	data.Clue
	re *pattern.Pattern
}

// late clues count in the last lines of a log alone.
func (c clue) late() bool {
	return c.Name == "outcome" && (c.Value == "harmless" || c.Value == "complained")
}

// clueSet is the table of clues, behind a filter that says which of them a line calls for.
type clueSet struct {
	clues  []clue
	filter *literal.Filter
}

var clues = sync.OnceValue(func() *clueSet {
	s := &clueSet{}
	var exprs []string
	for _, c := range data.Clues() {
		if c.Name == "quoted" {
			continue // asked of matches alone
		}
		s.clues = append(s.clues, clue{c, pattern.New(c.Regex)})
		exprs = append(exprs, c.Regex)
	}
	s.filter = literal.NewFilter(exprs, nil)
	return s
})

// clueLength is how much of a line is looked at: what tells stands near its start.
const clueLength = 2048

// readClues looks through the kept lines for what they tell.
func (c *Context) readClues() {
	set := clues()
	votes := map[string]int{}
	lines := set.filter.Lines()
	c.log.Each(func(line int, text string) bool {
		text = text[:min(len(text), clueLength)]
		may := slices.Clone(lines.May(text))
		slices.Sort(may) // of clues of one name on one line the first of the table wins
		for _, i := range may {
			if set.clues[i].late() && line <= c.log.Lines-nearEnd {
				continue
			}
			if m := set.clues[i].re.FindStringSubmatch(text); m != nil {
				c.add(set.clues[i], m, line, votes)
			}
		}
		return true
	})
	c.platforms = settle(c.platforms, votes)
}

func (c *Context) add(clue clue, found []string, line int, votes map[string]int) {
	value := clue.Value
	if value == "" {
		value = found[clue.re.SubexpIndex("value")]
	}
	if clue.Name == "platform" {
		votes[value]++
		if !slices.Contains(c.platforms, value) {
			c.platforms = append(c.platforms, value)
		}
		return
	}
	if clue.Name == "outcome" {
		c.clues = append(c.clues, clueAt{line, clue.Name, value})
		return
	}
	if clue.Name == "toolkit" { // Debian's package names have 12-4
		value = strings.ReplaceAll(value, "-", ".")
	}
	if all := c.told[clue.Name]; len(all) == 0 || all[len(all)-1].line != line {
		c.told[clue.Name] = append(all, clueAt{line, clue.Name, value})
	}
	if _, ok := c.values[clue.Name]; !ok {
		c.values[clue.Name] = value
	}
}

// settle takes back a system that fewer lines speak for than for another: a Linux log can name a Windows path (WSL,
// wine, a cross build), a Windows log a Linux one (MSYS, a container it starts). WSL2 and a container are Linux.
func settle(platforms []string, votes map[string]int) []string {
	linux := max(votes["linux"], votes["wsl2"], votes["container"])
	drop := func(name string) {
		platforms = slices.DeleteFunc(platforms, func(p string) bool { return p == name })
	}
	if (votes["wsl2"] > 0 || votes["container"] > 0) && votes["windows"] < linux && !slices.Contains(platforms, "linux") {
		platforms = append(platforms, "linux")
	}
	switch {
	case votes["windows"] == 0:
	case votes["windows"] < linux:
		drop("windows")
	case linux > 0 && votes["windows"] > linux:
		drop("linux")
	}
	if votes["macos"] > 0 && votes["macos"] < votes["linux"] {
		drop("macos")
	}
	return platforms
}
