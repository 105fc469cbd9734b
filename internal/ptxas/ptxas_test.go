package ptxas

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outputs are those of real tools, each under the command that made it.
func outputs(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*-*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no outputs in testdata: %v", err)
	}
	return names
}

func contents(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// shown are rows without times, which no two runs share.
func shown(kernels []Kernel) string {
	var b strings.Builder
	for _, k := range kernels {
		fmt.Fprintf(&b, "%s %s entry=%t linked=%t reg=%d bar=%d stack=%d/%d spill=%d/%d smem=%d lmem=%d cmem=%v\n", k.Name, k.Arch, k.Entry, k.Linked,
			k.Registers, k.Barriers, k.Stack, k.StackInAll, k.SpillStores, k.SpillLoads, k.Shared, k.Local, k.Constant)
	}
	return b.String()
}

// TestGoldenRows keeps the rows of every release's output. Read a change of it beside the output.
func TestGoldenRows(t *testing.T) {
	var b strings.Builder
	for _, name := range outputs(t) {
		fmt.Fprintf(&b, "# %s\n%s", filepath.Base(name), shown(Read(contents(t, name))))
	}
	const golden = "testdata/rows.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(contents(t, golden), b.String()); diff != "" {
		t.Errorf("rows differ (-want +got), -update rewrites them:\n%s", diff)
	}
}

// TestReadAll: nothing of an output is lost. Every kernel that is announced is a row, and so is every number of spills.
func TestReadAll(t *testing.T) {
	for _, name := range outputs(t) {
		text := contents(t, name)
		rows := Read(text)
		entries, spilling, timed := 0, 0, 0
		for _, k := range rows {
			if k.Entry && !k.Linked {
				entries++
			}
			if k.Spills() {
				spilling++
			}
			if k.Time > 0 {
				timed++
			}
			if k.Arch == "" && !k.Linked {
				t.Errorf("%s: %s has no arch", name, k.Name)
			}
			if k.Entry && k.Registers == 0 {
				t.Errorf("%s: %s has no registers", name, k.Name)
			}
		}
		frames := strings.Count(text, "\n    ")
		for _, tt := range []struct {
			what      string
			got, want int
		}{
			{"kernels", entries, strings.Count(text, "Compiling entry function")},
			{"functions in all", len(rows), strings.Count(text, "Function properties for")},
			{"spilling", spilling, frames - strings.Count(text, " 0 bytes spill stores, 0 bytes spill loads")},
			{"with a time", timed, strings.Count(text, "Compile time = ")},
		} {
			if tt.got != tt.want {
				t.Errorf("%s: %d rows %s, want %d", name, tt.got, tt.what, tt.want)
			}
		}
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []Kernel
	}{
		{"nothing", "", nil},
		{"another tool's text", "k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n", nil},
		{"numbers before any kernel", "ptxas info    : Used 4 registers\n    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", nil},
		{"a kernel of Windows", "ptxas info    : Compiling entry function 'k' for 'sm_90a'\r\nptxas info    : Function properties for k\r\n    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\r\nptxas info    : Used 255 registers, used 16 barriers, 8 bytes cumulative stack size\r\nptxas info    : Compile time = 1.500 ms\r\n",
			[]Kernel{{Name: "k", Arch: "sm_90a", Entry: true, Registers: 255, Barriers: 16, Stack: 8, StackInAll: 8, SpillStores: 4, SpillLoads: 12, Time: 1500 * time.Microsecond}}},
		{"messages in between", "ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas warning : Unaligned something\nptxas info    : Function properties for k\nk.cu(1): remark\n    indented by somebody else\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : (C7510) Potential Performance Loss\nptxas info    : Used 8 registers, 3 bananas, 360 bytes cmem[0], 8 bytes cmem[2]\n",
			[]Kernel{{Name: "k", Arch: "sm_80", Entry: true, Registers: 8, Barriers: -1, Constant: []Bank{{0, 360}, {2, 8}}}}},
		{"a number that is none", "ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas info    : Used many registers, 99999999999999999999 bytes smem, -3 bytes lmem, 4 bytes cmem[x], 5 bytes cmem[-1]\nptxas info    : Compile time = soon\n",
			[]Kernel{{Name: "k", Arch: "sm_80", Entry: true, Barriers: -1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Read(tt.in)); diff != "" {
				t.Errorf("Read(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestSpills(t *testing.T) {
	for _, tt := range []struct {
		name string
		k    Kernel
		want bool
	}{
		{"none", Kernel{Registers: 32, Stack: 160}, false},
		{"stores", Kernel{SpillStores: 4}, true},
		{"loads alone", Kernel{SpillLoads: 4}, true},
	} {
		if got := tt.k.Spills(); got != tt.want {
			t.Errorf("%s: Spills() = %t, want %t", tt.name, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range outputs(f) {
		f.Add(contents(f, name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows := Read(text)
		if lines := strings.Count(text, "\n") + 1; len(rows) > lines {
			t.Errorf("%d rows out of %d lines", len(rows), lines)
		}
		for _, k := range rows {
			if !strings.Contains(text, k.Name) || k.Registers < 0 || k.Barriers < -1 || k.Time < 0 || k.SpillStores < 0 {
				t.Errorf("row %+v", k)
			}
		}
	})
}
