package contract

import "testing"

func TestCommandText(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   Command
		want string
	}{
		{"a line for the shell", Command{Line: "make cpu && ./cpu"}, "make cpu && ./cpu"},
		{"plain words", Command{Argv: []string{"cargo", "test", "--features=cuda"}}, "cargo test --features=cuda"},
		{"words that a shell would take apart", Command{Argv: []string{"sh", "-c", "echo $0; it's", ""}}, `sh -c 'echo $0; it'\''s' ''`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Text(); got != tt.want {
				t.Errorf("Text() = %s, want %s", got, tt.want)
			}
		})
	}
}
