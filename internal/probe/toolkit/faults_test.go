package toolkit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

const whole = `-- env --
CUDA_HOME=/opt/x
-- tree --
/opt/x/bin/nvcc x
/opt/x/bin/ptxas x
/opt/x/bin/cudafe++ x
/opt/x/bin/fatbinary x
/opt/x/bin/nvlink x
/opt/x/nvvm/bin/cicc x
/opt/x/nvvm/libdevice/libdevice.10.bc f
/opt/x/include/cuda.h f
/opt/x/include/cuda_runtime.h f
/opt/x/include/crt/host_config.h f
/opt/x/lib64/libcudart.so f
/opt/x/lib64/libcudart.so.13 f
/opt/x/lib64/libcudart_static.a f
/opt/x/lib64/libcudadevrt.a f
/opt/x/lib64/stubs/libcuda.so f
-- text /opt/x/bin/nvcc --
release 13.0, V13.0.88
`

// TestFaults: a part that is there and of no use is neither missing nor fine.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name, tree string
		want       map[string]string
	}{
		{"nothing wrong", "", nil},
		{"cicc in a closed folder", "- /opt/x/nvvm/bin\n/opt/x/nvvm/bin/cicc ? ! permission denied\n", map[string]string{fact.PartCicc: "permission denied"}},
		{"closed cicc", "/opt/x/nvvm/bin/cicc x 9 ! permission denied\n", map[string]string{fact.PartCicc: "permission denied"}},
		{"cicc is not executable", "/opt/x/nvvm/bin/cicc f 9\n", map[string]string{fact.PartCicc: "not executable"}},
		{"empty cicc", "/opt/x/nvvm/bin/cicc x 0\n", map[string]string{fact.PartCicc: "the file is empty"}},
		{"empty header", "/opt/x/include/cuda.h f 0\n", map[string]string{fact.PartHeader: "the file is empty"}},
		{"nvcc is not executable", "/opt/x/bin/nvcc f 9\n", map[string]string{fact.PartNvcc: "not executable"}},
		{"closed library folder", "- /opt/x/lib64\n/opt/x/lib64 d ! permission denied\n", map[string]string{
			fact.PartCudart: "permission denied", fact.PartCudartReal: "permission denied", fact.PartCudartA: "permission denied",
			fact.PartCudadevrt: "permission denied", fact.PartStub: "permission denied",
		}},
		{"a linked library that goes in circles", "/opt/x/lib64/libcudart.so -> libcudart.so\n", map[string]string{fact.PartCudart: "too many levels of symbolic links"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := survey(t, whole+"-- tree --\n"+tt.tree)
			if len(got) != 1 {
				t.Fatalf("%d toolkits, want 1", len(got))
			}
			if diff := cmp.Diff(tt.want, got[0].Faults); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if len(got[0].Missing) != 0 {
				t.Errorf("missing %q, want none: all are there", got[0].Missing)
			}
		})
	}
}

// TestUselessNvcc: the root is a toolkit all the same, and the program is not started.
func TestUselessNvcc(t *testing.T) {
	for _, tt := range []struct{ name, archive, how, nvcc string }{
		{"not executable, by CUDA_HOME", "-- env --\nCUDA_HOME=/opt/x\n-- tree --\n/opt/x/bin/nvcc f 9\n-- text /opt/x/bin/nvcc --\nrelease 13.0, V13.0.88\n", "CUDA_HOME", "13.0.88"},
		{"not executable, on PATH", "-- env --\nPATH=/opt/x/bin\n-- tree --\n/opt/x/bin/nvcc f 9\n-- text /opt/x/bin/nvcc --\nrelease 13.0, V13.0.88\n", "PATH (not executable)", "13.0.88"},
		{"empty", "-- env --\nCUDA_HOME=/opt/x\n-- tree --\n/opt/x/bin/nvcc x 0\n-- run /opt/x/bin/nvcc --version --\nrelease 13.0, V13.0.88\n", "CUDA_HOME", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := survey(t, tt.archive)
			if len(got) != 1 || !slices.Contains(got[0].Found, tt.how) || got[0].Nvcc.Value != tt.nvcc || got[0].Faults[fact.PartNvcc] == "" {
				t.Errorf("toolkits = %+v, want one found by %s, its nvcc %q with a fault", got, tt.how, tt.nvcc)
			}
		})
	}
}

// TestUnreadableRoot: a root that cannot be looked at is told, not passed over in silence.
func TestUnreadableRoot(t *testing.T) {
	for _, tt := range []struct{ name, tree, why string }{
		{"links to itself", "/opt/x -> x\n", "symbolic links"},
		{"closed above", "/opt/x ? ! permission denied\n", "permission denied"},
		{"closed itself", "/opt/x d\n/opt/x/bin ? ! permission denied\n/opt/x/lib ? ! permission denied\n", "permission denied"},
		{"not there", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, a := survey(t, "-- env --\nCUDA_HOME=/opt/x\n-- tree --\n"+tt.tree)
			if len(got) != 0 || (len(a.Troubles()) > 0) != (tt.why != "") {
				t.Fatalf("toolkits %+v, troubles %+v", got, a.Troubles())
			}
			if tt.why != "" && (a.Troubles()[0].Source != "/opt/x" || !strings.Contains(a.Troubles()[0].Why, tt.why)) {
				t.Errorf("troubles %+v, want %q about the root", a.Troubles(), tt.why)
			}
		})
	}
}

func TestOriginOfLaterWheels(t *testing.T) {
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := origin(look.New(h), fact.Toolkit{Root: "/w/nvidia/cu14"}); got != "pip" {
		t.Errorf("origin of nvidia/cu14 = %s, want pip", got)
	}
}
