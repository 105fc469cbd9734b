package look

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/host"
)

func at(t *testing.T, archive string) *At {
	t.Helper()
	h, err := host.Parse([]byte(archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return New(h)
}

func TestWhich(t *testing.T) {
	linux := at(t, "-- host --\nos = linux\narch = amd64\n-- env --\nPATH=/a:.:/b:/a:/c\n-- tree --\n/a/nvcc f 1\n/b/nvcc x 1\n/c/nvcc -> /b/nvcc\n")
	if got, want := linux.WhichAll("nvcc"), []string{"/b/nvcc", "/c/nvcc"}; !cmp.Equal(got, want) {
		t.Errorf("WhichAll = %q, want %q: a file that may not be executed and a folder nobody knows do not count", got, want)
	}
	const here = "-- host --\nos = linux\narch = amd64\ncwd = /work\n-- env --\nPATH=tools::/b:../up\n-- tree --\n/work/tools/nvcc x 1\n/work/nvcc x 1\n/b/nvcc x 1\n/up/nvcc x 1\n"
	relative := at(t, here)
	if got, want := relative.WhichAll("nvcc"), []string{"/work/tools/nvcc", "/work/nvcc", "/b/nvcc", "/up/nvcc"}; !cmp.Equal(got, want) {
		t.Errorf("WhichAll = %q, want %q: relative and empty folders start from the current one", got, want)
	}
	if got, want := relative.PathDirs(), []string{"tools", "", "/b", "../up"}; !cmp.Equal(got, want) {
		t.Errorf("PathDirs = %q, want the spelling %q", got, want)
	}
	windows := at(t, "-- host --\nos = windows\narch = amd64\n-- env --\nPath=C:\\cuda\\bin;\"C:\\with space\"\n-- tree --\nC:\\with space\\nvcc.exe f 1\n")
	if got := windows.Which("nvcc"); got != `C:\with space\nvcc.exe` {
		t.Errorf("Which = %q", got)
	}
	if windows.Env("PATH") == "" || windows.HasEnv("NOPE") {
		t.Error("Windows variables are not found by any case")
	}
}

func TestTroubles(t *testing.T) {
	a := at(t, "-- host --\nos = linux\narch = amd64\n-- tree --\n/closed ! permission denied\n")
	_, err := a.ReadFile("/closed")
	a.Note("a thing", "/closed", err)
	a.Note("a thing", "/closed", err)
	_, err = a.ReadFile("/nowhere")
	a.Note("another", "/nowhere", err)
	if got := a.Troubles(); len(got) != 1 || got[0].Source != "/closed" || got[0].Why != "permission denied" {
		t.Errorf("troubles = %+v, want the closed file once and nothing of what is not there", got)
	}
}

func TestTroublesInOneOrder(t *testing.T) {
	a := at(t, "-- host --\nos = linux\narch = amd64\n")
	for _, why := range []string{"b", "a", "c"} {
		a.Note("x", "/s", errors.New(why))
	}
	a.Note("a", "/s", errors.New("z"))
	var got []string
	for _, trouble := range a.Troubles() {
		got = append(got, trouble.About+trouble.Why)
	}
	if want := []string{"az", "xa", "xb", "xc"}; !cmp.Equal(got, want) {
		t.Errorf("troubles %q, want %q", got, want)
	}
}

func TestPlain(t *testing.T) {
	var into struct {
		CUDA struct {
			Version string `json:"version"`
		} `json:"cuda"`
	}
	for _, text := range []string{`{"cuda": 5}`, `{"cuda": {"version": []}}`, `[]`, `{`} {
		err := Plain(json.Unmarshal([]byte(text), &into))
		if err == nil || strings.Contains(err.Error(), "struct") || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "of type") {
			t.Errorf("%s: %v, want an error without Go's words", text, err)
		}
	}
}

func TestAsk(t *testing.T) {
	a := at(t, "-- host --\nos = linux\narch = amd64\n-- run[exit=3] /bin/x --\n-- stderr /bin/x --\n\nit broke\n-- run /bin/y --\n\n")
	if _, err := a.Ask(context.Background(), "/bin/x"); err == nil || err.Error() != "exit code 3: it broke" {
		t.Errorf("a refusing program = %v", err)
	}
	if _, err := a.Ask(context.Background(), "/bin/y"); err == nil || !strings.Contains(err.Error(), "printed nothing") {
		t.Errorf("a silent program = %v", err)
	}
}

func TestCupelHome(t *testing.T) {
	for _, tt := range []struct{ name, archive, want string }{
		{"CUPEL_HOME", "-- host --\nos = linux\narch = amd64\nhome = /h\n-- env --\nCUPEL_HOME=/x\n", "/x"},
		{"XDG", "-- host --\nos = linux\narch = amd64\nhome = /h\n-- env --\nXDG_DATA_HOME=/d\n", "/d/cupel"},
		{"default", "-- host --\nos = linux\narch = amd64\nhome = /h\n", "/h/.local/share/cupel"},
		{"Windows", "-- host --\nos = windows\narch = amd64\n-- env --\nLOCALAPPDATA=C:\\L\n", `C:\L\cupel`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := CupelHome(at(t, tt.archive)); got != tt.want {
				t.Errorf("CupelHome = %q, want %q", got, tt.want)
			}
		})
	}
}
