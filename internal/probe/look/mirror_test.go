package look_test

import (
	"testing"

	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// TestInsideExec: a probe inside of cupel exec sees the toolkit and not its mirror.
func TestInsideExec(t *testing.T) {
	const files = `
-- host --
os = linux
arch = amd64
cwd = /home/dev
-- env --
CUPEL_RUN=/home/dev/.local/share/cupel/runs/261115-173733-bqf
PATH=/home/dev/cupel/shims/13.0/bin:/home/dev/cupel/shims/13.0x/bin:/usr/bin
CUDA_HOME=/home/dev/cupel/shims/13.0
-- file /home/dev/cupel/shims/13.0/cupel-root --
/usr/local/cuda-13.0
`
	h, err := host.Parse([]byte(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	a := look.New(h)
	for name, want := range map[string]string{
		"PATH":      "/usr/local/cuda-13.0/bin:/home/dev/cupel/shims/13.0x/bin:/usr/bin",
		"CUDA_HOME": "/usr/local/cuda-13.0",
	} {
		if got := a.Env(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := a.SearchDirs()[0]; got != "/usr/local/cuda-13.0/bin" {
		t.Errorf("first folder of PATH = %q", got)
	}
}
