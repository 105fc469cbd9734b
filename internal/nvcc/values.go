package nvcc

import (
	"slices"
	"strings"
)

// escaping are the lists in which a backslash takes its meaning from the next character, so that \, is a comma. In all
// others that were tried (-I, -isystem, -include, -L, -l, -Xlinker, -Xarchive, -Xfatbin, -Xcudafe, -run-args) it is itself.
var escaping = []string{"define-macro", "undefine-macro", "compiler-options", "ptxas-options", "nvlink-options", "cicc-options"}

// values adds those of an option to a list, as nvcc takes them apart: they end at commas that no double quotes hold, and
// nothing between two commas is nothing. A -gencode is one value, commas and all.
func (o *Option) values(list []string, text string) []string {
	if o.Kind != List || o.Long == "generate-code" {
		return append(list, text)
	}
	if text != "" && strings.IndexByte(text, ',') < 0 && strings.IndexByte(text, '"') < 0 && strings.IndexByte(text, '\\') < 0 {
		return append(list, text)
	}
	// Paths lose their quotes; macros and options for other tools keep them.
	escapes, quotes := slices.Contains(escaping, o.Long), o.Role != Include && o.Role != ResponseFile && o.Long != "library-path"
	var one strings.Builder
	end := func() {
		if one.Len() > 0 {
			list = append(list, one.String())
			one.Reset()
		}
	}
	quoted := false
	for k := 0; k < len(text); k++ {
		switch c := text[k]; {
		case c == '\\' && escapes && k+1 < len(text):
			k++
			one.WriteByte(text[k])
		case c == '"':
			quoted = !quoted
			if quotes {
				one.WriteByte(c)
			}
		case c == ',' && !quoted:
			end()
		default:
			one.WriteByte(c)
		}
	}
	end()
	return list
}
