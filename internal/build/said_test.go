package build

import (
	"testing"

	"cupel/internal/resolve"
)

func TestSaid(t *testing.T) {
	windows := resolve.Platform{OS: "windows", Arch: "amd64"}
	compile := PlannedCall{Source: "src/k k.cu"}
	for _, tt := range []struct {
		name     string
		platform resolve.Platform
		call     PlannedCall
		in, want string
	}{
		{"names alone", windows, compile, "k k.cu\r\nk k.compute_89.cudafe1.cpp\r\n", ""},
		{"a name without an end of line", windows, compile, "k k.cu", ""},
		{"a warning between names", windows, compile, "k k.cu\r\nk k.cu(3): warning #177-D: x\r\ntmpxft_00000020_00000000-10_k k.cudafe1.cpp\r\n", "k k.cu(3): warning #177-D: x\r\n"},
		{"a warning about what lies on the way", windows, compile, `C:\x\k.cudafe1.cpp(3) : warning C4005` + "\r\n", `C:\x\k.cudafe1.cpp(3) : warning C4005` + "\r\n"},
		{"another name", windows, compile, "other.cu\r\n", "other.cu\r\n"},
		{"objects of a library", windows, PlannedCall{Inputs: []string{`build\a.obj`, `build\b.obj`}}, "a.obj\r\nb.obj\r\n\r\n", "\r\n"},
		{"Linux names nothing", linux, compile, "k k.cu\n", "k k.cu\n"},
		{"nothing", windows, compile, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &maker{job: Job{Tools: Tools{Platform: tt.platform}}}
			if got := m.said(&task{call: tt.call}, tt.in); got != tt.want {
				t.Errorf("said(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
