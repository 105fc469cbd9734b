package toolkit

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/stub"
)

func TestLinuxRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a root for Linux needs links")
	}
	p := resolve.Platform{OS: "linux", Arch: "amd64"}
	i, s := newInstaller(t), newShop(t, p)
	i.Here = p
	out, err := i.Install(ctx, s, s.plan(t, p, "cublas"))
	if err != nil {
		t.Fatal(err)
	}
	for rel, target := range map[string]string{
		"include": "targets/x86_64-linux/include", "lib64": "targets/x86_64-linux/lib", "lib": "targets/x86_64-linux/lib",
		"lib64/libcudart.so": "libcudart.so.13", "lib64/libcublas.so": "libcublas.so.13", "lib64/libcublasLt.so": "libcublasLt.so.13",
		"nvvm/lib64/libnvvm.so": "libnvvm.so.4",
	} {
		if got, err := os.Readlink(filepath.Join(out.Installed.Dir, rel)); got != target {
			t.Errorf("%s leads to %q, %v, want %q", rel, got, err, target)
		}
	}
	if got := sonameOf(filepath.Join(out.Installed.Dir, "lib64", "stubs", "libcuda.so")); got != "libcuda.so.1" {
		t.Errorf("soname of the stub: %q", got)
	}
	m, err := depot.Read(out.Installed.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"include", "lib64", "version.json", "targets/x86_64-linux/lib/stubs/libcuda.so"} {
		if !slices.Contains(m.Made, made) {
			t.Errorf("%s is not recorded as made: %q", made, m.Made)
		}
	}
	if slices.Contains(m.Made, "bin/nvcc.profile") {
		t.Error("a profile that goes by nvcc's place was replaced")
	}
}

// TestWindowsRoot is made anywhere, and has no links.
func TestWindowsRoot(t *testing.T) {
	p := resolve.Platform{OS: "windows", Arch: "amd64"}
	i, s := newInstaller(t), newShop(t, p)
	out, err := i.Install(ctx, s, s.plan(t, p, "nvtx"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(out.Proof, "; "); here != p && !strings.Contains(got, "not run: made for windows-x86_64") {
		t.Errorf("proof %q", got)
	}
	m, err := depot.Read(out.Installed.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		if f.Link != "" {
			t.Errorf("%s is a link", f.Path)
		}
	}
}

// TestWrongMachine: a root whose programs are for another platform than the plan's.
func TestWrongMachine(t *testing.T) {
	p := resolve.Platform{OS: "windows", Arch: "arm64"}
	i, s := newInstaller(t), newShop(t, p)
	plan := s.plan(t, resolve.Platform{OS: "windows", Arch: "amd64"})
	plan.Platform = p
	_, err := i.Install(ctx, s, plan)
	if !is[Unproved](err) || !strings.Contains(err.Error(), "it is windows-x86_64, want one for windows-arm64") {
		t.Errorf("install: %v, want Unproved by the machine", err)
	}
	if got := visible(t, i); len(got) > 0 {
		t.Errorf("visible: %q", got)
	}
}

func TestNameLibraries(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a root for Linux needs links")
	}
	for _, tt := range []struct {
		name  string
		files map[string]string // file and its soname
		want  string            // links, in order
	}{
		{"wheel", map[string]string{"libcudart.so.13": "libcudart.so.13"}, "libcudart.so>libcudart.so.13"},
		{"Debian, the full name alone", map[string]string{"libcudart.so.12.4.127": "libcudart.so.12"}, "libcudart.so.12>libcudart.so.12.4.127 libcudart.so>libcudart.so.12"},
		{"there already", map[string]string{"libx.so": "libx.so.1", "libx.so.1": "libx.so.1"}, ""},
		{"two versions", map[string]string{"libx.so.9": "libx.so.9", "libx.so.10": "libx.so.10"}, "libx.so>libx.so.10"},
		{"a soname of another library", map[string]string{"libx.so.1": "liby.so.2"}, "libx.so>libx.so.1"},
		{"a soname that is a path", map[string]string{"libx.so.1": "../../libx.so.2"}, "libx.so>libx.so.1"},
		{"no library at all", map[string]string{"libx.so.1": ""}, "libx.so>libx.so.1"},
		{"other files", map[string]string{"libx.a": "", "notes.so.txt": "", "libx.so.old": ""}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &root{dir: t.TempDir()}
			for file, soname := range tt.files {
				var data []byte
				if soname != "" {
					data = library(t, soname)
				}
				if err := os.WriteFile(r.path(file), data, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.nameIn("."); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, link := range r.made {
				target, _ := os.Readlink(r.path(link))
				got = append(got, link+">"+target)
			}
			slices.Sort(got)
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("links %q, want %q", text, tt.want)
			}
		})
	}
}

// library makes a shared library; a soname that the maker refuses is put in afterwards.
func library(t *testing.T, soname string) []byte {
	t.Helper()
	plain := strings.ReplaceAll(soname, "/", "_")
	data, err := stub.ELF(stub.Library{Machine: "amd64", Soname: plain, Symbols: []string{"f"}})
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.ReplaceAll(string(data), plain, soname))
}

func TestMakeProfile(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		made       bool
	}{
		{"none", "", true},
		{"of the system", "LIBRARIES =+ -L/usr/lib/stubs\n", true},
		{"by its own place", "TOP = $(_HERE_)/..\n", false},
	} {
		r := &root{dir: t.TempDir()}
		if err := r.replace("bin/nvcc", nil, 0o755); err != nil {
			t.Fatal(err)
		}
		other := filepath.Join(t.TempDir(), "other")
		if tt.text != "" {
			if err := r.replace("bin/nvcc.profile", []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(r.path("bin/nvcc.profile"), other); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.makeProfile(); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(r.path("bin/nvcc.profile"))
		if want := map[bool]string{true: profile, false: tt.text}[tt.made]; string(got) != want || len(r.made) > 0 != tt.made {
			t.Errorf("%s: %q, made %q, want %q", tt.name, got, r.made, want)
		}
		if text, _ := os.ReadFile(other); string(text) != tt.text {
			t.Errorf("%s: the file of the other root reads %q", tt.name, text)
		}
	}
}

// TestSystemHeaders: only releases whose headers clash with newer C libraries are changed, and only their own folder.
func TestSystemHeaders(t *testing.T) {
	const theirs = "TOP = $(_HERE_)/..\nINCLUDES += \"-I$(TOP)/$(_TARGET_DIR_)/include\" $(_SPACE_)\nLIBRARIES =+ \"-L$(TOP)/lib\"\n"
	const mended = "TOP = $(_HERE_)/..\nINCLUDES += \"-isystem\" \"$(TOP)/$(_TARGET_DIR_)/include\" $(_SPACE_)\nLIBRARIES =+ \"-L$(TOP)/lib\"\n"
	for release, want := range map[string]string{"12.4.1": mended, "13.0.3": mended, "13.2.1": theirs, "13.4.3": theirs} {
		r := &root{dir: t.TempDir(), plan: resolve.Plan{Release: release}}
		for name, text := range map[string]string{"bin/nvcc": "", "bin/nvcc.profile": theirs} {
			if err := r.replace(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // a root that is finished again stays as it is
			if err := r.makeProfile(); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := os.ReadFile(r.path("bin/nvcc.profile")); string(got) != want || len(r.made) > 0 {
			t.Errorf("%s: %q, made %q, want %q", release, got, r.made, want)
		}
	}
}

func TestUpstream(t *testing.T) {
	for in, want := range map[string]string{"13.0.88": "13.0.88", "12.4.127~12.4.1-2": "12.4.127", "1:11.8.89-5": "11.8.89", "": "", "x": ""} {
		if got := upstream(in); got != want {
			t.Errorf("upstream(%q) = %q, want %q", in, got, want)
		}
	}
}
