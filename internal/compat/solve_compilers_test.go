package compat

import (
	"strings"
	"testing"
)

func TestSolveWithInstalledCompilers(t *testing.T) {
	gcc14 := Installed{"g++", "gcc", v("14.2.0"), true}
	gcc13 := Installed{"g++-13", "gcc", v("13.3.0"), false}
	gcc11 := Installed{"g++-11", "gcc", v("11.4.0"), false}
	clang19 := Installed{"clang++-19", "clang", v("19.1.7"), false}
	cl := Installed{`C:\VS\cl.exe`, "msvc", v("19.44.35207"), true}
	for _, tt := range []struct {
		name, toolkit, os string
		have              []Installed
		compiler          string // "" when nothing fits
		text              string // part of the reasons and caveats, or of why it is out
	}{
		{"the default fits", "12.8", "linux", []Installed{gcc14, gcc13}, "g++", "fits with g++ (gcc 14.2.0); gcc 6 to 14 are accepted"},
		{"another than the default", "12.4", "linux", []Installed{gcc14, gcc13, gcc11}, "g++-13", "fits with g++-13 (gcc 13.3.0); gcc 6 to 13 are accepted; the default g++ (gcc 14.2.0) is too new"},
		{"an old toolkit takes an old one", "11.8", "linux", []Installed{gcc14, gcc13, gcc11}, "g++-11", "fits with g++-11"},
		{"none fits", "12.4", "linux", []Installed{gcc14, clang19}, "", "accepts gcc 6 to 13 and clang 7 to 17; g++ (gcc 14.2.0) is too new, clang++-19 (clang 19.1.7) is too new"},
		{"no bound is known", "11.4", "windows", []Installed{cl}, `C:\VS\cl.exe`, "whether CUDA 11.4 accepts cl 19.44.35207 is not established"},
		{"Microsoft's is named by its version", "12.8", "windows", []Installed{cl}, `C:\VS\cl.exe`, "fits with cl 19.44.35207; _MSC_VER 1910 to 1949"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Solve(Query{Toolkit: v(tt.toolkit), OS: tt.os, Compilers: tt.have})
			if err != nil {
				t.Fatal(err)
			}
			compiler, text := "", ""
			for _, f := range s.Fits {
				compiler, text = f.Compiler, strings.Join(append(f.Reasons, f.Caveats...), "; ")
			}
			for _, o := range s.Out {
				text = o.Rule + ": " + o.Reason
			}
			if compiler != tt.compiler || !strings.Contains(text, tt.text) {
				t.Errorf("with %q: %s, want %q: %s", compiler, text, tt.compiler, tt.text)
			}
		})
	}
}

func TestSolveFindsTheSystem(t *testing.T) {
	for _, tt := range []struct {
		name string
		q    Query
		os   string
		note string
	}{
		{"nothing given", Query{}, "linux", ""},
		{"a Linux driver", Query{Driver: v("550.54.15")}, "linux", ""},
		{"a Windows driver", Query{Driver: v("551.61")}, "windows", "for windows only"},
		{"as Windows writes it", Query{Driver: v("31.0.15.5161")}, "windows", "how Windows writes driver 551.61"},
		{"a Windows driver with gcc", Query{Driver: v("551.61"), GCC: v("13")}, "wsl2", "judged for wsl2"},
		{"MSVC", Query{MSVC: v("14.44")}, "windows", ""},
		{"MSVC with a driver the table lacks", Query{MSVC: v("14.44"), Driver: v("580.88")}, "windows", ""},
		{"a Windows driver, linux asked for", Query{Driver: v("551.61"), OS: "linux"}, "linux", "for windows only; it is judged for linux"},
		{"a year", Query{MSVC: v("2022")}, "windows", "judged for Visual Studio 2022 17.10 and newer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Solve(tt.q)
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(s.Notes, "; ")
			if s.Query.OS != tt.os || !strings.Contains(notes, tt.note) || (tt.note == "" && notes != "") {
				t.Errorf("judged for %s with notes %q, want %s, %q", s.Query.OS, notes, tt.os, tt.note)
			}
		})
	}
}
