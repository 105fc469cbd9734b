package cli

import (
	"strings"
	"testing"

	"cupel/internal/build"
)

// TestUnsaid: a failed call is told as failed, whatever it said.
func TestUnsaid(t *testing.T) {
	for _, tt := range []struct {
		name string
		call build.Call
		want string
	}{
		{"no words", build.Call{Source: "k.cu", Out: "k.o", Code: 1}, "a call ended with code 1, and cupel does not know the cause; k.cu; it wrote nothing before it ended"},
		{"harmless words", build.Call{Source: "k.cu", Code: 3, Output: "done\n"}, "a call ended with code 3, and cupel does not know the cause; k.cu; its output names no failure"},
		{"a signal, a link", build.Call{Out: "libk.so", Code: -1, Output: "\n"}, "a call did not end by itself, and cupel does not know the cause; libk.so; it wrote nothing: a signal ended it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := unsaid(tt.call)
			if got := f.What + "; " + f.Where + "; " + f.Why; !strings.HasPrefix(got, tt.want) {
				t.Errorf("unsaid(%+v)\ngot  %s\nwant %s", tt.call, got, tt.want)
			}
		})
	}
}
