package profile

import "cupel/internal/environ"

// putShell writes the block at the end of a start file, or in place of the one that is there. Its lines end
// with a bare line feed even in a file that does otherwise: a shell takes a carriage return for a letter.
func putShell(target Target, text string, made int, set environ.Set) (string, error) {
	format := "sh"
	if target.Kind == Fish {
		format = "fish"
	}
	code, err := environ.Format(set, format, nil)
	if err != nil {
		return "", err
	}
	old, err := find(text)
	if err != nil {
		return "", err
	}
	b := block{body: string(code), made: made, runtime: set.Runtime}
	if old == nil {
		b.newline = ends(text, "\n")
		return text + breaks[b.newline] + b.text("\n"), nil
	}
	if err := old.replaceable(target, set); err != nil {
		return "", err
	}
	b.newline, b.made = old.newline, old.made
	return text[:old.start] + b.text("\n") + text[old.stop:], nil
}
