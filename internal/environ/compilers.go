package environ

import (
	"fmt"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/fact"
)

// compilers names a host compiler only when one was asked for, or when the default is known not to fit.
func (w *writer) compilers() {
	best, fits, why := choice.FittingCompiler(w.m, w.t)
	chosen := w.opt.Compiler
	switch {
	case chosen != nil:
	case !fits:
		w.note(instead(best, why))
		chosen = best
	case w.added("PATH", w.path.Dir(best.Path)):
		chosen = best // the default only because an earlier environment put it first on PATH
	}
	if w.opt.Compiler != nil {
		if ok, _, why := choice.CompilerFits(w.t, *chosen); !ok {
			w.note(fmt.Sprintf("the chosen compiler may not work: %s", why))
		}
	}
	if chosen != nil {
		w.assign("CUDAHOSTCXX", chosen.Path, "host compiler for CMake")
	}
	w.ccbin(chosen, fits)
	w.cAndCxx(chosen, best)
	if w.windows() {
		w.studio(chosen, best)
	}
}

func instead(best *fact.Compiler, why string) string {
	if best == nil {
		return why + ": no host compiler is named here"
	}
	return fmt.Sprintf("%s: %s is used instead", why, best.Path)
}

// ccbin writes NVCC_CCBIN when it was asked for, or when the default compiler does not fit. On Windows the
// second case is served by PATH, whose first cl.exe nvcc takes.
func (w *writer) ccbin(chosen *fact.Compiler, defaultFits bool) {
	if chosen == nil && w.opt.NvccCCBin {
		chosen = choice.DefaultFor(w.m, w.t)
	}
	needed := !defaultFits && !w.windows()
	if chosen == nil || (!w.opt.NvccCCBin && !needed) {
		if chosen != nil && !w.windows() {
			w.note("CUDAHOSTCXX is read by CMake alone: builders that call nvcc themselves keep the default compiler, unless NVCC_CCBIN is asked for too")
		}
		return
	}
	w.assign("NVCC_CCBIN", chosen.Path, "host compiler for nvcc itself")
	w.prependFlags(chosen.Path)
	if names := unchecking(); names != "" {
		w.note("NVCC_CCBIN makes " + names + " add -allow-unsupported-compiler, which switches nvcc's own check of the host compiler off")
	}
}

// prependFlags says it a second way: nvcc 11.8 and 12.4 do not read NVCC_CCBIN (dry runs), 13.0 does, and every
// one of them reads these flags. Flags that somebody else set are left alone.
func (w *writer) prependFlags(compiler string) {
	const name, flag = "NVCC_PREPEND_FLAGS", "-ccbin="
	have := w.env(name)
	foreign := have != "" && (!strings.HasPrefix(have, flag) || strings.Contains(have, " "))
	if foreign || strings.Contains(compiler, " ") || w.windows() {
		w.note(fmt.Sprintf("%s is left as it is: older nvcc that do not read NVCC_CCBIN need %s%s in it", name, flag, compiler))
		return
	}
	w.assign(name, flag+compiler, "the same for older nvcc, which do not read NVCC_CCBIN")
}

const uncheckFlag = "-allow-unsupported-compiler"

// unchecking lists the builders that the table says to add the flag when NVCC_CCBIN is set.
func unchecking() string {
	var names []string
	for _, b := range data.Builders() {
		for _, note := range b.Notes {
			if strings.Contains(note, "NVCC_CCBIN") && strings.Contains(note, uncheckFlag) {
				names = append(names, b.Name+" "+span(b.First, b.Last))
				break
			}
		}
	}
	return strings.Join(names, ", ")
}

func span(first, last string) string {
	if first == last {
		return first
	}
	return first + "–" + last
}

func (w *writer) cAndCxx(chosen, best *fact.Compiler) {
	if !w.opt.CCAndCXX {
		return
	}
	if chosen == nil {
		chosen = best
	}
	if chosen == nil {
		w.note("CC and CXX are not set: no host compiler is known to fit")
		return
	}
	w.assign("CC", w.cOf(chosen.Path), "C compiler of the same release")
	w.assign("CXX", chosen.Path, "C++ compiler")
}

// cOf names the C driver beside a C++ driver. They come in one package, or the C++ one needs the other.
func (w *writer) cOf(cxx string) string {
	dir, base := w.path.Dir(cxx), w.path.Base(cxx)
	for _, swap := range [][2]string{{"clang++", "clang"}, {"g++", "gcc"}, {"c++", "cc"}} {
		if i := strings.LastIndex(base, swap[0]); i >= 0 {
			return w.path.Join(dir, base[:i]+swap[1]+base[i+len(swap[0]):])
		}
	}
	return cxx // cl.exe is both
}
