package recipe

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// reading is a call on its way to a recipe.
type reading struct {
	Recipe
	call    nvcc.Invocation
	env     func(string) string
	windows bool

	quote, user, system, after []string // folders that the host compiler's words name
}

// kind is what a phase makes; empty: what it makes is not remembered.
func kind(phase string) string {
	switch phase {
	case "ptx", "cubin", "fatbin":
		return phase
	case "compile", "device-c", "device-w":
		return "object"
	}
	return ""
}

// phase says what is made. Of all reasons that a call has, what it does comes first: it is what people look for in a list.
func (b *reading) phase() *Refusal {
	var first *Refusal
	for _, g := range b.call.Given {
		class := g.Class()
		if slices.Contains(nvcc.Classes[:], class) {
			continue
		}
		refused := &Refusal{string(class), b.call.Args[g.At]}
		if class == "query" || class == "preprocess" {
			return refused
		}
		if first == nil || class == "links" || class == "other-phase" {
			first = refused
		}
	}
	phase := b.call.Phase()
	b.Kind = kind(phase)
	switch {
	case first != nil && (first.Reason == "links" || first.Reason == "other-phase"):
		return first
	case phase == "" && len(b.call.Inputs) > 0:
		return &Refusal{Reason: "links"}
	case phase == "":
		return &Refusal{Reason: "no-source"}
	case b.Kind == "":
		return &Refusal{"other-phase", "--" + phase}
	}
	return first
}

// source is the one input. With -x every input is of that language.
func (b *reading) source() *Refusal {
	switch in := b.call.Inputs; {
	case len(in) == 0 || in[0] == "":
		return &Refusal{Reason: "no-source"}
	case slices.Contains(in, "-"):
		return &Refusal{Reason: "stdin"}
	case len(in) > 1:
		return &Refusal{"several-sources", in[1]}
	}
	b.Source = b.call.Inputs[0]
	language, told := b.call.Last("x")
	if told && language != "cu" || !told && !strings.HasSuffix(b.Source, ".cu") {
		return &Refusal{"not-cuda", b.Source}
	}
	return b.plain(b.Source)
}

func (b *reading) outputs() *Refusal {
	if out, _ := b.call.Last("output-file"); b.noFile(out) {
		return &Refusal{"stdout-output", out}
	}
	main, depfiles := b.call.Written(b.windows)
	if len(main) != 1 || main[0] == "" {
		return &Refusal{Reason: "no-output"}
	}
	b.Outputs = append(b.Outputs, Output{"main", main[0]})
	for _, path := range depfiles {
		if b.noFile(path) {
			return &Refusal{"stdout-output", path}
		}
		b.Outputs = append(b.Outputs, Output{"depfile", path})
	}
	return nil
}

// noFile is a name that stands for no file: bytes written there cannot be taken back out of it.
func (b *reading) noFile(path string) bool {
	if b.windows {
		return path == "-" || strings.EqualFold(path, "nul") || strings.EqualFold(path, "con")
	}
	return path == "-" || strings.HasPrefix(path, "/dev/")
}

// folders puts the places for headers in the order in which the host compiler gets them. A dry run shows: words of -Xcompiler
// and forwarded ones, -I, the toolkit's own, -isystem. CPATH comes behind the last -I and CPLUS_INCLUDE_PATH behind the last
// -isystem (GCC manual, "Environment Variables Affecting GCC"; clang does as GCC), an empty name in them is the working folder.
func (b *reading) folders() {
	add := func(kind string, paths []string) {
		for _, p := range paths {
			b.Search = append(b.Search, Folder{p, kind})
		}
	}
	add("quote", b.quote)
	add("user", b.user)
	add("user", b.call.All("include-path"))
	if b.windows { // -isystem is -I there, behind all others; INCLUDE and EXTERNAL_INCLUDE are cl's (Microsoft, CL environment variables)
		add("system", slices.Concat(b.system, b.call.All("system-include"), list(b.env("INCLUDE"), ";"), list(b.env("EXTERNAL_INCLUDE"), ";")))
	} else {
		add("user", list(b.env("CPATH"), ":"))
		add("system", slices.Concat(b.system, b.call.All("system-include"), list(b.env("CPLUS_INCLUDE_PATH"), ":")))
	}
	add("after", b.after)
	b.Included = slices.Concat([]string{"cuda_runtime.h"}, b.call.All("pre-include"), b.HostFirst)
}

func list(value, separator string) (all []string) {
	if value == "" {
		return nil
	}
	for path := range strings.SplitSeq(value, separator) {
		switch {
		case path != "":
			all = append(all, path)
		case separator == ":":
			all = append(all, ".")
		}
	}
	return all
}
