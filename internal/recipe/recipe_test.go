package recipe

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/nvcc"
)

// none is an environment where nothing is set.
func none(string) string { return "" }

// of is the recipe of a call whose words have no blanks.
func of(args string, windows bool) (Recipe, *Refusal) {
	return For(nvcc.Parse(strings.Fields(args)), none, windows)
}

// TestClasses: every option of nvcc has a class, or a reason that is explained.
func TestClasses(t *testing.T) {
	for o := range nvcc.Options() {
		if Explain(string(o.Cache)) == "" && !slices.Contains(nvcc.Classes[:], o.Cache) {
			t.Errorf("--%s (-%s) has the class %q, which is none and no reason either", o.Long, o.Short, o.Cache)
		}
		if o.Hidden && o.Cache != "hidden-option" && o.Cache != nvcc.Judged && o.Cache != "links" {
			t.Errorf("--%s is in no help and has the class %q", o.Long, o.Cache)
		}
	}
	for _, table := range [][]known{unix, msvc} {
		for _, row := range table {
			if Explain(row.does) == "" && !slices.Contains([]string{"", inside, quote, user, system, after, file}, row.does) {
				t.Errorf("%q of %s is no reason", row.does, row.names)
			}
		}
	}
}

func TestFor(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		windows    bool
		want       Recipe
	}{
		{"PTX, names of outputs left out", "-ptx -arch=sm_80 k.cu -o out/k.ptx -I inc", false, Recipe{
			Kind: "ptx", Source: "k.cu", Outputs: []Output{{"main", "out/k.ptx"}}, Words: []string{"-ptx", "-arch=sm_80", "-I", "inc"},
			Search: []Folder{{"inc", "user"}}, Archs: []string{"sm_80"},
		}},
		{"order of options stays", "-I b k.cu -DX=1 -I a -c -UX", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-I", "b", "-DX=1", "-I", "a", "-c", "-UX"},
			Search: []Folder{{"b", "user"}, {"a", "user"}},
		}},
		{"threads are left out", "-fatbin -t 4 k.cu -odir d", false, Recipe{
			Kind: "fatbin", Source: "k.cu", Outputs: []Output{{"main", "d/k.fatbin"}}, Words: []string{"-fatbin"},
		}},
		{"what nvcc warns of is not", "-fatbin -t 4 --threads=2 -t2 k.cu -odir d", false, Recipe{
			Kind: "fatbin", Source: "k.cu", Outputs: []Output{{"main", "d/k.fatbin"}}, Words: []string{"-fatbin", "-t", "4", "--threads=2", "-t2"},
		}},
		{"nor what it refuses", "-ptx -t abc -MF d k.cu -o a.ptx", false, Recipe{
			Kind: "ptx", Source: "k.cu", Outputs: []Output{{"main", "a.ptx"}}, Words: []string{"-ptx", "-t", "abc", "-MF", "d", "-o", "a.ptx"}, OwnName: true,
		}},
		{"fatbin of code for link-time optimisation", "-fatbin -gencode arch=compute_80,code=lto_80 k.cu", false, Recipe{
			Kind: "fatbin", Source: "k.cu", Outputs: []Output{{"main", "k.fatbin"}}, Words: []string{"-fatbin", "-gencode", "arch=compute_80,code=lto_80"},
			Archs: []string{"compute_80", "lto_80"}, DirMatters: "code for link-time optimisation",
		}},
		{"fatbin for link-time optimisation by an option", "-fatbin -dlto -arch=sm_80 k.cu", false, Recipe{
			Kind: "fatbin", Source: "k.cu", Outputs: []Output{{"main", "k.fatbin"}}, Words: []string{"-fatbin", "-dlto", "-arch=sm_80"},
			Archs: []string{"sm_80"}, DirMatters: "code for link-time optimisation",
		}},
		{"make's file holds the name of the target", "-c k.cu -MD -MF k.d -o a.o", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "a.o"}, {"depfile", "k.d"}}, OwnName: true, TargetName: true, Words: []string{"-c", "-MD", "-MF", "k.d", "-o", "a.o"},
		}},
		{"and one that nobody named", "-cubin k.cu -MD", false, Recipe{
			Kind: "cubin", Source: "k.cu", Outputs: []Output{{"main", "k.cubin"}, {"depfile", "k.d"}}, OwnName: true, Words: []string{"-cubin", "-MD"},
		}},
		{"a cubin of -G holds its name", "-cubin -G k.cu -o a.cubin", false, Recipe{
			Kind: "cubin", Source: "k.cu", Outputs: []Output{{"main", "a.cubin"}}, Words: []string{"-cubin", "-G", "-o", "a.cubin"}, DirMatters: "--device-debug", OwnName: true, Lines: true,
		}},
		{"debug of the host in PTX", "-ptx -g k.cu", false, Recipe{
			Kind: "ptx", Source: "k.cu", Outputs: []Output{{"main", "k.ptx"}}, Words: []string{"-ptx", "-g"},
		}},
		{"debug of the host in an object", "-c -g k.cu", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-c", "-g"}, DirMatters: "--debug", NameInside: true,
		}},
		{"debug for the host compiler alone", "-c -Xcompiler -fPIC,-ggdb3 k.cu", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-c", "-Xcompiler", "-fPIC,-ggdb3"}, DirMatters: "-ggdb3", NameInside: true,
		}},
		{"relocatable", "-dc k.cu", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-dc"}, DirMatters: "--device-c",
		}},
		{"not relocatable", "-c -rdc=false k.cu", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-c", "-rdc=false"},
		}},
		{"link-time optimisation by architecture", "-c -gencode arch=compute_80,code=lto_80 k.cu", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-c", "-gencode", "arch=compute_80,code=lto_80"},
			Archs: []string{"compute_80", "lto_80"}, DirMatters: "code for link-time optimisation",
		}},
		{"folders in the compiler's order", "-c -isystem s -I i -Xcompiler -isystem -Xcompiler xs,-Ix,-iquote,q k.cu -forward-unknown-opts -idirafter/a -include p.h", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}},
			Words:    []string{"-c", "-isystem", "s", "-I", "i", "-Xcompiler", "-isystem", "-Xcompiler", "xs,-Ix,-iquote,q", "-forward-unknown-opts", "-idirafter/a", "-include", "p.h"},
			Search:   []Folder{{"q", "quote"}, {"x", "user"}, {"i", "user"}, {"xs", "system"}, {"s", "system"}, {"/a", "after"}},
			Included: []string{"p.h"},
		}},
		{"read first by the host compiler once more", "-c -include n.h -Xcompiler -include,h.h k.cu", false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Words: []string{"-c", "-include", "n.h", "-Xcompiler", "-include,h.h"},
			Included: []string{"n.h", "h.h"}, HostFirst: []string{"h.h"},
		}},
		{"host compiler, forwarded and quoted words", `-c -ccbin g++-12 -forward-unknown-to-host-compiler -fPIC -Xcompiler="-O2" -march=x86-64 k.cu`, false, Recipe{
			Kind: "object", Source: "k.cu", Outputs: []Output{{"main", "k.o"}}, Ccbin: "g++-12",
			Words: []string{"-c", "-ccbin", "g++-12", "-forward-unknown-to-host-compiler", "-fPIC", `-Xcompiler="-O2"`, "-march=x86-64"},
		}},
		{"Windows", `-c -Xcompiler /EHsc,/MD,/W3 sub\k.cu -o a.obj`, true, Recipe{
			Kind: "object", Source: `sub\k.cu`, Outputs: []Output{{"main", "a.obj"}}, DirMatters: "objects of cl", OwnName: true,
			Words: []string{"-c", "-Xcompiler", "/EHsc,/MD,/W3", "-o", "a.obj"},
		}},
		{"Windows, debug inside the object", `-fatbin -Xcompiler /Z7,/FIp.h,/external:I,e k.cu`, true, Recipe{
			Kind: "fatbin", Source: "k.cu", Outputs: []Output{{"main", "k.fatbin"}}, Words: []string{"-fatbin", "-Xcompiler", "/Z7,/FIp.h,/external:I,e"},
			Search: []Folder{{"e", "system"}}, Included: []string{"p.h"}, HostFirst: []string{"p.h"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, refused := of(tt.args, tt.windows)
			if refused != nil {
				t.Fatalf("%s is refused: %v", tt.args, refused)
			}
			if slices.Contains(got.Variables, "PWD") != (got.DirMatters != "") {
				t.Errorf("PWD among the variables %q, want it where the working folder matters (%q)", got.Variables, got.DirMatters)
			}
			got.Variables = nil
			tt.want.Included = append([]string{"cuda_runtime.h"}, tt.want.Included...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.args, diff)
			}
		})
	}
}

// refusals are calls that are not remembered, one at least for every reason.
var refusals = []struct {
	args, reason string
	windows      bool
}{
	{"k.cu -o prog", "links", false}, {"-lib k.cu", "links", false}, {"-dlink a.o", "links", false}, {"-run k.cu", "links", false}, {"-v k.o -o prog", "links", false},
	{"--version", "query", false}, {"-c k.cu --dryrun", "query", false},
	{"-E k.cu", "preprocess", false}, {"-c -M k.cu", "preprocess", false},
	{"-optix-ir k.cu", "other-phase", false}, {"-cuda k.cu", "other-phase", false}, {"-clean -c k.cu", "other-phase", false},
	{"-c -enable-tile k.cu", "tile-code", false},
	{"-c", "no-source", false}, {"", "no-source", false}, {"-arch=sm_80", "no-source", false},
	{"-c a.cu b.cu", "several-sources", false}, {"-c -forward-unknown-opts -iquote q k.cu", "several-sources", false},
	{"-c a.cpp", "not-cuda", false}, {"-cubin a.ptx", "not-cuda", false}, {"-x c++ -c k.cu", "not-cuda", false},
	{"-x cu -c -", "stdin", false},
	{"-c k.cu -o -", "stdout-output", false}, {"-ptx k.cu -o /dev/stdout", "stdout-output", false}, {"-ptx k.cu -o NUL", "stdout-output", true}, {"-c k.cu -MD -MF /dev/null", "stdout-output", false},
	{"-c k.cu -o=", "no-output", false},
	{"-c k.cu --keep", "keeps-files", false}, {"-c k.cu -keep-dir d", "keeps-files", false}, {"-c -objtemp k.cu", "keeps-files", false},
	{"-c k.cu -time t.csv", "writes-extra-file", false}, {"-c k.cu -Xcompiler -fprofile-generate", "writes-extra-file", false}, {"-c k.cu -Xcompiler -MD", "writes-extra-file", false},
	{"-c k.cu -Xcompiler /Zi", "writes-extra-file", true}, {"-c -g k.cu", "writes-extra-file", true}, {"-c k.cu -Xcompiler -gsplit-dwarf", "writes-extra-file", false},
	{"-c k.cu -Xcompiler -Wp,-MD", "writes-extra-file", false}, {"-c k.cu -Xcompiler --coverage", "writes-extra-file", false},
	{"-c k.cu -v", "verbose", false}, {"-c k.cu -Xcompiler -v", "verbose", false}, {"-c k.cu -Xcompiler -fmem-report", "verbose", false},
	{"-c -arch=native k.cu", "native-arch", false}, {"-c -gencode arch=native,code=native k.cu", "native-arch", false},
	{"-c k.cu -Xcompiler -O2,-march=native", "native-host", false}, {"-c k.cu -Xcompiler -march=native+nosve", "native-host", false}, {"-c k.cu -Xcompiler -mcpu=native+crypto", "native-host", false},
	{"-c k.cu --nonesuch", "unknown-option", false}, {"-c k.cu -fPIC", "unknown-option", false}, {"-c -fPIC k.cu -forward-unknown-to-host-linker", "unknown-option", false},
	{"-c k.cu -uumn", "hidden-option", false}, {"-c k.cu -Xcicc -O1", "hidden-option", false},
	{"-c k.cu -ldir d", "not-followed", false}, {"-c k.cu -noprof", "not-followed", false},
	{"-c k.cu -Xcompiler --nonesuch", "unknown-host-option", false}, {"-c k.cu -Xcompiler -I", "unknown-host-option", false}, {"-c k.cu -Xcompiler word", "unknown-host-option", false},
	{"-c k.cu -Xcompiler /nonesuch", "unknown-host-option", true}, {"-c k.cu -forward-unknown-opts --nonesuch", "unknown-host-option", false},
	{"-c k.cu -Xcompiler --sysroot=/x", "host-search", false}, {"-c k.cu -stdlib libc++", "host-search", false},
	{"-c k.cu -Xcompiler -fplugin=p.so", "host-reads", false}, {"-c k.cu -Xcompiler @f", "host-reads", false},
	{"-c k.cu -Xcompiler -fmemory-profile-use=m.profdata", "host-reads", false}, {"-c k.cu -Xcompiler -fapinotes-modules", "host-reads", false}, {"-c k.cu -Xcompiler -fcodegen-data-use=c.cgdata", "host-reads", false},
	{"-c k.cu -Xcompiler -fimplicit-module-maps", "host-reads", false},
	{"-c k.cu -Xcompiler -fdiagnostics-add-output=sarif:file=k.sarif", "writes-extra-file", false}, {"-c k.cu -Xcompiler -fdiagnostics-set-output=text", "writes-extra-file", false},
	{"-c k.cu -Xcompiler -x,c", "host-phase", false}, {"-c k.cu -Xcompiler -fno-integrated-as", "host-phase", false}, {"-c k.cu -Xcompiler -no-integrated-as", "unknown-host-option", false}, {"-c k.cu -Xcompiler /EP", "host-phase", true},
	{"-c k.cu -Xptxas -o,x", "unknown-tool-option", false}, {"-c k.cu -Xcudafe --c++20", "unknown-tool-option", false}, {"-c k.cu -Xfatbin --create=x", "unknown-tool-option", false},
	{"-c k.cu -Xptxas x.ptx", "unknown-tool-option", false}, {"-c k.cu -Xptxas -v -Xptxas x.ptx", "unknown-tool-option", false}, {"-c k.cu -Xptxas -O,3", "unknown-tool-option", false},
	{"-c k.cu -Xptxas -dlcm=cg,x.ptx", "unknown-tool-option", false}, {"-c k.cu -Xcudafe x.ii", "unknown-tool-option", false}, {"-c k.cu -Xfatbin -compress-all,x", "unknown-tool-option", false},
	{"-c k.cu -DX=$HOME", "shell-words", false}, {"-c k.cu -I`x`", "shell-words", false}, {"-c $k.cu", "shell-words", false}, {"-c k.cu -DX=%TEMP%", "shell-words", true}, {"-c k.cu -Xcompiler -DX=a;b", "shell-words", false},
	{"-c k.cu -Xcompiler -include,~/x.h", "shell-words", false}, {"-c k.cu -Xptxas #", "shell-words", false}, {"-c k.cu -Xcompiler -isystem -Xcompiler ~/i", "shell-words", false},
	{"-c k.cu --options-file f", "response-file-lost", false},
}

func TestRefusals(t *testing.T) {
	seen := map[string]bool{"variable": true} // TestVariables
	for _, tt := range refusals {
		_, refused := of(tt.args, tt.windows)
		if refused == nil || refused.Reason != tt.reason {
			t.Errorf("For(%s): %v, want %s", tt.args, refused, tt.reason)
		}
		seen[tt.reason] = true
	}
	for _, r := range Reasons {
		if !seen[r.Slug] || r.Text == "" {
			t.Errorf("no call here is refused for %s (%s)", r.Slug, r.Text)
		}
	}
}

// TestAllowed: what builders give to the host compiler and to nvcc's programs is no reason to refuse.
func TestAllowed(t *testing.T) {
	for _, tt := range []struct {
		words   string
		windows bool
	}{
		{"-Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wno-unused,-O3,-std=c++17,-DNDEBUG,-pthread,-fopenmp,-mavx2,-march=x86-64-v3", false},
		{"-Xcompiler -D_GLIBCXX_USE_CXX11_ABI=1 -Xcompiler -fno-strict-aliasing", false},
		{"-Xcompiler=-D -Xcompiler=X -Xcompiler -include,p.h", false},
		{"-Xptxas -v,-O3,-dlcm=cg --ptxas-options=--warn-on-spills -Xptxas -maxrregcount -Xptxas 64 -Xptxas -dlcm,cg,-v", false},
		{"-Xcudafe --diag_suppress=20012 -Xcudafe --diag_suppress,177,--display_error_number -Xfatbin -compress-all", false},
		{"--expt-relaxed-constexpr --expt-extended-lambda --use_fast_math -lineinfo -diag-suppress 177 -std=c++17 -U__CUDA_NO_HALF_OPERATORS__", false},
		{"-forward-unknown-to-host-compiler -fPIC -Wall -pipe", false},
		{"-Xcompiler=/Zc:__cplusplus,/bigobj,/utf-8,/O2,/Ob2,/MD,/GR,/EHsc,/FS,/wd4819,/permissive-,-DX", true},
	} {
		if _, refused := of("-c k.cu "+tt.words, tt.windows); refused != nil {
			t.Errorf("%s is refused: %v", tt.words, refused)
		}
	}
}

func TestVariables(t *testing.T) {
	set := func(name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
	}
	call := nvcc.Parse([]string{"-c", "-I", "i", "-isystem", "s", "k.cu"})
	for _, tt := range []struct {
		name, value string
		windows     bool
		want        []Folder // nil: refused
	}{
		{"CPATH", "a::b", false, []Folder{{"i", "user"}, {"a", "user"}, {".", "user"}, {"b", "user"}, {"s", "system"}}},
		{"CPLUS_INCLUDE_PATH", "a", false, []Folder{{"i", "user"}, {"s", "system"}, {"a", "system"}}},
		{"INCLUDE", `C:\a;;D:\b;`, true, []Folder{{"i", "user"}, {"s", "system"}, {`C:\a`, "system"}, {`D:\b`, "system"}}},
		{"INCLUDE", "a", false, []Folder{{"i", "user"}, {"s", "system"}}},
		{"INCLUDES", "-Ix", false, nil},
		{"DEPENDENCIES_OUTPUT", "f", false, nil},
		{"CC_PRINT_PROC_STAT_FILE", "f", false, nil},
		{"CCC_OVERRIDE_OPTIONS", "+-fno-integrated-as", false, nil},
		{"_CL_", "/O2", true, nil},
		{"_CL_", "/O2", false, []Folder{{"i", "user"}, {"s", "system"}}},
	} {
		r, refused := For(call, set(tt.name, tt.value), tt.windows)
		if (refused != nil) != (tt.want == nil) || refused != nil && refused.Reason != "variable" {
			t.Errorf("%s=%s: refused %v, want folders %v", tt.name, tt.value, refused, tt.want)
		}
		if diff := cmp.Diff(tt.want, r.Search); diff != "" {
			t.Errorf("%s=%s (-want +got):\n%s", tt.name, tt.value, diff)
		}
	}
	for _, v := range variables {
		if v.why == "" || v.system != "" && v.system != "linux" && v.system != "windows" {
			t.Errorf("variable %s: system %q, why %q", v.name, v.system, v.why)
		}
	}
}

func TestPrivate(t *testing.T) {
	for _, tt := range []struct {
		source, text string
		want         bool
	}{
		{"sub/k.cu", ".entry _ZN31_GLOBAL__N__b3e69883_4_k_cu_tbl4anonIfEEvPT_(", true},
		{`sub\k.cu`, "__nv_static_35__4f75ff13_4_k_cu_ce2933c2_20629__Z1kv", true},
		{"a-b.c.cu", "_ZN46_GLOBAL__N__2259ec1a_8_a_b_c_cu_ce2933c2_200924anonEPf", true},
		{"ä.cu", "_ZN43_GLOBAL__N__b7996659_5____cu_ce2933c2_201084anonEPf", true},
		{"k.cu", ".entry _Z1kPf( // _4_k_cu_", false},
		{"k.cu", "_4_k_cu_ then _b3e69883_4_k_cu_tbl", true},
		{"k.cu", "_b3e69883_5_kk_cu_tbl", false},
	} {
		if got := (Recipe{Source: tt.source}).Private([]byte(tt.text)); got != tt.want {
			t.Errorf("Private of %s in %q = %v, want %v", tt.source, tt.text, got, tt.want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		text    string
		windows bool
		want    []string // nil: not understood
	}{
		{"-O2", false, []string{"-O2"}},
		{"-O2  -fPIC", false, []string{"-O2", "-fPIC"}},
		{`-DX="a b"`, false, []string{"-DX=a b"}},
		{`-DX=\"a\"`, false, []string{`-DX="a"`}},
		{`'-DX="a b"' -w`, false, []string{`-DX="a b"`, "-w"}},
		{`-DX="a`, false, nil},
		{"-DX=a>b", false, nil},
		{"-DX=*", false, nil},
		{"~/x.h", false, nil},
		{"-include ~/x.h", false, nil},
		{"#x", false, nil},
		{"-Ix{1..3}", false, nil},
		{`"~/x" \#x '~' -Ia~b#c`, false, []string{"~/x", "#x", "~", "-Ia~b#c"}},
		{"~x #y", true, []string{"~x", "#y"}},
		{`/DX="a b" /O2`, true, []string{"/DX=a b", "/O2"}},
		{`/IC:\x`, true, []string{`/IC:\x`}},
		{`/DX=a|b`, true, nil},
	} {
		got, ok := split(tt.text, tt.windows)
		if ok != (tt.want != nil) || ok && !slices.Equal(got, tt.want) {
			t.Errorf("split(%s) = %q, %v, want %q", tt.text, got, ok, tt.want)
		}
	}
}

// FuzzFor: whatever the words, it ends, and what it puts into the key stood in the call in that order.
func FuzzFor(f *testing.F) {
	for _, tt := range refusals {
		f.Add(tt.args, tt.windows)
	}
	f.Add("-x cu -c ", false)
	f.Add("-c -MD k.cu -Xcompiler -fPIC -o a.o", false)
	f.Fuzz(func(t *testing.T, text string, windows bool) {
		args := strings.Split(text, " ")
		r, refused := For(nvcc.Parse(args), none, windows)
		if refused != nil {
			if Explain(refused.Reason) == "" {
				t.Errorf("%q is refused for %q, which nobody explains", args, refused.Reason)
			}
			return
		}
		if r.Kind == "" || r.Source == "" || len(r.Outputs) == 0 {
			t.Errorf("the recipe of %q is empty: %+v", args, r)
		}
		at := 0
		for _, word := range r.Words {
			next := slices.Index(args[at:], word)
			if next < 0 {
				t.Fatalf("the key of %q has %q, which is not there behind word %d", args, word, at)
			}
			at += next + 1
		}
		r.Private([]byte(text))
	})
}
