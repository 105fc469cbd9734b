package windriver

import (
	"fmt"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// pciKey lists every PCI device Windows ever met: one key per kind, one below it per place.
const pciKey = `HKLM\SYSTEM\CurrentControlSet\Enum\PCI`

// device is an NVIDIA display device with the class key its driver uses.
type device struct {
	fact.PCIDevice
	key string // {class}\0000; "" without a driver
}

// pciDevices lists the NVIDIA display devices, also those that Microsoft's basic driver serves. Sound and
// USB functions of a card have the same vendor and another class.
func pciDevices(at *look.At) []device {
	kinds, err := at.RegistryKeys(pciKey)
	if err != nil {
		at.Note("PCI devices", pciKey, err)
		return nil
	}
	var out []device
	for _, kind := range kinds {
		id := nvidiaID.FindStringSubmatch(kind)
		if id == nil {
			continue
		}
		places, err := at.RegistryKeys(pciKey + `\` + kind)
		at.Note("PCI device", pciKey+`\`+kind, err)
		for _, place := range places {
			key := pciKey + `\` + kind + `\` + place
			values, err := at.RegistryValues(key)
			at.Note("PCI device", key, err)
			if strings.EqualFold(values["ClassGUID"], displayClass) {
				out = append(out, readDevice(strings.ToUpper(id[1]), values))
			}
		}
	}
	return out
}

func readDevice(id string, values map[string]string) device {
	return device{
		PCIDevice: fact.PCIDevice{Slot: slot(values["LocationInformation"]), Device: id, Driver: values["Service"]},
		key:       values["Driver"],
	}
}

// Windows writes the place as text in its own language, with the three numbers again in brackets behind it.
var (
	slotNumbers = pattern.New(`\((\d+),(\d+),(\d+)\)$`)
	slotText    = pattern.New(`(\d+)\D+(\d+)\D+(\d+)\D*$`)
)

// slot is the place on the bus as Linux writes it, "" when the text has no three numbers.
func slot(location string) string {
	m := slotNumbers.FindStringSubmatch(location)
	if m == nil && !strings.Contains(location, "%") {
		m = slotText.FindStringSubmatch(location)
	}
	if m == nil {
		return ""
	}
	var bus, dev, fn int
	if _, err := fmt.Sscan(m[1]+" "+m[2]+" "+m[3], &bus, &dev, &fn); err != nil {
		return ""
	}
	return fmt.Sprintf("0000:%02x:%02x.%d", bus, dev, fn)
}
