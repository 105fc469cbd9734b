// Package ptxas reads what ptxas -v, nvcc -Xptxas -v and nvcc --resource-usage say of each kernel. Text in, rows out.
package ptxas

import (
	"strconv"
	"strings"
	"time"
)

// Kernel is what one function needs on one architecture. A number that the release does not tell is 0, that of barriers -1.
type Kernel struct {
	Name        string // as the linker knows it
	Arch        string // sm_80; empty: nvlink does not tell it
	Entry       bool   // a kernel; false: a function that kernels call
	Linked      bool   // told by nvlink, which does not know of spills
	Registers   int    // for each thread
	Barriers    int    // -1: not told, as by 11.8 and 12.4
	Stack       int    // bytes for each thread, its own
	StackInAll  int    // with that of the functions it calls; 11.8 does not tell it, and no release when it is none
	SpillStores int    // bytes
	SpillLoads  int
	Shared      int // bytes for each block, known when compiling
	Local       int
	Constant    []Bank
	Time        time.Duration // of compiling it; 11.8 and 12.4 do not tell it
}

// Bank is the use of one bank of constant memory.
type Bank struct{ Number, Bytes int }

// Spills: registers did not suffice, and values go through memory.
func (k Kernel) Spills() bool { return k.SpillStores > 0 || k.SpillLoads > 0 }

// Read takes the kernels out of a compiler's output, in its order. Lines that it does not know are passed over, also in the
// midst of a kernel.
func Read(text string) []Kernel {
	var r reader
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\r\n"))
	}
	return r.kernels
}

// reader is where Read stands: the last of kernels is the one spoken of.
type reader struct {
	kernels []Kernel
	module  int    // the first kernel of this module
	arch    string // of this module; empty: not told yet
}

func (r *reader) line(line string) {
	if items, ok := strings.CutPrefix(line, "    "); ok { // the frame stands on a line of its own, with no tool's name
		if strings.Contains(items, " bytes stack frame") {
			r.numbers(items)
		}
		return
	}
	if text, ok := info(line, "ptxas"); ok {
		r.ptxas(text)
	} else if text, ok := info(line, "nvlink"); ok {
		r.nvlink(text)
	}
}

// info is the text of a tool's message: "ptxas info    : text".
func info(line, tool string) (string, bool) {
	rest, ok := strings.CutPrefix(line, tool+" info")
	if !ok {
		return "", false
	}
	return strings.CutPrefix(strings.TrimLeft(rest, " "), ": ")
}

func (r *reader) ptxas(text string) {
	if name, ok := strings.CutPrefix(text, "Compiling entry function '"); ok {
		name, arch, ok := strings.Cut(name, "' for '")
		if ok {
			r.entry(name, strings.TrimSuffix(arch, "'"))
		}
	} else if name, ok := strings.CutPrefix(text, "Function properties for "); ok {
		r.function(name)
	} else if list, ok := strings.CutPrefix(text, "Used "); ok {
		r.numbers(list)
	} else if took, ok := strings.CutPrefix(text, "Compile time = "); ok {
		r.took(took)
	} else if strings.Contains(text, " bytes gmem") {
		r.module, r.arch = len(r.kernels), ""
	}
}

func (r *reader) nvlink(text string) {
	if name, ok := strings.CutPrefix(text, "Function properties for '"); ok {
		r.kernels = append(r.kernels, Kernel{Name: strings.TrimSuffix(name, "':"), Entry: true, Linked: true, Barriers: -1})
	} else if list, ok := strings.CutPrefix(text, "used "); ok {
		r.numbers(list)
	}
}

// entry begins a kernel. Functions of the same module may stand before the first one: that is where they learn their arch.
func (r *reader) entry(name, arch string) {
	for i := r.module; i < len(r.kernels) && r.arch == ""; i++ {
		if !r.kernels[i].Linked {
			r.kernels[i].Arch = arch
		}
	}
	r.arch = arch
	r.kernels = append(r.kernels, Kernel{Name: name, Arch: arch, Entry: true, Barriers: -1})
}

// function is the kernel just begun, or one that kernels call.
func (r *reader) function(name string) {
	if n := len(r.kernels); n > 0 && r.kernels[n-1].Name == name && r.kernels[n-1].Entry && r.kernels[n-1].Registers == 0 {
		return
	}
	r.kernels = append(r.kernels, Kernel{Name: name, Arch: r.arch, Barriers: -1})
}

func (r *reader) took(text string) {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if n := len(r.kernels); n > 0 && err == nil && d >= 0 {
		r.kernels[n-1].Time = d
	}
}

// numbers reads "22 registers, used 1 barriers, 512 bytes smem, 368 bytes cmem[0]".
func (r *reader) numbers(list string) {
	if len(r.kernels) == 0 {
		return
	}
	k := &r.kernels[len(r.kernels)-1]
	for item := range strings.SplitSeq(list, ",") {
		number, what, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(item), "used "), " ")
		if n, err := strconv.Atoi(number); err == nil && n >= 0 {
			k.set(what, n)
		}
	}
}

func (k *Kernel) set(what string, n int) {
	switch what {
	case "registers":
		k.Registers = n
	case "barriers":
		k.Barriers = n
	case "bytes stack frame":
		k.Stack = n
	case "bytes cumulative stack size", "stack": // nvlink adds up too
		k.StackInAll = n
	case "bytes spill stores":
		k.SpillStores = n
	case "bytes spill loads":
		k.SpillLoads = n
	case "bytes smem":
		k.Shared = n
	case "bytes lmem":
		k.Local = n
	default:
		k.bank(what, n)
	}
}

func (k *Kernel) bank(what string, n int) {
	inner, ok := strings.CutPrefix(what, "bytes cmem[")
	number, err := strconv.Atoi(strings.TrimSuffix(inner, "]"))
	if ok && err == nil && number >= 0 {
		k.Constant = append(k.Constant, Bank{number, n})
	}
}
