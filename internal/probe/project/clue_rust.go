package project

import (
	"path"
	"slices"
	"strings"

	"cupel/internal/gpu"
	"cupel/internal/pattern"
)

var (
	rustString   = pattern.New(`"((?:[^"\\]|\\.)*)"`)
	rustEnv      = pattern.New(`\b(?:env::var|env::var_os|env!|option_env!|var|var_os)\s*\(\s*"([A-Za-z_][A-Za-z0-9_]*)"`)
	rustRerun    = pattern.New(`cargo::?rerun-if-env-changed=([A-Za-z_][A-Za-z0-9_]*)`)
	rustLink     = pattern.New(`cargo::?rustc-link-lib=(?:(dylib|static)=)?([A-Za-z0-9_-]+)`)
	rustBuilder  = pattern.New(`\b(KernelBuilder|Builder)::(new|default)\s*\(|\.cuda\s*\(\s*true\s*\)`)
	rustStart    = pattern.New(`\b(?:KernelBuilder|Builder|Build)::(?:new|default)\s*\(|\bCommand::new\s*\(\s*[^)]*nvcc`)
	rustLibrary  = pattern.New(`\bbuild_lib\s*\(`)
	rustPTX      = pattern.New(`\bbuild_ptx\s*\(`)
	rustCompile  = pattern.New(`\.compile\s*\(\s*"`)
	rustFlag     = pattern.New(`\.(?:arg|flag|flag_if_supported)\s*\(\s*"((?:[^"\\]|\\.)*)"`)
	rustDir      = pattern.New(`\.source_dir\s*\(\s*"([^"]*)"`)
	rustExclude  = pattern.New(`\.exclude\s*\(`)
	rustCapLess  = pattern.New(`\b\w*(?:compute_?cap|sm_version|cuda_arch)\w*\s*<\s*([0-9]{2,3})\b`)
	rustCapMust  = pattern.New(`\bassert!\s*\(\s*\w*(?:compute_?cap|sm_version|cuda_arch)\w*\s*>=\s*([0-9]{2,3})\b`)
	rustGiveUp   = pattern.New(`\b(panic!|bail!|return Err|unimplemented!|compile_error!|exit\s*\()`)
	rustBranch   = pattern.New(`\b(if|for|while|match)\b[^"]*\{`)
	rustLibName  = pattern.New(`(?:lib)?([A-Za-z0-9_-]+)\.(?:a|lib)$`)
	rustCompiled = pattern.New(`\.compile\s*\(\s*"(?:lib)?([A-Za-z0-9_-]+?)(?:\.a)?"`)
)

// rustRun reads a build script line by line. Kernels that one builder compiles belong together: what is named
// before build_ptx, build_lib or compile is that builder's.
type rustRun struct {
	*clueFile
	depth   int
	cap     string // a compute capability that the next lines may refuse
	capAge  int
	exclude bool // inside .exclude(…)
	now     rustKernel
	archs   []event // options of the builder
}

type rustKernel struct {
	sources, exclude, flags []item
	builder                 bool // a builder was made
}

// item is one entry with the line that names it.
type item struct {
	text, note string
	line       int
}

func rustClues(f *clueFile) {
	text := rustText.blank(f.text)
	f.eitherOr(text, rustEnv, rustInstead)
	usesBindgen := strings.Contains(text, "bindgen_cuda")
	r := &rustRun{clueFile: f}
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		note := ""
		if r.depth > 1 || rustBranch.MatchString(line) { // inside a branch or a loop of main
			note = "set under a condition in the build script"
		}
		r.variables(line, n)
		r.capability(line, n)
		r.kernel(line, n, note, usesBindgen)
		for _, m := range rustLink.FindAllStringSubmatch(line, -1) {
			name := m[2]
			if m[1] == "static" && name == "cudart" {
				name = "cudart_static"
			}
			r.library(name, n, note)
		}
		r.depth += braces(line)
	}
	r.tellArchs()
}

// tellArchs tells what one builder compiles for: its options add up.
func (r *rustRun) tellArchs() {
	r.clueFile.tellArchs(r.archs)
	r.archs = nil
}

// braces counts those outside of strings.
func braces(line string) int {
	bare := rustString.ReplaceAllString(line, "")
	return strings.Count(bare, "{") - strings.Count(bare, "}")
}

func (r *rustRun) variables(line string, n int) {
	for _, re := range []*pattern.Pattern{rustEnv, rustRerun} {
		for _, m := range re.FindAllStringSubmatch(line, -1) {
			r.reads(m[1], n, "")
		}
	}
}

// capability: a comparison counts only where the script gives up after it; anything else is a choice.
func (r *rustRun) capability(line string, n int) {
	if m := rustCapMust.FindStringSubmatch(line); m != nil {
		r.capabilityMin(m[1], n)
	}
	if m := rustCapLess.FindStringSubmatch(line); m != nil {
		r.cap, r.capAge = m[1], 0
	}
	if r.cap != "" && rustGiveUp.MatchString(line) {
		r.capabilityMin(r.cap, n)
		r.cap = ""
	}
	if r.capAge++; r.capAge > 3 {
		r.cap = ""
	}
}

func (r *rustRun) capabilityMin(digits string, n int) {
	if cc, err := gpu.ParseCC(digits); err == nil {
		r.add("arch.min", cc.String(), n, "")
	}
}

func (r *rustRun) kernel(line string, n int, note string, bindgen bool) {
	if rustStart.MatchString(line) {
		r.tellArchs()
	}
	if items := r.flags(line, n, note); len(items) > 0 {
		e := event{list: flagList, items: items, told: true, line: n}
		if note != "" {
			e.when.other = []string{"a condition in the build script holds"}
		}
		r.archs = append(r.archs, e)
	}
	if rustBuilder.MatchString(line) {
		r.now.builder = true
		if bindgen && len(r.now.sources) == 0 { // its default
			r.now.sources = append(r.now.sources, item{"src/**/*.cu", "", n})
		}
	}
	r.exclude = r.exclude || rustExclude.MatchString(line)
	for _, m := range rustString.FindAllStringSubmatch(line, -1) {
		r.source(m[1], n, note)
	}
	if m := rustDir.FindStringSubmatch(line); m != nil {
		r.now.sources = append(r.now.sources, item{path.Join(m[1], "**/*.cu"), "", n})
	}
	if r.exclude && strings.Contains(line, ")") {
		r.exclude = false
	}
	for _, m := range rustFlag.FindAllStringSubmatch(line, -1) {
		r.flag(m[1], n, note)
	}
	switch {
	case rustPTX.MatchString(line):
		r.finish("ptx", "ptx", n)
	case rustLibrary.MatchString(line):
		r.finish("static", libraryName(line), n)
	case rustCompile.MatchString(line):
		if m := rustCompiled.FindStringSubmatch(line); m != nil {
			r.finish("static", m[1], n)
		}
	}
}

// libraryName is what build_lib writes, where the line tells.
func libraryName(line string) string {
	for _, m := range rustString.FindAllStringSubmatch(line, -1) {
		if name := rustLibName.FindStringSubmatch(m[1]); name != nil {
			return name[1]
		}
	}
	return "lib"
}

// source keeps a string that names .cu files. A path that is only watched for changes is none.
func (r *rustRun) source(text string, n int, note string) {
	if !strings.HasSuffix(text, ".cu") || strings.Contains(text, "rerun-if-changed") || strings.Contains(text, "{") {
		return
	}
	if r.exclude {
		if !strings.Contains(text, "/") { // the builders compare it with the file's name
			text = "**/" + text
		}
		r.now.exclude = append(r.now.exclude, item{text, note, n})
		return
	}
	if len(r.now.sources) == 1 && r.now.sources[0].text == "src/**/*.cu" {
		r.now.sources = nil // the builder is told its files after all
	}
	r.now.sources = append(r.now.sources, item{text, note, n})
}

func (r *rustRun) flag(text string, n int, note string) {
	if !strings.HasPrefix(text, "-") || strings.HasPrefix(text, "-std") || strings.HasPrefix(text, "-arch") || strings.HasPrefix(text, "-gencode") || strings.HasPrefix(text, "--gpu-") {
		return
	}
	r.now.flags = append(r.now.flags, item{text, note, n})
}

// finish tells one kernel and begins the next. A builder without sources of its own compiles nothing that a
// contract could name.
func (r *rustRun) finish(kind, name string, n int) {
	k := r.now
	r.now = rustKernel{}
	r.tellArchs()
	if !k.builder || len(k.sources) == 0 {
		return
	}
	at := "kernels." + name + "."
	for _, list := range []struct {
		key   string
		items []item
	}{{"sources", k.sources}, {"exclude", k.exclude}, {"flags", k.flags}} {
		for _, it := range list.items {
			value := it.text
			if list.key == "sources" {
				value = r.place(it.text)
			}
			if value != "" && !strings.ContainsAny(value, "\x00\n") {
				r.add(at+list.key, value, it.line, it.note)
			}
		}
	}
	if slices.ContainsFunc(k.sources, func(i item) bool { return i.note == "" }) {
		r.add(at+"kinds", kind, n, "")
	}
}
