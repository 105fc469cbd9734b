package tools

import (
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func TestClosedPidFile(t *testing.T) {
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n-- tree --\n/tmp/nvidia-mps/control f\n/tmp/nvidia-mps/nvidia-cuda-mps-control.pid f ! permission denied\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := MPS(look.New(h)); m.Daemon.State != fact.Unreadable || m.Daemon.Why != "permission denied" {
		t.Errorf("MPS = %+v, want a daemon of which nothing could be read", m)
	}
}
