package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/version"
)

// must reads a contract that is right.
func must(t *testing.T, text string) *Contract {
	t.Helper()
	c, all := Parse("cupel.toml", []byte(text))
	if c == nil {
		t.Fatalf("Parse(%q):%s", text, show(all))
	}
	return c
}

const layered = `cupel = 1
[toolkit]
min = "12.0"
recommended = "12.4"
components = ["nvcc"]
[toolkit.linux]
recommended = "12.5"
[toolkit.wsl2]
recommended = "12.6"
[toolkit.windows]
min = "12.2"
[toolkit.ci]
components = ["nvcc", "cuda-stub"]
[driver]
linux = "525.60.13"
windows = "528.33"
[host.linux]
gcc = ">=9, <=13"
std = "c++17"
[host.wsl2]
gcc = ">=11"
[host.windows]
msvc = ">=19.30"
[host.ci]
unsupported-compiler = "allow"
[env]
toolkit.root = ["CUDA_HOME"]
A = "all"
[env.windows]
"toolkit.root" = ["CUDA_PATH", "CUDA_HOME"]
[env.linux]
A = "linux"
[env.ci]
A = "ci"
[env.runtime]
R = "1"
[components.cudnn]
exclude-on = ["ci"]
[components.git]
on = "windows"
[components.python]
on = "linux"
[gpu]
min-memory = "8 GiB"
exclude-on = "ci"
`

func TestFor(t *testing.T) {
	c := must(t, layered)
	for _, tt := range []struct {
		platform Platform
		want     string
	}{
		{Platform{Name: "linux"}, "min 12.0 toolkit.min; rec 12.5 toolkit.linux.recommended; driver 525.60.13 driver.linux; gcc >=9, <=13 host.linux.gcc; std c++17; names [CUDA_HOME]; A linux env.linux.A; [cudnn python]; gpu 8 GiB"},
		{Platform{Name: "jetson"}, "min 12.0 toolkit.min; rec 12.5 toolkit.linux.recommended; driver 525.60.13 driver.linux; gcc >=9, <=13 host.linux.gcc; std c++17; names [CUDA_HOME]; A linux env.linux.A; [cudnn python]; gpu 8 GiB"},
		{Platform{Name: "wsl2"}, "min 12.0 toolkit.min; rec 12.6 toolkit.wsl2.recommended; driver 528.33 driver.windows; gcc >=11 host.wsl2.gcc; std c++17; names [CUDA_HOME]; A linux env.linux.A; [cudnn python]; gpu 8 GiB"},
		{Platform{Name: "windows"}, "min 12.2 toolkit.windows.min; rec 12.4 toolkit.recommended; driver 528.33 driver.windows; msvc >=19.30 host.windows.msvc; std ; names [CUDA_HOME CUDA_PATH]; A all env.A; [cudnn git]; gpu 8 GiB"},
		{Platform{Name: "linux", CI: true}, "min 12.0 toolkit.min; rec 12.5 toolkit.linux.recommended; driver 525.60.13 driver.linux; gcc >=9, <=13 host.linux.gcc; std c++17 allow; names [CUDA_HOME]; A ci env.ci.A; [python]; gpu none"},
	} {
		t.Run(fmt.Sprint(tt.platform), func(t *testing.T) {
			if got := summary(c.For(tt.platform)); got != tt.want {
				t.Errorf("For(%v)\n got %s\nwant %s", tt.platform, got, tt.want)
			}
		})
	}
}

func summary(r Requirements) string {
	host, gpu := "", "none"
	if r.Host.GCC != nil {
		host = fmt.Sprintf("gcc %s %s", r.Host.GCC.Range, r.HostKey["gcc"])
	}
	if r.Host.MSVC != nil {
		host = fmt.Sprintf("msvc %s %s", r.Host.MSVC.Range, r.HostKey["msvc"])
	}
	if r.GPU != nil {
		gpu = r.GPU.MinMemory.String()
	}
	return strings.Join([]string{
		fmt.Sprintf("min %s %s", r.Toolkit.Min.Version, r.ToolkitKey["min"]), fmt.Sprintf("rec %s %s", r.Toolkit.Recommended.Version, r.ToolkitKey["recommended"]),
		fmt.Sprintf("driver %s %s", r.Driver.Version, r.DriverKey), host, strings.TrimSuffix("std "+r.Host.Std+" "+r.Host.Unsupported, " "),
		fmt.Sprintf("names %v", r.Names["toolkit.root"]), fmt.Sprintf("A %s %s", r.Vars["A"], r.EnvKey("A")), fmt.Sprint(slices.Sorted(maps.Keys(r.Components))), "gpu " + gpu}, "; ")
}

// TestGPUWanted keeps apart: nothing asked, devices asked for, and demands on the devices that are there.
func TestGPUWanted(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       int // min-count; -1: no demand
	}{
		{"nothing said", "", -1}, {"none needed", "[gpu]\nmin-count = 0\n", -1}, {"one", "[gpu]\nmin-count = 1\n", 1},
		{"memory of those there are", "[gpu]\nmin-memory = \"8 GiB\"\n", 0}, {"mode of those there are", "[gpu]\ncompute-mode = \"default\"\n", 0},
		{"not here", "[gpu]\nmin-count = 1\nexclude-on = \"linux\"\n", -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := -1
			if g := must(t, "cupel = 1\n"+tt.text).For(Platform{Name: "linux"}).GPU; g != nil {
				got = g.MinCount
			}
			if got != tt.want {
				t.Errorf("min-count of %q is %d, want %d", tt.text, got, tt.want)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	const text = "cupel = 1\n[arch]\ntargets = [\"7.5\", \"9.0\", \"sm_100f\"]\nsuffix = \"a\"\n[[arch.by-toolkit]]\ntoolkit = \"<12.8\"\ntargets = [\"7.0\", \"8.0\"]\n[[arch.by-toolkit]]\ntoolkit = \"12\"\ntargets = [\"8.6\"]\n"
	r := must(t, text).For(Platform{Name: "linux"})
	for _, tt := range []struct{ release, want, key string }{
		{"12.4.1", "[sm_70 sm_80]", "arch.by-toolkit[0].targets"},
		{"12.9", "[sm_86]", "arch.by-toolkit[1].targets"},
		{"13.0", "[sm_75 sm_90a sm_100f]", "arch.targets"},
		{"", "[sm_75 sm_90a sm_100f]", "arch.targets"},
	} {
		var v version.V
		_ = v.UnmarshalText([]byte(tt.release))
		if got, key := r.Targets(v); fmt.Sprint(got) != tt.want || key != tt.key {
			t.Errorf("Targets(%q) = %v, %s, want %s, %s", tt.release, got, key, tt.want, tt.key)
		}
	}
	if got, key := must(t, "cupel = 1\n").For(Platform{Name: "linux"}).Targets(version.V{}); got != nil || key != "" {
		t.Errorf("Targets of nothing = %v, %q", got, key)
	}
}

func TestAt(t *testing.T) {
	c := must(t, "cupel = 1\r\n[toolkit]\r\nmin = \"12.4\"\r\nwindows.min = \"12.6\"\r\n[env]\r\n\"toolkit.root\" = \"CUDA_HOME\"\r\n[[config]]\r\nname = \"a\"\r\ncommand = \"x\"\r\n[config.env]\r\nA = \"日本\"\r\n[[config]]\r\nname = \"b\"\r\ncommand = \"x\"\r\nneeds = { gpu = \"8.0\" }\r\n")
	for _, tt := range []struct{ key, want string }{
		{"toolkit.min", "cupel.toml:3:1"}, {"toolkit.windows.min", "cupel.toml:4:9"}, {"toolkit.windows", "cupel.toml:4:1"}, {"toolkit.min.reason", "cupel.toml:3:1"},
		{"toolkit.recommended", "cupel.toml:2:2"}, {`env."toolkit.root"`, "cupel.toml:6:1"}, {"config[0].env.A", "cupel.toml:11:1"}, {"config[1].needs", "cupel.toml:15:1"},
		{"config[1].needs.gpu", "cupel.toml:15:11"}, {"config[1].timeout", "cupel.toml:12:3"}, {"config[7].name", "cupel.toml:7:3"}, {"gpu.min-count", "cupel.toml"}, {"", "cupel.toml"},
	} {
		if got := c.At(tt.key).String(); got != tt.want {
			t.Errorf("At(%q) = %s, want %s", tt.key, got, tt.want)
		}
	}
	if got := (&Contract{File: "x.toml"}).At("toolkit.min").String(); got != "x.toml" {
		t.Errorf("At without a source = %s, want x.toml", got)
	}
}

const conflicting = `cupel = 1
[toolkit]
min = "12.4"
exclude = ["12.5", { release = "12.8", reason = "}" }, "12.9"]
[host.linux]
gcc = ">=9"
[arch]
targets = [
  "7.5", # old
  "9.0",
]
[components.cudnn]
version = ">=9"
[[arch.by-toolkit]]
toolkit = "<12.8"
targets = ["8.0"]
[project]
name = "x"
`

func TestLines(t *testing.T) {
	var got []string
	for _, l := range must(t, conflicting).Lines() {
		got = append(got, fmt.Sprintf("%s %s %s", l.Key, l.Pos, l.Text))
	}
	want := []string{
		`toolkit.min cupel.toml:3:1 min = "12.4"`, `toolkit.exclude[0] cupel.toml:4:12 exclude: "12.5"`,
		`toolkit.exclude[1] cupel.toml:4:20 exclude: { release = "12.8", reason = "}" }`, `toolkit.exclude[2] cupel.toml:4:56 exclude: "12.9"`,
		`host.linux.gcc cupel.toml:6:1 gcc = ">=9"`, `arch.targets[0] cupel.toml:9:3 targets: "7.5"`, `arch.targets[1] cupel.toml:10:3 targets: "9.0"`,
		`components.cudnn cupel.toml:12:13 [components.cudnn]`, `components.cudnn.version cupel.toml:13:1 version = ">=9"`,
		`arch.by-toolkit[0] cupel.toml:14:8 [[arch.by-toolkit]] toolkit = "<12.8"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Lines (-want +got):\n%s", d)
	}
}

func TestWithout(t *testing.T) {
	c := must(t, conflicting)
	w := c.Without("toolkit.exclude[0]", "toolkit.exclude[2]", "arch.targets[0]", "components.cudnn.version", "toolkit.min", "no.such[3].key")
	if w.Toolkit.Min != nil || len(w.Toolkit.Exclude) != 1 || w.Toolkit.Exclude[0].Release.String() != "12.8" {
		t.Errorf("toolkit is %+v, want 12.8 excluded and nothing else", w.Toolkit.Bands)
	}
	if fmt.Sprint(w.Arch.Targets) != "[sm_90]" || w.Components["cudnn"].Version != nil {
		t.Errorf("targets %v, cudnn %+v, want sm_90 and no version", w.Arch.Targets, w.Components["cudnn"])
	}
	for key, want := range map[string]string{"toolkit.exclude[0]": "cupel.toml:4:20", "arch.targets[0]": "cupel.toml:10:3", "toolkit.min": "cupel.toml:2:2"} {
		if got := w.At(key).String(); got != want {
			t.Errorf("At(%q) = %s, want %s", key, got, want)
		}
	}
	if c.Toolkit.Min == nil || len(c.Toolkit.Exclude) != 3 || len(c.Lines()) != 10 || c.At("toolkit.min").Line != 3 {
		t.Errorf("the contract itself was changed: %+v", c.Toolkit)
	}
	if all := c.Lines(); len(all) > 0 {
		var keys []string
		for _, l := range all {
			keys = append(keys, l.Key)
		}
		if rest := c.Without(keys...).Lines(); len(rest) != 0 {
			t.Errorf("without every line there are still %v", rest)
		}
	}
}

func TestExampleValues(t *testing.T) {
	c := must(t, example(t))
	if got := c.Configs[2].Needs; got.What != "gpu" || got.GPU.String() != "8.0" {
		t.Errorf("needs is %+v, want gpu 8.0", got)
	}
	if got := c.Configs[0].Command.Argv; len(got) != 3 {
		t.Errorf("command is %q, want three words", got)
	}
	if len(c.Sum) != 64 || c.File != "cupel.toml" {
		t.Errorf("file %q, sum %q", c.File, c.Sum)
	}
	if got := c.Env.Names["toolkit.nvcc"]; !slices.Equal(got, []string{"CUDACXX"}) {
		t.Errorf("names of toolkit.nvcc are %v, want CUDACXX", got)
	}
	if crate, r, err := ParseBuilder(c.Project.Builders[0]); crate != "cudaforge" || r.String() != ">=0.1.6" || err != nil {
		t.Errorf("builder is %s %s %v", crate, r, err)
	}
}

// A checkout may turn the line ends; locks and pages must not become stale by that.
func TestSumIgnoresLineEnds(t *testing.T) {
	const text = "cupel = 1\n[project]\nname = \"p\"\n"
	unix, _ := Parse("cupel.toml", []byte(text))
	windows, _ := Parse("cupel.toml", []byte(strings.ReplaceAll(text, "\n", "\r\n")))
	other, _ := Parse("cupel.toml", []byte(text+"\n"))
	if unix.Sum != windows.Sum || unix.Sum == other.Sum {
		t.Errorf("sums: LF %s, CRLF %s, another text %s", unix.Sum, windows.Sum, other.Sum)
	}
}
