package mend

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

const hostOptions = "compiler-options" // -Xcompiler

// flags makes the repairs for Microsoft's compiler that need no more than their name.
func (w *work) flags() {
	if why, ok := w.plan.Flags[ZcPreprocessor]; ok && w.compiles() && !w.preprocessorNamed() {
		w.add(ZcPreprocessor, why, "-Xcompiler=/Zc:preprocessor")
	}
	if why, ok := w.plan.Flags[MathDefines]; ok && w.compiles() && !w.defined("_USE_MATH_DEFINES") {
		w.add(MathDefines, why, "-D_USE_MATH_DEFINES")
	}
	if why, ok := w.plan.Flags[NoFPIC]; ok {
		w.dropFPIC(why)
	}
}

func (w *work) everywhere() []nvcc.Invocation { return []nvcc.Invocation{w.before, w.call, w.after} }

// preprocessorNamed: the call chooses a preprocessor itself, either of them, or has switched the headers' check off.
func (w *work) preprocessorNamed() bool {
	names := func(f string) bool {
		return len(f) > 1 && (strings.HasPrefix(f[1:], "Zc:preprocessor") || strings.HasPrefix(f[1:], "experimental:preprocessor"))
	}
	for _, i := range w.everywhere() {
		for _, o := range words(i, hostOptions) {
			if slices.ContainsFunc(pieces(o.value), func(p string) bool { return names(flag(p)) }) {
				return true
			}
		}
		if slices.ContainsFunc(i.Args, names) { // handed on by --forward-unknown-opts
			return true
		}
	}
	return w.defined("CCCL_IGNORE_MSVC_TRADITIONAL_PREPROCESSOR_WARNING")
}

// defined says that a macro is defined or undefined by the call: either way somebody decided.
func (w *work) defined(macro string) bool {
	for _, i := range w.everywhere() {
		for _, g := range i.Given {
			if g.Name != "define-macro" && g.Name != "undefine-macro" {
				continue
			}
			for v := range strings.SplitSeq(strings.Join(g.Values, ","), ",") { // nvcc takes lists
				if name, _, _ := strings.Cut(v, "="); name == macro {
					return true
				}
			}
		}
	}
	return false
}

func isFPIC(f string) bool { return f == "-fPIC" || f == "-fpic" }

// dropFPIC takes the flag out of every list for the host compiler, and where it stands alone.
func (w *work) dropFPIC(why string) {
	taken := map[int]bool{}
	for _, g := range w.call.Given {
		for i := range g.N {
			taken[g.At+i] = true
		}
	}
	for i, a := range w.args {
		if isFPIC(a) && !taken[i] {
			w.put(NoFPIC, why, i, 1)
		}
	}
	for _, o := range words(w.call, hostOptions) {
		if value, n := withoutFPIC(o.value); n > 0 && value == "" {
			w.put(NoFPIC, why, o.At, o.N)
		} else if n > 0 {
			w.put(NoFPIC, why, o.At, o.N, o.with(value)...)
		}
	}
}

// withoutFPIC leaves the other flags of a list as they are spelt; n is how often it stood there.
func withoutFPIC(value string) (rest string, n int) {
	var kept strings.Builder
	for _, p := range pieces(value) {
		if isFPIC(flag(p)) {
			n++
			continue
		}
		kept.WriteString(p)
	}
	if n == 0 {
		return value, 0
	}
	return strings.TrimLeft(kept.String(), ", "), n
}
