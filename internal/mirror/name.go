package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/ospath"
)

// name is the folder of a mirror. Other tools have another folder: a shim then needs no state to know what it stands for,
// and two runs that ask for different things do not change each other's. Plus signs become x: they are letters of a
// regular expression, in which builders use paths without quoting.
func name(t fact.Toolkit, s ospath.Style, a asked, hosts []Shim) string {
	out := ""
	switch {
	case t.Installed != nil && t.Installed.Name != "":
		out = t.Installed.Name
	case t.Release.Known():
		out = t.Release.Value + "-" + digest(s.Key(t.Home()))
	default:
		out = "cuda-" + digest(s.Key(t.Home()))
	}
	words := slices.Concat(a.cuda, a.hosts)
	slices.Sort(words)
	for _, w := range words {
		out += "-" + strings.ReplaceAll(strings.Trim(w, "_"), "+", "x")
	}
	if len(hosts) == 0 {
		return out
	}
	// Which compiler a name means depends on PATH.
	var all []string
	for _, h := range hosts {
		all = append(all, h.At+"\t"+s.Key(h.Real))
	}
	return out + "-" + digest(strings.Join(all, "\n"))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}
