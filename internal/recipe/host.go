package recipe

import "strings"

// known are options of another program that do the same. A name with * stands for all that begin with it; one with : takes a
// value, joined to it or in the next word. The longest name that fits counts. What fits none is refused: an option may read
// or write anything.
type known struct {
	does  string // nothing but what the key holds; one of the words below; else the reason of a refusal
	names string // between blanks
}

// What a word of the host compiler does besides being in the key.
const (
	inside = "inside" // writes where its source was into the object
	quote  = "quote"  // names a folder for headers: the kinds of Folder
	user   = "user"
	system = "system"
	after  = "after"
	file   = "include" // names a file that is read first
)

// unix are the options of gcc and clang, from their manuals. Link options do nothing in a compilation.
var unix = []known{
	{"", `-f* -m* -W* -O* -std=* -D: -U: --param: -w -pthread -pedantic* -pipe -ansi -p -pg -undef -Qunused-arguments
		-Wl,* -L: -l: -static -static-libgcc -static-libstdc++ -shared -rdynamic -pie -no-pie`},
	{user, "-I:"}, {system, "-isystem:"}, {quote, "-iquote:"}, {after, "-idirafter:"}, {file, "-include:"},

	// Measured: debug sections and what sanitizers write hold the name of k.cudafe1.cpp. -flto holds more than can be seen.
	{inside, "-g* -fsanitize* -flto* -fcoverage* -frecord-gcc-switches -frecord-command-line"}, // the last two: the whole command, with clang
	{"", "-g0 -fno-sanitize* -fno-lto"},

	{"native-host", "-march=native* -mtune=native* -mcpu=native*"},
	{"writes-extra-file", `-o* -M* -d* -gsplit-dwarf* -gmodules -save-temps* --save-temps* -Wa,* -Wp,* -Xassembler -Xpreprocessor
		-fprofile* -fcs-profile* -ftest-coverage --coverage -coverage -fdump* -fstack-usage -fcallgraph-info* -fopt-info*
		-fsave-optimization-record* -foptimization-record* -ftime* -fdiagnostics-format*
		-fdiagnostics-add-output* -fdiagnostics-set-output* -fdeps* -fproc-stat-report* -fcompare-debug*
		-fcrash-diagnostics*`},
	{"host-reads", `@* -include-pch -imacros* -specs* --specs* --config* -fplugin* -fpass-plugin* -fauto-profile* -fbranch-probabilities
		-fmodule* -fpch* -fprebuilt* -fembed* -foffload* -fxray* -fthinlto-index* -fbasic-block-sections* -frandomize-layout-seed-file*
		-fsanitize-blacklist* -fsanitize-ignorelist* -fsanitize-system* -fsanitize-coverage-allowlist* -fsanitize-coverage-ignorelist*
		-fexperimental-sanitize* -fbuild-session* -fvfs* -fmemory-profile-use* -fcodegen-data* -fapinotes* -fimplicit-module*`},
	{"host-search", `-isysroot* --sysroot* -nostdinc* -nostdlibinc -stdlib* -iprefix* -iwithprefix* -imultilib* -B* -wrapper -target --target*
		--gcc-toolchain* --gcc-install-dir* -resource-dir* -m32 -mx32 -mabi* -mmusl -mbionic -muclibc -I-`},
	{"host-phase", "-E -S -c -P -C -CC -x* -fsyntax-only -fpreprocessed -fdirectives-only -frewrite* -emit*"},
	{"host-phase", "-fno-integrated-as"}, // another assembler than clang's own, which is in no key
	{"verbose", "-v -### --verbose -fmem-report* -fpre-ipa-mem-report -fpost-ipa-mem-report"},
	{"unknown-host-option", "-mllvm"},
}

// msvc are the options of cl, from Microsoft's list of them; / is written as -.
var msvc = []known{
	{"", `-O1 -O2 -Ob* -Od -Og -Oi* -Os -Ot -Ox -Oy* -W0 -W1 -W2 -W3 -W4 -Wall -WX* -w -wd* -we* -wo* -w1* -w2* -w3* -w4* -EH* -MD -MDd -MT -MTd
		-GR* -GS* -Gy* -Gw* -GF -Gd -Gr -Gv -Gz -GA -arch:* -fp:* -favor:* -std:* -Zc:* -Zp* -Zl -D: -U: -bigobj -utf-8 -source-charset:*
		-execution-charset:* -nologo -FS -permissive* -diagnostics:* -TP -J -volatile:* -openmp* -sdl* -guard:* -Qspectre* -Qpar*
		-external:W* -external:anglebrackets -external:templates* -constexpr:* -await* -Zo* -Brepro`},
	{user, "-I:"}, {system, "-external:I:"}, {file, "-FI:"},
	{inside, "-Z7 -fsanitize*"},
	{"writes-extra-file", `-Zi -ZI -Fd* -Fo* -Fa* -FA* -FR* -Fr* -Fe* -Fm* -Fi* -Fx -Fp* -Y* -MP* -doc* -showIncludes* -sourceDependencies* -analyze*
		-LD -LDd -GL* -RTC*`},
	{"host-reads", "@* -reference* -headerUnit* -ifc* -translateInclude -interface -internalPartition -module* -FU* -AI* -external:env:* -clr*"},
	{"host-search", "-X"},
	{"host-phase", "-E -EP -P -C -c -TC -Tc* -Tp* -Zs -link -scanDependencies* -PD"},
	{"verbose", "-Bt* -Bd* -Bv -time*"},
}

// host judges the words for the host compiler.
func (b *reading) host(words []string) *Refusal {
	table := unix
	if b.windows {
		table = msvc
	}
	for k := 0; k < len(words); k++ {
		name, shown := words[k], words[k]
		if b.windows && strings.HasPrefix(name, "/") {
			name = "-" + name[1:]
		}
		does, value, takes, ok := find(table, name)
		if !ok {
			return &Refusal{"unknown-host-option", shown}
		}
		if takes && value == "" {
			if k++; k == len(words) {
				return &Refusal{"unknown-host-option", shown}
			}
			value = words[k]
		}
		if refused := b.take(does, value, shown); refused != nil {
			return refused
		}
	}
	return nil
}

func (b *reading) take(does, value, shown string) *Refusal {
	switch does {
	case "":
	case inside:
		b.debug(shown)
	case quote:
		b.quote = append(b.quote, value)
	case user:
		b.user = append(b.user, value)
	case system:
		b.system = append(b.system, value)
	case after:
		b.after = append(b.after, value)
	case file:
		b.HostFirst = append(b.HostFirst, value)
	default:
		return &Refusal{does, shown}
	}
	return nil
}

// find looks an option up: what it does, what is joined to its name, whether it takes a value.
func find(table []known, option string) (does, rest string, takes, ok bool) {
	longest := -1
	for _, row := range table {
		for name := range strings.FieldsSeq(row.names) {
			last := name[len(name)-1]
			begin := last == '*' || last == ':'
			if begin {
				name = name[:len(name)-1]
			}
			// An exact name counts for more than one of the same length that others begin with.
			weight := 2 * len(name)
			if !begin {
				weight++
			}
			if weight > longest && (option == name || begin && strings.HasPrefix(option, name)) {
				longest, does, rest, takes, ok = weight, row.does, option[len(name):], last == ':', true
			}
		}
	}
	return does, rest, takes, ok
}
