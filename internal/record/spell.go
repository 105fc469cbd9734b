package record

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"cupel/internal/call"
)

// Arguments, paths and variables are bytes on Linux and half UTF-16 on Windows, JSON is Unicode: text that is none would
// come back changed, and a replay would be another call. It is written as a NUL and its base64. No argument, path or
// variable begins with a NUL by itself; the words of a broken response file might, and are written so too.

func spell(s string) string {
	if utf8.ValidString(s) && !strings.HasPrefix(s, "\x00") {
		return s
	}
	return "\x00" + base64.StdEncoding.EncodeToString([]byte(s))
}

func unspell(s string) string {
	if code, ok := strings.CutPrefix(s, "\x00"); ok {
		if b, err := base64.StdEncoding.DecodeString(code); err == nil {
			return string(b)
		}
	}
	return s
}

type speller = func(string) string

// words spells a list; the caller's own is never changed.
func words(in []string, as speller) []string {
	out := in
	for i, s := range in {
		if t := as(s); t != s {
			if &out[0] == &in[0] {
				out = append([]string(nil), in...)
			}
			out[i] = t
		}
	}
	return out
}

func pairs(in map[string]string, as speller) map[string]string {
	if in == nil {
		return nil
	}
	out := make(map[string]string, len(in))
	for k, v := range in {
		out[as(k)] = as(v)
	}
	return out
}

func files(in []call.File, as speller) []call.File {
	var out []call.File
	for _, f := range in {
		f.Path = as(f.Path)
		out = append(out, f)
	}
	return out
}

func spellBegin(b call.Begin, as speller) call.Begin {
	b.Tool, b.Path, b.Dir, b.Caller = as(b.Tool), as(b.Path), as(b.Dir), as(b.Caller)
	b.Args, b.Expanded, b.Lost, b.Used = words(b.Args, as), words(b.Expanded, as), words(b.Lost, as), words(b.Used, as)
	b.Env = call.Diff{Set: pairs(b.Env.Set, as), Unset: words(b.Env.Unset, as), Hidden: words(b.Env.Hidden, as)}
	b.Inputs = files(b.Inputs, as)
	var changes []call.Change
	for _, c := range b.Changes {
		c.Before, c.After = words(c.Before, as), words(c.After, as)
		changes = append(changes, c)
	}
	b.Changes = changes
	return b
}

func spellEnd(e call.End, as speller) call.End {
	e.Error, e.Outputs = as(e.Error), files(e.Outputs, as)
	return e
}

func spellRun(r call.Run, as speller) call.Run {
	r.Command, r.Dir, r.Project, r.Compiler = words(r.Command, as), as(r.Dir), as(r.Project), as(r.Compiler)
	r.Toolkit.Root, r.Toolkit.Mirror = as(r.Toolkit.Root), as(r.Toolkit.Mirror)
	r.Tools, r.Set = pairs(r.Tools, as), pairs(r.Set, as)
	if r.End != nil {
		end := *r.End
		end.Error, end.Left, end.PassedBy = as(end.Error), processes(end.Left, as), processes(end.PassedBy, as)
		r.End = &end
	}
	return r
}

func processes(in []call.Process, as speller) []call.Process {
	var out []call.Process
	for _, p := range in {
		p.Path, p.Args, p.Dir, p.Parent = as(p.Path), words(p.Args, as), as(p.Dir), as(p.Parent)
		out = append(out, p)
	}
	return out
}
