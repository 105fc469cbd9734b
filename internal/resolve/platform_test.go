package resolve_test

import (
	"encoding/json"
	"testing"

	"cupel/internal/resolve"
)

func TestParsePlatform(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"its own name", "linux-x86_64", "linux-x86_64"},
		{"as Go writes it", "linux/arm64", "linux-arm64"},
		{"as NVIDIA writes it", "linux-sbsa", "linux-arm64"},
		{"as uname writes it", "linux-aarch64", "linux-arm64"},
		{"Windows, capitals", "Windows-AMD64", "windows-x86_64"},
		{"Windows on ARM", "windows-arm64", "windows-arm64"},
		{"a system without CUDA", "darwin-arm64", ""},
		{"a machine without CUDA", "linux-riscv64", ""},
		{"no machine", "linux", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := resolve.ParsePlatform(tt.in)
			if (err != nil) != (tt.want == "") || err == nil && got.String() != tt.want {
				t.Errorf("ParsePlatform(%q) = %v, %v, want %q", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestPlatformJSON(t *testing.T) {
	for _, p := range resolve.Platforms {
		b, err := json.Marshal(p)
		if err != nil || string(b) != `"`+p.String()+`"` {
			t.Errorf("Marshal(%v) = %s, %v", p, b, err)
		}
		var back resolve.Platform
		if err := json.Unmarshal(b, &back); err != nil || back != p {
			t.Errorf("Unmarshal(%s) = %v, %v", b, back, err)
		}
	}
}
