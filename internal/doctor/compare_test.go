package doctor

import (
	"slices"
	"testing"

	"cupel/internal/fact"
)

func machine(driver, gcc string, toolkits ...fact.Toolkit) fact.Machine {
	m := fact.Machine{Format: fact.Format, System: fact.System{OS: "linux", Platform: "linux", Arch: "amd64"}}
	m.Toolkits = toolkits
	if driver != "" {
		m.Driver.Kernel = fact.Of(driver, "/proc/driver/nvidia/version")
		m.Driver.UserMode = fact.Of(driver, "libcuda.so.1")
		m.Driver.Libraries = []fact.DriverLibrary{{Path: "/lib/libcuda.so.1", Version: driver, Rank: 1, From: "loader cache"}}
	}
	m.Compilers = []fact.Compiler{{Family: "gcc", Command: "g++", Path: "/usr/bin/g++", Version: fact.Of(gcc, "g++"), Default: true, Cxx: true}}
	return m
}

func toolkit(root, release string) fact.Toolkit {
	return fact.Toolkit{
		Root: root, Release: fact.Of(release, "version.json"), Nvcc: fact.Of(release, "nvcc"),
		Parts: map[string]string{fact.PartNvcc: root + "/bin/nvcc"}, Bounds: fact.Of(fact.Bounds{GCCMax: 13}, "host_config.h"),
	}
}

func TestCompare(t *testing.T) {
	good, other := machine("580.95.05", "13.3.0", toolkit("/opt/a", "12.4.1")), machine("", "14.2.0", toolkit("/opt/a", "12.4.1"))
	d := Compare(Judge(good, fact.Project{}, Options{}), Judge(other, fact.Project{}, Options{}))
	want := map[string]string{"g++": "host-compiler-too-new", "kernel module": "no-driver"}
	for _, x := range d.Differences {
		id, ok := want[x.What]
		if !ok {
			continue
		}
		delete(want, x.What)
		if !slices.Contains(x.Matters, id) {
			t.Errorf("%s: %s | %s matters for %q, want %s", x.What, x.A, x.B, x.Matters, id)
		}
	}
	if len(want) > 0 {
		t.Errorf("not told as different: %v in %+v", want, d.Differences)
	}
	if len(d.OnlyB) == 0 {
		t.Error("no finding stands on one side only")
	}
	if same := Compare(Judge(good, fact.Project{}, Options{}), Judge(good, fact.Project{}, Options{})); len(same.Differences)+len(same.Findings) > 0 {
		t.Errorf("a machine differs from itself: %+v", same)
	}
}
