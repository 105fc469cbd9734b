package version

import "testing"

func TestWindowsDriver(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"Windows 11", "32.0.15.8088", "580.88"}, {"Windows 10", "31.0.15.5161", "551.61"}, {"leading zero stays", "31.0.15.2802", "528.02"},
		{"zeros in the last part", "27.21.14.5206", "452.06"}, {"a short last part", "10.18.13.41", "300.41"}, {"NVIDIA's own form", "551.61", ""}, {"Linux", "550.54.15", ""},
		{"Intel", "31.0.101.4255", ""}, {"Microsoft", "10.0.22621.1", ""}, {"words", "banana", ""}, {"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if v, ok := WindowsDriver(tt.in); v.String() != tt.want || ok != (tt.want != "") {
				t.Errorf("WindowsDriver(%q) = %q, %t, want %q", tt.in, v, ok, tt.want)
			}
		})
	}
}

func FuzzWindowsDriver(f *testing.F) {
	for _, s := range []string{"32.0.15.8088", "31.0.101.4255", "1.1.00.0", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, ok := WindowsDriver(s); ok && v.Parts() != 2 {
			t.Errorf("WindowsDriver(%q) = %s, want two parts", s, v)
		}
	})
}
