package recipe

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// options goes through the options in their order: what is in the key, what it does to the result.
func (b *reading) options() *Refusal {
	b.Archs = b.call.Archs()
	if slices.Contains(b.Archs, "native") {
		return &Refusal{Reason: "native-arch"}
	}
	if b.call.Has("dlink-time-opt", "lto") || slices.ContainsFunc(b.Archs, func(a string) bool { return strings.HasPrefix(a, "lto_") }) {
		b.dir("code for link-time optimisation") // compressed, so Private does not see into it
	}
	b.Ccbin, _ = b.call.Last("compiler-bindir")
	if refused := b.keys(); refused != nil {
		return refused
	}
	for _, g := range b.call.Given {
		if refused := b.judge(g); refused != nil {
			return refused
		}
	}
	if b.windows && b.Kind == "object" {
		// cl is not among the programs that could be tried here. Its objects may hold their own full name, so it counts.
		b.dir("objects of cl")
	}
	if b.windows && strings.ContainsAny(b.Source, `/\`) {
		b.dir("nvcc.exe gives cl the whole name of the source") // which is __FILE__; a bare name stays as it is (13.0)
	}
	if refused := b.unknown(); refused != nil {
		return refused
	}
	return b.others()
}

// keys collects the words that matter.
func (b *reading) keys() *Refusal {
	odd := b.namesInside() || slices.ContainsFunc(b.call.Given, func(g nvcc.Given) bool { return g.Class() == nvcc.Naming && b.remarked(g) })
	forMake := len(b.Outputs) > 1
	_, named := b.call.Last("output-file") // else nvcc has names of its own for the target: k.o of -cubin
	b.OwnName, b.TargetName = odd || forMake, forMake && named && !odd && !b.windows
	at := 0
	others := func(end int) *Refusal { // inputs, and options that nvcc does not have
		for ; at < end; at++ {
			if word := b.call.Args[at]; slices.Contains(b.call.Unknown, word) {
				if refused := b.plain(word); refused != nil {
					return refused
				}
				b.Words = append(b.Words, word)
			}
		}
		return nil
	}
	for _, g := range b.call.Given {
		if refused := others(g.At); refused != nil {
			return refused
		}
		at = g.At + g.N
		words := b.call.Args[g.At:at]
		for _, word := range words {
			if refused := b.plain(word); refused != nil {
				return refused
			}
		}
		if class := g.Class(); class != nvcc.Ignored && (class != nvcc.Naming || b.OwnName) || b.remarked(g) {
			b.Words = append(b.Words, words...)
		}
	}
	return others(len(b.call.Args))
}

// remarked: nvcc has something to say about an option that changes nothing else. It warns of one that is given twice, and refuses
// a number that is none, or a file for dependencies that nobody asked for (tried with 13.0).
func (b *reading) remarked(g nvcc.Given) bool {
	times := 0
	for _, other := range b.call.Given {
		if other.Name == g.Name {
			times++
		}
	}
	odd := times > 1
	switch g.Name {
	case "threads", "split-compile":
		odd = odd || slices.ContainsFunc(g.Values, func(v string) bool { return v == "" || strings.Trim(v, "0123456789") != "" })
	case "dependency-output":
		odd = odd || len(b.Outputs) == 1
	}
	return odd
}

// namesInside says that the name of an output gets into one, besides the target that make's files hold: a cubin of -G holds its
// own (from 13.0 on); objects of cl may.
func (b *reading) namesInside() bool {
	return b.Kind == "cubin" && b.call.Has("device-debug") || b.windows && b.Kind == "object"
}

// judge takes one option by its class.
func (b *reading) judge(g nvcc.Given) *Refusal {
	name := "--" + g.Name
	switch g.Class() {
	case nvcc.DeviceLines:
		b.dir(name)
		b.Lines = true
	case nvcc.HostDebug:
		if b.windows && b.Kind == "object" { // a dry run shows -Zi
			return &Refusal{"writes-extra-file", name + " is -Zi, which writes a .pdb"}
		}
		b.debug(name)
	case nvcc.Relocatable:
		if b.Kind == "object" && !slices.Contains(g.Values, "false") {
			b.dir(name)
		}
	}
	return nil
}

// unknown are options that nvcc hands on when it is told to. A value of theirs in the next word is an input to nvcc.
func (b *reading) unknown() *Refusal {
	if len(b.call.Unknown) > 0 && !b.call.Has("forward-unknown-to-host-compiler", "forward-unknown-opts", "forward-slash-prefix-opts") {
		return &Refusal{"unknown-option", b.call.Unknown[0]}
	}
	return nil
}

// others judges the words for other programs. Those of one program go together: a value may stand in the next option's word.
// The host compiler gets those of -Xcompiler first, then the unknown ones.
func (b *reading) others() *Refusal {
	for _, o := range []struct {
		option  string
		forward []string
		judge   func([]string) *Refusal
	}{
		{"compiler-options", b.call.Unknown, b.host},
		{"ptxas-options", nil, func(words []string) *Refusal { return tool(words, ptxas) }},
		{"cudafe-options", nil, func(words []string) *Refusal { return tool(words, cudafe) }},
		{"fatbin-options", nil, func(words []string) *Refusal { return tool(words, fatbinary) }},
	} {
		var all []string
		for _, value := range append(b.call.All(o.option), o.forward...) {
			words, ok := split(value, b.windows)
			if !ok {
				return &Refusal{"shell-words", value}
			}
			all = append(all, words...)
		}
		if refused := o.judge(all); refused != nil {
			return refused
		}
	}
	return nil
}

// dir: the working folder is part of the result.
func (b *reading) dir(why string) {
	if b.DirMatters == "" {
		b.DirMatters = why
	}
}

// debug: the host compiler writes where its source was, and that is in the folder for files on the way.
func (b *reading) debug(why string) {
	if b.Kind == "object" {
		b.dir(why)
		b.NameInside = true
	}
}

// plain refuses a word that a shell would change.
func (b *reading) plain(word string) *Refusal {
	if ShellReads(word, b.windows) != "" {
		return &Refusal{"shell-words", word}
	}
	return nil
}
