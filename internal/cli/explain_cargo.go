package cli

import (
	"bytes"
	"regexp"
	"slices"

	"cupel/internal/diagnose"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/signature"
)

// savedLimit is how much of a file that cargo saved is read.
const savedLimit = 8 << 20

// scripts finds the program of a build script in cargo's message: its folder's siblings hold what it printed.
var scripts = pattern.New("process didn't exit successfully: `([^`]+?)[/\\\\]([^/\\\\`]+)-([0-9a-f]{16})[/\\\\](build-script-[^`]*)`")

// lookFurther looks, where the log itself does not tell the cause, into what cargo saved of the build scripts that
// the log names. A cause found there is told, with the file.
func lookFurther(here *look.At, a diagnose.Answer, set *signature.Set, opt diagnose.Options) diagnose.Answer {
	if len(a.Findings) != 1 || a.Findings[0].Label != diagnose.Unknown {
		return a
	}
	for _, w := range a.Wrappers {
		m := scripts.FindStringSubmatch(w.Text)
		if m == nil {
			continue
		}
		for _, file := range saved(here, here.FromCwd(m[1]), m[2]) {
			if slices.Contains(a.Looked, file) {
				continue
			}
			a.Looked = append(a.Looked, file)
			text, err := head(here, file, savedLimit)
			if err != nil {
				continue
			}
			seen, err := diagnose.Read(bytes.NewReader(text), set)
			if err != nil {
				continue
			}
			opt.Name = file
			if b := diagnose.Judge(seen, opt); len(b.Findings) > 0 && b.Findings[0].Label != diagnose.Unknown {
				b.Wrappers, b.Looked = slices.Concat(a.Wrappers, b.Wrappers), a.Looked
				return b
			}
		}
	}
	return a
}

// saved lists the files that cargo wrote for a crate's build script. cargo marks the start of a run with
// invoked.timestamp and writes the script's words when it ends: what is older is of another run. Most releases write
// nothing for a script that fails.
func saved(here *look.At, dir, crate string) []string {
	var out []string
	for _, folder := range here.List(dir, pattern.New("^"+regexp.QuoteMeta(crate)+"-[0-9a-f]{16}$")) {
		began, err := here.Stat(here.Path.Join(folder, "invoked.timestamp"))
		if err != nil {
			continue
		}
		for _, name := range []string{"stderr", "output"} {
			path := here.Path.Join(folder, name)
			if info, err := here.Stat(path); err == nil && !info.Dir && info.Size > 0 && info.MTime.After(began.MTime) {
				out = append(out, path)
			}
		}
	}
	return out
}
