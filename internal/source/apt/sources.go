package apt

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// entry is one source of packages, in either of apt's two forms.
type entry struct {
	uris, suites, components []string
	fields                   []field // the others, as they are written: Signed-By with a key in it spans lines
}

type field struct{ name, value string }

func (e entry) uri() string { return e.uris[0] }

// signedBy says whether a keyring has the name.
func (e entry) signedBy(name string) bool {
	return slices.ContainsFunc(e.fields, func(f field) bool {
		return strings.EqualFold(f.name, "Signed-By") && strings.Contains(f.value, "/"+name)
	})
}

// parseDeb822 reads a .sources file. What is no source of binary packages, or is switched off, is left out.
func parseDeb822(text string) []entry {
	var out []entry
	for _, stanza := range stanzas(text) {
		e, types := entry{}, []string(nil)
		off := false
		for _, f := range stanza {
			words := strings.Fields(f.value)
			switch strings.ToLower(f.name) {
			case "types":
				types = words
			case "uris":
				e.uris = words
			case "suites":
				e.suites = words
			case "components":
				e.components = words
			case "enabled":
				off = slices.Contains([]string{"no", "false", "off", "0"}, strings.ToLower(strings.TrimSpace(f.value)))
			case "architectures", "languages", "targets": // cupel asks for its own
			default:
				e.fields = append(e.fields, f)
			}
		}
		if !off && slices.Contains(types, "deb") && len(e.uris) > 0 && len(e.suites) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// stanzas splits a file of fields: a field goes on in lines that begin with a blank, a stanza ends with an empty line.
func stanzas(text string) [][]field {
	var out [][]field
	var now []field
	end := func() {
		if len(now) > 0 {
			out = append(out, now)
		}
		now = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch name, value, ok := strings.Cut(line, ":"); {
		case strings.TrimSpace(line) == "":
			end()
		case strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			if len(now) > 0 {
				now[len(now)-1].value += "\n" + line
			}
		case ok:
			now = append(now, field{strings.TrimSpace(name), strings.TrimSpace(value)})
		}
	}
	end()
	return out
}

// oneLineOptions are the names that options of the one-line form have in the other form.
var oneLineOptions = map[string]string{
	"signed-by": "Signed-By", "trusted": "Trusted", "allow-insecure": "Allow-Insecure", "allow-weak": "Allow-Weak",
	"check-valid-until": "Check-Valid-Until", "check-date": "Check-Date", "by-hash": "By-Hash",
}

// parseOneLine reads sources.list: deb [option=value …] uri suite component…
func parseOneLine(text string) []entry {
	var out []entry
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "deb")
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		rest = strings.TrimSpace(rest)
		var e entry
		if options, after, ok := strings.Cut(rest, "]"); ok && strings.HasPrefix(rest, "[") {
			rest = after
			for _, o := range strings.Fields(options[1:]) {
				name, value, _ := strings.Cut(o, "=")
				if full := oneLineOptions[strings.ToLower(name)]; full != "" {
					e.fields = append(e.fields, field{full, strings.ReplaceAll(value, ",", " ")})
				}
			}
		}
		words := strings.Fields(rest)
		if len(words) < 2 {
			continue
		}
		e.uris, e.suites, e.components = words[:1], words[1:2], words[2:]
		out = append(out, e)
	}
	return out
}

// with is the entry as a stanza for other suites and components. Only lists of packages are fetched.
func (e entry) with(suites, components []string) string {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(name + ": " + value + "\n") }
	line("Types", "deb")
	line("URIs", e.uri())
	line("Suites", strings.Join(suites, " "))
	if len(components) > 0 {
		line("Components", strings.Join(components, " "))
	}
	line("Targets", "Packages")
	for _, f := range e.fields {
		line(f.name, f.value)
	}
	return b.String()
}

// archive is the last word of an address's path: debian, ubuntu, debian-security.
func archive(uri string) string {
	u, err := url.Parse(strings.TrimSuffix(uri, "/"))
	if err != nil {
		return ""
	}
	if u.Opaque != "" { // file:relative, mirror+file:
		return path.Base(u.Opaque)
	}
	return path.Base(u.Path)
}
