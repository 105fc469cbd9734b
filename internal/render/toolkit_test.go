package render

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/finding"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		in   int64
		want string
	}{
		{0, "0 bytes"}, {999, "999 bytes"}, {1500, "2 kB"}, {9_440_000, "9.4 MB"}, {92_300_000, "92 MB"}, {1_430_000_000, "1.4 GB"}, {12_400_000_000, "12 GB"},
	} {
		if got := Bytes(tt.in); got != tt.want {
			t.Errorf("Bytes(%d) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for _, tt := range []struct {
		in   time.Duration
		want string
	}{
		{400 * time.Millisecond, "0.4 s"}, {3 * time.Second, "3.0 s"}, {42 * time.Second, "42 s"}, {185 * time.Second, "3 min 5 s"},
	} {
		if got := Duration(tt.in); got != tt.want {
			t.Errorf("Duration(%s) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   progress.Event
		want string
	}{
		{"bytes", progress.Event{Phase: progress.Fetch, Item: "cuda_nvcc", Done: 34_000_000, Total: 92_000_000}, "fetch cuda_nvcc: 34 MB of 92 MB"},
		{"no total", progress.Event{Phase: progress.Fetch, Item: "cuda_nvcc", Done: 34_000_000}, "fetch cuda_nvcc: 34 MB"},
		{"files", progress.Event{Phase: progress.Check, Item: "13.0.2", Done: 3, Total: 10}, "check 13.0.2: 3 of 10 files"},
		{"a line", progress.Event{Phase: progress.Prove, Text: "nvcc answers"}, "prove: nvcc answers"},
		{"a line that would move the cursor", progress.Event{Phase: progress.Build, Text: "a\x1b[2Jb"}, `build: a\x1b[2Jb`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Progress(tt.in); got != tt.want {
				t.Errorf("Progress(%+v) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

var linux = resolve.Platform{OS: "linux", Arch: "amd64"}

func TestToolkitSearch(t *testing.T) {
	got := Style{}.ToolkitSearch(ToolkitSearch{Platform: linux, Release: "13.0", Sources: []ToolkitSource{
		{Name: "redist", Why: "the name x cannot be looked up", Next: "name a mirror"},
		{Name: "pip", Reachable: true, Older: 2, Offers: []resolve.Offer{{Source: "pip", Release: "13.0.3", Platform: linux, Components: []string{"nvcc", "crt"},
			Minimal: resolve.Size{Download: 92_000_000, Installed: 310_000_000}}}},
	}, Findings: []finding.Finding{{ID: "source-unreachable", Severity: finding.Info}}})
	want := `CUDA toolkits for linux-x86_64

RELEASE  SOURCE  DOWNLOAD  INSTALLED  FULL DOWNLOAD  FULL INSTALLED  NOTE
13.0.3   pip     92 MB     310 MB     unknown        unknown

13.0.3 from pip: nvcc crt

redist: the name x cannot be looked up (name a mirror)
2 older updates not shown (--all)
`
	if got != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

func TestToolkitInstall(t *testing.T) {
	plan := resolve.Plan{Source: "pip", Release: "13.0.3", Platform: linux, Components: []string{"nvcc", "crt"},
		Parcels: []resolve.Parcel{{Name: "nvidia-cuda-nvcc", Version: "13.0.88", SHA256: strings.Repeat("a", 64), Size: resolve.Size{Download: 30_000_000}}}}
	for _, tt := range []struct {
		name string
		in   ToolkitInstall
		want string
	}{
		{"a dry run", ToolkitInstall{DryRun: true, Plan: &plan, Missing: plan.Parcels, Root: "/h/t"}, `CUDA 13.0.3 from pip for linux-x86_64: nvcc crt
  download unknown, installed unknown, into /h/t
  nvidia-cuda-nvcc  13.0.88  30 MB  sha256 aaaaaaaaaaaa…
nothing was installed (--dry-run)
`},
		{"a dry run of what is there", ToolkitInstall{DryRun: true, Plan: &resolve.Plan{Source: "pip", Release: "13.0.3", Platform: linux, Components: []string{"nvcc"}}, Root: "/h/t"}, `CUDA 13.0.3 from pip for linux-x86_64: nvcc
  all of it is there, in /h/t
nothing was installed (--dry-run)
`},
		{"a dry run that adds", ToolkitInstall{DryRun: true, Plan: &resolve.Plan{Source: "pip", Release: "13.0.3", Platform: linux, Components: []string{"nvcc", "cublas"}, Parcels: []resolve.Parcel{{Name: "n"}, {Name: "c"}}, Size: resolve.Size{Download: 9e9}},
			Missing: []resolve.Parcel{{Name: "c", Size: resolve.Size{Download: 5_000_000, Installed: 7_000_000}}}, Root: "/h/t"}, `CUDA 13.0.3 from pip for linux-x86_64: nvcc cublas
  1 of 2 parcels are missing: download 5.0 MB, installed 7.0 MB, into /h/t
  n    unknown
  c    unknown
nothing was installed (--dry-run)
`},
		{"a compiler of Windows", ToolkitInstall{Plan: &plan, Name: "n", Root: "/h/t", Compiler: &HostCompiler{Family: "msvc", Command: "cl.exe", Version: "19.40"}}, `CUDA 13.0.3 from pip installed
  where     /h/t
  compiler  cl 19.40 in cl.exe
`},
		{"installed, with a compiler", ToolkitInstall{Plan: &plan, Name: "n", Root: "/h/t", Fetched: 30_000_000, Unpacked: 90_000_000, Seconds: 4.2, Proof: []string{"nvcc 13.0.88 answers", "dry run"},
			Compiler: &HostCompiler{Family: "gcc", Command: "/h/c/bin/g++-13", Version: "13.3.0"}, Use: "cupel toolkit use 13.0.3"}, `CUDA 13.0.3 from pip installed
  where     /h/t
  size      30 MB fetched, 90 MB installed, 4.2 s
  proof     nvcc 13.0.88 answers
            dry run
  compiler  gcc 13.3.0 in /h/c/bin/g++-13
next: cupel toolkit use 13.0.3
`},
		{"added to", ToolkitInstall{Plan: &plan, Name: "n", Root: "/h/t", Added: []string{"libcublas"}, Parcels: make([]Parcel, 3)}, `CUDA 13.0.3 from pip installed
  where  /h/t
  added  libcublas
`},
		{"registered", ToolkitInstall{Plan: &resolve.Plan{Source: "local", Release: "12.2", Root: "/opt/c"}, Name: "n", Root: "/opt/c"}, `CUDA 12.2 from local registered
  where  /opt/c
`},
		{"stopped", ToolkitInstall{Plan: &plan, Findings: []finding.Finding{{ID: "no-space", Severity: finding.Error, What: "the disk is too full"}}}, "error[no-space]: the disk is too full\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Style{}).ToolkitInstall(tt.in); got != tt.want {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

func TestToolkitList(t *testing.T) {
	got := Style{}.ToolkitList(ToolkitList{Toolkits: []ListedToolkit{
		{Name: "a", Release: "13.0.2", Source: "pip", Platform: "linux-x86_64", Root: "/h/a", Size: 310_000_000, Cupel: true, Chosen: true, Reason: "the only one"},
		{Name: "b", Release: "13.0.2", Source: "pip", Platform: "windows-x86_64", Root: "/h/b", Size: 310_000_000, Cupel: true, Foreign: true},
		{Release: "12.4.1", Source: "installer", Platform: "linux-x86_64", Root: "/usr/local/cuda", Active: true},
	}, Others: []ListedOther{{Kind: "compilers", Name: "gcc-13", Release: "13.3.0", Source: "apt", Path: "/h/c/bin/g++-13", Size: 90_000_000}}})
	want := `    RELEASE  SOURCE     PLATFORM        SIZE    NAME  ROOT
*   13.0.2   pip        linux-x86_64    310 MB  a     /h/a             cupel's
    13.0.2   pip        windows-x86_64  310 MB  b     /h/b             for another platform
 >  12.4.1   installer  linux-x86_64    -       -     /usr/local/cuda
* chosen: the only one
    13.3.0  apt  compiler  90 MB  gcc-13  /h/c/bin/g++-13
`
	if got != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

func TestToolkitCheck(t *testing.T) {
	many := make([]CheckedFault, 12)
	for i := range many {
		many[i] = CheckedFault{Path: "f", What: "missing"}
	}
	got := Style{}.ToolkitCheck(ToolkitCheck{Checked: []CheckedToolkit{
		{Name: "a", Files: 3},
		{Name: "b", Files: 20, Faults: many},
		{Name: "c", Files: 1, Faults: []CheckedFault{{Path: "x", What: "changed", Want: "1 bytes", Got: "2 bytes"}}, Note: "registered"},
		{Name: "d", Unreadable: true},
	}})
	for _, want := range []string{"a: 3 files, as installed\n", "b: 20 files, 12 faults\n", "  … and 2 more (--json shows all)\n", "d: could not be compared\n", "c: registered, 1 fault\n  x: changed: it is 2 bytes, was 1 bytes\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
}
