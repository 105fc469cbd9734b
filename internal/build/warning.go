package build

import "strings"

// warned is something to say that is a finding too.
type warned struct{ id, what string }

// Such a note has its id before it, as findings are shown: warning[arch-newer-than-toolkit]: kernel k: …
const warningHead = "warning["

func warning(id, what string) string { return warningHead + id + "]: " + what }

// Warning takes such a note apart.
func Warning(note string) (id, what string, ok bool) {
	rest, ok := strings.CutPrefix(note, warningHead)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "]: ")
}
