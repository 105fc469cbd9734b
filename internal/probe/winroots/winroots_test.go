package winroots

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/host"
	"cupel/internal/probe/look"
)

const cuda = `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA`

func TestRoots(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []Root
	}{
		{"every way, and a key whose folder is gone", "-- host --\nos = windows\narch = amd64\n-- env --\nCUDA_PATH=" + cuda + "\\v12.9\nCUDA_PATH_V12_9=" + cuda + "\\v12.9\\\n" +
			"-- tree --\n" + cuda + "\\v12.9\\bin\\nvcc.exe x\n" + cuda + "\\extras d\n" +
			"-- registry --\n[" + installerKey + "]\nFirstVersionInstalled=v12.4\n[" + installerKey + "\\v12.4]\nInstallDir=" + cuda + "\\v12.4\n[" + installerKey + "\\v12.9]\n64BitInstalled=1\n",
			[]Root{{cuda + `\v12.4`, "registry " + installerKey + `\v12.4`}, {cuda + `\v12.9`, "folder"}, {cuda + `\v12.9`, "CUDA_PATH_V12_9"}}},
		{"programs on another drive", "-- host --\nos = windows\narch = amd64\n-- env --\nProgramFiles=D:\\Apps\n-- tree --\nD:\\Apps\\NVIDIA GPU Computing Toolkit\\CUDA\\v13.0 d\n",
			[]Root{{`D:\Apps\NVIDIA GPU Computing Toolkit\CUDA\v13.0`, "folder"}}},
		{"a variable that is no path", "-- host --\nos = windows\narch = amd64\n-- env --\nCUDA_PATH_V12_1=%CUDA_PATH%\n", nil},
		{"not Windows", "-- host --\nos = linux\narch = amd64\n-- env --\nCUDA_PATH_V12_1=/usr/local/cuda\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := host.Parse([]byte(tt.text), nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, Roots(look.New(h))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRootsOfWorkstation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "hosts", "windows-rtx5060ti.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]int{}
	for _, r := range Roots(look.New(h)) {
		ways[r.Path]++
	}
	want := map[string]int{}
	for _, v := range []string{"12.1", "12.6", "12.8", "12.9", "13.0"} {
		want[cuda+`\v`+v] = 3
	}
	if d := cmp.Diff(want, ways); d != "" {
		t.Error(d)
	}
}

// TestRealMachine reads this machine when it is Windows or wine; the test bed has v13.0 and v13.4.
func TestRealMachine(t *testing.T) {
	at := look.New(host.Here())
	if !at.Path.Windows() {
		t.Skip("not a Windows machine: run with GOOS=windows and scripts/wine-exec")
	}
	got := Roots(at)
	t.Logf("%+v", got)
	if at.Env("CUPEL_TESTBED") == "" || len(got) == 0 {
		t.Skip("no test bed here: run scripts/testbed fetch wine win-cuda-13.0 win-cuda-13.4")
	}
	if d := cmp.Diff([]Root{{cuda + `\v13.0`, "folder"}, {cuda + `\v13.4`, "folder"}}, got); d != "" {
		t.Error(d)
	}
}
