package call

import "testing"

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  interface{ Words() string }
		want string
	}{
		{"fine", End{}, "exit code 0"},
		{"a code", End{Code: 2}, "exit code 2"},
		{"a signal", End{Code: 137, Signal: "SIGKILL"}, "SIGKILL"},
		{"of Windows", End{Code: 0xC0000135, Status: Status(0xC0000135)}, "0xC0000135 (STATUS_DLL_NOT_FOUND)"},
		{"never began", End{Code: 127, Error: "no such file"}, "could not be started: no such file"},
		{"a command's code", RunEnd{Code: 2}, "exit code 2"},
		{"the time limit, by a signal", RunEnd{Code: 137, Signal: "SIGKILL", TimedOut: true}, "time limit"},
		{"a command that never began", RunEnd{Error: "no such file", TimedOut: true}, "could not be started: no such file"},
	} {
		if got := tt.end.Words(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestOfExec(t *testing.T) {
	for name, want := range map[string]bool{"CUPEL_RUN": true, "Cupel_Shim": true, "CUPEL_HOME": false, "": false} {
		if got := OfExec(name); got != want {
			t.Errorf("OfExec(%q) = %t", name, got)
		}
	}
}
