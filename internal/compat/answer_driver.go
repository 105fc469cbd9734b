package compat

import (
	"fmt"

	"cupel/data"
	"cupel/internal/version"
)

// Driver is the answer to "compat driver 550.54.15".
type Driver struct {
	Driver   version.V   `json:"driver"`
	OS       string      `json:"os"`
	Branch   version.V   `json:"branch"`
	Level    version.V   `json:"cuda_level"`        // highest CUDA it supports (rule b)
	Majors   []int       `json:"majors"`            // CUDA majors whose programs start (rule a)
	Toolkits []DriverFit `json:"toolkits"`          // every X.Y, newest first
	Forward  []version.V `json:"forward,omitempty"` // toolkits whose cuda-compat package runs on this branch
	OnlyFor  []string    `json:"forward_only_for,omitempty"`
	Note     string      `json:"note,omitempty"` // why it is judged for this system
	Source   Source      `json:"source"`
}

// DriverFit says which of the three rules a driver meets for the newest release of one X.Y.
type DriverFit struct {
	Release version.V `json:"release"`
	Starts  bool      `json:"starts"`       // a
	PTX     bool      `json:"compiles_ptx"` // b
	Listed  string    `json:"listed"`       // c: yes | no | unknown
	Floor   version.V `json:"floor,omitzero"`
	Wants   version.V `json:"listed_driver,omitzero"`
}

// DriverAnswer tells what a driver can run. os is linux, windows or wsl2; when it is empty the number tells,
// where it can. A Windows driver may be given as Windows writes it (31.0.15.5161).
func DriverAnswer(driver version.V, os string) (Driver, error) {
	j, err := judgeAs(driver, os)
	if err != nil {
		return Driver{}, err
	}
	driver, os = j.driver, j.os
	level, ok := DriverLevel(driver, os)
	if !ok {
		return Driver{}, fmt.Errorf("driver %s is older than every CUDA release of the table (the first is %s)", driver, rows()[0].version)
	}
	d := Driver{Driver: driver, OS: os, Branch: Branch(driver), Level: level, Note: j.note, Source: data.AllReleases().Majors[0].Source}
	for _, m := range data.AllReleases().Majors {
		if driver.AtLeast(parse(m.Floor.On(os))) {
			d.Majors = append(d.Majors, m.Major)
		}
	}
	for _, r := range newestLines() {
		d.Toolkits = append(d.Toolkits, driverFit(driver, level, r, os))
	}
	d.addForward()
	return d, nil
}

func driverFit(driver, level version.V, r row, os string) DriverFit {
	f := DriverFit{Release: r.version, Listed: "unknown"}
	f.Floor, _ = DriverFloor(r.version, os)
	f.Wants, _ = DriverListed(r.version, os)
	f.Starts = !f.Floor.IsZero() && driver.AtLeast(f.Floor)
	f.PTX = level.AtLeast(r.short)
	if !f.Wants.IsZero() {
		f.Listed = map[bool]string{true: "yes", false: "no"}[driver.AtLeast(f.Wants)]
	}
	return f
}

func (d *Driver) addForward() {
	if d.OS != "linux" {
		return // the packages exist for Linux only
	}
	for _, r := range data.AllReleases().Compat.Rows {
		if verdict(r, d.Branch.String()) == "works" {
			d.Forward, d.OnlyFor = append(d.Forward, parse(r.Toolkit)), r.OnlyFor
		}
	}
}
