// Package ospath handles paths of an operating system given as a value, so that a Windows snapshot is judged
// on Linux with Windows' own rules. It is pure text: it never asks a file system anything.
package ospath

import (
	"path"
	"strings"
)

// Style is the path rules of one operating system.
type Style struct{ windows bool }

// For returns the rules of an OS named as Go names it (linux, windows, darwin).
func For(os string) Style { return Style{windows: os == "windows"} }

// Windows says whether these are Windows' rules.
func (s Style) Windows() bool { return s.windows }

// Separator is the byte between the elements of a path.
func (s Style) Separator() string {
	if s.windows {
		return `\`
	}
	return "/"
}

// ListSeparator is the byte between the folders of PATH.
func (s Style) ListSeparator() string {
	if s.windows {
		return ";"
	}
	return ":"
}

// Clean returns the shortest form of p in these rules.
func (s Style) Clean(p string) string {
	if p == "" {
		return ""
	}
	if !s.windows {
		return path.Clean(p)
	}
	p = strings.ReplaceAll(p, `\`, "/")
	volume, rest := splitVolume(p)
	if rest == "" {
		return strings.ReplaceAll(volume, "/", `\`)
	}
	rest = path.Clean(rest)
	if rest == "." && volume != "" {
		rest = ""
	}
	return strings.ReplaceAll(volume+rest, "/", `\`)
}

// splitVolume cuts a drive (C:) or a share (//server/share) off a path written with forward slashes.
func splitVolume(p string) (volume, rest string) {
	if len(p) >= 2 && p[1] == ':' {
		return p[:2], p[2:]
	}
	if strings.HasPrefix(p, "//") {
		parts := strings.SplitN(p[2:], "/", 3)
		if len(parts) >= 2 {
			volume = "//" + parts[0] + "/" + parts[1]
			return volume, p[len(volume):]
		}
	}
	return "", p
}

// Join joins elements and cleans the result; empty elements are left out.
func (s Style) Join(elem ...string) string {
	kept := make([]string, 0, len(elem))
	for _, e := range elem {
		if e != "" {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return s.Clean(strings.Join(kept, s.Separator()))
}

// Dir is the folder of p; the folder of a root is the root.
func (s Style) Dir(p string) string {
	p = s.Clean(p)
	if !s.windows {
		return path.Dir(p)
	}
	volume, rest := splitVolume(strings.ReplaceAll(p, `\`, "/"))
	if rest == "" {
		return p
	}
	dir := path.Dir(rest)
	if dir == "." && volume != "" {
		dir = ""
	}
	return strings.ReplaceAll(volume+dir, "/", `\`)
}

// Base is the last element of p.
func (s Style) Base(p string) string {
	p = s.Clean(p)
	return p[strings.LastIndexAny(p, s.separators())+1:]
}

func (s Style) separators() string {
	if s.windows {
		return `\/:`
	}
	return "/"
}

// Abs says whether p names one place whatever the current folder is.
func (s Style) Abs(p string) bool {
	if !s.windows {
		return strings.HasPrefix(p, "/")
	}
	volume, rest := splitVolume(strings.ReplaceAll(p, `\`, "/"))
	return volume != "" && strings.HasPrefix(rest, "/")
}

// Key is the form under which two spellings of one path are equal.
func (s Style) Key(p string) string {
	p = s.Clean(p)
	if s.windows {
		return strings.ToLower(p)
	}
	return p
}

// Same says whether a and b are spellings of one path.
func (s Style) Same(a, b string) bool { return s.Key(a) == s.Key(b) }

// Within says whether p is dir or lies below it.
func (s Style) Within(p, dir string) bool {
	if dir == "" {
		return false
	}
	p, dir = s.Key(p), s.Key(dir)
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, s.Separator())+s.Separator())
}

// List splits a PATH-like value; empty entries are left out.
func (s Style) List(value string) []string {
	var out []string
	for _, d := range strings.Split(value, s.ListSeparator()) {
		if s.windows {
			d = strings.Trim(d, `" `)
		}
		if d != "" {
			out = append(out, d)
		}
	}
	return out
}

// Replace puts another folder in the place of one wherever a text has it as a whole: a list of folders, an option
// (-I/root/include, -rpath,/root/lib64). A longer name that only begins so (/usr/local/cuda-12) is another folder.
func (s Style) Replace(text, dir, with string) string {
	if dir == "" {
		return text
	}
	var b strings.Builder
	for {
		at := strings.Index(s.folded(text), s.folded(dir))
		if at < 0 {
			return b.String() + text
		}
		end := at + len(dir)
		b.WriteString(text[:at])
		if end == len(text) || strings.IndexByte(`/\,:;="'`, text[end]) >= 0 {
			b.WriteString(with)
		} else {
			b.WriteString(text[at:end])
		}
		text = text[end:]
	}
}

// folded is a text in which Windows' spellings of a path are equal. Its bytes stay in their places, so other letters than
// ASCII keep their case.
func (s Style) folded(text string) string {
	if !s.windows {
		return text
	}
	b := []byte(text)
	for i, c := range b {
		switch {
		case c == '/':
			b[i] = '\\'
		case 'A' <= c && c <= 'Z':
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Program is the file name of a program: nvcc, or nvcc.exe on Windows.
func (s Style) Program(name string) string {
	if s.windows && !strings.Contains(name, ".") {
		return name + ".exe"
	}
	return name
}
