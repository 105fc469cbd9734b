package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// install shows for each platform every way of the table that gives the release to take: exactly one is enough.
func install(b *book) {
	b.title("Install the toolkit")
	for _, p := range b.platforms() {
		rel := b.wanted(p.name)
		var shown []string
		for _, w := range data.Ways() {
			if text := b.way(w, p.name, rel); text != "" {
				shown = append(shown, text)
			}
		}
		if p != b.platforms()[0] {
			b.line("")
		}
		b.line("### %s: CUDA %s\n", p.title, rel)
		switch {
		case len(shown) == 0:
			b.line("No way to get this release is in cupel's tables; see NVIDIA's download archive.\n")
		case len(shown) > 1:
			b.line("Exactly one of these; two of them side by side shadow each other.\n")
		}
		b.WriteString(strings.Join(shown, "\n"))
	}
	b.line("\n`cupel plan` picks the cheapest way for the machine it runs on.")
}

// wanted is the release to install: recommended, else the newest verified, else the oldest that works, else the
// newest there is.
func (b *book) wanted(platform string) version.V {
	t := b.on(platform).Toolkit
	switch {
	case t.Recommended != nil:
		return t.Recommended.Version.V
	case t.MaxVerified != nil:
		return t.MaxVerified.Version.V
	case t.Min != nil:
		return t.Min.Version.V
	}
	list := b.lines()
	return list[len(list)-1]
}

// way is one way as text, "" when it does not give the release here.
func (b *book) way(w data.Way, platform string, rel version.V) string {
	if w.Gives != "toolkit" || !slices.Contains(w.On, platform) {
		return ""
	}
	exact, ok := offered(w, rel)
	if !ok {
		return ""
	}
	r, _ := compat.Release(exact)
	driver := cmp.Or(r.Bundled, r.Paired.Linux)
	if driver == "" && strings.Contains(strings.Join(w.Commands, " "), "<file-driver>") {
		return ""
	}
	fill := strings.NewReplacer("<X>", strconv.Itoa(exact.Major()), "<Y>", strconv.Itoa(exact.Minor()), "<release>", exact.String(),
		"<file-driver>", driver, "<file-cpu>", "", "<home>", "$HOME", "<prefix>", "$CONDA_PREFIX", "<repo>", "$repo", "<cpu>", "$cpu",
		"<asked>", askedFor(rel, exact), "<with>", b.with(platform))
	var out strings.Builder
	title := strings.NewReplacer(" <repo>", " with "+strings.Join(w.Managers, " or ")).Replace(w.Title)
	out.WriteString("**" + md(strings.ToUpper(title[:1])+fill.Replace(title[1:])) + "** (" + rights(w.Who, platform) + ")\n\n")
	commands := w.Commands
	if s := data.SetupOf(w.Setup); s != nil {
		commands = slices.Concat(s.Commands, commands)
	}
	if w.NeedsRepo && w.System == "" {
		table, lines := systems(w, exact)
		if table == "" {
			return ""
		}
		out.WriteString(table)
		commands = append(lines, commands...)
	}
	out.WriteString(fence(languageOf(platform), fill.Replace(strings.Join(commands, "\n"))))
	if notes := strings.TrimPrefix(gives(w, exact)+"; "+md(fill.Replace(w.Note)), "; "); strings.TrimSuffix(notes, "; ") != "" {
		out.WriteString("\nNote: " + strings.TrimSuffix(notes, "; ") + ".\n")
	}
	return out.String()
}

// askedFor is how cupel is asked for a release: the update only where the contract names it.
func askedFor(rel, exact version.V) string {
	if rel.Parts() > 2 {
		return exact.String()
	}
	return exact.Short().String()
}

// with are the libraries of the contract, in the words of cupel toolkit install.
func (b *book) with(platform string) string {
	var words []string
	for _, part := range b.on(platform).Toolkit.Components {
		if w := resolve.ForPart(part); w != "" && !slices.Contains(resolve.Minimal(), w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " --with " + strings.Join(words, ",")
}

// gives says which update comes, where the command does not.
func gives(w data.Way, asked version.V) string {
	newest := newestOf(asked)
	switch {
	case !w.Exact:
		return fmt.Sprintf("it gives the newest %s that is offered there; NVIDIA's newest is %s", asked.Short(), newest)
	case asked != newest && asked.Parts() < 3:
		return fmt.Sprintf("its list says %s and not which update; NVIDIA's newest is %s", asked, newest)
	}
	return ""
}

func rights(who, platform string) string {
	text := map[string]string{"cupel": "no rights needed, `cupel up` does it too", "you": "no rights needed", "root": "as root", "reboot": "as root, then restart"}[who]
	if platform == "windows" {
		text = strings.Replace(text, "root", "administrator", 1)
	}
	return text
}

func languageOf(platform string) string {
	if platform == "windows" {
		return "powershell"
	}
	return "sh"
}

// offered says whether a way gives the release, and which update it is named by. Where a list names X.Y alone, that
// is the name to ask for.
func offered(w data.Way, rel version.V) (version.V, bool) {
	full := newestOf(rel)
	for _, name := range []version.V{full, rel, rel.Short()} {
		if len(w.Releases) > 0 && slices.Contains(w.Releases, name.String()) {
			return name, true
		}
	}
	if len(w.Releases) > 0 || !between(w.First, w.Last, full) {
		return version.V{}, false
	}
	return full, true
}

// between holds a release against the first and last one of a row; an empty bound is none.
func between(first, last string, v version.V) bool {
	low, _ := version.Parse(first)
	high, _ := version.Parse(last)
	return v.AtLeast(low) && (high.IsZero() || high.AtLeast(v) || high.Covers(v))
}

// systems is the table of distributions whose repository holds the release, and the lines that choose one.
func systems(w data.Way, rel version.V) (table string, lines []string) {
	b := &book{}
	t := sheet{head: []string{"system", "repo"}}
	for _, s := range data.AllRemedies().Systems {
		if slices.Contains(w.Managers, s.Manager) && !slices.Contains(s.IDs, "wsl") && s.Repo != "" && between(s.First, "", rel) {
			t.add(md(strings.Join(s.IDs, ", ")+" "+s.Version), tick(s.Repo))
		}
	}
	if len(t.rows) == 0 {
		return "", nil
	}
	b.sheet(t)
	first := strings.Trim(t.rows[0][1], "`")
	return b.String() + "\n", []string{"repo=" + first + " # of the table above", "cpu=x86_64 # sbsa on an arm64 server"}
}
