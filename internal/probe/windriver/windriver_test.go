package windriver

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func hostFile(t *testing.T, name string) *look.At {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "hosts", name))
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, string(text))
}

func parsed(t *testing.T, text string) *look.At {
	t.Helper()
	h, err := host.Parse([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

func TestDriverNumber(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"branch 580", "32.0.15.8088", "580.88"},
		{"branch 591", "32.0.15.9174", "591.74"},
		{"branch 526", "31.0.15.2657", "526.57"},
		{"branch 456", "27.21.14.5671", "456.71"},
		{"a zero inside", "31.0.15.5009", "550.09"},
		{"the next digit", "32.0.16.123", "601.23"},
		{"Intel's number", "32.0.101.6874", ""},
		{"Microsoft's basic driver", "10.0.19041.3636", ""},
		{"wine's own library", "10.0.0.0", ""},
		{"three parts", "32.0.15", ""},
		{"no number", "unknown", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := DriverNumber(tt.in); got != tt.want {
				t.Errorf("DriverNumber(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSurveyWorkstation(t *testing.T) {
	at := hostFile(t, "windows-rtx5060ti.txtar")
	d, gpus := Survey(context.Background(), at)
	const (
		dll = `C:\Windows\System32\nvcuda.dll`
		smi = `C:\Windows\System32\nvidia-smi.exe`
	)
	want := fact.Driver{
		Kernel:    fact.Of("580.88", classKey+`\0001 (DriverVersion 32.0.15.8088)`),
		UserMode:  fact.Of("580.88", dll+" (file version 32.0.15.8088)"),
		Libraries: []fact.DriverLibrary{{Path: dll, Version: "580.88", From: "system32", Rank: 1}},
		SMI:       fact.Of(smi, smi),
		PCI:       []fact.PCIDevice{{Slot: "0000:01:00.0", Device: "2D04", Driver: "nvlddmkm"}},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]fact.GPU{{
		Name: "NVIDIA GeForce RTX 5060 Ti", CC: fact.Of("12.0", "GPU table, PCI id 2D04"), MemoryMiB: 16310,
		PCI: "00000000:01:00.0", Source: classKey + `\0001`,
	}}, gpus); diff != "" {
		t.Error(diff)
	}
	if at.Processes() != 0 || at.Troubles() != nil {
		t.Errorf("processes %d, troubles %v, want none", at.Processes(), at.Troubles())
	}
}

func TestSurveyWithoutDriver(t *testing.T) {
	for _, tt := range []struct {
		host string
		pci  []fact.PCIDevice
	}{
		{"windows-bare.txtar", nil},
		{"windows-broken.txtar", []fact.PCIDevice{{Slot: "0000:01:00.0", Device: "2520", Driver: "BasicDisplay"}}},
	} {
		t.Run(tt.host, func(t *testing.T) {
			d, gpus := Survey(context.Background(), hostFile(t, tt.host))
			if d.Kernel.State != fact.Absent || d.UserMode.State != fact.Absent || d.SMI.State != fact.Absent || gpus != nil {
				t.Errorf("driver %+v, GPUs %+v, want none of them", d, gpus)
			}
			if diff := cmp.Diff(tt.pci, d.PCI); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSurveyEdges(t *testing.T) {
	const head = "-- host --\nos = windows\narch = amd64\n"
	card := func(n, name string) string {
		return "[" + classKey + `\` + n + "]\nDriverDesc=" + name + "\nDriverVersion=32.0.15.8088\nMatchingDeviceId=pci\\ven_10de&dev_ffff\n"
	}
	for _, tt := range []struct {
		name, text string
		user       fact.State
		gpus       int
	}{
		{"garbage for a driver library", head + "-- file C:\\Windows\\System32\\nvcuda.dll --\nnot a library\n", fact.Unreadable, 0},
		{"no list of PCI devices", head + "-- registry --\n" + card("0000", "A") + card("0001", "A"), fact.Absent, 2},
		{"a key nothing refers to", head + "-- registry --\n" + card("0000", "A") + card("0001", "A") +
			"[" + pciKey + `\VEN_10DE&DEV_FFFF&SUBSYS_0&REV_A1\4&1` + "]\nClassGUID=" + displayClass + "\nDriver=" + displayClass + "\\0001\n", fact.Absent, 1},
		{"keys that are no adapters", head + "-- registry --\n[" + classKey + "\\Properties]\n[" + classKey + "\\Configuration]\n", fact.Absent, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, gpus := Survey(context.Background(), parsed(t, tt.text))
			if d.UserMode.State != tt.user || len(gpus) != tt.gpus {
				t.Errorf("user mode %+v, GPUs %+v, want %s and %d", d.UserMode, gpus, tt.user, tt.gpus)
			}
			if tt.user == fact.Unreadable && d.UserMode.Why == "" {
				t.Error("unreadable without a reason")
			}
		})
	}
}

// TestForeignDriverVersion: a driver is there whose version cannot be read.
func TestForeignDriverVersion(t *testing.T) {
	for _, version := range []string{"10.0.19041.3636", ""} {
		d, _ := Survey(context.Background(), parsed(t, "-- host --\nos = windows\narch = amd64\n-- registry --\n["+classKey+`\0000`+"]\nDriverDesc=A\nDriverVersion="+version+"\nMatchingDeviceId=pci\\ven_10de&dev_ffff\n"))
		if d.Kernel.State != fact.Unreadable || d.Kernel.Why == "" {
			t.Errorf("DriverVersion %q: kernel %+v, want unreadable with a reason", version, d.Kernel)
		}
	}
}

func TestSlot(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"with the driver's text", `@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;(59,0,0)`, "0000:3b:00.0"},
		{"plain English", "PCI bus 1, device 2, function 3", "0000:01:02.3"},
		{"plain German", "PCI-Bus 1, Gerät 0, Funktion 0", "0000:01:00.0"},
		{"without numbers", "somewhere", ""},
		{"a text without its numbers", `@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3`, ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := slot(tt.in); got != tt.want {
				t.Errorf("slot(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestRealMachine reads this machine when it is Windows or wine: there is no NVIDIA driver in the test bed.
func TestRealMachine(t *testing.T) {
	at := look.New(host.Here())
	if !at.Path.Windows() {
		t.Skip("not a Windows machine: run with GOOS=windows and scripts/wine-exec")
	}
	d, gpus := Survey(context.Background(), at)
	t.Logf("driver %+v\nGPUs %+v\ntroubles %v", d, gpus, at.Troubles())
	if at.Env("CUPEL_TESTBED") == "" {
		t.Skip("no test bed here")
	}
	if d.UserMode.State != fact.Absent || d.Kernel.State != fact.Absent || len(gpus) != 0 {
		t.Errorf("driver %+v, GPUs %+v, want none in the test bed", d, gpus)
	}
}
