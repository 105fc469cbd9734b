package gpus

import (
	"context"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/driver"
	"cupel/internal/probe/look"
)

func survey(t *testing.T, helper, archive string) (fact.Driver, []fact.GPU) {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n-- env --\nPATH=/usr/bin\n"+archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	a := look.New(h)
	d := driver.Survey(a, fact.Linux)
	return d, Survey(context.Background(), a, &d, helper, nil)
}

const (
	module = "-- file /proc/driver/nvidia/version --\nNVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue\n"
	smi    = "-- tree --\n/usr/bin/nvidia-smi x 1\n"
	long   = "/usr/bin/nvidia-smi --query-gpu=index,name,compute_cap,memory.total,uuid,pci.bus_id,compute_mode,driver_version,mig.mode.current --format=csv,noheader,nounits"
	short  = "/usr/bin/nvidia-smi --query-gpu=index,name,memory.total,uuid,pci.bus_id,compute_mode,driver_version --format=csv,noheader,nounits"
)

func TestFromSMI(t *testing.T) {
	_, gpus := survey(t, "", module+smi+"-- run "+long+" --\n0, NVIDIA L4, 8.9, 23034, GPU-1, 00000000:00:03.0, Default, 550.54.15, [N/A]\n1, NVIDIA H100, 9.0, 81559, GPU-2, 00000000:00:04.0, Exclusive_Process, 550.54.15, Enabled\n")
	if len(gpus) != 2 || gpus[0].CC.Value != "8.9" || gpus[0].MemoryMiB != 23034 || gpus[1].ComputeMode != "exclusive-process" || gpus[1].MIG != "on" {
		t.Errorf("gpus = %+v", gpus)
	}
}

// TestOldSMI: nvidia-smi before R510 refuses the whole query because of compute_cap.
func TestOldSMI(t *testing.T) {
	_, gpus := survey(t, "", module+smi+"-- run[exit=2] "+long+" --\nField \"compute_cap\" is not a valid field to query.\n\n-- run "+short+" --\n0, Tesla T4, 15109, GPU-1, 00000000:00:04.0, Default, 470.82.01\n")
	if len(gpus) != 1 || gpus[0].Name != "Tesla T4" || gpus[0].CC.Value != "7.5" || !strings.Contains(gpus[0].CC.Source, "table") {
		t.Errorf("gpus = %+v, want the T4 with its capability from the table", gpus)
	}
}

func TestTrouble(t *testing.T) {
	for _, tt := range []struct{ name, archive, why string }{
		{"hangs", module + smi + "-- run[hang] " + long + " --\n", "no answer within"},
		{"refuses", module + smi + "-- run[exit=9] " + long + " --\nNVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "couldn't communicate"},
		{"prints garbage", module + smi + "-- run " + long + " --\n\xff\xfe what\n", "fields"},
		{"prints nothing", module + smi + "-- run " + long + " --\n", "printed nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, gpus := survey(t, "", tt.archive)
			if d.SMI.State != fact.Unreadable || !strings.Contains(d.SMI.Why, tt.why) || len(gpus) != 0 {
				t.Errorf("SMI = %+v, gpus %+v, want unreadable with %q", d.SMI, gpus, tt.why)
			}
		})
	}
}

// TestNotAskedWithoutModule: NVIDIA's tools make device nodes when root starts them without a kernel module.
func TestNotAskedWithoutModule(t *testing.T) {
	d, _ := survey(t, "", smi+"-- run[exit=9] "+long+" --\n")
	if d.SMI.State != fact.Known {
		t.Errorf("nvidia-smi was started without a kernel module: %+v", d.SMI)
	}
}

func TestHelper(t *testing.T) {
	report := `{"format":"cupel.gpu/1","nvml":{"found":true,"file":"/lib/libnvidia-ml.so.1"},"driver":"580.95.05","cuda":13000,"libcuda":{"found":true,"file":"/lib/libcuda.so.580.95.05"},"driver_level":13000,"gpus":[{"index":0,"name":"NVIDIA L4","compute_capability":"8.9","memory_bytes":24152899584,"errors":{"mig":"not supported"}}]}`
	d, gpus := survey(t, "cupel-gpu", module+"-- run cupel-gpu --\n"+report+"\n")
	if len(gpus) != 1 || gpus[0].Source != "NVML" || d.Level.Value != "13.0" || gpus[0].Errors["mig"] != "not supported" {
		t.Errorf("level %+v, gpus %+v", d.Level, gpus)
	}
	for _, tt := range []struct{ name, out, why string }{
		{"another format", `{"format":"cupel.gpu/9"}`, "install both from one release"},
		{"not JSON", "Segmentation fault", "parse the report"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := survey(t, "cupel-gpu", module+"-- run cupel-gpu --\n"+tt.out+"\n")
			if d.Helper.State != fact.Unreadable || !strings.Contains(d.Helper.Why, tt.why) {
				t.Errorf("helper = %+v, want unreadable with %q", d.Helper, tt.why)
			}
		})
	}
}

// TestHelperAndSMIFail: each reason is kept.
func TestHelperAndSMIFail(t *testing.T) {
	d, _ := survey(t, "cupel-gpu", module+smi+"-- run[hang] cupel-gpu --\n-- run[exit=9] "+long+" --\nit broke\n")
	if d.Helper.State != fact.Unreadable || !strings.Contains(d.Helper.Why, "no answer within") {
		t.Errorf("helper = %+v, want unreadable: it hangs", d.Helper)
	}
	if d.SMI.State != fact.Unreadable || !strings.Contains(d.SMI.Why, "it broke") {
		t.Errorf("nvidia-smi = %+v, want unreadable: it broke", d.SMI)
	}
	d, _ = survey(t, "cupel-gpu", module+"-- run cupel-gpu --\n{\"format\": 5}\n")
	if d.Helper.State != fact.Unreadable || strings.Contains(d.Helper.Why, "Go struct") {
		t.Errorf("helper = %+v, want unreadable in plain words", d.Helper)
	}
}

func TestFromProcAndBus(t *testing.T) {
	_, gpus := survey(t, "", module+"-- file /proc/driver/nvidia/gpus/0000:01:00.0/information --\nModel: \t\t NVIDIA GeForce RTX 5060 Ti\nGPU UUID: \t GPU-3\nBus Location: \t 0000:01:00.0\n")
	if len(gpus) != 1 || gpus[0].CC.Value != "12.0" {
		t.Errorf("from /proc: %+v", gpus)
	}
	_, gpus = survey(t, "", "-- file /sys/bus/pci/devices/0000:01:00.0/vendor --\n0x10de\n-- file /sys/bus/pci/devices/0000:01:00.0/class --\n0x030000\n-- file /sys/bus/pci/devices/0000:01:00.0/device --\n0x2d04\n")
	if len(gpus) != 1 || gpus[0].CC.Value != "12.0" || gpus[0].Source != "PCI bus" {
		t.Errorf("from the bus: %+v", gpus)
	}
}

func FuzzSMI(f *testing.F) {
	f.Add("0, NVIDIA L4, 8.9, 23034, GPU-1, 00000000:00:03.0, Default, 550.54.15, [N/A]\n")
	f.Fuzz(func(t *testing.T, s string) {
		gpus, _, err := parseSMI(s, query)
		if err == nil && len(gpus) == 0 {
			t.Errorf("parseSMI(%q) found nothing and no fault", s)
		}
	})
}

func FuzzReport(f *testing.F) {
	f.Add([]byte(`{"format":"cupel.gpu/1","nvml":{"found":true}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := ParseReport(b); err == nil {
			devices(r)
		}
	})
}
