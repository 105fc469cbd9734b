package lock

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sumA = "3f1c0000000000000000000000000000000000000000000000000000000000aa"

func full() Lock {
	return Lock{Cupel: 1, Platforms: map[string]Platform{
		"windows-amd64": {Contract: sumA, Toolkit: Toolkit{Release: "13.0.2", Source: "installer"}},
		"linux-amd64": {Contract: sumA, Toolkit: Toolkit{Release: "12.4.1", Nvcc: "12.4.131", Source: "pip"},
			Components: []Component{{"cuda_nvcc", "12.4.131", "cuda_nvcc-linux-x86_64-12.4.131-archive.tar.xz", sumA, 42}, {"cuda_cudart", "12.4.127", "cuda_cudart-1.tar.xz", sumA, 0}},
			Host:       &Host{"gcc", "12.2.0"}, Arch: &Arch{[]string{"sm_80", "sm_90a"}, "highest"}},
	}}
}

func TestFormatAndParse(t *testing.T) {
	text := Format(full())
	got, err := Parse("cupel.lock", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := Format(*got); string(again) != string(text) {
		t.Errorf("written again (-first +second):\n%s", cmp.Diff(string(text), string(again)))
	}
	if i, j := strings.Index(string(text), "cuda_cudart"), strings.Index(string(text), "cuda_nvcc"); i > j {
		t.Errorf("components are not sorted:\n%s", text)
	}
}

// TestExample: the example of the specification is a lock, written as this program writes it.
func TestExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats/lock.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "```toml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/formats/lock.md has no example")
	}
	l, err := Parse("lock.md", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example, string(Format(*l))); diff != "" {
		t.Errorf("the example is not as it would be written (-example +written):\n%s", diff)
	}
	if p := l.Platforms["linux-amd64"]; len(p.Components) == 0 || p.Host == nil || p.Arch == nil || len(l.Platforms) < 2 {
		t.Errorf("the example does not show every key: %+v", l)
	}
}

func TestParseRefuses(t *testing.T) {
	ok := string(Format(full()))
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", "x: the file is empty"},
		{"blanks", " \r\n", "x: the file is empty"},
		{"no format", "[platform]\n", "the key cupel is missing"},
		{"an older format", strings.Replace(ok, "cupel = 1", "cupel = 0", 1), "cupel = 0, and this build reads 1"},
		{"an unknown key", ok + "colour = 1\n", "unknown key platform.windows-amd64.toolkit.colour"},
		{"no TOML", "cupel = 1\n[platform", "x:2:"},
		{"a merge conflict", "cupel = 1\n<<<<<<< HEAD\n", "x:2:"},
		{"a wrong type", strings.Replace(ok, `release = "12.4.1"`, "release = 12.4", 1), "x:8:11:"},
		{"an unknown platform", strings.ReplaceAll(ok, "linux-amd64", "plan9-amd64"), "platform.plan9-amd64: not one of"},
		{"a platform without a machine", strings.ReplaceAll(ok, "linux-amd64", "linux"), "platform.linux: not one of"},
		{"no contract", strings.Replace(ok, `contract = "`+sumA, `contract = "`, 1), "platform.linux-amd64.contract:"},
		{"a release in words", strings.Replace(ok, `"12.4.1"`, `"newest"`, 1), "platform.linux-amd64.toolkit.release:"},
		{"an unknown source", strings.Replace(ok, `"pip"`, `"floppy"`, 1), `toolkit.source: "floppy" is not one of`},
		{"a path for a file", strings.Replace(ok, "cuda_cudart-1", "../x", 1), "component[0].file:"},
		{"a wrong sum", strings.Replace(ok, `sha256 = "3f`, `sha256 = "3F`, 1), "component[0].sha256:"},
		{"a component twice", strings.Replace(ok, `"cuda_nvcc"`, `"cuda_cudart"`, 1), "component[1].name: cuda_cudart is there twice"},
		{"an unknown compiler", strings.Replace(ok, `"gcc"`, `"tcc"`, 1), "host.family:"},
		{"an architecture in another spelling", strings.Replace(ok, `"sm_80"`, `"8.0"`, 1), "arch.targets:"},
		{"bytes", "cupel = 1\n# \xff\n", "not UTF-8"},
		{"too large", ok + strings.Repeat("#", MaxSize), "larger than 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x", []byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse: %v, want %q\n%.600s", err, tt.want, tt.in)
			}
			if broken := (Broken{}); !errors.As(err, &broken) || errors.Is(err, ErrNewer) {
				t.Errorf("Parse: %#v, want it to be told as broken", err)
			}
		})
	}
}

// TestNewer: a lock of a newer cupel is not broken, whatever else stands in it.
func TestNewer(t *testing.T) {
	for _, text := range []string{"cupel = 2\n", "cupel = 2\ncolour = 1\n", strings.Replace(string(Format(full())), "cupel = 1", "cupel = 17", 1)} {
		_, err := Parse("x", []byte(text))
		if broken := (Broken{}); !errors.Is(err, ErrNewer) || errors.As(err, &broken) || !strings.Contains(err.Error(), "update cupel") {
			t.Errorf("Parse(%.60q): %v, want that a newer cupel wrote it", text, err)
		}
	}
}

func TestRelease(t *testing.T) {
	l := full()
	for platform, want := range map[string]string{"linux": "12.4.1", "linux-amd64": "12.4.1", "linux-arm64": "", "wsl2": "12.4.1", "wsl2-amd64": "12.4.1", "windows": "13.0.2", "jetson": "", "win": ""} {
		if got := l.Release(platform); got != want {
			t.Errorf("Release(%q) = %q, want %q", platform, got, want)
		}
	}
	var none *Lock
	if got := none.Release("linux"); got != "" {
		t.Errorf("Release of no lock = %q", got)
	}
}

func TestMergeKeepsOthers(t *testing.T) {
	old := full()
	made := Lock{Platforms: map[string]Platform{"linux-amd64": {Contract: sumA, Toolkit: Toolkit{Release: "13.1", Source: "pip"}}}}
	got := made.Merge(&old)
	if got.Release("linux") != "13.1" || got.Release("windows") != "13.0.2" || old.Release("linux") != "12.4.1" {
		t.Errorf("merged: %+v", got)
	}
}

// FuzzParse: foreign bytes give an error or a lock that is written and read back as the same.
func FuzzParse(f *testing.F) {
	f.Add(Format(full()))
	for _, seed := range []string{"", "\n", "cupel = 2\n", "cupel = 1\n<<<<<<< HEAD\n", "cupel = 9223372036854775807\n", "cupel = true\n", "[cupel]\n"} {
		f.Add([]byte(seed))
	}
	f.Add([]byte("cupel = 1\n[platform.linux-amd64]\ncontract = \"\\u0000\"\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Parse("x", b)
		if err != nil {
			return
		}
		text := Format(*l)
		again, err := Parse("x", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if string(Format(*again)) != string(text) {
			t.Errorf("written again:\n%s\n%s", text, Format(*again))
		}
	})
}
