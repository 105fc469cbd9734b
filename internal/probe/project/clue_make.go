package project

import (
	"slices"
	"strings"

	"cupel/internal/pattern"
)

var (
	makeCondition = pattern.New(`^\s*(ifeq|ifneq|ifdef|ifndef)\b`)
	makeNvcc      = pattern.New(`\bnvcc\b|\bNVCC\b|\$\(CUDA_|-gencode|\bCUDA_(HOME|PATH)\b`)
	makeSMS       = pattern.New(`^\s*(SMS|CUDA_ARCHS?|GPU_ARCHS?|SM_ARCHS?|ARCHS)\s*([?+]?):{0,2}=\s*([0-9a-z_. ]+?)\s*$`)
	cudaFolder    = pattern.New(`\bcuda-([0-9]+\.[0-9]+)\b`)
)

// makeClues reads makefiles that speak of CUDA.
func makeClues(f *clueFile) {
	text := hashText.blank(f.text)
	if !makeNvcc.MatchString(text) {
		return
	}
	if f.isRoot() && !strings.HasSuffix(f.name, ".mk") {
		f.add("project.build", "make", max(1, lineOf(f.lines, "nvcc")), "")
	}
	events := f.makeArchs(text)
	for _, v := range makeValues(text) {
		if m := cudaFolder.FindStringSubmatch(v.Value); m != nil {
			f.add("toolkit.recommended", m[1], v.Line, "the folder of one machine")
		}
		if !v.Force { // NAME ?= takes the value of the environment
			f.reads(v.Name, v.Line, "")
		}
	}
	f.tellArchs(events)
}

// makeArchs reads lists and options line by line; what stands under a condition is uncertain.
func (f *clueFile) makeArchs(text string) []event {
	depth := 0
	var lists, options []event
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		when := condition{}
		switch {
		case makeCondition.MatchString(line):
			depth++
		case strings.HasPrefix(strings.TrimSpace(line), "endif"):
			depth = max(0, depth-1)
		}
		if depth > 0 {
			when.other = []string{"a condition of the makefile holds"}
		}
		if items := f.flags(line, n, when.note()); len(items) > 0 {
			options = append(options, event{list: flagList, items: items, told: true, when: when, line: n})
		}
		m := makeSMS.FindStringSubmatch(line)
		if m == nil || archWords(m[3]) == "" {
			continue
		}
		there := slices.ContainsFunc(lists, func(e event) bool { return e.list == m[1] })
		if there && m[2] == "?" { // it gives way to what is there
			continue
		}
		lists = append(lists, event{list: m[1], items: strings.Fields(archWords(m[3])), set: m[2] != "+", onto: m[2] == "+", told: true, when: when, line: n})
	}
	return slices.Concat(looped(lists, options), options)
}

// looped: options that a makefile puts together hold the entries of its list, where it has one, and the list counts
// through them.
func looped(lists, options []event) []event {
	if len(lists) == 0 || slices.ContainsFunc(lists, func(e event) bool { return e.list != lists[0].list }) {
		return lists
	}
	used := false
	for i := range options {
		for j, item := range options[i].items {
			if !target.MatchString(item) {
				options[i].items[j], used = "${"+lists[0].list+"}", true
			}
		}
	}
	for i := range lists {
		lists[i].told = !used
	}
	return lists
}
