package profile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/environ"
	"cupel/internal/pattern"
)

// taken stands before a line that cupel put out of force; the rest of the line is as it was.
const taken = "#cupel# "

var (
	envHeader = pattern.New(`^\s*\[\s*env\s*\]\s*(#.*)?$`)
	anyHeader = pattern.New(`^\s*\[`)
	envKey    = pattern.New(`^\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*(?:=|\.)`)
)

// mergeCargo puts the entries into [env]: behind the header that is there, or with one of its own at the end.
// A line for the same variable is put out of force where it stands, so that undo finds it. The result is
// parsed and compared before it is used: a file in a form this does not understand is refused, not broken.
func mergeCargo(target Target, text string, made int, set environ.Set) (string, error) {
	plain, b, err := withoutBlock(target, text, made, set)
	if err != nil {
		return "", err
	}
	before, err := parseTOML(plain)
	if err != nil {
		return "", fmt.Errorf("it is not valid TOML, nothing was changed: %w", err)
	}
	entries := environ.CargoEntries(set)
	if len(entries) == 0 {
		return "", errors.New("there is nothing to keep but PATH, which cargo cannot be given in part")
	}
	merged := insert(plain, b, entries)
	after, err := parseTOML(merged)
	if err == nil {
		err = sameButFor(before, after, entries)
	}
	if err != nil {
		return "", fmt.Errorf("its [env] is written in a way that cannot be merged, nothing was changed: %w", err)
	}
	return merged, nil
}

// withoutBlock is the text as its owner wrote it, and the start of the new block.
func withoutBlock(target Target, text string, made int, set environ.Set) (string, block, error) {
	old, err := find(text)
	switch {
	case err != nil:
		return "", block{}, err
	case old == nil && strings.Contains("\n"+text, "\n"+taken):
		return "", block{}, errors.New("lines are out of force (" + taken + ") but the block is gone; put it right by hand")
	case old == nil:
		return text, block{made: made, runtime: set.Runtime}, nil
	}
	if err := old.replaceable(target, set); err != nil {
		return "", block{}, err
	}
	return releaseLines(old.cut(text)), block{made: old.made, runtime: set.Runtime}, nil
}

// insert builds the new text.
func insert(plain string, b block, entries []environ.CargoEntry) string {
	eol := "\n"
	if strings.Contains(plain, "\r\n") {
		eol = "\r\n"
	}
	for _, e := range entries {
		b.body += e.Line() + "\n"
	}
	lines := strings.SplitAfter(plain, "\n")
	header := holdLines(lines, entries)
	if header < 0 {
		b.body = "[env]\n" + b.body
		b.newline = ends(plain, eol)
		return strings.Join(lines, "") + breaks[b.newline] + b.text(eol)
	}
	b.newline = ends(lines[header], eol)
	lines[header] += breaks[b.newline]
	return strings.Join(lines[:header+1], "") + b.text(eol) + strings.Join(lines[header+1:], "")
}

// holdLines puts the entries' own lines in [env] out of force; header is the place of [env], or -1.
func holdLines(lines []string, entries []environ.CargoEntry) (header int) {
	header = -1
	inside := false
	for i, l := range lines {
		bare := strings.TrimRight(l, "\r\n")
		if anyHeader.MatchString(bare) {
			inside = envHeader.MatchString(bare)
			if inside {
				header = i
			}
			continue
		}
		if m := envKey.FindStringSubmatch(bare); inside && m != nil && wanted(entries, m[1]+m[2]+m[3]) {
			lines[i] = taken + l
		}
	}
	return header
}

func wanted(entries []environ.CargoEntry, name string) bool {
	for _, e := range entries {
		if e.Name == name {
			return true
		}
	}
	return false
}

// releaseLines puts the lines back in force.
func releaseLines(text string) string {
	text = strings.ReplaceAll(text, "\n"+taken, "\n")
	return strings.TrimPrefix(text, taken)
}

func parseTOML(text string) (map[string]any, error) {
	tree := map[string]any{}
	err := toml.Unmarshal([]byte(text), &tree)
	return tree, err
}

// sameButFor proves that the entries have their values and that nothing else changed.
func sameButFor(before, after map[string]any, entries []environ.CargoEntry) error {
	was, _ := before["env"].(map[string]any)
	env, _ := after["env"].(map[string]any)
	for _, e := range entries {
		if got, _ := env[e.Name].(map[string]any); got["value"] != e.Value {
			return fmt.Errorf("%s would not get its value", e.Name)
		}
		delete(env, e.Name)
		delete(was, e.Name)
	}
	delete(before, "env")
	delete(after, "env")
	if len(was)+len(env) > 0 && !reflect.DeepEqual(was, env) {
		return errors.New("other variables would change")
	}
	if !reflect.DeepEqual(before, after) {
		return errors.New("other tables would change")
	}
	return nil
}
