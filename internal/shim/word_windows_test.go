package shim

import "testing"

func TestAfterWord(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{` nvcc.exe -c k.cu`, ` -c k.cu`},
		{`  "C:\a b\nvcc.exe"  -c`, `  -c`},
		{` C:/"a b"/nvcc.exe -c`, ` -c`},
		{` "C:\a\\" -c`, ` -c`},
		{` "a\" b" -c`, ` -c`},
		{` nvcc`, ``},
		{` "nvcc`, ``},
		{``, ``},
	} {
		if got := afterWord(tt.in); got != tt.want {
			t.Errorf("afterWord(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
