package look

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
)

const ownHost = `-- host --
os = linux
arch = amd64
home = /h
-- tree --
/h/.local/share/cupel/toolkits/.new-13.0.2-pip-linux-x86_64-1234/bin/nvcc x 1
/h/.local/share/cupel/toolkits/.lock-13.0.2-pip-linux-x86_64 f 0
/h/.local/share/cupel/toolkits/12.9.1-redist-windows-x86_64/bin/nvcc.exe f 1
/h/.local/share/cupel/toolkits/by-hand/bin/nvcc x 1
-- file /h/.local/share/cupel/toolkits/13.0.2-pip-linux-x86_64/cupel-manifest.json --
{"format": "cupel.manifest/1", "kind": "toolkits", "name": "13.0.2-pip-linux-x86_64", "release": "13.0.2", "source": "pip", "platform": "linux-x86_64",
 "components": [{"name": "nvidia-cuda-nvcc", "version": "13.0.88", "file": "n.whl", "sha256": "ab", "size": 7}],
 "files": [{"path": "this is not read
-- file /h/.local/share/cupel/toolkits/13.0.2-pip-windows-x86_64/cupel-manifest.json --
{"format": "cupel.manifest/1", "release": "13.0.2", "source": "pip", "platform": "windows-x86_64", "files": []}
-- file /h/.local/share/cupel/toolkits/broken/cupel-manifest.json --
{"format": 
-- file /h/.local/share/cupel/toolkits/12.4.1-local-linux-x86_64/cupel-manifest.json --
{"format": "cupel.manifest/1", "release": "12.4.1", "source": "local", "platform": "linux-x86_64", "root": "/opt/mine", "components": [], "files": []}
`

func TestOwned(t *testing.T) {
	a := at(t, ownHost)
	const dir = "/h/.local/share/cupel/toolkits/"
	want := []Own{
		{Dir: dir + "12.4.1-local-linux-x86_64", Release: "12.4.1", Source: "local", Platform: "linux-x86_64", Root: "/opt/mine", Components: []fact.Component{}},
		{Dir: dir + "13.0.2-pip-linux-x86_64", Name: "13.0.2-pip-linux-x86_64", Release: "13.0.2", Source: "pip", Platform: "linux-x86_64",
			Components: []fact.Component{{Name: "nvidia-cuda-nvcc", Version: "13.0.88", File: "n.whl", SHA256: "ab", Size: 7}}},
		{Dir: dir + "broken"},
		{Dir: dir + "by-hand"},
	}
	if got := Owned(a, "toolkits"); !cmp.Equal(got, want) {
		t.Errorf("Owned (-want +got):\n%s", cmp.Diff(want, got))
	}
	if got := a.Troubles(); len(got) != 1 || !strings.HasPrefix(got[0].Why, "not a manifest: ") {
		t.Errorf("troubles = %+v, want one about the broken manifest", got)
	}
	if got := Owned(a, "compilers"); got != nil {
		t.Errorf("compilers = %+v, want none", got)
	}
}

func FuzzManifestHead(f *testing.F) {
	f.Add(`{"format": "cupel.manifest/1", "files": [`)
	f.Add(`{"components": [{"size": 1}], "platform": 5}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := headOf(strings.NewReader(text))
		if err == nil && (len(b) < 2 || b[0] != '{') {
			t.Errorf("headOf(%q) = %q", text, b)
		}
	})
}
