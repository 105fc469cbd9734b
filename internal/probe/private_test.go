package probe

import (
	"context"
	"testing"

	"cupel/internal/host"
)

// TestPrivateVariables: what may hold a password is neither in a snapshot nor in a recording, though cupel heeds it.
func TestPrivateVariables(t *testing.T) {
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\nhome = /h\n-- env --\nhttps_proxy=http://ann:secret@proxy:1\nCUPEL_REDIST=https://ann:secret@mirror/\nPIP_INDEX_URL=https://ann:secret@index/\nCUDA_HOME=/c\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := Survey(context.Background(), h, Options{})
	if len(m.Env) != 1 || m.Env["CUDA_HOME"] != "/c" {
		t.Errorf("env = %q, want CUDA_HOME alone", m.Env)
	}
	for name, want := range map[string]bool{"HTTPS_PROXY": false, "no_proxy": false, "CUPEL_REDIST": false, "UV_INDEX": false, "CUDA_HOME": true} {
		if got := Known(name, "linux"); got != want {
			t.Errorf("Known(%s) = %t, want %t", name, got, want)
		}
	}
}
