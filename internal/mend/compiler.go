package mend

import "strings"

// compilers names a host compiler that fits where the call would take one that is known not to. A call's own choice that
// fits, or of which nothing is known, stays.
func (w *work) compilers() {
	c := w.plan.Compilers
	if c == nil || len(words(w.after, ccbin)) > 0 {
		return // what NVCC_APPEND_FLAGS names comes last and wins
	}
	if own, ok := last(words(w.call, ccbin)); ok {
		if why, bad := w.refused(own.value); bad {
			w.put(HostCompiler, why, own.At, own.N, own.with(c.Use)...)
		}
		return
	}
	if w.call.Has(ccbin) {
		return // without its value
	}
	if use, why := w.byItself(); use != "" {
		w.add(HostCompiler, why, "-ccbin="+use)
	}
}

const ccbin = "compiler-bindir"

// byItself is the compiler to name in a call that names none, and why; none when nvcc takes a fitting one.
func (w *work) byItself() (use, why string) {
	c := w.plan.Compilers
	if set, ok := last(words(w.before, ccbin)); ok {
		if why, bad := w.refused(set.value); bad {
			return c.Use, why
		}
		return "", ""
	}
	if w.plan.named == "" {
		if c.Default == "" {
			return "", ""
		}
		return c.Use, c.Default
	}
	if why, bad := w.refused(w.plan.named); bad {
		return c.Use, why
	}
	if c.Default == "" {
		return "", ""
	}
	// Not every nvcc reads NVCC_CCBIN (11.8 and 12.4 do not, 13.0 does); saying it twice does no harm.
	return w.plan.named, c.Default
}

// refused says why the toolkit does not accept the compiler of that name.
func (w *work) refused(name string) (why string, bad bool) {
	c := w.plan.Compilers
	key := Key(name, w.plan.Windows)
	if key == Key(c.Use, w.plan.Windows) {
		return "", false
	}
	why, bad = c.Refused[key]
	return why, bad
}

// Key is a compiler's name as Compilers.Refused has it.
func Key(name string, windows bool) string {
	name = strings.Trim(name, `"`)
	if windows {
		return strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(name, "/", `\`)), `\`)
	}
	if len(name) > 1 {
		return strings.TrimSuffix(name, "/")
	}
	return name
}
