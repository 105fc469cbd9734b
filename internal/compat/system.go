package compat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/version"
)

// systems are the names of operating systems that the tables answer for. CUDA has not been published for
// others since 10.2.
var systems = []string{"linux", "windows", "wsl2"}

// CheckSystem refuses a name the tables have nothing about; an empty one means that none was given.
func CheckSystem(os string) error {
	if os == "" || slices.Contains(systems, os) {
		return nil
	}
	return fmt.Errorf("system %q is not one of %s", os, strings.Join(systems, ", "))
}

// judged is a driver in NVIDIA's own numbers, the system it is judged for, and what the user should be told
// about either.
type judged struct {
	driver version.V
	os     string
	note   string
}

// judgeAs settles for which system a driver is judged. Windows and Linux drivers have different numbers, so
// when no system is given the number itself tells, where the release table has it.
func judgeAs(driver version.V, os string) (judged, error) {
	if err := CheckSystem(os); err != nil {
		return judged{}, err
	}
	if v, ok := version.WindowsDriver(driver.String()); ok {
		if os == "linux" {
			return judged{}, fmt.Errorf("driver %s is a version as Windows writes it (NVIDIA's %s): no Linux driver has one", driver, v)
		}
		return judged{v, cmp.Or(os, "windows"), fmt.Sprintf("%s is how Windows writes driver %s", driver, v)}, nil
	}
	return judged{driver, cmp.Or(os, systemOf(driver), "linux"), noteOn(driver, os)}, nil
}

// noteOn says what is odd about a number: NVIDIA lists it for another system than the one asked about, or its
// form is the usual one of Windows and nothing tells.
func noteOn(driver version.V, os string) string {
	listed := systemOf(driver)
	other := os != "" && listed != "" && (os == "linux") != (listed == "linux")
	switch {
	case other:
		return fmt.Sprintf("NVIDIA lists driver %s for %s only; it is judged for %s, as asked", driver, listed, os)
	case os == "" && listed == "windows":
		return fmt.Sprintf("NVIDIA lists driver %s for windows only, so it is judged for windows; --os says otherwise", driver)
	case os == "" && listed == "" && driver.Parts() == 2:
		return "judged as a Linux driver, because the table has no such number; a Windows driver is asked about with --os windows"
	}
	return ""
}

// systemOf names the one system that the release table lists a driver for; "" when it lists it for none or
// for both.
func systemOf(driver version.V) string {
	var found []string
	for _, os := range []string{"linux", "windows"} {
		if slices.ContainsFunc(rows(), func(r row) bool {
			listed := parse(r.Paired.On(os))
			return !listed.IsZero() && listed.Compare(driver) == 0
		}) {
			found = append(found, os)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}
