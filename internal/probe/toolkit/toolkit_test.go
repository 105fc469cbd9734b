package toolkit

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func survey(t *testing.T, archive string) ([]fact.Toolkit, *look.At) {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\nhome = /home/ann\n"+archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	a := look.New(h)
	return Survey(context.Background(), a, Candidates(a)), a
}

const root13 = `-- env --
PATH=/usr/local/cuda/bin
CUDA_HOME=/usr/local/cuda
-- tree --
/usr/local/cuda -> cuda-13.0
/usr/local/cuda-13.0/bin/nvcc x 1
-- text /usr/local/cuda-13.0/bin/nvcc --
release 13.0, V13.0.88
`

func TestOneRootFoundThrice(t *testing.T) {
	got, _ := survey(t, root13)
	if len(got) != 1 {
		t.Fatalf("%d toolkits, want 1: %+v", len(got), got)
	}
	k := got[0]
	if want := []string{"PATH", "CUDA_HOME", "/usr/local/cuda", "/usr/local/cuda-13.0"}; !cmp.Equal(k.Found, want) {
		t.Errorf("found by %q, want %q", k.Found, want)
	}
	if k.Nvcc.Value != "13.0.88" || k.Origin != "installer" || k.Home() != "/usr/local/cuda-13.0" {
		t.Errorf("toolkit = %+v", k)
	}
}

// TestAskedByAnotherName: a root that was found is asked for through a link; whoever compares needs that name too.
func TestAskedByAnotherName(t *testing.T) {
	const links = root13 + "-- tree --\n/home/me/cuda -> /usr/local/cuda\n"
	for _, tt := range []struct {
		name, archive string
		want          []string
	}{
		{"a link", strings.Replace(links, "CUDA_HOME=/usr/local/cuda", "CUPEL_TOOLKIT=/home/me/cuda", 1), []string{"PATH", "/usr/local/cuda", "/usr/local/cuda-13.0", "CUPEL_TOOLKIT", "/home/me/cuda"}},
		{"its name", strings.Replace(links, "CUDA_HOME=/usr/local/cuda", "CUPEL_TOOLKIT=/usr/local/cuda-13.0", 1), []string{"PATH", "/usr/local/cuda", "/usr/local/cuda-13.0", "CUPEL_TOOLKIT"}},
		{"a release", strings.Replace(links, "CUDA_HOME=/usr/local/cuda", "CUPEL_TOOLKIT=13.0", 1), []string{"PATH", "/usr/local/cuda", "/usr/local/cuda-13.0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := survey(t, tt.archive)
			if len(got) != 1 || !cmp.Equal(got[0].Found, tt.want) {
				t.Errorf("found %+v, want one, by %q", got, tt.want)
			}
		})
	}
}

func TestRelease(t *testing.T) {
	for _, tt := range []struct{ name, archive, want, why string }{
		{"version.json", root13 + "-- file /usr/local/cuda-13.0/version.json --\n{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"13.0.2\"}}\n", "13.0.2", ""},
		{"day of the build in version.json", root13 + "-- file /usr/local/cuda-13.0/version.json --\n{\"cuda\": {\"version\": \"13.0.20250929\"}}\n", "13.0", ""},
		{"two releases share the nvcc", root13, "13.0", ""},
		{"truncated version.json, nvcc tells", root13 + "-- file /usr/local/cuda-13.0/version.json --\n{\"cuda\": {\"ver\n", "13.0", "not the JSON of a toolkit"},
		{"garbage in version.json", root13 + "-- part 0 /usr/local/cuda-13.0/version.json --\n/v8AAQ==\n", "13.0", "not the JSON of a toolkit"},
		{"version.json of another release", root13 + "-- file /usr/local/cuda-13.0/version.json --\n{\"cuda\": {\"version\": \"12.4.1\"}}\n", "13.0", "it says 12.4.1, but nvcc is of build 13.0.88"},
		{"version.json that links to itself", root13 + "-- tree --\n/usr/local/cuda-13.0/version.json -> version.json\n", "13.0", "symbolic links"},
		{"version.json of another form", root13 + "-- file /usr/local/cuda-13.0/version.json --\n{\"cuda\": 5}\n", "13.0", "not the JSON of a toolkit: cuda is a number"},
		{"header alone", "-- tree --\n/usr/local/cuda/lib64/libcudart.so.12 f 1\n-- file /usr/local/cuda/include/cuda.h --\n#define CUDA_VERSION 12040\n", "12.4", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, a := survey(t, tt.archive)
			if len(got) != 1 || got[0].Release.Value != tt.want {
				t.Fatalf("toolkits = %+v, want release %q", got, tt.want)
			}
			if tt.why == "" {
				return
			}
			for _, trouble := range a.Troubles() {
				if strings.Contains(trouble.Why, tt.why) {
					return
				}
			}
			t.Errorf("the fault is not told: troubles %+v, want one with %q", a.Troubles(), tt.why)
		})
	}
}

func TestNvccUnreadable(t *testing.T) {
	for _, tt := range []struct{ name, run, why string }{
		{"hangs", "-- run[hang] /opt/cuda/bin/nvcc --version --\n", "no answer within"},
		{"prints nothing", "-- run /opt/cuda/bin/nvcc --version --\n", "printed nothing"},
		{"prints something else", "-- run /opt/cuda/bin/nvcc --version --\nhello\n", "no release"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := survey(t, "-- tree --\n/opt/cuda/bin/nvcc x 20\n"+tt.run)
			if len(got) != 1 || got[0].Nvcc.State != fact.Unreadable || !strings.Contains(got[0].Nvcc.Why, tt.why) {
				t.Errorf("toolkits = %+v, want nvcc unreadable with %q", got, tt.why)
			}
		})
	}
}

// TestOwnGCC: nvcc puts its own folder before PATH, so a gcc in it wins (seen with nvcc 12.4: the object then
// carries that compiler's mark).
func TestOwnGCC(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		want          []string
	}{
		{"none", root13, nil},
		{"a link", root13 + "-- tree --\n/usr/local/cuda-13.0/bin/gcc -> /usr/bin/gcc-12\n/usr/bin/gcc-12 x 1\n", []string{"/usr/bin/gcc-12"}},
		{"Debian's script", root13 + "-- tree --\n/usr/local/cuda-13.0/bin/gcc x\n-- file /usr/local/cuda-13.0/bin/gcc --\nif g++-13 --version; then\n\tprog=gcc-13\nelif g++-13 --version; then\n\tprog=gcc-13\nelif g++-12 --version; then\n\tprog=gcc-12\nfi\n", []string{"gcc-13", "gcc-12"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := survey(t, tt.archive)
			if len(got) != 1 || !cmp.Equal(got[0].OwnGCC, tt.want) {
				t.Errorf("toolkits = %+v, want gcc %q", got, tt.want)
			}
		})
	}
}

// TestTargetFolder: the folder for one processor is no toolkit of its own.
func TestTargetFolder(t *testing.T) {
	got, _ := survey(t, root13+"-- env --\nCUDA_ROOT=/usr/local/cuda-13.0/targets/x86_64-linux\n-- tree --\n/usr/local/cuda-13.0/targets/x86_64-linux/lib/libcudart.so.13 f 1\n")
	if len(got) != 1 {
		t.Errorf("%d toolkits, want 1: %+v", len(got), got)
	}
}

func TestParseHostConfig(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  fact.Bounds
	}{
		{"13.4, the clang line of another system is passed over", []string{
			"#if __GNUC__ > 16", "#error -- unsupported HOS clang version! The version must be must be less than 22 and greater than 3.2 .",
			"#error -- unsupported clang version! clang version must be less than 23 and greater than 3.2 .", "#if _MSC_VER < 1920 || _MSC_VER >= 1960",
		}, fact.Bounds{GCCMax: 16, ClangBelow: 23, MSCMin: 1920, MSCBelow: 1960}},
		{"the comment behind #endif is no bound", []string{"#endif /* __GNUC__ > 11 */"}, fact.Bounds{}},
		{"a number no compiler carries", []string{"#if __GNUC__ > 99999999999999999999"}, fact.Bounds{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := parseHostConfig(tt.lines); got != tt.want {
				t.Errorf("parseHostConfig = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func FuzzVersionJSON(f *testing.F) {
	f.Add([]byte(`{"cuda": {"version": "13.0.2"}}`))
	f.Add([]byte(`{"cuda": 5}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := parseVersionJSON(b); err == nil && v == "" {
			t.Errorf("%q gave no version and no fault", b)
		}
	})
}

func FuzzHostConfig(f *testing.F) {
	f.Add("#if __GNUC__ > 15\n#if _MSC_VER < 1920 || _MSC_VER >= 1950")
	f.Fuzz(func(t *testing.T, s string) {
		b := parseHostConfig(strings.Split(s, "\n"))
		for _, n := range []int{b.GCCMax, b.ClangBelow, b.MSCMin, b.MSCBelow} {
			if n < 0 || n >= 10000 {
				t.Errorf("parseHostConfig(%q) = %+v", s, b)
			}
		}
	})
}
