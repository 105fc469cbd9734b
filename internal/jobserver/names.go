package jobserver

import (
	"slices"
	"strings"
)

// variables name a server, the nearest caller's first: a make that a build script of cargo starts sets MAKEFLAGS anew and
// leaves CARGO_MAKEFLAGS as it was. (When MAKEFLAGS is older than cargo, its descriptors are closed or are cargo's own.)
var variables = [...]string{"MAKEFLAGS", "MFLAGS", "CARGO_MAKEFLAGS"}

type named struct{ variable, server string }

// names lists the servers that the environment names, each once.
func names(env []string) []named {
	var all []named
	for _, v := range variables {
		server := named{v, auth(value(env, v))}
		if server.server != "" && !slices.ContainsFunc(all, func(n named) bool { return n.server == server.server }) {
			all = append(all, server)
		}
	}
	return all
}

func value(env []string, name string) string {
	for _, e := range slices.Backward(env) {
		if n, v, _ := strings.Cut(e, "="); n == name {
			return v
		}
	}
	return ""
}

// auth is the server in a value of MAKEFLAGS. The last one counts (GNU make manual, "Sharing Job Slots with GNU make");
// after a lone -- come the variables of the command line, which may hold anything.
func auth(flags string) (server string) {
	for _, w := range words(flags) {
		if w == "--" {
			break
		}
		for _, option := range [...]string{"--jobserver-auth=", "--jobserver-fds="} { // the second is make's before 4.2
			if s, ok := strings.CutPrefix(w, option); ok {
				server = s
			}
		}
	}
	return server
}

// words splits as make does: it writes a space within a word as "\ " and a dollar sign as two (quote_for_env in its main.c).
func words(flags string) []string {
	var all []string
	var word strings.Builder
	in := false
	for i := 0; i < len(flags); i++ {
		switch ch := flags[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n':
			if in {
				all = append(all, word.String())
				word.Reset()
			}
			in = false
			continue
		case i+1 < len(flags) && (ch == '\\' || ch == '$' && flags[i+1] == '$'):
			i++
		}
		word.WriteByte(flags[i])
		in = true
	}
	if in {
		all = append(all, word.String())
	}
	return all
}
