package consumer

import (
	"fmt"
	"strings"
)

// Words tells one step as a line of a page: what is looked at, and how.
func (step Step) Words() string {
	text := step.place()
	if len(step.Sub) > 0 && step.Kind != "path" && step.Kind != "beside" {
		text += ": " + strings.Join(step.Sub, ", ")
	}
	switch {
	case step.Unchecked:
		text += " (taken without a look)"
	case step.Must:
		text += " (when set, it must be there)"
	}
	if step.OS != "" {
		text += " (" + systemName(step.OS) + ")"
	}
	return text
}

func (step Step) place() string {
	switch step.Kind {
	case "env", "env-program":
		return step.Name
	case "env-list":
		return "each folder in " + step.Name
	case "env-file":
		return "the folder of " + step.Name
	case "path":
		return step.Name + " on PATH"
	case "beside":
		return "the folder of the C or C++ compiler, where one of these languages is enabled before"
	case "list":
		if step.Order == "newest" {
			return step.Path + ", newest first"
		}
		return step.Path + ", in name order"
	case "root":
		return "the root found above"
	case "end-if-set":
		return "(ends here when " + strings.Join(step.Names, " or one of ") + " is set)"
	}
	return step.Path
}

// Words tells what a search is for and what counts.
func (s Search) Words() string {
	text := "its nvcc"
	if s.For == "root" {
		text = "the root"
	}
	if s.Mode == "all" {
		text = "every root"
	}
	if len(s.Need) > 0 {
		text += " with " + strings.Join(s.Need, " or ")
	}
	if s.Unless != "" {
		text += ", only without an " + s.Unless
	}
	if s.OS != "" {
		text += fmt.Sprintf(" (%s)", systemName(s.OS))
	}
	return text
}

func systemName(os string) string {
	return map[string]string{"unix": "not on Windows", "windows": "Windows", "linux": "Linux"}[os]
}
