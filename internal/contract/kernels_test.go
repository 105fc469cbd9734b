package contract

import (
	"strings"
	"testing"
)

func TestDecided(t *testing.T) {
	for _, tt := range []struct {
		name, words string
		want        int
	}{
		{"nothing", "", -1}, {"other options", "-O3 --use_fast_math -rdc=true -MD", -1}, {"for other programs", "-Xcompiler -c -Xptxas=-c", -1}, {"in a response file", "--options-file -ptx", -1},
		{"a phase", "-O3 -ptx", 1}, {"by its long name", "--device-c", 0}, {"one that cupel has no kind for", "-E", 0},
		{"a target", "-lineinfo -arch=sm_80", 1}, {"targets", "-gencode arch=compute_80,code=sm_80", 0}, {"an output", "-g -o zz.o", 1}, {"a folder", "--output-directory=x", 0}, {"a library", "-shared", 0},
	} {
		if got := Decided(strings.Fields(tt.words)); got != tt.want {
			t.Errorf("%s: Decided(%s) = %d, want %d", tt.name, tt.words, got, tt.want)
		}
	}
}

func TestIsDefine(t *testing.T) {
	for text, want := range map[string]bool{
		"A": true, "_a1": true, "A=": true, "A=1 2": true, "A=-DX": true, "F(x)=x": true, "F(x, y)=(x)+(y)": true, "F()": true, "größe=1": true,
		"": false, "A B": false, "A B=1": false, "-DX": false, "1A": false, "=1": false, "F(x=1": false, "A-B": false,
	} {
		if got := IsDefine(text); got != want {
			t.Errorf("IsDefine(%q) = %t, want %t", text, got, want)
		}
	}
}
