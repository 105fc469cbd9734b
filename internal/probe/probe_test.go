package probe

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func parsed(t *testing.T, archive string) host.Host {
	t.Helper()
	h, err := host.Parse([]byte(archive), func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join("../../testdata/hosts", name))
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, archive)
	}
	return h
}

// replayed surveys a machine while it is recorded, and then the recording: both must tell the same.
func replayed(t *testing.T, archive string) fact.Machine {
	t.Helper()
	h := parsed(t, archive)
	rec := host.Record(h, func(name string) bool { return Known(name, h.System().OS) })
	m, p := Survey(context.Background(), rec, Options{Helper: "cupel-gpu"})
	text := string(rec.Archive("again", nil))
	m2, p2 := Survey(context.Background(), parsed(t, text), Options{Helper: "cupel-gpu"})
	if diff := cmp.Diff(m, m2); diff != "" {
		t.Errorf("the machine (-live +recorded):\n%s", diff)
	}
	if diff := cmp.Diff(p, p2); diff != "" {
		t.Errorf("the project (-live +recorded):\n%s", diff)
	}
	return m
}

func TestReplayHosts(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/hosts/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no hosts: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			replayed(t, string(b))
		})
	}
}

// TestReplayShim: what leads to the interpreter behind a pyenv shim is in the recording.
func TestReplayShim(t *testing.T) {
	m := replayed(t, `-- host --
os = linux
arch = amd64
home = /home/u
cwd = /home/u/p
-- env --
PATH=/srv/pyenv/shims:/usr/bin
PYENV_ROOT=/srv/pyenv
PYENV_VERSION=3.10
SECRET=hush
-- tree --
/home/u/p d
/srv/pyenv/shims/python3 x
/srv/pyenv/versions/3.10.13/bin/python3 -> python3.10
/srv/pyenv/versions/3.10.13/bin/python3.10 x
/usr/bin/python3.11 x
`)
	if len(m.Pythons) != 1 || m.Pythons[0].Version.Value != "3.10.13" || m.Pythons[0].Kind != "pyenv" {
		t.Errorf("pythons %+v, want pyenv's 3.10.13", m.Pythons)
	}
	if m.Env["PYENV_ROOT"] != "" || Known("SECRET", "linux") {
		t.Errorf("environment %v: only what the table names belongs in a snapshot", m.Env)
	}
}

// TestReplayRefused: a machine on which much may not be read.
func TestReplayRefused(t *testing.T) {
	m := replayed(t, `-- host --
os = linux
arch = amd64
home = /home/u
cwd = /home/u/p
-- env --
PATH=tools::/closed/bin:/usr/bin:/missing
CUDA_HOME=/closed/cuda
CUDA_PATH=/loop
CUDA_ROOT=/dangling
-- tree --
/home/u/p/.git d
/home/u/p/tools d
/closed d
/closed/bin ? ! permission denied
/closed/cuda ? ! permission denied
/loop -> /loop
/dangling -> /nowhere
/usr/local/cuda-13.0/bin/nvcc x 20 ! permission denied
/usr/local/cuda-13.0/lib64 d ! permission denied
/proc/driver/nvidia/version f ! permission denied
/usr/bin/python3.11 x
/usr/bin/python3 -> python3.11
/usr/lib/python3/dist-packages d ! permission denied
`)
	want := []fact.PathDir{
		{Dir: "tools", Exists: true, Real: "/home/u/p/tools"}, {Dir: "", Exists: true, Real: "/home/u/p"},
		{Dir: "/closed/bin", Why: "permission denied"}, {Dir: "/usr/bin", Exists: true}, {Dir: "/missing"},
	}
	if diff := cmp.Diff(want, m.Path); diff != "" {
		t.Errorf("PATH (-want +got):\n%s", diff)
	}
	for path, kind := range map[string]string{"/closed/cuda": "unreadable", "/loop": "unreadable", "/dangling": ""} {
		if got := m.Places[path].Kind; got != kind {
			t.Errorf("place %s is %q, want %q", path, got, kind)
		}
	}
	if m.Driver.Kernel.State != fact.Unreadable {
		t.Errorf("kernel module %+v, want unreadable", m.Driver.Kernel)
	}
	sources := map[string]bool{}
	for _, trouble := range m.Troubles {
		sources[trouble.Source] = true
	}
	if !sources["/loop"] || !sources["/closed"] {
		t.Errorf("troubles %+v, want the loop and the closed folder", m.Troubles)
	}
}

func TestBlamed(t *testing.T) {
	a := look.New(parsed(t, "-- host --\nos = linux\narch = amd64\n-- tree --\n/a/b d\n/a/b/c ? ! permission denied\n"))
	_, err := a.Stat("/a/b/c/d/e")
	if got := blamed(a, "/a/b/c/d/e", err); got != "/a/b" {
		t.Errorf("blamed %s, want the folder that does not let anyone in", got)
	}
}
