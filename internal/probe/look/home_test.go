package look

import "testing"

// TestCupelFolders: a folder of cupel's own is a full path or is not known; never one that depends on where a command
// was started, unless a person said so.
func TestCupelFolders(t *testing.T) {
	const linux, windows = "-- host --\nos = linux\narch = amd64\n", "-- host --\nos = windows\narch = amd64\n"
	for _, tt := range []struct{ name, archive, home, cache string }{
		{"default", linux + "home = /h\n", "/h/.local/share/cupel", "/h/.cache/cupel"},
		{"said", linux + "home = /h\n-- env --\nCUPEL_HOME=/x\nCUPEL_CACHE=/y\n", "/x", "/y"},
		{"said, relative", linux + "home = /h\ncwd = /w\n-- env --\nCUPEL_HOME=x\nCUPEL_CACHE=../y\n", "/w/x", "/y"},
		{"said, relative to nothing known", linux + "home = /h\n-- env --\nCUPEL_HOME=x\nCUPEL_CACHE=y\n", "", ""},
		{"XDG", linux + "home = /h\n-- env --\nXDG_DATA_HOME=/d\nXDG_CACHE_HOME=/c\n", "/d/cupel", "/c/cupel"},
		{"relative XDG is ignored", linux + "home = /h\ncwd = /w\n-- env --\nXDG_DATA_HOME=d\nXDG_CACHE_HOME=./c\n", "/h/.local/share/cupel", "/h/.cache/cupel"},
		{"no home", linux + "cwd = /w\n", "", ""},
		{"a relative home", linux + "home = h\ncwd = /w\n", "", ""},
		{"no home, XDG", linux + "-- env --\nXDG_DATA_HOME=/d\n", "/d/cupel", ""},
		{"Windows", windows + "-- env --\nLOCALAPPDATA=C:\\L\n", `C:\L\cupel`, `C:\L\cupel\cache`},
		{"Windows without LOCALAPPDATA", windows + "home = C:\\Users\\ann\n", `C:\Users\ann\AppData\Local\cupel`, `C:\Users\ann\AppData\Local\cupel\cache`},
		{"Windows, a relative LOCALAPPDATA", windows + "home = C:\\Users\\ann\n-- env --\nLOCALAPPDATA=L\n", `C:\Users\ann\AppData\Local\cupel`, `C:\Users\ann\AppData\Local\cupel\cache`},
		{"Windows, nothing known", windows + "cwd = C:\\w\n", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := at(t, tt.archive)
			if home, cache := CupelHome(a), CupelCache(a); home != tt.home || cache != tt.cache {
				t.Errorf("home %q and cache %q, want %q and %q, of\n%s", home, cache, tt.home, tt.cache, tt.archive)
			}
			if tt.home == "" && Owned(a, "toolkits") != nil {
				t.Error("toolkits are looked for in a folder that is not known")
			}
		})
	}
}
