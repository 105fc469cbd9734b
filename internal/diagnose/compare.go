package diagnose

import (
	"fmt"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// compareArch asks whether the toolkit that is active here knows the target.
func (m *Machine) compareArch(values map[string]string) *Check {
	arch, err := gpu.ParseArch(values["arch"])
	t := m.Active.Toolkit
	if err != nil || t == nil || compat.ArchsOf(choice.Release(*t)) == nil {
		return nil
	}
	if compat.Knows(choice.Release(*t), arch) {
		return &Check{State: Contradicted, Text: fmt.Sprintf("the active toolkit here is %s, which knows %s: the build used another nvcc", choice.Name(*t), arch)}
	}
	return &Check{State: Confirmed, Text: fmt.Sprintf("the active toolkit here is %s, which does not know %s", choice.Name(*t), arch)}
}

// compareDriver asks whether the driver here serves the toolkit that the log names.
func (m *Machine) compareDriver(label string, values map[string]string) *Check {
	rel, err := version.ParseRelease(values["toolkit"])
	have := choice.DriverVersion(m.Machine)
	level, _ := choice.Level(m.Machine)
	if err != nil || have.IsZero() || level.IsZero() {
		return nil
	}
	need := fmt.Sprintf("the driver here (%s) supports up to CUDA %s", have, level)
	if label == "driver-older-than-toolkit" {
		floor, _ := compat.DriverFloor(rel, m.Machine.System.Platform)
		if floor.IsZero() {
			return nil
		}
		need += fmt.Sprintf("; CUDA %s needs driver %s or newer", rel, floor)
		return state(have.Less(floor), need)
	}
	return state(level.Less(rel.Short()), need+fmt.Sprintf("; the PTX is of CUDA %s", rel))
}

func state(confirmed bool, text string) *Check {
	if confirmed {
		return &Check{State: Confirmed, Text: text}
	}
	return &Check{State: Contradicted, Text: text}
}

// values adds what the machine tells to the values texts may name, as machine.NAME.
func (m *Machine) values(values map[string]string) {
	if m == nil {
		return
	}
	put := func(name, value string) {
		if value != "" {
			values["machine."+name] = value
		}
	}
	m.toolkitValues(put, values)
	if v := choice.DriverVersion(m.Machine); !v.IsZero() {
		put("driver", v.String())
	}
	if level, _ := choice.Level(m.Machine); !level.IsZero() {
		put("driver-level", level.String())
		put("toolkit-for-driver", newestFor(level))
	}
	for _, g := range m.Machine.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if err != nil {
			continue
		}
		put("gpu", g.Name)
		put("capability", cc.String())
		put("arch", fmt.Sprintf("%d%d", cc.Major, cc.Minor))
		if v := compat.FirstToolkit(cc); !v.IsZero() {
			put("toolkit-for-gpu", v.String())
		}
		break
	}
}

// toolkitValues tells of the toolkit a build here would take, and of the one that fits what the log asks for.
func (m *Machine) toolkitValues(put func(name, value string), values map[string]string) {
	t := m.Chosen.Toolkit
	if t != nil {
		put("toolkit", choice.Release(*t).String())
		put("root", t.Root)
		if len(t.Libs) > 0 {
			put("lib", t.Libs[0])
		}
		put("stub", t.Parts[fact.PartStub])
	}
	if c := m.fitting(values); c != nil {
		put("compiler", c.Command)
		put("compiler-version", c.Family+" "+c.Version.Value)
	}
	if arch, err := gpu.ParseArch(values["arch"]); err == nil {
		for _, t := range m.toolkits() {
			if compat.Knows(choice.Release(t), arch) {
				put("toolkit-for-arch", choice.Release(t).Short().String())
				break
			}
		}
	}
}

// fitting is a host compiler that is here and that the log's toolkit accepts, or the chosen one where the log names
// none that is here.
func (m *Machine) fitting(values map[string]string) *fact.Compiler {
	t := m.Chosen.Toolkit
	if rel, err := version.ParseRelease(values["toolkit"]); err == nil {
		for _, other := range m.toolkits() {
			if rel.Covers(choice.Release(other)) {
				t = &other
				break
			}
		}
	}
	if t == nil {
		return nil
	}
	best, _, _ := choice.FittingCompiler(m.Machine, *t)
	return best
}

// newestFor is the newest release whose PTX a driver of the level compiles.
func newestFor(level version.V) string {
	for _, r := range compat.Releases() {
		if v, err := version.Parse(r.Version); err == nil && v.Short().Compare(level) == 0 {
			return v.Short().String()
		}
	}
	return ""
}
