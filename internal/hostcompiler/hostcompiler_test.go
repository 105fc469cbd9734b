package hostcompiler

import (
	"bytes"
	"debug/elf"
	"errors"
	"slices"
	"strings"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source/apt"
)

// TestElsewhere: on Windows the error is the command to type.
func TestElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name string
		here resolve.Platform
		want []string
	}{
		{"windows", resolve.Platform{OS: "windows", Arch: "amd64"}, []string{"for CUDA 12.4", "winget install", "Microsoft.VisualStudio.2022.BuildTools", "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"}},
		{"windows on arm", resolve.Platform{OS: "windows", Arch: "arm64"}, []string{"no source has a host compiler for CUDA 12.4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Installer{Here: tt.here}.Plan(t.Context(), Want{Majors: []int{13, 12}, For: "CUDA 12.4"})
			var no Unavailable
			if !errors.As(err, &no) {
				t.Fatalf("Plan = %v, want Unavailable", err)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("Plan = %v\nhas no %q", err, w)
				}
			}
		})
	}
	no := Installer{Here: resolve.Platform{OS: "linux", Arch: "amd64"}}.noCompiler(Want{Majors: []int{13, 12}, For: "CUDA 12.4"}, "apt: no apt-get on PATH")
	if want := "no source has gcc 13 or 12 for CUDA 12.4: apt: no apt-get on PATH\n  next: conda create -p ENV -c conda-forge gxx_linux-64=13"; no.Error() != want {
		t.Errorf("noCompiler = %q, want %q", no.Error(), want)
	}
}

func TestFitting(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []apt.Step
		want  []string
		err   string
	}{
		{"the machine has the rest", []apt.Step{{Name: "g++-13", New: "13.3.0-16"}}, []string{"g++-13"}, ""},
		{"libc of the same release is left", []apt.Step{{Name: "libc6", Old: "2.41-12", New: "2.41-12+deb13u4"}, {Name: "libc6-dev", New: "2.41-12+deb13u4"}}, []string{"libc6-dev"}, ""},
		{"a newer libc", []apt.Step{{Name: "g++-13", New: "13.3.0-16"}, {Name: "libc6", Old: "2.36-9+deb12u10", New: "2.41-12"}}, nil, "it needs libc6 2.41, and the machine has 2.36"},
		{"a newer libstdc++", []apt.Step{{Name: "libstdc++6", Old: "12.2.0-14", New: "14.2.0-19"}}, nil, "it needs libstdc++6 14.2.0, and the machine has 12.2.0"},
		{"another library may be newer", []apt.Step{{Name: "libzstd1", Old: "1.5.4+dfsg2-5", New: "1.5.7+dfsg-1"}}, []string{"libzstd1"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fitting(tt.steps)
			var names []string
			for _, s := range got {
				names = append(names, s.Name)
			}
			if !slices.Equal(names, tt.want) || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("fitting(%v) = %q, %v, want %q, %q", tt.steps, names, err, tt.want, tt.err)
			}
		})
	}
}

func TestUpstream(t *testing.T) {
	for in, want := range map[string]string{"13.3.0-16": "13.3.0", "1:19.1.7-3+b1": "19.1.7", "2.41-12+deb13u4": "2.41", "11.4.0-1ubuntu1~22.04": "11.4.0", "3": "3"} {
		if got := upstream(in); got != want {
			t.Errorf("upstream(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	for in, want := range map[string]string{
		"./usr/bin/x86_64-linux-gnu-g++-13": "usr/bin/x86_64-linux-gnu-g++-13",
		"./lib/x86_64-linux-gnu/libgmp.so":  "usr/lib/x86_64-linux-gnu/libgmp.so",
		"./usr/include/c++/13/vector":       "usr/include/c++/13/vector",
		"./usr/share/doc/gcc-13/copyright":  "licenses/gcc-13/copyright",
		"./usr/share/doc/gcc-13/README":     "",
		"./usr/share/man/man1/g++-13.1.gz":  "",
		"./usr/bin/lto-dump-13":             "",
		"./etc/passwd":                      "",
	} {
		got, ok := place(in)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("place(%q) = %q, %t, want %q", in, got, ok, want)
		}
	}
}

// TestDoor: an ELF library whose needs are the given ones, for both processors; the system's loader follows them.
func TestDoor(t *testing.T) {
	for _, machine := range []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64} {
		body, err := door(machine, []string{"$ORIGIN/inner/liba.so.1", "libc.so.6"})
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if f.Type != elf.ET_DYN || f.Machine != machine || len(f.Progs) != 3 {
			t.Errorf("door is %v for %v with %d segments", f.Type, f.Machine, len(f.Progs))
		}
	}
	if _, err := door(elf.EM_386, nil); err == nil {
		t.Error("door for a processor that is not known gives no error")
	}
}
