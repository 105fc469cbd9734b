package bundle

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/child"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
	"cupel/internal/snapshot"
)

// gone stands for what is left out.
const gone = "***"

// hider takes out of texts what names a person or a machine, and secrets.
type hider struct {
	names []named
	text  []snapshot.Redactor
	words [][]byte // secrets, longest first
}

type named struct {
	find *pattern.Pattern
	with []byte
}

// nobody are names of accounts and machines that come with systems and build machines, or that say what a machine is for.
// They tell of no person, and are words of their own in every build: --gpu-architecture must not become another option.
var nobody = []string{
	"root", "user", "ubuntu", "debian", "runner", "runneradmin", "vscode", "jenkins", "ec2-user", "azureuser", "administrator", "containeradministrator",
	"localhost", "host", "linux", "windows", "docker", "container", "build", "builder", "server", "ci", "dev", "test", "gpu", "cuda", "nvidia", "nvcc",
}

// newHider hides the people and machines of both systems (where the bundle is made, and what the call's environment tells
// of where it ran), and the secrets that the arguments and the current environment hold.
func newHider(in Input) *hider {
	h := &hider{}
	for _, s := range []host.System{in.System, in.recordedSystem()} {
		for _, name := range []struct {
			value *string
			with  string
		}{{&s.User, "user"}, {&s.Name, "host"}} {
			if slices.Contains(nobody, strings.ToLower(*name.value)) {
				*name.value = ""
			}
			h.name(*name.value, name.with)
		}
		h.text = append(h.text, snapshot.NewRedactor(s, fact.Machine{System: fact.System{OS: s.OS, Home: s.Home}}))
	}
	for _, kv := range in.Environ {
		if name, value, ok := strings.Cut(kv, "="); ok && (call.Secret(name, value) || slices.Contains(in.hidden(), name)) {
			h.secret(value)
		}
	}
	for _, args := range [][]string{in.Run.Command, in.Call.Begin.Args, in.Call.Begin.Expanded, in.Call.Begin.Used} {
		h.secretsOf(args)
	}
	for name, value := range in.Env.Values {
		if in.shows(name) { // NVCC_APPEND_FLAGS
			h.secretsOf(strings.Fields(value))
		}
	}
	slices.SortFunc(h.words, func(a, b []byte) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a, b))
	})
	h.words = slices.CompactFunc(h.words, bytes.Equal)
	return h
}

// name hides a name wherever it stands for itself; an underscore ends a word here (tmp_ann_1).
func (h *hider) name(value, with string) {
	if len(value) < 2 {
		return
	}
	find := pattern.New(`(?i)(^|[^A-Za-z0-9])` + regexp.QuoteMeta(value) + `($|[^A-Za-z0-9])`)
	h.names = append(h.names, named{find, []byte("${1}" + with + "${2}")})
}

// typeWord are values that name a type or a plain word, which code is full of.
var typeWord = pattern.New(`^(?:[a-z0-9_]+_t|[0-9.]+[a-zA-Z]*|unsigned|double|float|default|disabled|enabled|required|optional)$`)

// secret hides a value everywhere. A short one would be found in other words.
func (h *hider) secret(value string) {
	value = strings.Trim(value, ` "'\`)
	for _, part := range append(loginOf(value), value) {
		if len(part) >= 6 && !typeWord.MatchString(part) {
			h.words = append(h.words, []byte(part))
		}
	}
}

var login = pattern.New(`://([^/\s'"]*)@`)

// loginOf are the user and the password in addresses.
func loginOf(text string) []string {
	var out []string
	for _, m := range login.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
		if _, word, ok := strings.Cut(m[1], ":"); ok {
			out = append(out, word)
		}
	}
	return out
}

// secretsOf hides the secrets in arguments. Each value of several in one argument (-Xcompiler "-DTOKEN=a -DKEY=b") may stand
// for itself elsewhere.
func (h *hider) secretsOf(args []string) {
	for _, value := range call.SecretsOf(args) {
		h.secret(value)
	}
	for _, a := range args {
		for _, m := range assignment.FindAllStringSubmatch(a, -1) {
			if call.Secret(m[1], m[3]) {
				h.secret(m[3])
			}
		}
	}
}

var (
	assignment = pattern.New(`([A-Za-z_][A-Za-z0-9_.-]*)(\s*[=:]\s*)(\\?"[^"\n]*"|'[^'\n]*'|[^\s"';,)]+)`)
	literal    = pattern.New(`([A-Za-z_][A-Za-z0-9_]*)(\s*(?:\[\s*\])?\s*[=({]?\s*)("(?:[^"\\\n]|\\.)*")`)
	bearer     = pattern.New(`(?i)\b((?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}`)
	longWord   = pattern.New(`[A-Za-z0-9_-]{16,}`)
	privateKey = pattern.New(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|\z)`)
)

// Text is any text without them.
func (h *hider) Text(b []byte) []byte {
	b = h.common(b)
	return replace(assignment, b, func(m [][]byte) []byte {
		if len(m[3]) < 4 || bytes.HasPrefix(m[3], []byte(gone)) || typeWord.Match(m[3]) || !call.Secret(strings.TrimLeft(string(m[1]), "-"), string(m[3])) {
			return nil
		}
		return slices.Concat(m[1], m[2], []byte(gone))
	})
}

// Source is source code without them. Only string literals are taken for secrets there, so that it can still be compiled.
func (h *hider) Source(b []byte) []byte {
	b = h.common(b)
	return replace(literal, b, func(m [][]byte) []byte {
		if len(m[3]) < 4 || !call.Secret(string(m[1]), "") {
			return nil
		}
		return slices.Concat(m[1], m[2], []byte(`"`+gone+`"`))
	})
}

func (h *hider) String(s string) string { return string(h.Text([]byte(s))) }

// Words are arguments without them.
func (h *hider) Words(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = h.String(a); call.SecretWord(args, i) {
			out[i] = gone
		}
	}
	return out
}

func (h *hider) common(b []byte) []byte {
	for _, w := range h.words {
		b = bytes.ReplaceAll(b, w, []byte(gone))
	}
	b = privateKey.ReplaceAll(b, []byte(gone))
	b = bearer.ReplaceAll(b, []byte("${1}"+gone))
	b = []byte(child.Mask(string(b)))
	b = replace(longWord, b, func(m [][]byte) []byte {
		if call.Secret("", string(m[0])) {
			return []byte(gone)
		}
		return nil
	})
	for _, r := range h.text {
		b = r.Bytes(b)
	}
	for _, n := range h.names {
		b = n.find.ReplaceAll(b, n.with)
		b = n.find.ReplaceAll(b, n.with) // two names side by side share the byte between them
	}
	return b
}

// replace puts another text in the place of a match; nil leaves it.
func replace(find *pattern.Pattern, b []byte, with func(groups [][]byte) []byte) []byte {
	return find.ReplaceAllFunc(b, func(match []byte) []byte {
		if now := with(find.FindSubmatch(match)); now != nil {
			return now
		}
		return match
	})
}
