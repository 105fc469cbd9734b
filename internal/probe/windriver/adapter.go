package windriver

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// displayClass is the set-up class of display adapters; one numbered key below it per installed adapter.
const (
	displayClass = `{4d36e968-e325-11ce-bfc1-08002be10318}`
	classKey     = `HKLM\SYSTEM\CurrentControlSet\Control\Class\` + displayClass
)

var (
	adapterName = pattern.New(`^\d{4}$`)
	nvidiaID    = pattern.New(`(?i)ven_10de&dev_([0-9a-f]{4})`)
)

// adapter is one NVIDIA key of the display class.
type adapter struct {
	key     string
	name    string
	windows string // DriverVersion, 32.0.15.8088
	device  string // PCI id
	memory  int64
	slot    string
}

// adapters reads the NVIDIA keys of the display class.
func adapters(at *look.At, devices []device) []adapter {
	names, err := at.RegistryKeys(classKey)
	if err != nil {
		at.Note("display adapters", classKey, err)
		return nil
	}
	var out []adapter
	for _, n := range names {
		if !adapterName.MatchString(n) {
			continue // "Properties" is closed to everybody but the system
		}
		key := classKey + `\` + n
		values, err := at.RegistryValues(key)
		at.Note("display adapter", key, err)
		a, ok := readAdapter(key, values)
		if ok && a.attached(n, devices) {
			out = append(out, a)
		}
	}
	return out
}

func readAdapter(key string, values map[string]string) (adapter, bool) {
	id := nvidiaID.FindStringSubmatch(values["MatchingDeviceId"])
	if id == nil {
		return adapter{}, false
	}
	memory, _ := strconv.ParseInt(values["HardwareInformation.qwMemorySize"], 10, 64)
	return adapter{
		key: key, name: values["DriverDesc"], windows: values["DriverVersion"],
		device: strings.ToUpper(id[1]), memory: memory,
	}, true
}

// attached finds the PCI device that uses this key. When no device names any key the list tells nothing, and
// the adapter is believed.
func (a *adapter) attached(number string, devices []device) bool {
	any := false
	for _, d := range devices {
		any = any || d.key != ""
		if strings.EqualFold(d.key, displayClass+`\`+number) {
			a.slot = d.Slot
			return true
		}
	}
	return !any
}

// installed is the version of the display driver. All NVIDIA adapters of a machine share one.
func installed(all []adapter) fact.Fact[string] {
	for _, a := range all {
		if v := DriverNumber(a.windows); v != "" {
			return fact.Of(v, a.key+` (DriverVersion `+a.windows+`)`)
		}
	}
	if len(all) > 0 {
		return fact.Bad[string](all[0].key, fmt.Errorf("DriverVersion %.40q is not in NVIDIA's form", all[0].windows))
	}
	return fact.None[string](classKey)
}

func gpus(all []adapter) []fact.GPU {
	var out []fact.GPU
	for i, a := range all {
		g := fact.GPU{Index: i, Name: a.name, CC: capability(a), MemoryMiB: a.memory >> 20, Source: a.key}
		if a.slot != "" {
			g.PCI = strings.ToUpper("0000" + a.slot) // NVML writes the domain with eight digits
		}
		out = append(out, g)
	}
	return out
}

// capability asks the tables, by PCI id and then by name.
func capability(a adapter) fact.Fact[string] {
	if p, ok := compat.GPUByPCI(a.device); ok {
		return fact.Of(p.CC, "GPU table, PCI id "+a.device)
	}
	if p, ok := compat.GPUByName(a.name); ok {
		return fact.Of(p.CC, "GPU table, name "+a.name)
	}
	return fact.None[string]("GPU table, PCI id " + a.device)
}
