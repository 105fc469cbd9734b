package compat

import (
	"strings"
	"testing"

	"cupel/data"
)

func TestGPUNamesPeopleWrite(t *testing.T) {
	for _, tt := range []struct{ name, in, want, cc, by string }{
		{"as tools print it", "NVIDIA GeForce RTX 5060 Ti", "NVIDIA GeForce RTX 5060 Ti", "12.0", "name"},
		{"no spaces", "rtx5060ti", "NVIDIA GeForce RTX 5060 Ti", "12.0", "name"},
		{"brand left out", "4090", "NVIDIA GeForce RTX 4090", "8.9", "name"},
		{"brand and space left out", "5060ti", "NVIDIA GeForce RTX 5060 Ti", "12.0", "name"},
		{"GTX left out", "1080 ti", "NVIDIA GeForce GTX 1080 Ti", "6.1", "name"},
		{"GeForce alone", "GeForce 4090", "NVIDIA GeForce RTX 4090", "8.9", "name"},
		{"dashes", "rtx-4070-ti-super", "NVIDIA GeForce RTX 4070 Ti SUPER", "8.9", "name"},
		{"all in one word", "geforcertx4090", "NVIDIA GeForce RTX 4090", "8.9", "name"},
		{"RTX left out of a workstation card", "A6000", "NVIDIA RTX A6000", "8.6", "part of a name"},
		{"Quadro left out", "M4000", "Quadro M4000", "5.2", "part of a name"},
		{"several of one capability", "A2000", "NVIDIA RTX A2000", "8.6", "part of a name"},
		{"word left out in the middle", "RTX PRO 5000", "NVIDIA RTX PRO 5000 Blackwell", "12.0", "part of a name"},
		{"no such product", "rtx 4090 ti?", "rtx 4090 ti?", "8.9", "family pattern"},
		{"no such product, no spaces", "4090ti", "4090ti", "8.9", "family pattern"},
		{"a mobile Maxwell that NVIDIA's page puts under 5.0", "Quadro M5000M", "Quadro M5000M", "5.2", "name"},
		{"the same by its PCI id", "13f9", "Quadro M4000M", "5.2", "pci id"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := GPUAnswer(tt.in)
			if err != nil || g.Name != tt.want || g.CC.String() != tt.cc || g.FoundBy != tt.by {
				t.Errorf("GPUAnswer(%q) = %q %s by %s, %v, want %q %s by %s", tt.in, g.Name, g.CC, g.FoundBy, err, tt.want, tt.cc, tt.by)
			}
			if (g.FoundBy == "family pattern") != strings.Contains(g.Note, "no product of this name") {
				t.Errorf("GPUAnswer(%q), found by %s, has the note %q", tt.in, g.FoundBy, g.Note)
			}
		})
	}
}

func TestAmbiguousGPUNames(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"RTX 6000", "RTX 6000", []string{"7.5 (Quadro RTX 6000)", "8.9 (NVIDIA RTX 6000 Ada", "12.0 (NVIDIA RTX PRO 6000"}},
		{"RTX 5000", "rtx5000", []string{"7.5 (Quadro RTX 5000", "8.9 (NVIDIA RTX 5000 Ada"}},
		{"a number alone", "4000", []string{"Quadro RTX 4000", "RTX 4000 Ada"}},
		{"a brand alone", "TITAN", []string{"7.5 (NVIDIA TITAN RTX)", "7.0 (NVIDIA TITAN V)"}},
		{"unknown", "Voodoo 2", []string{"no GPU \"Voodoo 2\""}},
		{"nothing", " ", []string{"no GPU"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := GPUAnswer(tt.in)
			if err == nil {
				t.Fatalf("GPUAnswer(%q) = %s, %s", tt.in, g.Name, g.CC)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("GPUAnswer(%q): %v, want %q in it", tt.in, err, w)
				}
			}
		})
	}
}

// TestSquashedNamesAgree: two products that differ in spaces only must have one capability, and no number that
// stands for a card may be the PCI id of another.
func TestSquashedNamesAgree(t *testing.T) {
	seen := map[string]data.GPU{}
	for _, g := range data.GPUs() {
		key := squash(g.Name)
		if other, ok := seen[key]; ok && other.CC != g.CC {
			t.Errorf("%s (%s) and %s (%s) are both %q", g.Name, g.CC, other.Name, other.CC, key)
		}
		seen[key] = g
		number := strings.TrimPrefix(strings.TrimPrefix(key, "rtx"), "gtx")
		if other, ok := GPUByPCI(number); ok && other.CC != g.CC {
			t.Errorf("%q is %s and the PCI id of %s", number, g.Name, other.Name)
		}
	}
}

func TestParseCompiler(t *testing.T) {
	for _, tt := range []struct{ name, family, in, want, wrong string }{
		{"number", "gcc", "14", "14", ""}, {"gcc", "gcc", "gcc-14", "14", ""}, {"g++", "gcc", "g++-14", "14", ""}, {"with a space", "gcc", "gcc 13.3", "13.3", ""},
		{"with a triple", "gcc", "x86_64-linux-gnu-g++-12", "12", ""}, {"clang", "clang", "clang-18", "18", ""}, {"clang++", "clang", "clang++-18", "18", ""},
		{"toolset", "msvc", "14.44", "14.44", ""}, {"year", "msvc", "2022", "2022", ""}, {"vs and year", "msvc", "vs2022", "2022", ""},
		{"in full", "msvc", "Visual Studio 2022", "2022", ""}, {"studio version", "msvc", "17.10", "17.10", ""}, {"cl", "msvc", "cl 19.44", "19.44", ""},
		{"another family", "gcc", "clang-18", "", "family clang, not gcc"}, {"no number", "gcc", "gcc", "", "gcc"}, {"word", "gcc", "banana", "", "banana"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseCompiler(tt.family, tt.in)
			if got.String() != tt.want || (err == nil) != (tt.wrong == "") || (err != nil && !strings.Contains(err.Error(), tt.wrong)) {
				t.Errorf("ParseCompiler(%s, %q) = %q, %v, want %q, %q", tt.family, tt.in, got, err, tt.want, tt.wrong)
			}
		})
	}
}

func TestMSVCByStudio(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		msc      int
	}{
		{"year with two spans", "2022", 1940}, {"year", "2019", 1920}, {"newest year", "2026", 1950}, {"major", "17", 1940},
		{"before the split", "17.9", 1930}, {"at the split", "17.10", 1940}, {"after it", "17.14.2", 1940}, {"one before", "16.11", 1920},
		{"a year without one", "2020", 0}, {"too old", "14.0", 0}, {"too new", "19", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if m, ok := MSVCByStudio(v(tt.in)); m.MSCVer != tt.msc || ok != (tt.msc != 0) {
				t.Errorf("MSVCByStudio(%s) = %d, %t, want %d", tt.in, m.MSCVer, ok, tt.msc)
			}
		})
	}
}

// TestUnknownMSVCBounds: where no bound is established none is made up.
func TestUnknownMSVCBounds(t *testing.T) {
	c, err := CompilerAnswer("msvc", v("14.29"))
	if err != nil {
		t.Fatal(err)
	}
	unknown := 0
	for _, f := range c.Toolkits {
		if f.Fit == Unknown {
			unknown++
		}
		if f.Min < 0 || f.Max < 0 || (f.Fit == Unknown && f.Max != 0) {
			t.Errorf("CUDA %s accepts %d to %d: %s", f.Release, f.Min, f.Max, f.Fit)
		}
	}
	if unknown == 0 {
		t.Error("no release is without bounds: this test no longer tests anything")
	}
}

func TestDriverSystems(t *testing.T) {
	for _, tt := range []struct{ name, driver, os, want, wantOS, note string }{
		{"Linux", "550.54.15", "", "550.54.15", "linux", ""},
		{"known for Windows only", "551.61", "", "551.61", "windows", "so it is judged for windows"},
		{"known for Windows, asked as Linux", "551.61", "linux", "551.61", "linux", "it is judged for linux, as asked"},
		{"known for Windows, in WSL", "551.61", "wsl2", "551.61", "wsl2", ""},
		{"known for Linux, asked as Windows", "550.54.15", "windows", "550.54.15", "windows", "lists driver 550.54.15 for linux only"},
		{"two parts, known for Linux", "570.26", "", "570.26", "linux", ""},
		{"two parts, not in the table", "580.88", "", "580.88", "linux", "--os windows"},
		{"the same with its system", "580.88", "windows", "580.88", "windows", ""},
		{"as Windows writes it", "31.0.15.5161", "", "551.61", "windows", "how Windows writes driver 551.61"},
		{"as Windows writes it, in WSL", "32.0.15.8088", "wsl2", "580.88", "wsl2", "580.88"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := DriverAnswer(v(tt.driver), tt.os)
			if err != nil || d.Driver.String() != tt.want || d.OS != tt.wantOS || !strings.Contains(d.Note, tt.note) || (tt.note == "" && d.Note != "") {
				t.Errorf("DriverAnswer(%s, %q) = %s on %s, note %q, %v", tt.driver, tt.os, d.Driver, d.OS, d.Note, err)
			}
		})
	}
	for _, os := range []string{"nope", "ubuntu", "macos", "Linux"} {
		if _, err := DriverAnswer(v("550.54.15"), os); err == nil || !strings.Contains(err.Error(), "linux, windows, wsl2") {
			t.Errorf("DriverAnswer for the system %q gives %v", os, err)
		}
	}
	if _, err := DriverAnswer(v("31.0.15.5161"), "linux"); err == nil {
		t.Error("a driver version of Windows is taken for linux")
	}
}
