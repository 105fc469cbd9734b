package choice

import (
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// Level is "the driver supports up to CUDA X.Y": what the driver says, else what the tables say of its number.
// It is never a toolkit's release. Jetson's driver has no number that compares.
func Level(m fact.Machine) (level version.V, source string) {
	if m.Driver.Level.Known() {
		v, _ := version.Parse(m.Driver.Level.Value)
		return v, m.Driver.Level.Source
	}
	v := DriverVersion(m)
	if v.IsZero() || m.System.Platform == fact.Jetson {
		return version.V{}, ""
	}
	if level, ok := compat.DriverLevel(v, m.System.Platform); ok {
		return level, "release table, by driver " + v.String()
	}
	return version.V{}, ""
}
