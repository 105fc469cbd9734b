package environ

import (
	"bytes"
	"encoding/json"
	"strings"

	"cupel/internal/ospath"
)

// formatCMakePreset writes a whole presets file with one preset, to be kept as CMakeUserPresets.json: cmake
// --preset cupel uses it as it is (version 3, CMake 3.21: no generator must be named), other presets inherit
// it. $penv{PATH} is the variable of the shell that starts cmake. Without a folder of its own the build would
// go into the sources, or into a cache that has another toolkit written down.
func formatCMakePreset(set Set, old map[string]string) (string, error) {
	env := make([]member, 0, len(set.Vars))
	for _, v := range set.Vars {
		value := strings.ReplaceAll(v.Value, "$", "${dollar}")
		// An empty reference would leave a separator at the end, which means the current folder.
		if v.Kind == Prepend && (v.Name == "PATH" || lookup(old, v.Name, set.OS) != "") {
			value += ospath.For(set.OS).ListSeparator() + "$penv{" + v.Name + "}"
		}
		env = append(env, member{v.Name, value})
	}
	preset := ordered{{"name", "cupel"}, {"displayName", "cupel"}, {"description", oneLine(set.Title)},
		{"binaryDir", "${sourceDir}/build/cupel"}, {"environment", ordered(env)}}
	text, err := json.MarshalIndent(ordered{{"version", 3}, {"configurePresets", []any{preset}}}, "", "  ")
	return string(text) + "\n", err
}

// ordered is a JSON object that keeps its order, which is the order of importance.
type ordered []member

type member struct {
	key   string
	value any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(m.key)
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
