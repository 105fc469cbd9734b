package project

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

var (
	pyEnv       = pattern.New(`\bos\.(?:environ(?:\.get\s*\(|\.pop\s*\(|\.setdefault\s*\(|\s*\[)|getenv\s*\()\s*["']([A-Za-z_][A-Za-z0-9_]*)["']`)
	pyIf        = pattern.New(`^(\s*)(if|elif|else|for|while|try|except|with|def|class)\b\s*(.*?):\s*$`)
	pyBound     = pattern.New(`(?i)^\(?\s*\w*(?:cuda|bare_metal|nvcc|toolkit)\w*(?:\.\w+)*\s*(<=|>=|<|>)\s*(?:\w+\.)*(?:Version|parse|LooseVersion|parse_version)?\s*\(?\s*["']([0-9]+(?:\.[0-9]+)+)["']\s*\)?\s*\)?$`)
	pyRaise     = pattern.New(`^\s*(raise\b|sys\.exit\b|exit\s*\()`)
	pyExtension = pattern.New(`\b(CUDAExtension|CppExtension|BuildExtension)\b`)
	pyCUDAExt   = pattern.New(`\bCUDAExtension\s*\(`)
	pyName      = pattern.New(`^\s*name\s*=\s*["']([A-Za-z0-9][A-Za-z0-9._-]*)["']`)
	pyPython    = pattern.New(`\bpython_requires\s*=\s*["']?([^"']+)["']?`)
	pyInstall   = pattern.New(`["'](torch\b[^"']*)["']\s*,?\s*$`)
	pyInline    = pattern.New(`\sif\s.+\selse\b`)
	pyQuoted    = pattern.New(`["'](torch\b[^"']*)["']`)
	pySource    = pattern.New(`["']([A-Za-z0-9_./*-]+\.cu)["']`)
	pyArchSet   = pattern.New(`\bos\.(?:environ\.setdefault\s*\(\s*["'](\w+)["']\s*,|environ\s*\[\s*["'](\w+)["']\s*\]\s*=|(?:environ\.get|getenv)\s*\(\s*["'](\w+)["']\s*,)\s*["']([^"']+)["']\s*(?:[),;]|$)`)
	pyCUDA      = pattern.New(`(?i)cuda|nvcc`)
)

// pyFrame is one block by its indentation.
type pyFrame struct {
	indent int
	now    condition
	past   condition
}

type pyRun struct {
	*clueFile
	stack  []pyFrame
	events []event
	setup  bool // after setup(
}

// setupClues reads setup.py (and setup.cfg, which has the same words) by line and indentation.
func setupClues(f *clueFile) {
	text := pythonText.blank(f.text)
	f.eitherOr(text, pyEnv, pyInstead)
	r := &pyRun{clueFile: f}
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		r.block(line)
		r.line(line, i+1)
	}
	if f.name == "setup.py" {
		f.add("project.build", "setuptools", max(1, lineOf(f.lines, "setuptools")), "")
	}
	f.tellArchs(r.events)
}

// block keeps the stack of conditions.
func (r *pyRun) block(line string) {
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	var left *pyFrame
	for n := len(r.stack); n > 0 && r.stack[n-1].indent >= indent; n = len(r.stack) {
		left = &pyFrame{}
		*left = r.stack[n-1]
		r.stack = r.stack[:n-1]
	}
	m := pyIf.FindStringSubmatch(line)
	if m == nil {
		return
	}
	frame := pyFrame{indent: indent}
	switch {
	case m[2] == "if":
		frame.now = pyCondition(m[3])
		frame.past = pyNegate(frame.now, m[3])
	case (m[2] == "elif" || m[2] == "else") && left != nil && left.indent == indent:
		now := pyCondition(m[3])
		frame.now = left.past.with(now)
		frame.past = left.past.with(pyNegate(now, m[3]))
	}
	r.stack = append(r.stack, frame)
}

// pyNeutral: conditions that ask whether CUDA is meant at all.
var pyNeutral = pattern.New(`(?i)^(not )?\(?\w*(cuda|gpu|skip_cuda_build|build_no_cuda|nvcc)\w*(\.\w+)*(\(\))?( is not none)?\)?$|torch\.cuda\.is_available|^not torch\.version\.hip$|^["']\w*arch\w*["'] not in os\.environ(\.keys\(\))?$|^not os\.(getenv|environ\.get)\(["']\w*arch\w*["'](, [^)]*)?\)$|^os\.(getenv|environ\.get)\(["']\w*arch\w*["'](, None)?\) is none$`)

func pyCondition(text string) condition {
	text = strings.TrimSpace(text)
	if m := pyBound.FindStringSubmatch(text); m != nil {
		if v, err := version.Parse(m[2]); err == nil {
			return condition{releases: []bound{{m[1], v}}}
		}
	}
	if text == "" || pyNeutral.MatchString(text) {
		return condition{}
	}
	return condition{other: []string{shorten(text)}}
}

var pyNotCUDA = pattern.New(`(?i)(^|[^a-z])hip([^a-z]|$)|rocm|cpu`)

func pyNegate(c condition, text string) condition {
	switch {
	case len(c.releases) == 1:
		return condition{releases: []bound{{negated[c.releases[0].op], c.releases[0].v}}}
	case text == "" || pyNotCUDA.MatchString(text):
		return condition{}
	}
	return condition{other: []string{"not (" + shorten(text) + ")"}}
}

func (r *pyRun) when() condition {
	var all condition
	for _, f := range r.stack[:min(len(r.stack), maxConditions)] {
		all = all.with(f.now)
	}
	return all
}

func (r *pyRun) line(line string, n int) {
	when := r.when()
	if pyInline.MatchString(line) {
		when = when.with(condition{other: []string{"a choice in the line says so"}})
	}
	for _, m := range pyEnv.FindAllStringSubmatch(line, -1) {
		r.reads(m[1], n, "")
	}
	r.archVariable(line, n, when)
	if pyRaise.MatchString(line) && len(when.releases) > 0 {
		r.events = append(r.events, event{fatal: true, when: when, line: n})
	}
	if items := r.flags(line, n, when.note()); len(items) > 0 {
		r.events = append(r.events, event{list: flagList, items: items, told: true, when: when, line: n})
	}
	if pyCUDAExt.MatchString(line) {
		r.add("toolkit.components", "nvcc", n, "")
		r.add("arch.env", "TORCH_CUDA_ARCH_LIST", n, "torch's own builder reads it; without it the GPUs found here are built for")
	}
	if pyExtension.MatchString(line) {
		r.add("components.torch", "any", n, "")
	}
	for _, m := range pySource.FindAllStringSubmatch(line, -1) {
		if p := r.place(m[1]); p != "" && !strings.HasPrefix(m[1], "*") && pyCUDA.MatchString(r.text) {
			r.add("kernels.sources", p, n, "torch's builder compiles it")
		}
	}
	r.metadata(line, n)
}

// archVariable reads a list of architectures that the script puts into the environment for the tools it starts.
func (r *pyRun) archVariable(line string, n int, when condition) {
	m := pyArchSet.FindStringSubmatch(line)
	if m == nil {
		return
	}
	name, value := m[1]+m[2]+m[3], m[4]
	if v, known := data.VariableByName(name, "linux"); !known || v.Kind != "arch" {
		return
	}
	list := "variable " + name
	if m[3] != "" { // the script's own default while it reads the variable
		when = when.with(condition{other: []string{name + " is not set"}})
	}
	if m[1] != "" && slices.ContainsFunc(r.events, func(e event) bool { return e.list == list && e.always() }) {
		return // setdefault leaves what is there
	}
	items := strings.FieldsFunc(value, func(c rune) bool { return c == ';' || c == ' ' || c == ',' })
	r.events = append(r.events, event{list: list, items: items[:min(len(items), maxItems)], set: true, told: true, when: when, line: n})
}

// metadata is what setup( is called with.
func (r *pyRun) metadata(line string, n int) {
	r.setup = r.setup || regexpSetup.MatchString(line) || strings.HasPrefix(line, "[metadata]")
	if m := pyName.FindStringSubmatch(line); m != nil && r.setup && r.isRoot() {
		r.add("project.name", m[1], n, "")
	}
	if m := pyPython.FindStringSubmatch(line); m != nil {
		r.specifier("python", m[1], n, "")
	}
	found := pyInstall.FindAllStringSubmatch(line, 1)
	if _, list, ok := strings.Cut(line, "install_requires"); ok {
		found = pyQuoted.FindAllStringSubmatch(list, 8)
	}
	for _, m := range found {
		if w := wantedPackages.FindStringSubmatch(m[1]); w != nil && r.setup {
			r.specifier(w[1], w[2], n, "")
		}
	}
}

var regexpSetup = pattern.New(`^\s*(setuptools\.)?setup\s*\(`)
