package stub

import (
	"slices"
	"strings"
	"testing"

	"cupel/data"
)

func TestDriver(t *testing.T) {
	for _, tt := range []struct {
		release   string
		count     int
		has, less string // a function it has, one that came later
	}{
		{"11.8", 553, "cuInit cuMemAlloc_v2 cuMemcpyHtoD_v2_ptds cuGLInit cuProfilerStart", "cuLibraryLoadData"},
		{"12.0", 580, "cuLibraryLoadData", "cuMulticastCreate"},
		{"12.4", 633, "cuGreenCtxCreate", "cuCtxCreate_v4"},
		{"12.4.1", 633, "cuGreenCtxCreate", "cuCtxCreate_v4"},
		{"12.7", 642, "cuMemBatchDecompressAsync", "cuLogsCurrent"},
		{"13.0", 679, "cuMemGetMemPool", "cuGraphGetId"},
		{"13.4.3", 727, "cuGraphAddNode_v3", ""},
		{"99.0", 727, "cuGraphAddNode_v3", ""},
	} {
		t.Run(tt.release, func(t *testing.T) {
			l, err := Driver(tt.release, "amd64")
			if err != nil || len(l.Symbols) != tt.count || l.Soname != "libcuda.so.1" || l.Answer != 34 {
				t.Errorf("Driver(%s): %d symbols, soname %s, answer %d, %v, want %d, libcuda.so.1, 34", tt.release, len(l.Symbols), l.Soname, l.Answer, err, tt.count)
			}
			for _, s := range strings.Fields(tt.has) {
				if !slices.Contains(l.Symbols, s) {
					t.Errorf("CUDA %s lacks %s", tt.release, s)
				}
			}
			if tt.less != "" && slices.Contains(l.Symbols, tt.less) {
				t.Errorf("CUDA %s has %s", tt.release, tt.less)
			}
		})
	}
}

func TestDriverRefuses(t *testing.T) {
	for _, tt := range []struct{ release, want string }{
		{"11.7", "the functions of CUDA 11.7 are not known, only those of 11.8 and newer"},
		{"new", "new"},
	} {
		if _, err := Driver(tt.release, "amd64"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Driver(%s): %v, want %q", tt.release, err, tt.want)
		}
	}
}

// TestDriverRows: every release's stub can be written, so no name stands twice, and every row says where it comes from.
func TestDriverRows(t *testing.T) {
	table := data.DriverStub()
	for _, row := range table.Rows {
		if len(row.Source) == 0 || !strings.Contains(row.Source[0], " ") {
			t.Errorf("row %s: source %q", row.First, row.Source)
		}
		for _, m := range []string{"amd64", "arm64"} {
			l, err := Driver(row.First, m)
			if err != nil {
				t.Fatal(err)
			}
			_, f := write(t, l)
			for _, w := range wrong(l, f) {
				t.Errorf("CUDA %s, %s: %s", row.First, m, w)
			}
		}
	}
}
