package ospath

import "testing"

func TestClean(t *testing.T) {
	for _, tt := range []struct{ name, os, in, want string }{
		{"linux dots", "linux", "/usr/local/../lib//cuda", "/usr/lib/cuda"},
		{"windows mixed slashes", "windows", `C:/Program Files\NVIDIA/..\x`, `C:\Program Files\x`},
		{"windows drive root", "windows", `C:\`, `C:\`},
		{"windows drive alone", "windows", `C:`, `C:`},
		{"windows share", "windows", `\\srv\cuda\v13.0\`, `\\srv\cuda\v13.0`},
		{"windows above the root", "windows", `C:\..\x`, `C:\x`},
		{"empty stays empty", "linux", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := For(tt.os).Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestDirBase(t *testing.T) {
	for _, tt := range []struct{ name, os, in, dir, base string }{
		{"linux", "linux", "/opt/cuda/bin/nvcc", "/opt/cuda/bin", "nvcc"},
		{"linux root", "linux", "/", "/", ""},
		{"windows", "windows", `C:\cuda\bin\nvcc.exe`, `C:\cuda\bin`, "nvcc.exe"},
		{"windows top", "windows", `C:\cuda`, `C:\`, "cuda"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := For(tt.os)
			if dir, base := s.Dir(tt.in), s.Base(tt.in); dir != tt.dir || base != tt.base {
				t.Errorf("Dir, Base(%q) = %q, %q, want %q, %q", tt.in, dir, base, tt.dir, tt.base)
			}
		})
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		name, os, p, dir string
		want             bool
	}{
		{"below", "linux", "/opt/cuda/bin", "/opt/cuda", true},
		{"itself", "linux", "/opt/cuda", "/opt/cuda/", true},
		{"a longer name is not below", "linux", "/opt/cuda-13", "/opt/cuda", false},
		{"everything is below the root", "linux", "/opt", "/", true},
		{"windows ignores case", "windows", `c:\CUDA\Bin`, `C:\cuda`, true},
		{"nothing is below no folder", "linux", "/opt", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := For(tt.os).Within(tt.p, tt.dir); got != tt.want {
				t.Errorf("Within(%q, %q) = %v, want %v", tt.p, tt.dir, got, tt.want)
			}
		})
	}
}

func TestReplace(t *testing.T) {
	for _, tt := range []struct{ name, os, text, dir, with, want string }{
		{"a folder below", "linux", "-I/opt/m/include", "/opt/m", "/opt/cuda", "-I/opt/cuda/include"},
		{"itself", "linux", "/opt/m", "/opt/m", "/opt/cuda", "/opt/cuda"},
		{"in a list", "linux", "/opt/m/bin:/bin:/opt/m", "/opt/m", "/opt/cuda", "/opt/cuda/bin:/bin:/opt/cuda"},
		{"behind a comma", "linux", "-rpath,/opt/m,-s", "/opt/m", "/opt/cuda", "-rpath,/opt/cuda,-s"},
		{"a longer name is another folder", "linux", "/opt/m2/bin:/opt/m/bin", "/opt/m", "/opt/cuda", "/opt/m2/bin:/opt/cuda/bin"},
		{"its own name in the new one", "linux", "/opt/m/bin", "/opt/m", "/opt/m/real", "/opt/m/real/bin"},
		{"case matters", "linux", "/Opt/m", "/opt/m", "/opt/cuda", "/Opt/m"},
		{"windows ignores case", "windows", `C:\X;c:/M/bin;C:\m`, `C:\m`, `D:\cuda`, `C:\X;D:\cuda/bin;D:\cuda`},
		{"letters that grow in lower case", "windows", `İİİ;C:\m\bin`, `C:\m`, `D:\cuda`, `İİİ;D:\cuda\bin`},
		{"no folder", "linux", "/opt", "", "/x", "/opt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := For(tt.os).Replace(tt.text, tt.dir, tt.with); got != tt.want {
				t.Errorf("Replace(%q, %q, %q) = %q, want %q", tt.text, tt.dir, tt.with, got, tt.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	got := For("windows").List(`C:\a;;"C:\b c"; D:\x `)
	want := []string{`C:\a`, `C:\b c`, `D:\x`}
	if len(got) != len(want) {
		t.Fatalf("List = %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("List[%d] = %q, want %q", i, got[i], want[i])
		}
	}
}
