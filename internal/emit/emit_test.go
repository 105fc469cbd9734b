package emit

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestRefused: what a format cannot say is an error that names the path; the other formats take it.
func TestRefused(t *testing.T) {
	everyLine := "cargo rust cmake cgo pkg-config depfile"
	for _, tt := range []struct{ name, char, refuse string }{
		{"line break", "\n", everyLine},
		{"carriage return", "\r", everyLine},
		{"not UTF-8", "\xff", "cargo rust cmake cgo pkg-config json compile-commands"},
		{"blank", " ", ""},
		{"above ASCII", "ü", ""},
		{"hash", "#", "cgo pkg-config"},
		{"dollar", "$", "pkg-config"},
		{"quote", `"`, "cgo pkg-config"},
		{"apostrophe", "'", "cgo pkg-config"},
		{"parenthesis", "(", "cgo pkg-config"},
		{"semicolon", ";", "cgo depfile"},
		{"equals sign", "=", "depfile"},
		{"percent sign", "%", "depfile"},
		{"backslash", `\`, "cgo depfile"},
		{"half a pair of brackets", "]=]", "cgo depfile cmake"},
		{"brackets", "[1]", "cgo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, format := range Formats {
				dir := "/p/a" + tt.char + "b"
				b := Build{Project: dir, Out: dir, OS: "linux", Kernels: []Kernel{{Name: "k", Files: []File{{Kind: "static", Path: dir + "/libk.a"}, {Kind: "ptx", Path: dir + "/k.ptx"}}}},
					Inputs: []string{dir + "/k.cu"}, Calls: []Call{{Dir: dir, Source: "k.cu"}}}
				_, err := Write(format, b)
				refuse := strings.Contains(" "+tt.refuse+" ", " "+format+" ")
				if (err != nil) != refuse {
					t.Errorf("Write(%s) with %q: %v, want an error: %t", format, dir, err, refuse)
				}
				if err != nil && !strings.HasPrefix(err.Error(), "emit "+format+": \"") {
					t.Errorf("Write(%s): %v: does not begin with the format and the path", format, err)
				}
			}
		})
	}
	if _, err := Write("ninja", linuxBuild()); err == nil || !strings.Contains(err.Error(), "cargo, rust, cmake") {
		t.Errorf("Write(ninja): %v, want the formats", err)
	}
	if _, err := Write("cgo", windowsBuild()); err == nil || !strings.Contains(err.Error(), `one.lib" is a static library`) {
		t.Errorf("Write(cgo) on Windows: %v, want that a static library cannot be linked", err)
	}
}

// TestEmpty: a build of nothing, which may be all that the contract asks for on this system, is said in every format.
func TestEmpty(t *testing.T) {
	for _, format := range Formats {
		out, err := Write(format, Build{OS: "linux", Project: "/p", Out: "/p/out"})
		if err != nil || strings.Contains(string(out), "null") {
			t.Errorf("Write(%s): %v\n%s", format, err, out)
		}
	}
}

func TestConstants(t *testing.T) {
	file := func(path, kind, arch string) File { return File{Kind: kind, Path: path, Arch: arch} }
	for _, tt := range []struct {
		name    string
		kernels []Kernel
		want    string
	}{
		{"one", []Kernel{{Name: "k", Files: []File{file("/o/vector-add.ptx", "ptx", "compute_80")}}}, "VECTOR_ADD"},
		{"several archs", []Kernel{{Name: "k", Files: []File{file("/o/a.compute_80.ptx", "ptx", "compute_80"), file("/o/a.compute_90a.ptx", "ptx", "compute_90a")}}}, "A_COMPUTE_80 A_COMPUTE_90A"},
		{"several kinds", []Kernel{{Name: "k", Files: []File{file("/o/a.ptx", "ptx", "compute_80"), file("/o/a.cubin", "cubin", "sm_80"), file("/o/a.fatbin", "fatbin", "")}}}, "A A A"},
		{"one name in two kernels", []Kernel{{Name: "x", Files: []File{file("/x/a.ptx", "ptx", "")}}, {Name: "y", Files: []File{file("/y/a.ptx", "ptx", ""), file("/y/b.ptx", "ptx", "")}}}, "X_A Y_A B"},
		{"names that become one", []Kernel{{Name: "k", Files: []File{file("/o/a-b.ptx", "ptx", ""), file("/o/a_b.ptx", "ptx", ""), file("/o/a_b_2.ptx", "ptx", "")}}}, "A_B A_B_2 A_B_2_2"},
		{"PTX that is called as a cubin is", []Kernel{{Name: "k", Files: []File{file("/o/add.ptx", "ptx", ""), file("/o/add.cubin", "cubin", "sm_80"), file("/o/add_cubin.ptx", "ptx", ""), file("/o/add_cubin.cubin", "cubin", "sm_80")}}}, "ADD ADD ADD_CUBIN_2 ADD_CUBIN"},
		{"a digit first", []Kernel{{Name: "k", Files: []File{file("/o/3d.ptx", "ptx", "")}}}, "_3D"},
		{"no letter of ASCII", []Kernel{{Name: "k", Files: []File{file("/o/核.ptx", "ptx", "")}}}, "KERNEL"},
		{"what was built of a failed kernel", []Kernel{{Name: "k", Failed: true, Files: []File{file("/o/a.ptx", "ptx", "")}}, {Name: "l", Failed: true}}, "A"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range (Build{OS: "linux", Kernels: tt.kernels}).constants() {
				got = append(got, c.name)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNeeds: what stands behind the libraries, in the linker's order.
func TestNeeds(t *testing.T) {
	static, shared := File{Kind: "static", Path: "/o/libk.a"}, File{Kind: "shared", Path: "/o/libk.so"}
	for _, tt := range []struct {
		name, os string
		kernels  []Kernel
		want     string
	}{
		{"static", "linux", []Kernel{{Files: []File{static}}}, "cudart_static rt pthread dl stdc++ m"},
		{"relocatable", "linux", []Kernel{{Files: []File{static}}, {RDC: true, Files: []File{static}}}, "cudadevrt cudart_static rt pthread dl stdc++ m"},
		{"cudart shared", "linux", []Kernel{{Cudart: "shared", Files: []File{static}}}, "cudart stdc++ m"},
		{"cudart none", "linux", []Kernel{{Cudart: "none", Files: []File{static}}}, "stdc++ m"},
		{"shared has all in it", "linux", []Kernel{{RDC: true, Files: []File{shared}}}, ""},
		{"no library", "linux", []Kernel{{Files: []File{{Kind: "ptx", Path: "/o/k.ptx"}}}}, ""},
		{"Windows", "windows", []Kernel{{RDC: true, Files: []File{static}}}, "cudadevrt cudart"},
		{"Windows, cudart static", "windows", []Kernel{{Cudart: "static", Files: []File{static}}}, "cudart_static"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := Build{OS: tt.os, Kernels: tt.kernels}
			var got []string
			for _, n := range b.needs(b.libraries()) {
				got = append(got, n.name)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("needs = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestWarnings: what a host compiler cannot link is told where one links.
func TestWarnings(t *testing.T) {
	static, shared := File{Kind: "static", Path: "/o/libk.a"}, File{Kind: "shared", Path: "/o/libk.so"}
	for _, tt := range []struct {
		name, format string
		kernel       Kernel
		want         int
	}{
		{"relocatable", "cmake", Kernel{RDC: true, Files: []File{static}}, 1},
		{"beside a shared one, which is not taken", "cgo", Kernel{RDC: true, Files: []File{shared, static}}, 1},
		{"linked", "cmake", Kernel{RDC: true, Linked: true, Files: []File{static}}, 0},
		{"shared", "pkg-config", Kernel{RDC: true, Files: []File{shared}}, 0},
		{"whole", "pkg-config", Kernel{Files: []File{static}}, 0},
		{"nothing links", "json", Kernel{RDC: true, Files: []File{static}}, 0},
	} {
		if got := Warnings(tt.format, Build{OS: "linux", Kernels: []Kernel{tt.kernel}}); len(got) != tt.want {
			t.Errorf("%s: Warnings(%s) = %q, want %d", tt.name, tt.format, got, tt.want)
		}
	}
}

// TestCgoPackage: a file that comes into a package is of it.
func TestCgoPackage(t *testing.T) {
	for in, want := range map[string]string{"": "\npackage fastmath\n", "main": "\npackage main\n"} {
		b := linuxBuild()
		b.Package = in
		if got, err := Write("cgo", b); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("beside package %q: %v, want %q in\n%s", in, err, want, got)
		}
	}
}

func TestGoPackage(t *testing.T) {
	for in, want := range map[string]string{"my-project": "myproject", "9lives": "lives", "type": "kernels", "核": "kernels", "": "kernels", "A_b": "a_b"} {
		if got := goPackage(in); got != want {
			t.Errorf("goPackage(%q) = %q, want %q", in, got, want)
		}
	}
}

// fuzzed has one path everywhere.
func fuzzed(path, system string) Build {
	return Build{Name: path, Project: path, Out: path, OS: system, Toolkit: Toolkit{Include: path, LibDirs: []string{path}}, Inputs: []string{path}, Variables: []string{"V"},
		Kernels: []Kernel{{Name: path, Files: []File{{Kind: "static", Path: path}, {Kind: "ptx", Path: path}}}}, Calls: []Call{{Dir: path, Source: path}}}
}

// FuzzWrite: whatever paths are, there are as many lines as for a plain one, and JSON stays JSON.
func FuzzWrite(f *testing.F) {
	for _, s := range []string{"/p/k", `C:\a b`, "]=]", "a\nb", "\xff", "$(x)", "${x}", "*/", "\x00"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, path string, windows bool) {
		if path == "" {
			return
		}
		system := "linux"
		if windows {
			system = "windows"
		}
		for _, format := range Formats {
			out, err := Write(format, fuzzed(path, system))
			if err != nil {
				continue
			}
			plain, err := Write(format, fuzzed("/p/plain", system)) // cgo on Windows came not so far: the library is static
			if err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Count(string(out), "\n"), strings.Count(string(plain), "\n"); got != want && (format != "depfile" || !strings.Contains(path, "%")) {
				t.Errorf("Write(%s) has %d lines, want %d, for %q:\n%s", format, got, want, path, out)
			}
			if (format == "json" || format == "compile-commands") && !json.Valid(out) {
				t.Errorf("Write(%s) is not JSON: %s", format, out)
			}
			if format != "depfile" && !utf8.Valid(out) {
				t.Errorf("Write(%s) is not UTF-8: %q", format, out)
			}
		}
	})
}

// TestConstantsAgree: the name that JSON tells is one that the Rust file has, and cargo's variable is the same but for PTX.
func TestConstantsAgree(t *testing.T) {
	b := Build{OS: "linux", Kernels: []Kernel{{Name: "k", Files: []File{
		{Kind: "ptx", Path: "/o/k.ptx", Arch: "compute_80"}, {Kind: "cubin", Path: "/o/k.sm_80.cubin", Arch: "sm_80"}, {Kind: "cubin", Path: "/o/k.sm_90.cubin", Arch: "sm_90"}, {Kind: "fatbin", Path: "/o/k.fatbin"},
	}}}}
	texts := map[string]string{}
	for _, format := range []string{"json", "rust", "cargo"} {
		text, err := Write(format, b)
		if err != nil {
			t.Fatal(err)
		}
		texts[format] = string(text)
	}
	for name, variable := range map[string]string{"K": "K_PTX", "K_SM_80_CUBIN": "K_SM_80_CUBIN", "K_SM_90_CUBIN": "K_SM_90_CUBIN", "K_FATBIN": "K_FATBIN"} {
		for format, want := range map[string]string{"json": `"constant": "` + name + `"`, "rust": "pub const " + name + ": ", "cargo": "cargo:rustc-env=" + variable + "="} {
			if !strings.Contains(texts[format], want) {
				t.Errorf("%s has no %s:\n%s", format, want, texts[format])
			}
		}
	}
}
