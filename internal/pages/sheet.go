package pages

import (
	"cmp"
	"slices"
	"strings"
)

// sheet is a table. A column in which nothing stands is left out. A cell holds what is asked for; why it is so stands
// below the table, where there is room for it.
type sheet struct {
	head []string
	rows [][]string

	below string // the heading of the reasons; "": Why
	whys  []why
}

// why is a reason below a table.
type why struct{ about, platforms, text string }

func (s *sheet) add(cells ...string) { s.rows = append(s.rows, cells) }

// because notes a reason. What holds on several platforms is told once.
func (s *sheet) because(about, platform, reason, source string) {
	text := reasonText(reason, source)
	if text == "" {
		return
	}
	i := slices.IndexFunc(s.whys, func(w why) bool { return w.about == about && w.text == text })
	if i < 0 {
		s.whys = append(s.whys, why{about, platform, text})
		return
	}
	if w := &s.whys[i]; !slices.Contains(strings.Split(w.platforms, ", "), platform) {
		w.platforms += ", " + platform
	}
}

// note adds a line of text that is Markdown already.
func (s *sheet) note(about, text string) {
	if text != "" {
		s.whys = append(s.whys, why{about: about, text: text})
	}
}

func reasonText(reason, source string) string {
	text := md(reason)
	if source == "" {
		return text
	}
	if text != "" {
		text += "; "
	}
	return text + "source: " + link(source)
}

func (b *book) sheet(s sheet) {
	if len(s.rows) == 0 {
		return
	}
	var keep []int
	for i := range s.head {
		if i == 0 || slices.ContainsFunc(s.rows, func(r []string) bool { return r[i] != "" }) {
			keep = append(keep, i)
		}
	}
	write := func(cells func(i int) string) {
		var out []string
		for _, i := range keep {
			out = append(out, strings.ReplaceAll(cells(i), "|", `\|`))
		}
		b.line("| %s |", strings.Join(out, " | "))
	}
	write(func(i int) string { return s.head[i] })
	write(func(int) string { return "---" })
	for _, r := range s.rows {
		write(func(i int) string { return r[i] })
	}
	b.whys(cmp.Or(s.below, "Why"), s.whys)
}

// whys is the list below a table. A reason that holds on every platform does not name them.
func (b *book) whys(title string, list []why) {
	if len(list) > 0 {
		b.line("\n%s:\n", title)
	}
	for _, w := range list {
		where := ""
		if w.platforms != "" && w.platforms != b.all() {
			where = " (" + w.platforms + ")"
		}
		b.line("- %s%s: %s", w.about, where, w.text)
	}
}
