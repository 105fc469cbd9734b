package cas

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "500M": 500 << 20, "20G": 20 << 30, "1.5k": 1536, "10GB": 10 << 30, "7": 7, "x": 0, "-1G": 0, "nan": 0, "inf": 0, "9999999T": 0} {
		if got := Size(text); got != want {
			t.Errorf("Size(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestHere(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{dirVariable: dir, limitVariable: "2G", linksVariable: "1", offVariable: ""} {
		t.Setenv(name, value)
	}
	s, ok := Here()
	if !ok || s.Dir != filepath.Join(dir, "store") || s.Limit != 2<<30 || !s.Hard {
		t.Errorf("%+v, %v", s, ok)
	}
	t.Setenv(offVariable, "1")
	if _, ok := Here(); ok {
		t.Error("it is on though CUPEL_NO_CACHE is set")
	}
	t.Setenv(offVariable, "")
	for _, name := range []string{dirVariable, "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"} {
		t.Setenv(name, "")
	}
	if s, ok := Here(); ok || s.Dir != "" {
		t.Errorf("without a home there is %q", s.Dir)
	}
	home, variable, below := t.TempDir(), "HOME", filepath.Join(".cache", "cupel", "store")
	if runtime.GOOS == "windows" {
		variable, below = "LOCALAPPDATA", filepath.Join("cupel", "cache", "store")
	}
	t.Setenv(variable, home)
	if s, ok := Here(); !ok || s.Dir != filepath.Join(home, below) {
		t.Errorf("the usual place is %q", s.Dir)
	}
}
