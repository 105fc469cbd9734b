package toolkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOwnToolkits: what cupel installed for this machine is found with its manifest's head, a registered root at its
// place; installs under way and other platforms are not candidates.
func TestOwnToolkits(t *testing.T) {
	const home = "/home/ann/.local/share/cupel/toolkits/"
	got, _ := survey(t, `-- tree --
`+home+`.new-13.0.2-pip-linux-x86_64-77/bin/nvcc x 1
`+home+`13.0.2-pip-linux-x86_64/bin/nvcc x 1
`+home+`13.0.2-pip-windows-x86_64/bin/nvcc x 1
/opt/mine/bin/nvcc x 1
-- text `+home+`13.0.2-pip-linux-x86_64/bin/nvcc --
release 13.0, V13.0.88
-- text /opt/mine/bin/nvcc --
release 12.4, V12.4.131
-- file `+home+`13.0.2-pip-linux-x86_64/cupel-manifest.json --
{"source": "pip", "platform": "linux-x86_64", "components": [{"name": "n", "version": "1", "file": "f", "sha256": "s", "size": 3}], "files": []}
-- file `+home+`12.4.1-local-linux-x86_64/cupel-manifest.json --
{"source": "local", "platform": "linux-x86_64", "root": "/opt/mine", "files": []}
`)
	type row struct{ Root, Origin, Name, Source string }
	var rows []row
	for _, k := range got {
		r := row{Root: k.Root, Origin: k.Origin}
		if k.Installed != nil {
			r.Name, r.Source = k.Installed.Name, k.Installed.Source
		}
		rows = append(rows, r)
	}
	want := []row{
		{"/opt/mine", "unknown", "12.4.1-local-linux-x86_64", "local"},
		{home + "13.0.2-pip-linux-x86_64", "cupel", "13.0.2-pip-linux-x86_64", "pip"},
	}
	if !cmp.Equal(rows, want) {
		t.Errorf("toolkits (-want +got):\n%s", cmp.Diff(want, rows))
	}
}
