package call_test

import (
	"testing"

	"cupel/internal/call"
)

func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		name string
		code uint32
		want string
	}{
		{"a missing DLL", 0xC0000135, "0xC0000135 (STATUS_DLL_NOT_FOUND)"},
		{"Ctrl-C", 0xC000013A, "0xC000013A (STATUS_CONTROL_C_EXIT)"},
		{"a breakpoint is no error by its number", 0x80000003, "0x80000003 (STATUS_BREAKPOINT)"},
		{"an error without a row", 0xC0DE0001, "0xC0DE0001"},
		{"success", 0, ""},
		{"a program's own code", 2, ""},
		{"a large one", 70000, ""},
		{"-1, which any program returns", 0xFFFFFFFF, ""},
		{"-2, likewise", 0xFFFFFFFE, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := call.Status(tt.code); got != tt.want {
				t.Errorf("Status(%#x) = %q, want %q", tt.code, got, tt.want)
			}
		})
	}
}
