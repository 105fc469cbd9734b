package build

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUntold(t *testing.T) {
	for _, tt := range []struct{ name, kind, words, want string }{
		{"nothing", "shared", "-shared -o k.so k.o", ""},
		{"libraries", "shared", "-shared -lcublas -L/x/lib -Xcompiler -fopenmp,-pthread", ""},
		{"a library by its file", "device-link", "-dlink -l:libmine.a k.o", "-l:libmine.a"},
		{"what a sanitizer links", "shared", "-Xcompiler -fsanitize=address", "-fsanitize=address"},
		{"a script that begins like another option", "shared", "-Xlinker -script=k.ld", "-script=k.ld"},
		{"a list of symbols that does", "shared", "-Xlinker -Bsymbolic,--export-dynamic-symbol-list=l", "--export-dynamic-symbol-list=l"},
		{"a folder that does", "shared", "-Xlinker -rpath-link=libs", "-rpath-link=libs"},
		{"a name", "shared", "-Xlinker -soname=libk.so.1 -Xlinker -rpath,$ORIGIN -Xlinker -soname -Xlinker k", ""},
		{"a list of versions", "shared", "-Xlinker --version-script=k.map", "--version-script=k.map"},
		{"the same by the compiler", "shared", "-Xcompiler -Wl\\,-T\\,k.ld", "-T"},
		{"another linker", "shared", "-Xcompiler -fuse-ld=gold", "-fuse-ld=gold"},
		{"a folder of programs", "shared", "-Xcompiler -B/x", "-B/x"},
		{"what nvcc does not know", "shared", "-forward-unknown-to-host-compiler -fopenmp", "-fopenmp"},
		{"nvlink", "shared", "-Xnvlink --suppress-stack-size-warning", ""},
		{"nvlink, from a file", "shared", "-Xnvlink --options-file=f", "--options-file=f"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := untold(PlannedCall{Kind: tt.kind, Argv: append([]string{"nvcc"}, strings.Fields(tt.words)...)}); got != tt.want {
				t.Errorf("untold by %q is %q, want %q", tt.words, got, tt.want)
			}
		})
	}
}

// TestLinkWords: what the contract says about linking is in the library, and it is up to date afterwards.
func TestLinkWords(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) +
		"[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\nkinds = \"shared\"\nflags = [\"-Xlinker\", \"-soname=libk.so.1\"]\nflags-gcc = [\"-fopenmp\"]\n"
	source := "#include <omp.h>\n" + plain + "extern \"C\" int most() { return omp_get_max_threads(); }\n"
	job := realJob(t, "cuda-12.4", "12.4", text, map[string]string{"k.cu": source})
	job.Tools.Family = "gcc"
	o := options(t)
	ran(t, job, o)
	f, err := elf.Open(filepath.Join(job.Root, "build/cupel/k/libk.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	name, _ := f.DynString(elf.DT_SONAME)
	needs, _ := f.ImportedLibraries()
	if !slices.Equal(name, []string{"libk.so.1"}) || !slices.Contains(needs, "libgomp.so.1") {
		t.Errorf("SONAME %q, needs %q", name, needs)
	}
	if r := ran(t, job, o); r.Calls != 0 || r.Fresh != 2 {
		t.Errorf("again: %d calls, %d up to date: %+v", r.Calls, r.Fresh, r.Steps)
	}
}

// TestLinkReadsAgain: what a link reads by words of the contract counts: a script of the linker, a library that nvlink takes device
// code from. What only sources need stays away from links.
func TestLinkReadsAgain(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1)
	for _, tt := range []struct {
		name, kernel string
		change       string // a file whose bytes get others
		calls        int    // when nothing changed
	}{
		{"a script", "kinds = \"shared\"\nflags = [\"-Xlinker\", \"-script=more.ld\"]\n", "more.ld", 1},
		{"a library beside it", "kinds = \"static\"\ndevice-link = true\nflags = [\"-L\", \"libs\", \"-lmine\", \"-lm\"]\n", "libs/libmine.a", 0},
		{"a header for sources", "kinds = \"shared\"\nrdc = true\nincludes = [\"inc\"]\nflags-gcc = [\"-include\", \"config.h\"]\nflags = [\"-Xcompiler\", \"-include\", \"-Xcompiler\", \"config.h\"]\n", "inc/config.h", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			job := realJob(t, "cuda-12.4", "12.4", text+"[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\n"+tt.kernel, map[string]string{
				"k.cu": plain, "more.ld": "SECTIONS { .mine : { BYTE(1) } } INSERT AFTER .data;\n", "inc/config.h": "#define C 1\n", "libs/libmine.a": "!<arch>\n"})
			job.Tools.Family = "gcc"
			o := options(t)
			if r := ran(t, job, o); !r.OK() {
				t.Fatalf("%+v", r.Failed)
			}
			if r := ran(t, job, o); r.Calls != tt.calls {
				t.Errorf("nothing changed: %d calls, want %d: %+v", r.Calls, tt.calls, r.Steps)
			}
			changed := filepath.Join(job.Root, tt.change)
			was, err := os.ReadFile(changed)
			if err != nil {
				t.Fatal(err)
			}
			now := append(was, '\n')
			if tt.change == "libs/libmine.a" {
				if now, err = os.ReadFile(filepath.Join(job.Root, "build/cupel/k/libk.a")); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(changed, now, 0o644); err != nil {
				t.Fatal(err)
			}
			if r := ran(t, job, o); r.Calls == 0 || !r.OK() {
				t.Errorf("%s changed: %d calls; %+v", tt.change, r.Calls, r.Failed)
			}
		})
	}
}
