package call

import (
	"slices"
	"testing"
)

func TestFailed(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  *End
		want bool
	}{
		{"fine", &End{}, false},
		{"a code", &End{Code: 2}, true},
		{"a signal", &End{Signal: "SIGKILL"}, true},
		{"could not be started", &End{Error: "no such file"}, true},
		{"never ended", nil, false},
	} {
		if got := (Call{End: tt.end}).Failed(); got != tt.want {
			t.Errorf("%s: Failed() = %t", tt.name, got)
		}
	}
}

func TestStreams(t *testing.T) {
	c := Call{Output: []Chunk{{Stream: Stdout, Bytes: []byte("a")}, {Stream: Stderr, Bytes: []byte("b")}, {Stream: Stdout, Bytes: []byte("c")}}}
	if all, out, err := string(c.Text()), string(c.Of(Stdout)), string(c.Of(Stderr)); all != "abc" || out != "ac" || err != "b" {
		t.Errorf("text %q, stdout %q, stderr %q", all, out, err)
	}
}

func TestArgv(t *testing.T) {
	args, expanded, used := []string{"@f"}, []string{"-c"}, []string{"-c", "-O3"}
	for _, tt := range []struct {
		name string
		b    Begin
		want []string
	}{
		{"as called", Begin{Args: args}, args},
		{"response files in their place", Begin{Args: args, Expanded: expanded}, expanded},
		{"after repairs", Begin{Args: args, Expanded: expanded, Used: used}, used},
	} {
		if got := (Call{Begin: tt.b}).Argv(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Argv() = %q, want %q", tt.name, got, tt.want)
		}
	}
}
