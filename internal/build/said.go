package build

import (
	"strings"

	"cupel/internal/ospath"
)

// said is what a call that ended well has to tell. On Windows nvcc and cl name each file they work on; a step that has
// nothing else to say would never be silent. The store keeps all of it: the shim tells it again byte by byte.
func (m *maker) said(t *task, text string) string {
	if !m.job.Tools.Platform.Windows() || text == "" {
		return text
	}
	style := ospath.For(m.job.Tools.Platform.OS)
	names := map[string]bool{}
	for _, in := range append([]string{t.call.Source}, t.call.Inputs...) {
		names[style.Base(in)] = in != ""
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		name := strings.TrimRight(line, "\r\n")
		if !names[name] && !isOnTheWay(name) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// isOnTheWay: cl was given what nvcc made of the source.
func isOnTheWay(name string) bool {
	return strings.HasSuffix(name, ".cudafe1.cpp") && !strings.ContainsAny(name, `/\:`)
}
