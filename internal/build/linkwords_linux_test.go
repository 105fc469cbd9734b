package build

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUntold(t *testing.T) {
	for _, tt := range []struct{ name, kind, words, want string }{
		{"nothing", "shared", "-shared -o k.so k.o", ""},
		{"libraries", "shared", "-shared -lcublas -L/x/lib -Xcompiler -fopenmp,-O2,-pthread", ""},
		{"libraries that nvlink reads too", "device-link", "-dlink -lmine k.o", "-lmine"},
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
