package contract

import (
	"maps"
	"reflect"
	"slices"
)

// For applies the overrides of a platform: first what holds everywhere, then the platform, then CI. Under WSL2 the
// keys of linux hold before its own; a Jetson is a Linux.
func (c *Contract) For(p Platform) Requirements {
	r := Requirements{Platform: p, Contract: c, ToolkitKey: map[string]string{}, HostKey: map[string]string{}, PTXJIT: c.Driver.PTXJIT, Runtime: c.Env.Runtime}
	overlay(&r.Toolkit, &c.Toolkit.Bands, "toolkit", r.ToolkitKey)
	r.addEnv(c.Env.EnvTable)
	for _, name := range p.layers() {
		overlay(&r.Toolkit, c.Toolkit.on(name), "toolkit."+name, r.ToolkitKey)
		overlay(&r.Host, c.Host.on(name), "host."+name, r.HostKey)
		r.addEnv(c.Env.on(name))
	}
	r.Driver, r.DriverKey = c.Driver.on(p)
	r.Components = componentsOn(c.Components, p)
	r.GPU = c.GPU.on(p)
	return r
}

// layers are the names under which a platform's own values stand, the later ones stronger.
func (p Platform) layers() []string {
	list := map[string][]string{"linux": {"linux"}, "jetson": {"linux"}, "wsl2": {"linux", "wsl2"}, "windows": {"windows"}}[p.Name]
	if p.CI {
		list = append(slices.Clone(list), "ci")
	}
	return list
}

// overlay copies every key that is given, and notes where it came from.
func overlay[T any](dst, src *T, table string, from map[string]string) {
	if src == nil {
		return
	}
	d, s := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	fields, _ := fieldsOf(d.Type())
	for _, f := range fields {
		if v := s.FieldByIndex(f.index); !v.IsZero() {
			d.FieldByIndex(f.index).Set(v)
			from[f.name] = join(table, f.name)
		}
	}
}

func (t *Toolkit) on(name string) *Bands {
	return map[string]*Bands{"linux": &t.Linux, "windows": &t.Windows, "wsl2": &t.WSL2, "ci": &t.CI}[name]
}

func (h *Hosts) on(name string) *Host {
	return map[string]*Host{"linux": h.Linux, "windows": h.Windows, "wsl2": h.WSL2, "ci": h.CI}[name]
}

func (e *Env) on(name string) EnvTable {
	return map[string]EnvTable{"linux": e.Linux, "windows": e.Windows, "wsl2": e.WSL2, "ci": e.CI}[name]
}

// on picks the floor. Under WSL2 the Windows driver serves, so its floor is that of Windows, never that of Linux.
func (d *Driver) on(p Platform) (*DriverLimit, string) {
	for _, row := range []struct {
		platforms []string
		limit     *DriverLimit
		key       string
	}{
		{[]string{"wsl2"}, d.WSL2, "driver.wsl2"},
		{[]string{"wsl2", "windows"}, d.Windows, "driver.windows"},
		{[]string{"linux", "jetson"}, d.Linux, "driver.linux"},
	} {
		if row.limit != nil && slices.Contains(row.platforms, p.Name) {
			return row.limit, row.key
		}
	}
	return nil, ""
}

// addEnv adds the names of a layer to those there are; a variable's template is replaced.
func (r *Requirements) addEnv(t EnvTable) {
	if r.Names == nil {
		r.Names, r.Vars = map[string][]string{}, map[string]string{}
	}
	for value, list := range t.Names {
		r.Names[value] = together(r.Names[value], list)
	}
	maps.Copy(r.Vars, t.Vars)
}

// together are the names of two lists, each once.
func together(a, b []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, name := range slices.Concat(a, b) {
		if !seen[name] {
			out = append(out, name)
		}
		seen[name] = true
	}
	return out
}

// EnvKey is the key that gives a variable its value here, the strongest layer first; "" when none does.
func (r Requirements) EnvKey(name string) string {
	layers := r.Platform.layers()
	for _, layer := range slices.Backward(layers) {
		if key := r.Contract.Env.on(layer).keyOf("env."+layer, name, r.Contract.src); key != "" {
			return key
		}
	}
	return r.Contract.Env.EnvTable.keyOf("env", name, r.Contract.src)
}

// keyOf finds a variable among the templates and then among the names.
func (t EnvTable) keyOf(table, name string, src *source) string {
	if _, ok := t.Vars[name]; ok {
		return join(table, name)
	}
	for _, value := range slices.Sorted(maps.Keys(t.Names)) {
		if !slices.Contains(t.Names[value], name) {
			continue
		}
		return src.written(join(table, value), table+"."+value, name)
	}
	return ""
}

// written tells in which of two ways a value was written: "toolkit.root" or toolkit.root. Where both are there, it is
// the one that holds the name.
func (s *source) written(quoted, dotted, name string) string {
	if s == nil || s.places[quoted] == (place{}) || s.is(dotted, name) || s.itemOf(dotted, name) != dotted {
		return dotted
	}
	return quoted
}

func componentsOn(all map[string]Component, p Platform) map[string]Component {
	out := map[string]Component{}
	for name, c := range all {
		if p.Wanted(c.On, c.ExcludeOn) {
			out[name] = c
		}
	}
	return out
}

// on is nil where nothing is demanded of a device. Memory and mode without a count are demands on the devices that
// are there: they stay, with MinCount 0.
func (g GPU) on(p Platform) *GPU {
	if p.Is(g.ExcludeOn) || g.MinCount == 0 && g.MinMemory.IsZero() && g.ComputeMode == "" {
		return nil
	}
	return &g
}
