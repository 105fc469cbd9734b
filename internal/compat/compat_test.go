package compat

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/gpu"
	"cupel/internal/version"
)

func v(s string) version.V {
	if s == "" {
		return version.V{}
	}
	return version.MustParse(s)
}

func TestRelease(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"exact", "12.4.0", "12.4.0"}, {"newest update", "12.4", "12.4.1"}, {"nvcc build", "12.4.131", "12.4.1"},
		{"nvcc build of an older update", "12.4.99", "12.4.0"}, {"major", "11", "11.8.0"},
		{"preview only when asked for", "13.4.0", "13.4.0"}, {"never released", "12.7", ""}, {"too new", "14.0", ""}, {"unknown update", "12.4.9", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := Release(v(tt.in)); got.Version != tt.want || ok != (tt.want != "") {
				t.Errorf("Release(%s) = %q, %t, want %q", tt.in, got.Version, ok, tt.want)
			}
		})
	}
}

func TestExists(t *testing.T) {
	for _, tt := range []struct{ name, in, why string }{
		{"released", "12.8", ""}, {"update", "12.4.1", ""},
		{"never released", "12.7", "never released"}, {"update of a number never released", "12.7.1", "never released"},
		{"newer than the table", "15.0", "newer than"}, {"older than the table", "10.2", "older than"}, {"a gap", "12.4.9", "no CUDA 12.4.9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ok, why := Exists(v(tt.in))
			if ok != (tt.why == "") || !strings.Contains(why, tt.why) {
				t.Errorf("Exists(%s) = %t, %q, want a reason with %q", tt.in, ok, why, tt.why)
			}
		})
	}
}

func TestDriverRules(t *testing.T) {
	for _, tt := range []struct{ name, release, os, floor, level, listed string }{
		{"12.4 on linux", "12.4", "linux", "525.60.13", "550.54.14", "550.54.15"},
		{"12.4 on windows", "12.4", "windows", "527.41", "551.61", "551.78"},
		{"wsl2 has the windows driver", "12.4", "wsl2", "527.41", "551.61", "551.78"},
		{"11.8", "11.8", "linux", "450.80.02", "520.61.05", "520.61.05"},
		{"12.8 lists one older than its installer", "12.8.0", "linux", "525.60.13", "570.26", "570.26"},
		{"an update without a row takes the one before", "12.8.2", "linux", "525.60.13", "570.26", "570.124.06"},
		{"13.0 on windows lists none", "13.0", "windows", "580", "580", ""},
		{"13.0 on linux", "13.0.2", "linux", "580", "580.65.06", "580.95.05"},
		{"13.4 lists none", "13.4", "linux", "580", "615", ""},
		{"unknown release", "14.0", "linux", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			floor, _ := DriverFloor(v(tt.release), tt.os)
			level, _ := DriverForLevel(v(tt.release), tt.os)
			listed, _ := DriverListed(v(tt.release), tt.os)
			if floor.String() != tt.floor || level.String() != tt.level || listed.String() != tt.listed {
				t.Errorf("%s on %s: floor %q level %q listed %q, want %q %q %q", tt.release, tt.os, floor, level, listed, tt.floor, tt.level, tt.listed)
			}
		})
	}
}

func TestDriverLevel(t *testing.T) {
	for _, tt := range []struct{ name, driver, os, want string }{
		{"550", "550.54.15", "linux", "12.4"}, {"before the listed one of its branch", "550.40.07", "linux", "12.4"},
		{"535", "535.183.01", "linux", "12.2"}, {"late 535", "535.261.03", "linux", "12.2"}, {"525", "525.147.05", "linux", "12.0"},
		{"470", "470.256.02", "linux", "11.4"}, {"450", "450.57", "linux", "11.0"}, {"565 has a level without a toolkit", "565.57.01", "linux", "12.7"},
		{"575", "575.57.08", "linux", "12.9"}, {"580", "580.159.03", "linux", "13.0"}, {"windows within its branch", "552.22", "windows", "12.4"},
		{"windows 576", "576.02", "windows", "12.9"}, {"windows 591", "591.44", "windows", "13.1"}, {"newer than the table", "700.10", "linux", "13.4"},
		{"older than the table", "440.33", "linux", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := DriverLevel(v(tt.driver), tt.os)
			if got.String() != tt.want || ok != (tt.want != "") {
				t.Errorf("DriverLevel(%s, %s) = %q, %t, want %q", tt.driver, tt.os, got, ok, tt.want)
			}
		})
	}
}

func TestForwardCompat(t *testing.T) {
	for _, tt := range []struct{ name, release, driver, want string }{
		{"13.0 on 535", "13.0", "535.183.01", "works"}, {"13.0 on its own branch", "13.0", "580.65.06", "native"},
		{"12.8 on a newer branch", "12.8", "580.65.06", "refused"}, {"a branch the matrix leaves out", "12.8", "550.54.15", "unknown"},
		{"no package", "11.8", "450.80.02", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := ForwardCompat(v(tt.release), v(tt.driver))
			if f.Verdict != tt.want || ok != (tt.want != "") {
				t.Errorf("ForwardCompat(%s, %s) = %q, %t, want %q", tt.release, tt.driver, f.Verdict, ok, tt.want)
			}
		})
	}
}

func TestHostBounds(t *testing.T) {
	for _, tt := range []struct {
		name, release    string
		gcc, clang, msc  int
		gccFit, clangFit Fit
		mscFit           Fit
	}{
		{"12.4 and a Debian 13 machine", "12.4", 14, 19, 1944, TooNew, TooNew, Fits},
		{"12.8 takes gcc 14", "12.8", 14, 19, 1944, Fits, Fits, Fits},
		{"12.3 refuses VS 2022 17.10", "12.3", 12, 16, 1940, Fits, Fits, TooNew},
		{"11.4.0 is lower than 11.4.1", "11.4.0", 11, 12, 1920, TooNew, TooNew, Unknown},
		{"11.4.1", "11.4.1", 11, 12, 1920, Fits, Fits, Unknown},
		{"12.2.2 took clang 16", "12.2.2", 12, 16, 1930, Fits, Fits, Fits},
		{"12.2.1 did not", "12.2.1", 12, 16, 1930, Fits, TooNew, Fits},
		{"13.0 dropped VS 2017", "13.0", 5, 6, 1916, TooOld, TooOld, TooOld},
		{"13.2 takes VS 2026", "13.2", 15, 21, 1950, Fits, Fits, Fits},
		{"an update the table lacks", "12.4.9", 13, 17, 1930, Fits, Fits, Fits},
		{"unknown release", "14.0", 13, 17, 1930, Unknown, Unknown, Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, _ := HostBounds(v(tt.release))
			if g, c, m := b.GCC(tt.gcc), b.Clang(tt.clang), b.MSC(tt.msc); g != tt.gccFit || c != tt.clangFit || m != tt.mscFit {
				t.Errorf("%s with gcc %d, clang %d, msc %d = %s, %s, %s, want %s, %s, %s", tt.release, tt.gcc, tt.clang, tt.msc, g, c, m, tt.gccFit, tt.clangFit, tt.mscFit)
			}
		})
	}
}

func TestMSVC(t *testing.T) {
	for _, tt := range []struct {
		name, in, toolset, studio string
		msc                       int
	}{
		{"toolset folder", "14.40.33807", "14.40", "Visual Studio 2022", 1940},
		{"cl banner", "19.29.30154", "14.29", "Visual Studio 2019", 1929},
		{"_MSC_VER", "1950", "14.50", "Visual Studio 2026", 1950},
		{"first 2022", "14.30", "14.30", "Visual Studio 2022", 1930},
		{"too old", "14.0", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := ParseMSVC(v(tt.in))
			if m.Toolset.String() != tt.toolset || m.Studio != tt.studio || m.MSCVer != tt.msc || ok != (tt.msc != 0) {
				t.Errorf("ParseMSVC(%s) = %+v, %t", tt.in, m, ok)
			}
		})
	}
}

func TestToolkitSpans(t *testing.T) {
	for _, tt := range []struct{ name, cc, first, last string }{
		{"RTX 50", "12.0", "12.8", ""}, {"Volta", "7.0", "9.0", "12.9"}, {"Kepler", "3.5", "5.0", "11.8"},
		{"Ada", "8.9", "11.8", ""}, {"Thor under its old name", "10.1", "12.8", "12.9"}, {"no such device", "9.9", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cc := gpu.MustCC(tt.cc)
			if f, l := FirstToolkit(cc), LastToolkit(cc); f.String() != tt.first || l.String() != tt.last {
				t.Errorf("%s: first %q last %q, want %q %q", tt.cc, f, l, tt.first, tt.last)
			}
		})
	}
}

func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		name, code, device string
		want               bool
	}{
		{"same", "sm_86", "8.6", true}, {"lower minor", "sm_80", "8.9", true}, {"higher minor", "sm_86", "8.0", false},
		{"another major", "sm_89", "12.0", false}, {"PTX on a newer device", "compute_80", "12.0", true}, {"PTX on an older device", "compute_90", "8.9", false},
		{"exact target elsewhere", "sm_90a", "10.0", false}, {"exact target at home", "sm_90a", "9.0", true}, {"PTX of an exact target", "compute_90a", "10.0", false},
		{"family", "sm_100f", "10.3", true}, {"family of an older member", "sm_103f", "10.0", false}, {"another family", "sm_100f", "12.0", false},
		{"family of the small chips", "sm_120f", "12.1", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, why := Runs(gpu.MustArch(tt.code), gpu.MustCC(tt.device))
			if got != tt.want || why == "" {
				t.Errorf("Runs(%s, %s) = %t, %q, want %t", tt.code, tt.device, got, why, tt.want)
			}
		})
	}
}

func TestKnows(t *testing.T) {
	for _, tt := range []struct {
		name, release, arch string
		want                bool
	}{
		{"12.8 knows sm_120", "12.8", "sm_120", true}, {"12.6 does not", "12.6", "sm_120", false}, {"virtual too", "12.8", "compute_120", true},
		{"13.0 dropped sm_70", "13.0", "sm_70", false}, {"12.9 still has it", "12.9", "sm_70", true}, {"family targets from 12.9 on", "12.8", "sm_100f", false},
		{"sm_107 from 13.4 on", "13.4", "sm_107", true}, {"never released", "12.7", "sm_86", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Knows(v(tt.release), gpu.MustArch(tt.arch)); got != tt.want {
				t.Errorf("Knows(%s, %s) = %t, want %t", tt.release, tt.arch, got, tt.want)
			}
		})
	}
}

func TestGPUByName(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"as nvidia-smi prints it", "NVIDIA GeForce RTX 5060 Ti", "12.0"}, {"as people write it", "rtx 5060 ti", "12.0"},
		{"with a suffix", "NVIDIA A100-SXM4-80GB", "8.0"}, {"H200", "NVIDIA H200", "9.0"}, {"L4", "NVIDIA L4", "8.9"}, {"Tesla", "Tesla T4", "7.5"},
		{"laptop", "NVIDIA GeForce RTX 4060 Laptop GPU", "8.9"}, {"Jetson", "NVIDIA Jetson AGX Orin", "8.7"}, {"another vendor", "AMD Radeon RX 7900", ""}, {"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if g, ok := GPUByName(tt.in); g.CC != tt.want || ok != (tt.want != "") {
				t.Errorf("GPUByName(%q) = %q, %t, want %q", tt.in, g.CC, ok, tt.want)
			}
		})
	}
}

func TestGPUByPCI(t *testing.T) {
	want, ok := GPUByPCI("2D04")
	if !ok {
		t.Fatal("no row has the device id 2D04")
	}
	for _, in := range []string{"0x2d04", "10de:2d04", "0x2D0410DE", " 2D04 "} {
		if g, ok := GPUByPCI(in); !ok || g.Name != want.Name {
			t.Errorf("GPUByPCI(%q) = %q, %t, want %q", in, g.Name, ok, want.Name)
		}
	}
	if g, ok := GPUByPCI("FFFF"); ok {
		t.Errorf("GPUByPCI(FFFF) = %q", g.Name)
	}
}

func TestCuDNNFor(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []int
	}{
		{"full version", "9.14.0.64", []int{12, 13}}, {"release", "8.9.7", []int{11, 12}}, {"minor", "9.10", []int{11, 12}},
		{"CUDA 12 alone", "9.11.0", []int{12}}, {"unknown", "9.99.0", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := CuDNNFor(v(tt.in)); !slices.Equal(got, tt.want) {
				t.Errorf("CuDNNFor(%s) = %v, want %v", tt.in, got, tt.want)
			}
		})
	}
}

func TestDefaultArch(t *testing.T) {
	for _, tt := range []struct{ name, release, want string }{
		{"12", "12.4", "sm_52"}, {"13", "13.0", "sm_75"}, {"unknown release", "14.0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := DefaultArch(v(tt.release)).String(); got != tt.want {
				t.Errorf("DefaultArch(%s) = %q, want %q", tt.release, got, tt.want)
			}
		})
	}
}
