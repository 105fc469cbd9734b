package consumer

import "strings"

// fromEnv gives the places that a variable names. A variable that is set to nothing still counts as set for
// consumers that only ask whether it is there; it leads to a relative path, which never fits.
func (step Step) fromEnv(v *view) []hit {
	value, ok := v.getenv(step.Name)
	if !ok || (step.NonEmpty && value == "") {
		return nil
	}
	here := func(path string) hit { return hit{path, "variable " + step.Name, step.Name} }
	switch step.Kind {
	case "env-list":
		var out []hit
		for _, item := range v.style.List(value) {
			out = append(out, here(item))
		}
		return out
	case "env-program":
		if path := v.program(value); path != "" {
			return []hit{here(path)}
		}
		return nil
	case "env-file":
		if !v.is(value, "any") {
			return nil
		}
		return []hit{here(v.style.Join(v.style.Dir(value), v.style.Program(step.Beside)))}
	}
	return []hit{here(value)}
}

// program resolves a value as CMake does: a path, or a name on PATH, either with arguments behind it.
func (v *view) program(value string) string {
	value = strings.TrimSpace(value)
	for _, text := range []string{value, first(value)} {
		if v.style.Abs(text) && v.is(text, "program") {
			return v.style.Clean(text)
		}
		if text != "" && v.style.Base(text) == text {
			if path := v.onPath(text); path != "" {
				return path
			}
		}
	}
	return ""
}

func first(value string) string {
	word, _, _ := strings.Cut(value, " ")
	return word
}

// besidePrograms gives the folders of other compilers. Each of Names is a list for one language, tried in
// order; $CC stands for the program that the variable names.
func (step Step) besidePrograms(v *view) []hit {
	var out []hit
	for _, names := range step.Names {
		if path := v.firstProgram(strings.Fields(names), step.Dirs); path != "" {
			out = append(out, hit{v.style.Dir(path), "the folder of the C or C++ compiler", path})
		}
	}
	return out
}

func (v *view) firstProgram(names, dirs []string) string {
	for _, name := range names {
		if variable, ok := strings.CutPrefix(name, "$"); ok {
			name, _ = v.getenv(variable)
		}
		if path := v.program(name); path != "" {
			return path
		}
		for _, dir := range dirs {
			if path := v.style.Join(dir, name); name != "" && v.is(path, "program") {
				return path
			}
		}
	}
	return ""
}
