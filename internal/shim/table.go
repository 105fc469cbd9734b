package shim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mapHead is the first line of a MapFile.
const mapHead = "cupel-shim 1"

// WriteMap is the text of a MapFile.
func WriteMap(tools map[string]string) ([]byte, error) {
	b := []byte(mapHead + "\n")
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		path := tools[name]
		if name == "" || path == "" || strings.ContainsAny(name, "\t\n\r") || strings.ContainsAny(path, "\n\r") {
			return nil, fmt.Errorf("write the shim's map: %q → %q cannot be written in a line", name, path)
		}
		b = append(append(append(append(b, name...), '\t'), path...), '\n')
	}
	return b, nil
}

// ReadMap reads a MapFile's text.
func ReadMap(text []byte) (map[string]string, error) {
	head, rest, whole := strings.Cut(string(text), "\n")
	if head != mapHead || !whole {
		return nil, fmt.Errorf("it begins with %.40q, not with %q", head, mapHead)
	}
	tools := map[string]string{}
	for line := range strings.Lines(rest) {
		line, whole := strings.CutSuffix(line, "\n")
		name, path, ok := strings.Cut(line, "\t")
		if !whole || !ok || name == "" || path == "" {
			return nil, errors.New("it has a line that is not a name, a tab and a path")
		}
		tools[name] = path
	}
	return tools, nil
}
