package mend

import (
	"slices"
	"strconv"
	"strings"
)

// archs replaces targets that only later toolkits know by PTX of the newest one that this toolkit has below them. What it
// dropped is left alone: nothing that it can make runs there.
func (w *work) archs() {
	if w.plan.Archs == nil || w.wantsMachineCode() {
		return
	}
	virtual := w.architecture()
	for _, o := range words(w.call, "gpu-code") {
		l := readCodes(o.value)
		if why := w.plan.Archs.recode(&l, virtual); why != "" && virtual != "" {
			w.put(Arch, why, o.At, o.N, o.with(l.text())...)
		}
	}
	w.gencodes()
}

// wantsMachineCode: a cubin, and what is optimised at link time, cannot be made from PTX ("Option '--cubin' is not allowed
// when compiling for a virtual compute architecture"). nvcc's own message is the better answer then.
func (w *work) wantsMachineCode() bool {
	if w.call.Has("cubin", "tilecubin", "dlink-time-opt", "lto", "ltoir", "gen-opt-lto") {
		return true
	}
	for _, name := range []string{"gpu-code", "generate-code"} {
		for _, o := range words(w.call, name) {
			if strings.Contains(o.value, "lto_") {
				return true
			}
		}
	}
	return false
}

// architecture repairs --gpu-architecture and gives the virtual target (90) that the codes beside it are made from; "" when
// there is none.
func (w *work) architecture() (virtual string) {
	for _, o := range words(w.call, "gpu-architecture") {
		digits, ptx := target(o.value)
		if best, why := w.plan.Archs.better(o.value); best != "" {
			w.put(Arch, why, o.At, o.N, o.with("compute_"+best)...)
			digits, ptx = best, true
		}
		virtual = ""
		if ptx {
			virtual = digits
		}
	}
	return virtual
}

// gencodes repairs --generate-code. One that then says what another one says already is dropped.
func (w *work) gencodes() {
	type changed struct {
		word
		pair pair
		why  string
	}
	var list []changed
	seen := map[[2]string]bool{}
	for _, o := range words(w.call, "generate-code") {
		p, ok := readPair(o.value)
		if !ok {
			continue
		}
		if why := w.plan.Archs.repair(&p); why != "" {
			list = append(list, changed{o, p, why})
			continue
		}
		for _, code := range p.codes.items {
			seen[[2]string{p.arch, code}] = true
		}
	}
	for _, c := range list {
		c.pair.codes.items = slices.DeleteFunc(c.pair.codes.items, func(code string) bool {
			key := [2]string{c.pair.arch, code}
			again := seen[key]
			seen[key] = true
			return again
		})
		if len(c.pair.codes.items) == 0 {
			w.put(Arch, c.why+"; the call asks for it already", c.At, c.N)
			continue
		}
		w.put(Arch, c.why, c.At, c.N, c.with(c.pair.text())...)
	}
}

// repair changes a pair; why is empty when it has no trouble.
func (a Archs) repair(p *pair) (why string) {
	if best, reason := a.better(p.arch); best != "" {
		p.arch, why = "compute_"+best, reason
	}
	digits, _ := target(p.arch)
	if reason := a.recode(&p.codes, digits); reason != "" && why == "" {
		why = reason
	}
	return why
}

// recode makes PTX of the virtual target in the place of codes that are not known.
func (a Archs) recode(l *codes, virtual string) (why string) {
	var items []string
	for _, code := range l.items {
		if best, reason := a.better(code); best != "" {
			code = "compute_" + virtual
			if why == "" {
				why = reason
			}
		}
		items = append(items, code)
	}
	if why != "" {
		l.items = unique(items)
	}
	return why
}

func unique(items []string) (out []string) {
	for _, s := range items {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// better is the newest plain target that the toolkit knows at or below one that it does not know yet; "" when it knows it,
// dropped it, or nobody ever had it.
func (a Archs) better(text string) (best, why string) {
	digits, _ := target(text)
	number := numberOf(digits)
	if number == 0 || slices.Contains(a.Known, digits) {
		return "", ""
	}
	newest, at := 0, 0
	for _, k := range a.Known {
		n := numberOf(k)
		newest = max(newest, n)
		if n <= number && n > at && strconv.Itoa(n) == k {
			at = n
		}
	}
	first, later := a.Later[digits]
	if at == 0 || !later && number <= newest {
		return "", ""
	}
	since := "CUDA " + first + " is the first that does"
	if !later {
		since = "its newest is sm_" + strconv.Itoa(newest)
	}
	best = strconv.Itoa(at)
	return best, a.Toolkit + " does not know " + text + " (" + since + "): PTX for compute_" + best + " instead, which the driver compiles for newer GPUs"
}

// target takes sm_90a or compute_90 apart; digits is empty for anything else (native, all).
func target(text string) (digits string, virtual bool) {
	digits, virtual = strings.CutPrefix(text, "compute_")
	if !virtual {
		var ok bool
		if digits, ok = strings.CutPrefix(text, "sm_"); !ok {
			return "", false
		}
	}
	if numberOf(digits) == 0 {
		return "", false
	}
	return digits, virtual
}

// numberOf is 90 of 90 and of 90a; 0 when it is no number.
func numberOf(digits string) int {
	digits = strings.TrimRight(digits, "af")
	if len(digits) < 2 || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' {
		return 0
	}
	n, _ := strconv.Atoi(digits)
	return n
}
