package compiler

import (
	"context"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func survey(t *testing.T, archive string) []fact.Compiler {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n-- env --\nPATH=/usr/lib/ccache:/usr/bin\n"+archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return Survey(context.Background(), look.New(h))
}

func TestSurvey(t *testing.T) {
	for _, tt := range []struct{ name, archive, want string }{
		{"Debian's chain of links is one compiler", `-- tree --
/usr/bin/gcc -> gcc-12
/usr/bin/gcc-12 -> x86_64-linux-gnu-gcc-12
/usr/bin/x86_64-linux-gnu-gcc-12 x 1
/usr/bin/g++ -> g++-12
/usr/bin/c++ -> g++
/usr/bin/g++-12 -> x86_64-linux-gnu-g++-12
/usr/bin/x86_64-linux-gnu-g++-12 x 1
-- text /usr/bin/x86_64-linux-gnu-g++-12 --
12.2.0
`, "gcc 12.2.0 g++-12 default"},
		{"a newer one beside the default", `-- tree --
/usr/bin/gcc -> gcc-13
/usr/bin/gcc-13 x 1
/usr/bin/g++-13 x 1
/usr/bin/g++-14 x 1
-- text /usr/bin/g++-13 --
13.3.0
-- text /usr/bin/g++-14 --
14.2.0
`, "gcc 13.3.0 g++-13 default, gcc 14.2.0 g++-14"},
		{"a cache in front is no compiler", `-- tree --
/usr/lib/ccache/g++ -> ../../bin/ccache
/usr/bin/ccache x 1
/usr/bin/g++-13 x 1
-- text /usr/bin/g++-13 --
13.3.0
`, "gcc 13.3.0 g++-13"},
		{"the gcc behind the cache is the default", `-- tree --
/usr/lib/ccache/gcc -> ../../bin/ccache
/usr/lib/ccache/g++ -> ../../bin/ccache
/usr/bin/ccache x 1
/usr/bin/gcc -> gcc-13
/usr/bin/gcc-13 x 1
/usr/bin/g++-13 x 1
/usr/bin/g++-14 x 1
-- text /usr/bin/g++-13 --
13.3.0
-- text /usr/bin/g++-14 --
14.2.0
`, "gcc 13.3.0 g++-13 default, gcc 14.2.0 g++-14"},
		{"two clangs share the folder above", `-- tree --
/usr/bin/clang++-17 x 1
/usr/bin/clang++-18 x 1
/usr/lib/clang/17 d
/usr/lib/clang/18 d
/usr/lib/clang/18.1.3 d
`, "clang 17 clang++-17, clang 18.1.3 clang++-18"},
		{"a clang whose folder is not there is asked", `-- tree --
/usr/bin/clang++-19 x 1
/usr/lib/clang/18 d
-- run /usr/bin/clang++-19 --version --
clang version 19.1.0
`, "clang 19.1.0 clang++-19"},
		{"a clang without a number among several is asked", `-- tree --
/usr/bin/clang++ x 1
/usr/lib/clang/17 d
/usr/lib/clang/18 d
-- run /usr/bin/clang++ --version --
clang version 18.1.8
`, "clang 18.1.8 clang++"},
		{"clang by its resource folder", `-- tree --
/usr/bin/clang++-14 -> ../lib/llvm-14/bin/clang
/usr/lib/llvm-14/bin/clang x 1
/usr/lib/llvm-14/lib/clang/14.0.6 d
`, "clang 14.0.6 clang++-14"},
		{"a wrapper script is asked", "-- tree --\n/usr/bin/g++ x 40\n-- run /usr/bin/g++ -dumpfullversion -dumpversion --\n11.4.0\n", "gcc 11.4.0 g++"},
		{"a foreign number in the file is not believed", "-- tree --\n/usr/bin/g++-13 x 1\n-- text /usr/bin/g++-13 --\n2.38.0\n-- run /usr/bin/g++-13 -dumpfullversion -dumpversion --\n13.2.0\n", "gcc 13.2.0 g++-13"},
		{"one that hangs", "-- tree --\n/usr/bin/g++ x 40\n-- run[hang] /usr/bin/g++ -dumpfullversion -dumpversion --\n", "gcc unreadable g++"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range survey(t, tt.archive) {
				v := c.Version.Value
				if c.Version.State == fact.Unreadable {
					v = "unreadable"
				}
				text := c.Family + " " + v + " " + c.Command
				if c.Default {
					text += " default"
				}
				got = append(got, text)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("compilers: %s, want: %s", s, tt.want)
			}
		})
	}
}

// TestRealCompilers compares what files tell with what each real compiler says of itself.
func TestRealCompilers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("gcc and clang are surveyed on Linux")
	}
	found := Survey(context.Background(), look.New(host.Here()))
	if len(found) == 0 {
		t.Skip("no C++ compiler on this machine")
	}
	for _, c := range found {
		out, err := exec.Command(c.Path, "-dumpfullversion", "-dumpversion").Output()
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			continue
		}
		if said := strings.TrimSpace(string(out)); !strings.HasPrefix(said, c.Version.Value) {
			t.Errorf("%s says %s, its files were read as %+v", c.Path, said, c.Version)
		}
	}
}
