package host

import (
	"bytes"

	"cupel/internal/pattern"
)

const leftOut = "(left out)"

var (
	// setting is a key and what stands between it and its value.
	setting = pattern.New(`([A-Za-z0-9_.-]+)["']?[ \t]*(?:::?:?=|[?+]=|[:=])[ \t]*`)
	// value is quoted, a list, or the rest of the line up to what ends it in JSON.
	value = pattern.New(`^(?:"""(?s:.*?)"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\[[^\]\n]*\]|[^\s"'{\[,;}\]][^\r\n,;}\]"]*)`)
	// login is a user and a password in an address.
	login = pattern.New(`(://)[^/\s:@"']+:[^/\s@"']+(@)`)

	secretWord  = pattern.New(`(?i)(token|secret|passw(or)?d|credential|api[-_]?key|private[-_]?key)s?([-_.\d]|$)`)
	secretCamel = pattern.New(`([tT]oken|[sS]ecret|[pP]assw(or)?d|[cC]redential|[aA]pi_?[kK]ey|[pP]rivate_?[kK]ey)s?[A-Z]`)
)

// secretName says that a key's value is likely a secret. The word must end where a word of the name does:
// "tokenizers" is a library.
func secretName(name string) bool {
	return secretWord.MatchString(name) || secretCamel.MatchString(name)
}

// scrub replaces the values of settings that look like secrets: project and cargo files are recorded whole, and
// a registry's token can stand in them. Everything else stays, so that what is read again is the same.
func scrub(b []byte) []byte {
	b = login.ReplaceAll(b, []byte("${1}"+leftOut+"${2}"))
	var out []byte
	for {
		m := setting.FindSubmatchIndex(b)
		if m == nil {
			return append(out, b...)
		}
		out = append(out, b[:m[1]]...)
		name := b[m[2]:m[3]]
		b = b[m[1]:]
		if v := value.Find(b); v != nil && secretName(string(name)) {
			out = append(out, hidden(v)...)
			b = b[len(v):]
		}
	}
}

// hidden keeps the form of a value, so that the file still parses, and its lines.
func hidden(value []byte) []byte {
	with := leftOut
	switch {
	case bytes.HasPrefix(value, []byte(`"""`)):
		return append([]byte(`"""`+leftOut+`"""`), bytes.Repeat([]byte("\n"), bytes.Count(value, []byte("\n")))...)
	case value[0] == '"':
		with = `"` + leftOut + `"`
	case value[0] == '\'':
		with = `'` + leftOut + `'`
	case value[0] == '[':
		with = `["` + leftOut + `"]`
	}
	return []byte(with)
}
