package version

import (
	"fmt"
	"strconv"

	"cupel/internal/pattern"
)

// windowsDriver is how NVIDIA numbers drivers for Windows: a third part of two digits (8.16.11.xxxx,
// 31.0.15.xxxx). Intel's and Microsoft's have three and five.
var windowsDriver = pattern.New(`^\d+\.\d+\.(\d\d)\.(\d{1,4})$`)

// WindowsDriver turns Windows' form of a driver version (32.0.15.8088) into NVIDIA's (580.88): the last five
// digits of the third and fourth part. ok is false when the text is not of that form. Read in CaffeineMC/sodium
// (NvidiaDriverVersion: 526.47 is X.Y.15.2657) and xt0n1-t3ch/DLSSync docs/drivers.md (32.0.15.9174 is 591.74).
func WindowsDriver(s string) (v V, ok bool) {
	m := windowsDriver.FindStringSubmatch(s)
	if m == nil {
		return V{}, false
	}
	third, _ := strconv.Atoi(m[1])
	fourth, _ := strconv.Atoi(m[2])
	n := (third*10000 + fourth) % 100000
	v, err := Parse(fmt.Sprintf("%d.%02d", n/100, n%100))
	return v, err == nil
}
