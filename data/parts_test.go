package data

import (
	"strings"
	"testing"
)

// TestParts: a row names a library for both systems or headers, never neither, and says where it was seen.
func TestParts(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Parts() {
		t.Run(r.Word, func(t *testing.T) {
			library := strings.HasPrefix(r.Linux, "lib") && strings.HasSuffix(r.Linux, ".so") && strings.HasSuffix(r.Windows, ".lib")
			if library == (len(r.Headers) > 0) {
				t.Errorf("linux %q, windows %q, headers %q: want the names of a library, or headers", r.Linux, r.Windows, r.Headers)
			}
			if seen[r.Word] || r.Word == "" {
				t.Errorf("the word %q is empty or stands twice", r.Word)
			}
			if len(r.Source) == 0 {
				t.Error("no source")
			}
			for _, s := range r.Source {
				if !strings.Contains(s, " ") && !strings.HasPrefix(s, "https://") {
					t.Errorf("source %q is not among the sources of the file", s)
				}
			}
		})
		seen[r.Word] = true
	}
}
