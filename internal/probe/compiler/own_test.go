package compiler

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// TestOwnCompiler: a compiler that cupel installed is found off PATH, by its whole path and without a process.
func TestOwnCompiler(t *testing.T) {
	const dir = "/h/.local/share/cupel/compilers/gcc-13-apt-linux-x86_64"
	h, err := host.Parse([]byte(`-- host --
os = linux
arch = amd64
home = /h
-- env --
PATH=/usr/bin
-- tree --
/usr/bin/gcc -> gcc-14
/usr/bin/gcc-14 x 1
/usr/bin/g++ -> g++-14
/usr/bin/g++-14 x 1
`+dir+`/bin/g++ x 1
-- text /usr/bin/g++-14 --
14.2.0
-- file `+dir+`/cupel-manifest.json --
{"release": "13.3.0", "source": "apt", "platform": "linux-x86_64", "command": "bin/g++", "files": []}
-- file /h/.local/share/cupel/compilers/gcc-12-apt-linux-x86_64/cupel-manifest.json --
{"release": "12.3.0", "source": "apt", "platform": "linux-x86_64", "command": "bin/gone", "files": []}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := Survey(context.Background(), look.New(h))
	want := []fact.Compiler{
		{Family: "gcc", Command: "g++-14", Path: "/usr/bin/g++-14", Version: fact.Of("14.2.0", "/usr/bin/g++-14"), Default: true, Cxx: true},
		{Family: "gcc", Command: dir + "/bin/g++", Path: dir + "/bin/g++", Version: fact.Of("13.3.0", dir+"/cupel-manifest.json"), Cxx: true, Origin: "cupel"},
	}
	if !cmp.Equal(got, want) {
		t.Errorf("compilers (-want +got):\n%s", cmp.Diff(want, got))
	}
	if h.Processes() != 0 {
		t.Errorf("%d processes were started, want none", h.Processes())
	}
}
