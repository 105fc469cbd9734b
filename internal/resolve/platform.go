package resolve

import (
	"fmt"
	"slices"
	"strings"
)

// Platform is what a toolkit runs on, in Go's words.
type Platform struct {
	OS   string `json:"os"`   // linux, windows
	Arch string `json:"arch"` // amd64, arm64
}

// Platforms are those that NVIDIA has compilers for.
var Platforms = []Platform{{"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

var machineNames = map[string]string{"amd64": "x86_64", "arm64": "arm64"}

// String is how a person writes it: linux-x86_64, windows-arm64.
func (p Platform) String() string { return p.OS + "-" + machineNames[p.Arch] }

// Windows says which system it is.
func (p Platform) Windows() bool { return p.OS == "windows" }

// Target is the folder of a Linux root's headers and libraries: targets/x86_64-linux.
func (p Platform) Target() string {
	if p.Arch == "arm64" {
		return "sbsa-linux"
	}
	return "x86_64-linux"
}

// Is says whether a table's word names the platform: linux, windows, or the whole name.
func (p Platform) Is(word string) bool { return word == p.OS || word == p.String() }

func (p Platform) in(words []string) bool { return len(words) == 0 || slices.ContainsFunc(words, p.Is) }

// spellings are other names in use for the machines.
var spellings = map[string]string{"x86_64": "amd64", "amd64": "amd64", "x64": "amd64", "arm64": "arm64", "aarch64": "arm64", "sbsa": "arm64"}

// ParsePlatform reads linux-x86_64 and the other spellings in use (linux-sbsa, windows-amd64, linux/arm64).
func ParsePlatform(s string) (Platform, error) {
	os, machine, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(s), "/", "-"), "-")
	p := Platform{OS: os, Arch: spellings[machine]}
	if !slices.Contains(Platforms, p) {
		return Platform{}, fmt.Errorf("%q is no platform of CUDA toolkits: one of %s", s, strings.Join(PlatformNames(), ", "))
	}
	return p, nil
}

// PlatformNames lists the platforms as a person writes them.
func PlatformNames() []string {
	var out []string
	for _, p := range Platforms {
		out = append(out, p.String())
	}
	return out
}

// MarshalText writes a platform as its name.
func (p Platform) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads it back.
func (p *Platform) UnmarshalText(text []byte) error {
	got, err := ParsePlatform(string(text))
	*p = got
	return err
}
