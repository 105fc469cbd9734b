package library

import (
	"context"
	"testing"

	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// TestOwnClang: a libclang that cupel brought is told after those that clang-sys finds by itself.
func TestOwnClang(t *testing.T) {
	const dir = "/h/.local/share/cupel/libraries/libclang-16-apt-linux-x86_64"
	h, err := host.Parse([]byte(`-- host --
os = linux
arch = amd64
home = /h
-- tree --
/usr/lib/llvm-14/lib/libclang-14.so.1 f 9
`+dir+`/lib/libclang-16.so.1 f 9
-- file `+dir+`/cupel-manifest.json --
{"release": "16.0.6", "source": "apt", "platform": "linux-x86_64", "command": "lib", "files": []}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range Survey(context.Background(), look.New(h), nil, nil) {
		got = append(got, l.Name+" "+l.Version.Value+" "+l.Origin+" "+l.Path)
	}
	want := []string{"libclang 14 system /usr/lib/llvm-14/lib/libclang-14.so.1", "libclang 16.0.6 cupel " + dir + "/lib/libclang-16.so.1"}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("libraries = %q, want %q", got, want)
	}
}
