package include

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScan(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     Mentions
	}{
		{"quoted", "#include \"a.h\"\n", Mentions{Quoted: []string{"a.h"}}},
		{"angled with a folder", "#include <cub/cub.cuh>\n", Mentions{Angled: []string{"cub/cub.cuh"}}},
		{"blanks", "  #\t include\t<a.h> // why\r\n", Mentions{Angled: []string{"a.h"}}},
		{"no blank, no end of line", "#include<a.h>", Mentions{Angled: []string{"a.h"}}},
		{"mark of UTF-8 before it", "\xef\xbb\xbf#include <a.h>", Mentions{Angled: []string{"a.h"}}},
		{"names with blanks and UTF-8", "#include \"a b/ü.h\"\n", Mentions{Quoted: []string{"a b/ü.h"}}},
		{"backslashes", "#include \"dir\\x.h\"\n", Mentions{Quoted: []string{"dir\\x.h"}}},
		{"two slashes in a name", "#include <a//b.h>\n#include \"c//d.h\"\n", Mentions{Quoted: []string{"c//d.h"}, Angled: []string{"a//b.h"}}},
		{"comments between", "/* one */ # /* two\n lines */ include /**/ \"a.h\" /* end */\n", Mentions{Quoted: []string{"a.h"}}},
		{"line goes on", "#inc\\\nlude \\  \n \"a\\\n.h\"\n", Mentions{Quoted: []string{"a.h"}}},
		{"other spelling", "%:include <a.h>\n", Mentions{Angled: []string{"a.h"}}},
		{"import", "#import \"a.h\"\n", Mentions{Quoted: []string{"a.h"}}},
		{"next", "#include_next <math.h>\n", Mentions{Angled: []string{"math.h"}, Next: []string{"math.h"}}},
		{"computed", "#include MACRO(x)\n", Mentions{Computed: true}},
		{"not at the beginning of a line", "int a; #include \"a.h\"\n", Mentions{}},
		{"asked", "#if __has_include(<a.h>) && __has_include( \"b.h\" )\n", Mentions{Angled: []string{"a.h"}, Quoted: []string{"b.h"}, Tested: []string{"a.h", "b.h"}}},
		{"asked after a guard", "#if defined(__has_include) && __has_include /**/ (<a//b>)\n", Mentions{Angled: []string{"a//b"}, Tested: []string{"a//b"}}},
		{"asked on the next line", "#elif defined(X) && \\\n  __has_include(<a>)\n", Mentions{Angled: []string{"a"}, Tested: []string{"a"}}},
		{"asked for the next", "#if __has_include_next(<a>)\n", Mentions{Angled: []string{"a"}, Tested: []string{"a"}, Next: []string{"a"}}},
		{"only whether it can be asked", "#ifdef __has_include\n#endif\n#if defined __has_include\n#elif !defined(__has_include)\n#endif // __has_include(X)\n", Mentions{}},
		{"stand-in of its name", "#define __has_include(...) 0\n", Mentions{}},
		{"answer kept in a macro", "#define HAS __has_include(<tbb/tbb.h>)\n", Mentions{Angled: []string{"tbb/tbb.h"}, Tested: []string{"tbb/tbb.h"}}},
		{"asked for a macro", "#if __has_include(HEADER)\n", Mentions{Asked: "#if __has_include(HEADER)"}},
		{"asked for a macro in a macro", "#define HAS __has_include(HEADER)\n", Mentions{Asked: "#define HAS __has_include(HEADER)"}},
		{"asked for a macro in a comment", "/*\n#if __has_include(HEADER)\n*/\n", Mentions{}},
		{"wrapper", "#define HAS(x) __has_include(x)\n#if HAS(<a.h>)\n",
			Mentions{Wrappers: []string{"HAS"}, Angled: []string{"a.h"}, Tested: []string{"a.h"}, Next: []string{"a.h"}}},
		{"wrapper that puts < and > around", "#define HAS(x) __has_include(<x.h>)\n#if HAS(y)\n",
			Mentions{Wrappers: []string{"HAS"}, Passed: []Pass{{Macro: "HAS", Line: "#if HAS(y)"}}, Angled: []string{"x.h"}, Tested: []string{"x.h"}, Next: []string{"x.h"}}},
		{"wrapper of a wrapper", "#define HAS2(x) (1 && HAS(x))\n", Mentions{Passed: []Pass{{Macro: "HAS", Into: "HAS2"}}}},
		{"other name of a wrapper", "#define HAS __has_include\n#define HAS2 HAS_INCLUDE\n", Mentions{Wrappers: []string{"HAS"}, Passed: []Pass{{Macro: "HAS_INCLUDE", Into: "HAS2"}}}},
		{"wrapper with more arguments", "#if CHECK(1, \"a.h\")\n", Mentions{Quoted: []string{"a.h"}, Tested: []string{"a.h"}, Next: []string{"a.h"}}},
		{"no names", "#if __GNUC_PREREQ(4, 3) && '\"' < 3\n#define S(x) __attribute__((visibility(\"hidden\"))) f(\"a\\\"b\", x)\n",
			Mentions{Passed: []Pass{{Macro: "f", Into: "S"}}}},
		{"string that looks like a name", "#define X CHECK(\"a.h\")\n", Mentions{Quoted: []string{"a.h"}, Tested: []string{"a.h"}, Next: []string{"a.h"}}},
		{"date", "auto d = __DATE__;\n", Mentions{Date: true}},
		{"time in a string of a macro", "#define S \"__TIME__\"\n", Mentions{Date: true}},
		{"time stamp", "f(__TIMESTAMP__)", Mentions{Timestamp: true}},
		{"in comments", "// __DATE__ \\\n __TIME__\n/* __TIMESTAMP__ .incbin */ int a;\n", Mentions{}},
		{"part of a longer word", "int x__DATE__, __TIME__2;\n", Mentions{}},
		{"behind a string with a comment in it", "auto s = \"/*\"; auto d = __DATE__; auto e = \"*/\";\n", Mentions{Date: true}},
		{"behind a raw string", "auto s = R\"x(\" /* )\" )x\"; auto d = __DATE__; // */\n", Mentions{Date: true}},
		{"behind a number with an apostrophe", "int a = 1'000; /* ' __DATE__ */ int b = 2'000;\n", Mentions{}},
		{"behind a hexadecimal number with an apostrophe", "int a = 0xAB'CD; /* ' \" __DATE__ */\n", Mentions{}},
		{"behind a number with two apostrophes", "int a = 1'000'000; /* ' \" __DATE__ */\n", Mentions{}},
		{"behind a letter of UTF-8", "auto q = u8'\"'; auto s = \"/*\";\n#if __has_include(HDR)\n#endif\nauto d = __TIMESTAMP__;\n", Mentions{Asked: "#if __has_include(HDR)", Timestamp: true}},
		{"behind a comment whose end is split", "/* x *\\\n/\n#if __has_include(HDR)\n", Mentions{Asked: "#if __has_include(HDR)"}},
		{"behind a comment whose end is split twice", "/* x *\\\n\\\n/ auto d = __DATE__;\n", Mentions{Date: true}},
		{"in a comment whose beginning is split", "/\\\n* __DATE__ \" */ auto d = \"/*\"; auto t = 1; /\\\n/ __TIME__\n", Mentions{}},
		{"behind a raw string with a split end in it", "auto a\\\nb = R\"x()\\\nx\" /* )x\"; auto d = __DATE__;\n", Mentions{Date: true}},
		{"asking put together", "#if CAT(__has_,include)(HDR)\n", Mentions{Asked: "#if CAT(__has_,include)(HDR)", Passed: []Pass{{Macro: "CAT", Line: "#if CAT(__has_,include)(HDR)"}}}},
		{"asking put together of the other part", "#if CAT(__,has_include)(HDR)\n", Mentions{Asked: "#if CAT(__,has_include)(HDR)", Passed: []Pass{{Macro: "CAT", Line: "#if CAT(__,has_include)(HDR)"}}}},
		{"wrapper put together", "#define HAS(x) __has_##include(x)\n", Mentions{Wrappers: []string{"HAS"}, Passed: []Pass{{Macro: "include", Into: "HAS"}}}},
		{"parts of other words", "#define a_include(x) _include(x) include_next(x) __has_builtin(x)\n", Mentions{Passed: []Pass{{Macro: "_include", Into: "a_include"}, {Macro: "include_next", Into: "a_include"}}}},
		{"macro of the assembler", "asm(\".macro m x\\n.inc\\\\x \\\"blob\\\"\\n.endm\\nm bin\");\n", Mentions{Embeds: ".macro"}},
		{"repetition of the assembler", "asm(\"\\t.irp\\tx, bin\\n\");\n", Mentions{Embeds: ".irp"}},
		{"member of that name too", "a.macro = 1; b.irp(c); d.macros x;\n", Mentions{}},
		{"behind a lone apostrophe", "#error don't\n/* __DATE__ */\n", Mentions{}},
		{"assembly takes a file", "asm(\".incbin \\\"x\\\"\");\n", Mentions{Embeds: ".incbin"}},
		{"assembly includes a file", "asm(\".include \\\"x\\\"\");\n", Mentions{Embeds: ".include"}},
		{"behind an escape", "asm(\".include\\t\\\"x\\\"\");\n", Mentions{Embeds: ".include"}},
		{"behind a comment of the assembler's", "asm(\".include/**/\\\"x\\\"\");\n", Mentions{Embeds: ".include"}},
		{"in upper case", "asm(\".INCBIN \\\"x\\\"\");\n", Mentions{Embeds: ".incbin"}},
		{"in mixed case", "asm(\".Include \\\"x\\\"\");\n", Mentions{Embeds: ".include"}},
		{"cut off", "asm(\".inc", Mentions{}},
		{"a member of that name", "a.include = 1; b.include(\"x\");\n", Mentions{}},
		{"embed", "#embed \"x\"\n", Mentions{Embeds: "#embed"}},
		{"asks for what could be embedded", "#if __has_embed(\"x\")\n", Mentions{Embeds: "__has_embed", Quoted: []string{"x"}, Tested: []string{"x"}, Next: []string{"x"}}},
		{"whether embedding can be asked", "#if defined(__has_embed)\n", Mentions{}},
		{"depends on a file's time", "#pragma GCC dependency \"x\"\n", Mentions{Embeds: "#pragma GCC dependency"}},
		{"depends on a file's time, on two lines", "#pragma GCC depen\\\ndency \"x\"\n", Mentions{Embeds: "#pragma GCC dependency"}},
		{"time on two lines", "auto t = __TI\\\nME__;\n", Mentions{Date: true}},
		{"time on four lines", "auto t = __\\ \n\\\r\n\\\nTIME__;\n", Mentions{Date: true}},
		{"assembly on two lines", "asm(\".inc\\\nbin \\\"x\\\"\");\n", Mentions{Embeds: ".incbin"}},
		{"split in a comment", "// __TI\\\nME__\nint a;\n", Mentions{}},
		{"split word of no interest", "int a\\\nb; // __TIME__\n", Mentions{}},
		{"old spelling of #", "??=if __has_include(\"x\")\n", Mentions{Trigraph: true}},
		{"old spelling of a backslash", "auto t = __TI??/\nME__;\n", Mentions{Trigraph: true}},
		{"old spelling in a comment", "/* what??= */ int a; // ??/ \n", Mentions{}},
		{"other pragmas", "#pragma GCC system_header\n#pragma once\n", Mentions{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Scan([]byte(tt.in))); diff != "" {
				t.Errorf("Scan(%q): -want +got\n%s", tt.in, diff)
			}
		})
	}
}

func TestWord(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Mentions
	}{
		{"-DSTAMP=__TIME__", Mentions{Date: true}},
		{`-DSTAMP=__DATE__" "__TIME__`, Mentions{Date: true}},
		{`-DSTAMP=__TI\ME__`, Mentions{Date: true}},
		{`-DSTAMP="__TIM"E__`, Mentions{Date: true}},
		{"-DSTAMP=__TIMESTAMP__", Mentions{Timestamp: true}},
		{`-DINC=".incbin"`, Mentions{Embeds: ".incbin"}},
		{`-DINC=\".include\"`, Mentions{Embeds: ".include"}},
		{"-DINC=.incbin", Mentions{Embeds: ".incbin"}},
		{"-DX=??=", Mentions{Trigraph: true}},
		{"-DMY__TIME__X=1", Mentions{}},
		{"-I/x/a.includes/b", Mentions{}},
		{"-O3", Mentions{}},
	} {
		if diff := cmp.Diff(tt.want, Word(tt.in)); diff != "" {
			t.Errorf("Word(%q): -want +got\n%s", tt.in, diff)
		}
	}
}

// FuzzScan: any text is read, and comments around a text hide nothing from it that refuses.
func FuzzScan(f *testing.F) {
	for _, s := range []string{"#include <a>\n", "#define H(x) __has_include(x)\n#if H(y)\n", "%:include \"a", "R\"x(", "#if __has_include(", "'\\", "/*#if __has_include(X)\n__DATE__"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := Scan([]byte(s))
		for _, n := range append(m.Quoted, m.Angled...) {
			if n == "" || strings.ContainsAny(n, "\n\x00") {
				t.Errorf("Scan(%q) names %q", s, n)
			}
		}
		if got := Scan([]byte("int a;\n" + s)); got.Asked != m.Asked || got.Date != m.Date || len(got.Quoted) < len(m.Quoted) {
			t.Errorf("Scan(%q): a line before it makes %+v of %+v", s, got, m)
		}
	})
}
