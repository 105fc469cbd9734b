package python

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func recorded(t *testing.T, archive string) *look.At {
	t.Helper()
	h, err := host.Parse([]byte(archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

const linux = `
-- host --
os = linux
arch = amd64
home = /home/u
cwd = /home/u/proj
-- tree --
/usr/bin/python3 -> python3.11
/usr/bin/python3.11 x 10
/usr/lib/python3/dist-packages d
/usr/local/lib/python3.11/dist-packages d
/home/u/proj/venv/bin/python -> python3
/home/u/proj/venv/bin/python3 -> /usr/bin/python3
/home/u/proj/venv/lib64 -> lib
/home/u/proj/venv/lib/python3.11/site-packages/torch-2.11.0.dist-info d
/home/u/proj/venv/lib/python3.11/site-packages/bitsandbytes-0.49.0.dist-info d
/home/u/proj/venv/lib/python3.11/site-packages/bitsandbytes/libbitsandbytes_cpu.so f 10
/home/u/proj/venv/lib/python3.11/site-packages/bitsandbytes/libbitsandbytes_cuda118.so f 10
/home/u/proj/venv/lib/python3.11/site-packages/bitsandbytes/libbitsandbytes_cuda118_nocublaslt.so f 10
/home/u/proj/venv/lib/python3.11/site-packages/bitsandbytes/libbitsandbytes_cuda130.so f 10
/home/u/proj/venv/lib/python3.11/site-packages/nvidia_cudnn_cu13-9.19.0.56.dist-info d
/home/u/proj/venv/lib/python3.11/site-packages/nvidia_cuda_nvcc-13.0.88.dist-info d
/home/u/proj/venv/lib/python3.11/site-packages/requests-2.0.0.dist-info d
/home/u/proj/venv/lib/python3.11/site-packages/nvidia/cu13/bin/nvcc x 10
/home/u/proj/venv/lib/python3.11/site-packages/nvidia/cudnn/include d
/usr/lib/python3/dist-packages/torch-2.1.0.dist-info d
/opt/conda/bin/conda x 10
/opt/conda/envs/ml/conda-meta/python-3.12.4-h194c7f8_0.json f 10
/opt/conda/envs/ml/conda-meta/cuda-nvcc-12.6.85-hcdd1206_0.json f 10
/opt/conda/envs/ml/bin/python3.12 x 10
/opt/conda/envs/ml/bin/python3 -> python3.12
/opt/conda/envs/ml/bin/nvcc x 10
/opt/conda/envs/ml/lib/python3.12/site-packages d
/home/u/.pyenv/shims/python3 x 10
/home/u/.pyenv/versions/3.10.13/bin/python3 -> python3.10
/home/u/.pyenv/versions/3.10.13/bin/python3.10 x 10
/home/u/.pyenv/versions/3.10.13/lib/python3.10/site-packages d
/home/u/.pyenv/versions/3.10.4/bin/python3 x 10
-- file /home/u/.pyenv/version --
3.10
-- file /home/u/proj/venv/pyvenv.cfg --
home = /usr/bin
include-system-site-packages = false
version = 3.11.2
-- file /home/u/proj/venv/lib/python3.11/site-packages/torch/version.py --
from typing import Optional

__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']
__version__ = '2.11.0+cu130'
cuda: Optional[str] = '13.0'
-- file /usr/lib/python3/dist-packages/torch/version.py --
__version__ = '2.1.0'
cuda = None
-- env --
CONDA_EXE=/opt/conda/bin/conda
`

func TestSurveyFindsActiveInterpreters(t *testing.T) {
	for _, tt := range []struct {
		name, env string
		want      []string // path, kind, version
	}{
		{"first on PATH", "PATH=/usr/bin", []string{"/usr/bin/python3 system 3.11"}},
		{"nothing", "PATH=/nowhere", nil},
		{"virtual environment and PATH are one", "PATH=/home/u/proj/venv/bin:/usr/bin\nVIRTUAL_ENV=/home/u/proj/venv", []string{"/home/u/proj/venv/bin/python3 venv 3.11.2"}},
		{"virtual environment not first on PATH", "PATH=/usr/bin\nVIRTUAL_ENV=/home/u/proj/venv", []string{"/home/u/proj/venv/bin/python3 venv 3.11.2", "/usr/bin/python3 system 3.11"}},
		{"virtual environment deleted", "PATH=/usr/bin\nVIRTUAL_ENV=/gone", []string{"/gone venv unreadable", "/usr/bin/python3 system 3.11"}},
		{"conda environment", "PATH=/opt/conda/envs/ml/bin\nCONDA_PREFIX=/opt/conda/envs/ml", []string{"/opt/conda/envs/ml/bin/python3 conda 3.12.4"}},
		{"pyenv takes the newest of a short version", "PATH=/home/u/.pyenv/shims:/usr/bin", []string{"/home/u/.pyenv/versions/3.10.13/bin/python3 pyenv 3.10.13"}},
		{"pyenv set to system", "PATH=/home/u/.pyenv/shims:/usr/bin\nPYENV_VERSION=system", []string{"/usr/bin/python3 system 3.11"}},
		{"pyenv version not installed", "PATH=/home/u/.pyenv/shims:/usr/bin\nPYENV_VERSION=3.9", []string{"/home/u/.pyenv/shims/python3 pyenv unreadable"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := recorded(t, linux+tt.env+"\n")
			var got []string
			for _, p := range Survey(context.Background(), at, Options{}) {
				v := p.Version.Value
				if !p.Version.Known() {
					v = string(p.Version.State)
				}
				got = append(got, p.Path+" "+p.Kind+" "+v)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestSurveyReadsPackages(t *testing.T) {
	at := recorded(t, linux)
	p := Survey(context.Background(), at, Options{Interpreters: []string{"venv"}})[0]
	if p.Torch.Value != "2.11.0+cu130" || p.TorchCUDA.Value != "13.0" || p.Bitsandbytes.Value != "0.49.0" {
		t.Errorf("torch %+v cuda %+v bitsandbytes %+v", p.Torch, p.TorchCUDA, p.Bitsandbytes)
	}
	if want := []string{"118", "130"}; !slices.Equal(p.BnbCUDA, want) {
		t.Errorf("bitsandbytes libraries %q, want %q", p.BnbCUDA, want)
	}
	if len(p.Wheels) != 2 || p.Wheels["nvidia-cudnn-cu13"] != "9.19.0.56" || p.Wheels["nvidia-cuda-nvcc"] != "13.0.88" {
		t.Errorf("wheels %v", p.Wheels)
	}
	if len(p.Site) != 1 {
		t.Errorf("site folders %q: lib64 is a link to lib, and the system's are not shown", p.Site)
	}
}

func TestSurveyReadsCPUBuild(t *testing.T) {
	p := Survey(context.Background(), recorded(t, linux), Options{Interpreters: []string{"/usr/bin/python3"}})[0]
	if p.Torch.Value != "2.1.0" || p.TorchCUDA.State != fact.Absent {
		t.Errorf("torch %+v cuda %+v, want 2.1.0 and absent", p.Torch, p.TorchCUDA)
	}
}

func TestSurveyKeepsWhatTheUserNamed(t *testing.T) {
	got := Survey(context.Background(), recorded(t, linux), Options{
		Interpreters: []string{"/opt/none/bin/python", "/usr/lib"}, CondaEnvs: []string{"ml", "other", "base"},
	})
	want := []struct{ path, why string }{
		{"/opt/none/bin/python", "file does not exist"}, {"/usr/lib", "without a python"},
		{"/opt/conda/envs/ml/bin/python3", ""}, {"other", "no conda environment"}, {"/opt/conda", "no python in it"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %d interpreters, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		if got[i].Path != w.path || (w.why == "") != got[i].Version.Known() || !strings.Contains(got[i].Version.Why, w.why) {
			t.Errorf("%d: %s %+v, want %s with %q", i, got[i].Path, got[i].Version, w.path, w.why)
		}
	}
}

func TestRootsAreCandidates(t *testing.T) {
	at := recorded(t, linux+"CONDA_PREFIX=/opt/conda/envs/ml\nVIRTUAL_ENV=/home/u/proj/venv\n")
	got := Roots(at, Survey(context.Background(), at, Options{}))
	want := []Root{
		{"/home/u/proj/venv/lib/python3.11/site-packages/nvidia/cu13", "pip", "/home/u/proj/venv/lib/python3.11/site-packages"},
		{"/opt/conda/envs/ml", "conda", "/opt/conda/envs/ml"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSurveyOnWindows(t *testing.T) {
	at := recorded(t, `
-- host --
os = windows
arch = amd64
home = C:\Users\u
cwd = C:\proj
-- env --
PATH=C:\Users\u\AppData\Local\Microsoft\WindowsApps;C:\Python311
-- tree --
C:\Users\u\AppData\Local\Microsoft\WindowsApps\python.exe x 0
C:\Python311\python.exe x 100
C:\Python311\python3.dll f 10
C:\Python311\python311.dll f 10
C:\Python311\Lib\site-packages\nvidia\cu13\bin\nvcc.exe x 10
C:\Program Files\Python313\python.exe x 100
C:\Program Files\Python313\python313.dll f 10
C:\Program Files\Python313\Lib\site-packages\torch-2.9.0+cu128.dist-info d
-- file C:\Program Files\Python313\Lib\site-packages\torch\version.py --
__version__ = '2.9.0+cu128'
cuda: Optional[str] = '12.8'
-- registry --
[HKLM\SOFTWARE\Python\PythonCore\3.9\InstallPath]
ExecutablePath=C:\gone\python.exe
[HKLM\SOFTWARE\Python\PythonCore\3.13\InstallPath]
=C:\Program Files\Python313\
[HKCU\SOFTWARE\Python\PythonCore\3.11\InstallPath]
ExecutablePath=C:\Python311\python.exe
`)
	got := Survey(context.Background(), at, Options{})
	if len(got) != 2 || got[0].Path != `C:\Python311\python.exe` || got[0].Version.Value != "3.11" ||
		got[1].Path != `C:\Program Files\Python313\python.exe` || got[1].TorchCUDA.Value != "12.8" {
		t.Errorf("got %+v", got)
	}
	roots := Roots(at, got)
	if len(roots) != 1 || roots[0].Path != `C:\Python311\Lib\site-packages\nvidia\cu13` {
		t.Errorf("roots %+v", roots)
	}
}

func TestUnreadableIsNotFine(t *testing.T) {
	const base = "-- host --\nos = linux\narch = amd64\n-- tree --\n/usr/bin/python3.11 x 1\n/usr/lib/python3/dist-packages d\n"
	const first = "/usr/local/lib/python3.11/dist-packages"
	for _, tt := range []struct{ name, extra string }{
		{"closed site-packages", "-- tree --\n" + first + "/x d\n/usr/lib/python3/dist-packages d ! permission denied\n"},
		{"closed version.py of an installed torch", "-- tree --\n" + first + "/torch-2.1.0.dist-info d\n" + first + "/torch/version.py f ! permission denied\n"},
		{"closed folder of torch", "-- tree --\n" + first + "/torch/version.py ? ! permission denied\n"},
		{"garbage in version.py", "-- file " + first + "/torch/version.py --\n\x00\xff=\n"},
		{"cut off version.py", "-- file " + first + "/torch/version.py --\n__version__ = '2.1\n"},
		{"a good one behind a broken one", "-- file " + first + "/torch/version.py --\n\n-- file /usr/lib/python3/dist-packages/torch/version.py --\n__version__ = '2.1'\ncuda = None\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := Survey(context.Background(), recorded(t, base+tt.extra), Options{Interpreters: []string{"/usr/bin/python3.11"}})[0]
			if p.Torch.State != fact.Unreadable || p.Torch.Why == "" {
				t.Errorf("torch %+v, want unreadable with a reason", p.Torch)
			}
		})
	}
}

func TestClosedBitsandbytes(t *testing.T) {
	const site = "/usr/lib/python3/dist-packages"
	p := Survey(context.Background(), recorded(t, "-- host --\nos = linux\narch = amd64\n-- tree --\n/usr/bin/python3.11 x 1\n"+site+"/bitsandbytes-0.49.0.dist-info d\n"+site+"/bitsandbytes d ! permission denied\n"), Options{Interpreters: []string{"/usr/bin/python3.11"}})[0]
	if p.Bitsandbytes.State != fact.Unreadable || p.Bitsandbytes.Why != "permission denied" {
		t.Errorf("bitsandbytes %+v, want unreadable: its libraries may not be listed", p.Bitsandbytes)
	}
}

func TestRealFolders(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("the layout made here is that of Unix")
	}
	venv := t.TempDir()
	site := filepath.Join(venv, "lib", "python3.12", "site-packages")
	write(t, filepath.Join(venv, "bin", "python3"), "#!/bin/sh\n", 0o755)
	write(t, filepath.Join(venv, "pyvenv.cfg"), "home = /usr/bin\nversion_info = 3.12.1.final.0\n", 0o644)
	write(t, filepath.Join(site, "torch", "version.py"), "__version__ = \"2.8.0\"\ncuda: str | None = \"12.8\"  # made\n", 0o644)
	p := Survey(context.Background(), look.New(host.Here()), Options{Interpreters: []string{venv}})[0]
	if p.Version.Value != "3.12.1" || p.Kind != Venv || p.Torch.Value != "2.8.0" || p.TorchCUDA.Value != "12.8" {
		t.Errorf("got %+v", p)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func FuzzTorchVersion(f *testing.F) {
	f.Add("__version__ = '2.11.0+cu130'\ncuda: Optional[str] = '13.0'")
	f.Add("__version__ = \"2\"\ncuda = None # no")
	f.Add("cuda='")
	f.Fuzz(func(t *testing.T, text string) {
		version, cuda := torchVersion(strings.Split(text, "\n"), "version.py")
		if version.Known() && version.Value == "" || version.State == fact.Absent {
			t.Errorf("version %+v from %q", version, text)
		}
		if cuda.State == fact.Unreadable && cuda.Why == "" || cuda.Known() && cuda.Value == "" {
			t.Errorf("cuda %+v from %q", cuda, text)
		}
	})
}

// FuzzVenvConfig lets any bytes be a pyvenv.cfg and a pyenv version file.
func FuzzVenvConfig(f *testing.F) {
	f.Add("home = /usr/bin\nversion = 3.11.2\ninclude-system-site-packages = true\n")
	f.Add("\x8f") // was once made into a pattern
	f.Add("home = /v/bin\nversion_info = .\ninclude-system-site-packages=TRUE")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "-- ") {
			return
		}
		at := recorded(t, "-- host --\nos = linux\narch = amd64\nhome = /h\ncwd = /h\n-- env --\nPATH=/h/.pyenv/shims\n-- tree --\n/h/.pyenv/shims/python3 x 1\n/v/bin/python3 x 1\n-- file /h/.pyenv/version --\n"+text+"\n-- file /v/pyvenv.cfg --\n"+text+"\n")
		for _, opt := range []Options{{}, {Interpreters: []string{"/v"}}} {
			for _, p := range Survey(context.Background(), at, opt) {
				if p.Version.State == fact.Absent || p.Version.Known() && p.Version.Value == "" {
					t.Errorf("version %+v from %q", p.Version, text)
				}
			}
		}
	})
}
