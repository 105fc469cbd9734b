package host

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/pattern"
)

const sample = `A machine.
-- host --
os = linux
arch = amd64
home = /home/ann
-- env --
PATH=/usr/bin
CUDA_HOME=/usr/local/cuda
-- tree --
/usr/bin/g++-12 x 1000
/usr/bin/g++ -> g++-12
/usr/local/cuda -> cuda-13.0
/usr/local/with space/file f 5
/dev/nvidia0 c
/closed ! permission denied
/loop -> /loop
-- file /usr/local/cuda-13.0/version.json --
{"cuda": {"version": "13.0.2"}}
-- text /usr/bin/g++-12 --
12.2.0
-- part 0x10 /usr/lib/x.bin --
AQID
-- run[exit=9] /usr/bin/nvidia-smi -L --
-- stderr /usr/bin/nvidia-smi -L --
no devices
-- run[hang] /usr/bin/nvcc --version --
`

func parseSample(t *testing.T, overlay string) *Recorded {
	t.Helper()
	text := sample
	load := func(string) ([]byte, error) { return []byte(sample), nil }
	if overlay != "" {
		text = overlay
	}
	r, err := Parse([]byte(text), load)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecordedAnswers(t *testing.T) {
	r := parseSample(t, "")
	if b, err := r.ReadFile("/usr/local/cuda/version.json"); err != nil || !strings.Contains(string(b), "13.0.2") {
		t.Errorf("a file behind a linked folder = %q, %v", b, err)
	}
	if p, err := r.Resolve("/usr/bin/g++"); err != nil || p != "/usr/bin/g++-12" {
		t.Errorf("Resolve(g++) = %q, %v", p, err)
	}
	if info, err := r.Lstat("/usr/bin/g++"); err != nil || !info.Link {
		t.Errorf("Lstat(g++) = %+v, %v, want a link", info, err)
	}
	if info, err := r.Stat("/usr/local/with space/file"); err != nil || info.Size != 5 {
		t.Errorf("a path with a blank = %+v, %v", info, err)
	}
	if info, err := r.Stat("/dev/nvidia0"); err != nil || !info.Node {
		t.Errorf("a node = %+v, %v", info, err)
	}
	if _, err := r.ReadFile("/closed"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a closed file = %v, want permission denied", err)
	}
	if _, err := r.Stat("/nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there = %v", err)
	}
	if _, err := r.Stat("/loop"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link to itself = %v, want an error of its own", err)
	}
	names, err := r.Names("/usr/bin", pattern.New(`^g\+\+`))
	if want := []string{"g++", "g++-12"}; err != nil || !cmp.Equal(names, want) {
		t.Errorf("Names = %q, %v, want %q", names, err, want)
	}
	if text, err := r.Search("/usr/bin/g++", pattern.New(`^\d+\.\d+\.\d+$`)); err != nil || text != "12.2.0" {
		t.Errorf("Search = %q, %v", text, err)
	}
}

func TestRecordedBytes(t *testing.T) {
	r := parseSample(t, "")
	b, err := r.Open("/usr/lib/x.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	got := make([]byte, 5)
	if n, err := b.ReadAt(got, 0xe); err != nil || n != 5 {
		t.Errorf("ReadAt = %d, %v, want 5", n, err)
	}
	if n, err := b.ReadAt(make([]byte, 5), 0x10); err != io.EOF || n != 3 {
		t.Errorf("ReadAt over the end = %d, %v, want 3 and EOF", n, err)
	}
	if want := []byte{0, 0, 1, 2, 3}; !cmp.Equal(got, want) {
		t.Errorf("bytes = %v, want %v", got, want)
	}
}

func TestRecordedRuns(t *testing.T) {
	r := parseSample(t, "")
	ctx := context.Background()
	res, err := r.Run(ctx, Command{Path: "/usr/bin/nvidia-smi", Args: []string{"-L"}})
	if err != nil || res.Code != 9 || res.Stderr != "no devices\n" {
		t.Errorf("a refusing program = %+v, %v", res, err)
	}
	if res, err = r.Run(ctx, Command{Path: "/usr/bin/nvcc", Args: []string{"--version"}, Timeout: time.Second}); err == nil || !res.TimedOut {
		t.Errorf("a hanging program = %+v, %v", res, err)
	}
	if _, err = r.Run(ctx, Command{Path: "/usr/bin/other"}); !errors.Is(err, ErrNotRecorded) {
		t.Errorf("a program nobody recorded = %v", err)
	}
}

func TestOverlay(t *testing.T) {
	r := parseSample(t, `Another.
-- host --
base = sample
-- env --
-CUDA_HOME
CUDA_PATH=/opt/cuda
-- tree --
- /usr/local/cuda-13.0
`)
	if want := []string{"CUDA_PATH=/opt/cuda", "PATH=/usr/bin"}; !cmp.Equal(r.Environ(), want) {
		t.Errorf("Environ = %q, want %q", r.Environ(), want)
	}
	if _, err := r.Stat("/usr/local/cuda-13.0/version.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed folder still answers: %v", err)
	}
	if r.System().Home != "/home/ann" {
		t.Errorf("the base's home is lost: %+v", r.System())
	}
}

func TestWindowsStyle(t *testing.T) {
	r, err := Parse([]byte(`W.
-- host --
os = windows
arch = amd64
-- env --
Path=C:\Windows
-- tree --
C:\Program Files\CUDA\v13.0\bin\nvcc.exe f 10
-- registry --
[HKLM\SOFTWARE\NVIDIA Corporation\CUDA\v13.0]
InstallDir=C:\Program Files\CUDA\v13.0
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := r.Stat(`c:/program files/cuda/V13.0/bin/NVCC.EXE`); err != nil || !info.Exec {
		t.Errorf("Stat in another spelling = %+v, %v", info, err)
	}
	keys, err := r.RegistryKeys(`HKLM\SOFTWARE\nvidia corporation\CUDA`)
	if err != nil || !cmp.Equal(keys, []string{"v13.0"}) {
		t.Errorf("RegistryKeys = %q, %v", keys, err)
	}
	v, err := r.RegistryValues(`HKLM\Software\NVIDIA Corporation\CUDA\v13.0`)
	if err != nil || v["InstallDir"] != `C:\Program Files\CUDA\v13.0` {
		t.Errorf("RegistryValues = %q, %v", v, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"no host section", "x\n-- env --\nA=b\n", "not a recorded host"},
		{"no system", "-- host --\narch = amd64\n", "needs os and arch"},
		{"unknown section", "-- host --\nos = linux\narch = amd64\n-- what /x --\n", "unknown kind"},
		{"unknown entry", "-- host --\nos = linux\narch = amd64\n-- tree --\n/x y 1\n", "unknown kind"},
		{"negative size", "-- host --\nos = linux\narch = amd64\n-- tree --\n/x f -1\n", "out of range"},
		{"bad base64", "-- host --\nos = linux\narch = amd64\n-- part 0 /x --\n!!\n", "illegal base64"},
		{"base of itself", "-- host --\nbase = me\n", "more than four deep"},
		{"unknown head", "-- host --\ncolour = red\n", "want one of os"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in), func(string) ([]byte, error) { return []byte(tt.in), nil })
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse = %v, want an error with %q", err, tt.want)
			}
		})
	}
}
