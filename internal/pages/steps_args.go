package pages

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/version"
)

// What each check is given. A false at the end: the scripts cannot make it for this contract.

// plain passes what verify expects; nothing passes nothing.
func plain(fn string) func(*kit, string) (string, []word, bool) {
	return func(k *kit, id string) (string, []word, bool) { return fn, words(k.full[id].Expected), true }
}

func nothing(fn string) func(*kit, string) (string, []word, bool) {
	return func(*kit, string) (string, []word, bool) { return fn, nil, true }
}

func (k *kit) bands(id string) (string, []word, bool) {
	text := func(l *contract.Limit) string {
		if l == nil {
			return ""
		}
		return l.Version.String()
	}
	t := k.req.Toolkit
	args := words(k.full[id].Expected, text(t.Min), text(t.Recommended), text(t.MaxVerified))
	for _, x := range t.Exclude {
		args = append(args, words(x.Release.Low().String(), x.Release.High().String())...)
	}
	return "toolkit_band", args, true
}

func (k *kit) parts(id string) (string, []word, bool) {
	args := words(k.full[id].Expected)
	for _, w := range k.req.Toolkit.Components {
		args = append(args, words(w, strings.Join(partFiles(w, k.req.Platform.Name == "windows"), " "))...)
	}
	return "toolkit_components", args, true
}

// partFiles are the files of which one must be there for a word of toolkit.components, from the part table; none for
// the parts of every toolkit, which the scripts know themselves.
func partFiles(word string, windows bool) []string {
	i := slices.IndexFunc(data.Parts(), func(p data.Part) bool { return p.Word == word })
	if i < 0 {
		return nil
	}
	row, out := data.Parts()[i], slices.Clone(data.Parts()[i].Headers)
	switch {
	case windows && row.Windows != "":
		out = append(out, row.Windows)
	case !windows && row.Linux != "":
		out = append(out, path.Join(row.Below, row.Linux))
	}
	for _, folder := range row.Folders {
		out = append(out, path.Join(folder, out[len(out)-1]))
	}
	return out
}

func (k *kit) compiler(id string) (string, []word, bool) {
	h := k.req.Host
	args := words(k.full[id].Expected, h.Unsupported)
	for _, s := range []struct {
		family string
		span   *contract.Span
	}{{"gcc", h.GCC}, {"clang", h.Clang}, {"msvc", h.MSVC}} {
		if s.span != nil {
			args = append(args, words(s.family, s.span.Range.Low().String(), s.span.Range.High().String())...)
		}
	}
	return "host_compiler", args, true
}

func (k *kit) toolset(id string) (string, []word, bool) {
	r := k.req.Host.Toolset.Range
	return "host_toolset", words(k.full[id].Expected, r.Low().String(), r.High().String()), true
}

func (k *kit) sdk(id string) (string, []word, bool) {
	r := k.req.Host.SDK.Range
	return "host_sdk", words(k.full[id].Expected, r.Low().String(), r.High().String()), true
}

func (k *kit) floor(string) (string, []word, bool) {
	return "driver_floor", words(k.req.Driver.Version.String()), true
}

// serving: a contract that says nothing of drivers is told of one that is here and does not serve.
func (k *kit) serving(string) (string, []word, bool) {
	if _, asked := k.full["driver-present"]; asked {
		return "driver_toolkit", words(""), true
	}
	return "driver_toolkit", words("yes"), true
}

func (k *kit) count(string) (string, []word, bool) {
	return "gpu_count", words(strconv.Itoa(k.req.Contract.GPU.MinCount)), true
}

// demand says whether a GPU must be here, and whether the contract says which driver it wants.
func demand(c *contract.Contract, p contract.Platform) step {
	req := c.For(p)
	needed, spoken := "", ""
	if !p.Is(c.GPU.ExcludeOn) {
		if c.GPU.MinCount > 0 {
			needed = "yes"
		}
		if req.Driver != nil || req.PTXJIT == "required" {
			spoken = "yes"
		}
	}
	return step{"demand", "demand", words(needed, spoken)}
}

func (k *kit) memory(id string) (string, []word, bool) {
	g := k.req.Contract.GPU
	return "gpu_memory", words(k.full[id].Expected, strconv.FormatInt(g.MinMemory.MiB, 10), strconv.Itoa(max(1, g.MinCount))), true
}

func (k *kit) mode(string) (string, []word, bool) {
	return "gpu_compute_mode", words(k.req.Contract.GPU.ComputeMode), true
}

func (k *kit) archMin(string) (string, []word, bool) {
	return "arch_min", words(k.req.Contract.Arch.Min.String()), true
}

func (k *kit) mps(id string) (string, []word, bool) {
	return "mps_check", words(k.full[id].Expected), true
}

// variable passes a template, or the column of the table that holds the list of architectures for each release.
func (k *kit) variable(id string) (string, []word, bool) {
	name := k.byName[id]
	template, ok := k.template(name)
	if !ok || !plainName(name) {
		return "", nil, false
	}
	status := "warn"
	if strings.Contains(template, "{toolkit.") {
		status = "fail"
	}
	value := word{detect: k.req.Contract.Arch.Detect}
	if strings.Contains(template, "{arch.") {
		if value.column = k.archs.column("env " + name); value.column == 0 || value.detect && !onlyArchs(template) {
			return "", nil, false
		}
	} else if value.parts, ok = cutTemplate(template); !ok {
		return "", nil, false
	}
	return "env_check", append(words(id, name, status, k.sortOf(name, template)), value), true
}

// sortOf says how values of a variable are compared: as text, as a list of folders, or as targets in any order.
func (k *kit) sortOf(name, template string) string {
	row, _ := data.VariableByName(name, osOf(k.req.Platform.Name))
	if separators := cmp.Or(k.req.Contract.Arch.Separator, row.Separator, ";"); template == "{arch.list}" && strings.Trim(separators, ";,: ") == "" {
		return "archs" + separators
	}
	if row.Kind == "path" || row.Kind == "library-path" {
		return "list"
	}
	return ""
}

// template is what a variable must hold, in the order of verify: arch.env, then names of values, then templates.
func (k *kit) template(name string) (string, bool) {
	if t, ok := k.req.Vars[name]; ok {
		return t, true
	}
	for _, value := range slices.Sorted(maps.Keys(k.req.Names)) {
		if slices.Contains(k.req.Names[value], name) {
			return "{" + value + "}", true
		}
	}
	return "{arch.list}", slices.Contains(k.req.Contract.Arch.Env, name)
}

// plainName: the shell reads the variable by its name, so that must be a name and nothing else.
func plainName(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

func cutTemplate(template string) ([]part, bool) {
	var out []part
	for rest := template; rest != ""; {
		before, after, found := strings.Cut(rest, "{")
		if before != "" {
			out = append(out, part{text: before})
		}
		if !found {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		if _, known := shellValues[name]; !closed || !known {
			return nil, false
		}
		out = append(out, part{value: name})
		rest = tail
	}
	return out, true
}

// shellValues are the values a script knows, by the name of its variable.
var shellValues = map[string]string{
	"toolkit.root": "v_root", "toolkit.release": "v_release", "toolkit.dotted": "v_dotted", "toolkit.short": "v_short",
	"toolkit.major": "v_major", "toolkit.nvcc": "v_nvcc", "toolkit.bin": "v_bin", "toolkit.lib": "v_lib",
	"toolkit.include": "v_include", "host.cxx": "v_cxx", "host.cc": "v_cc", "host.cxx-dir": "v_cxxdir", "project.root": "v_project",
}

// component passes name, range, severity and whether it may be missing.
func (k *kit) component(id string) (string, []word, bool) {
	name := k.byName[id]
	if !slices.Contains(findable, name) {
		return "", nil, false
	}
	want := k.req.Components[name]
	severity := want.Severity
	if severity == "" && len(want.OnlyFor) > 0 {
		severity = "warning"
	}
	needed := "needed"
	if want.Required != nil && !*want.Required {
		needed = "optional"
	}
	low, high, ranged := "", "", ""
	if want.Version != nil {
		low, high, ranged = want.Version.Range.Low().String(), want.Version.Range.High().String(), "yes"
	}
	return "component", words(id, name, k.full[id].Expected, severity, needed, ranged, low, high, want.Toolchain), true
}

// findable are the components that a script can find by itself.
var findable = []string{"cudnn", "nccl", "cublas", "libclang", "rust", "cargo", "cmake", "ninja", "git", "python"}

// pin passes each file with its pattern, as both scripts can read it.
func (k *kit) pin(id string) (string, []word, bool) {
	pin := k.req.Contract.Pins[k.byName[id]]
	args := append(words(id, pin.Severity), word{text: pin.Value, raw: true})
	for _, f := range pin.Files {
		ere, group, ok := extended(f.Pattern.String())
		if !ok {
			return "", nil, false
		}
		args = append(args, word{text: string(f.File), raw: true}, word{text: ere, raw: true}, word{text: strconv.Itoa(group)})
	}
	return "pin", args, true
}

// builders passes the crates that are allowed; which crates are builders stands in the script.
func (k *kit) builders(id string) (string, []word, bool) {
	args := words(k.full[id].Expected)
	for _, entry := range k.req.Contract.Project.Builders {
		name, bounds, _ := strings.Cut(strings.TrimSpace(entry), " ")
		low, high := version.V{}, version.V{}
		if bounds = strings.TrimSpace(bounds); bounds != "" {
			r, err := contract.ParseRange(bounds)
			if err != nil {
				return "", nil, false
			}
			low, high = r.Low(), r.High()
		}
		args = append(args, words(name, low.String(), high.String())...)
	}
	return "builders", args, true
}
