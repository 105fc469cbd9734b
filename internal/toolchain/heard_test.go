package toolchain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What gcc 12.2 and clang 16.0 of Debian said, shortened.
const (
	gccSaid = `Using built-in specs.
COLLECT_GCC=/usr/bin/gcc
Target: x86_64-linux-gnu
gcc version 12.2.0 (Debian 12.2.0-14+deb12u1) 
COLLECT_GCC_OPTIONS='-v' '-E' '-mtune=generic' '-march=x86-64'
 /usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -E -quiet -v -imultiarch x86_64-linux-gnu -D_GNU_SOURCE /dev/null
ignoring duplicate directory "/usr/include/x86_64-linux-gnu/c++/12"
ignoring nonexistent directory "/usr/local/include/x86_64-linux-gnu"
#include "..." search starts here:
#include <...> search starts here:
 /usr/include/c++/12
 /usr/include
End of search list.
# 0 "/dev/null"
COMPILER_PATH=/usr/lib/gcc/x86_64-linux-gnu/12/
`
	clangSaid = `Debian clang version 16.0.6 (15~deb12u1)
Target: x86_64-pc-linux-gnu
Thread model: posix
InstalledDir: /usr/bin
System configuration file directory: /etc/clang
User configuration file directory: /home/u/.config/clang
Configuration file: /usr/bin/clang.cfg
Found candidate GCC installation: /usr/bin/../lib/gcc/x86_64-linux-gnu/12
Selected GCC installation: /usr/bin/../lib/gcc/x86_64-linux-gnu/12
Candidate multilib: .;@m64
 (in-process)
 "/usr/lib/llvm-16/bin/clang" -cc1 -triple x86_64-pc-linux-gnu -E
ignoring nonexistent directory "/include"
#include "..." search starts here:
#include <...> search starts here:
 /usr/lib/llvm-16/lib/clang/16/include
End of search list.
`
)

func TestHeard(t *testing.T) {
	for _, tt := range []struct {
		name, said string
		want       hearing
	}{
		{"gcc", gccSaid, hearing{
			self: "/usr/bin/gcc", target: "x86_64-linux-gnu",
			programs: []File{{Role: "cc1plus", Path: "/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus"}},
			cc1plus:  "/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus",
			includes: []string{"/usr/local/include/x86_64-linux-gnu", "/usr/include/c++/12", "/usr/include"},
			watched:  []string{"/usr/local/include/x86_64-linux-gnu"},
		}},
		{"gcc with specs", "Reading specs from /opt/gcc/specs\nCOLLECT_GCC=gcc\n", hearing{self: "gcc", programs: []File{{Role: "specs", Path: "/opt/gcc/specs"}}}},
		{"clang", clangSaid, hearing{
			self: "/usr/lib/llvm-16/bin/clang", clang: true, target: "x86_64-pc-linux-gnu",
			programs: []File{{Role: "configuration", Path: "/usr/bin/clang.cfg"}},
			includes: []string{"/include", "/usr/lib/llvm-16/lib/clang/16/include"},
			watched:  []string{"/include"},
			configs:  []string{"/usr/bin", "/etc/clang", "/home/u/.config/clang"},
			gccs:     []string{"/usr/bin/../lib/gcc/x86_64-linux-gnu/12"},
		}},
		{"something else", "nvc++ 24.1\n", hearing{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, heard([]byte(tt.said)), cmp.AllowUnexported(hearing{})); d != "" {
				t.Errorf("heard %s (-want +got):\n%s", tt.name, d)
			}
		})
	}
}

func TestUnfollowed(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"folders and a target", "-I/opt/include\n--gcc-triple=x86_64-redhat-linux -isystem /x\n# a comment\n", ""},
		{"another file", "-O2 \\\n @more.cfg\n", "@more.cfg"},
		{"another file in quotes", "\"@more.cfg\"", "\"@more.cfg\""},
		{"another assembler", "-fno-integrated-as", "-fno-integrated-as"},
		{"a header", "-include x.h", "-include"},
		{"a plugin", "-fpass-plugin=p.so", "-fpass-plugin=p.so"},
	} {
		if got := unfollowed(tt.text); got != tt.want {
			t.Errorf("%s: unfollowed(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func FuzzHeard(f *testing.F) {
	f.Add([]byte(gccSaid))
	f.Add([]byte(clangSaid))
	f.Fuzz(func(t *testing.T, said []byte) {
		for _, p := range heard(said).programs {
			if p.Role == "" {
				t.Errorf("a program without a role in %q", said)
			}
		}
	})
}

func TestSpecs(t *testing.T) {
	const gcc, up = "/usr/lib/gcc/x86_64-linux-gnu/12/", "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../x86_64-linux-gnu/lib/"
	dirs := "install: " + gcc + "\nprograms: =" + gcc + "\nlibraries: =/lp/x86_64-linux-gnu/12/:/lp/x86_64-linux-gnu/:/lp/../lib/:" + gcc + ":" + up + "x86_64-linux-gnu/12/:" + up + ":/lp/:/usr/lib/\n"
	want := []string{gcc + "specs", "/usr/lib/gcc/x86_64-linux-gnu/specs", "/lp/x86_64-linux-gnu/12/specs", up + "x86_64-linux-gnu/12/specs", up + "specs", "/lp/specs"}
	if d := cmp.Diff(want, specs(dirs, gcc+"cc1plus", ":/lp:")); d != "" {
		t.Errorf("specs (-want +got):\n%s", d)
	}
}
