package tools

import (
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func at(t *testing.T, archive string) *look.At {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n-- env --\nPATH=/usr/local/bin:/usr/bin\n"+archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

func TestSurvey(t *testing.T) {
	got := Survey(at(t, "-- tree --\n/usr/bin/cmake x 1\n/usr/local/bin/cmake -> /opt/cmake/bin/cmake\n/opt/cmake/bin/cmake x 1\n/opt/cmake/share/cmake-3.29 d\n/usr/bin/git f 1\n"))
	if len(got) != 1 || got[0].Path != "/usr/local/bin/cmake" || got[0].Version.Value != "3.29" || len(got[0].Others) != 1 {
		t.Errorf("tools = %+v, want cmake 3.29 with another behind it; git may not be executed", got)
	}
}

func TestMPS(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		want          fact.State
		pipes         bool
	}{
		{"nothing", "", "", false},
		{"running", "-- file /tmp/nvidia-mps/nvidia-cuda-mps-control.pid --\n42\n-- file /proc/42/comm --\nnvidia-cuda-mps\n-- tree --\n/tmp/nvidia-mps/control f 0\n", fact.Known, true},
		{"left behind", "-- file /tmp/nvidia-mps/nvidia-cuda-mps-control.pid --\n42\n-- tree --\n/tmp/nvidia-mps/control f 0\n", fact.Absent, true},
		{"the number belongs to another program now", "-- file /tmp/nvidia-mps/nvidia-cuda-mps-control.pid --\n42\n-- file /proc/42/comm --\nbash\n-- tree --\n/tmp/nvidia-mps/control f 0\n", fact.Absent, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := MPS(at(t, tt.archive))
			if m.Daemon.State != tt.want || m.Pipes != tt.pipes {
				t.Errorf("MPS = %+v, want daemon %q, pipes %v", m, tt.want, tt.pipes)
			}
		})
	}
}
