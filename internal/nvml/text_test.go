package nvml

import "testing"

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"terminated", "580.95.05\x00\x00\xff", "580.95.05"},
		{"full buffer without terminator", "580", "580"},
		{"empty answer", "\x00garbage", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := text([]byte(tt.in)); got != tt.want {
				t.Errorf("text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain name", "Driver Not Loaded", "Driver Not Loaded"},
		{"notice of a stub between rows of marks", "\n!!!!\nWARNING:\n\nThis is a stub\nlibrary.\n!!!!\n", "WARNING: This is a stub library."},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := oneLine(tt.in); got != tt.want {
				t.Errorf("oneLine(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
