package cache

import (
	"testing"

	"golang.org/x/sys/windows"
)

// TestSpoken: what the code page of this machine has. Wine's is that of western Europe.
func TestSpoken(t *testing.T) {
	const western, utf8 = 1252, 65001
	page := windows.GetACP()
	for _, tt := range []struct {
		name  string
		pages []uint32 // nil: all
	}{
		{"", nil},
		{`C:\a b\k.cu`, nil},
		{"Größe.cu", []uint32{western, utf8}},
		{"大.cu", []uint32{utf8}},
		{"Łódź.cu", []uint32{utf8}}, // western Europe's page would make Lódz of it
		{"😀.cu", []uint32{utf8}},
	} {
		want := tt.pages == nil
		for _, p := range tt.pages {
			want = want || p == page
		}
		if known := page == western || page == utf8 || tt.pages == nil; known && spoken(tt.name) != want {
			t.Errorf("spoken(%q) = %v with code page %d", tt.name, !want, page)
		}
	}
}
