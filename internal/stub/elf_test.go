package stub

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func write(t testing.TB, l Library) ([]byte, *elf.File) {
	t.Helper()
	b, err := ELF(l)
	if err != nil {
		t.Fatalf("ELF(%+v): %v", l, err)
	}
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("debug/elf reads what ELF wrote: %v", err)
	}
	return b, f
}

// wrong lists what a loader or linker would stumble over.
func wrong(l Library, f *elf.File) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if f.Type != elf.ET_DYN || f.Machine != machines[l.Machine].elf || f.Class != elf.ELFCLASS64 {
		say("type %v, machine %v, class %v", f.Type, f.Machine, f.Class)
	}
	if got, err := f.DynString(elf.DT_SONAME); err != nil || !slices.Equal(got, []string{l.Soname}) {
		say("soname %q, %v", got, err)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		say("symbols: %v", err)
	}
	var names []string
	text := f.Section(".text")
	for _, s := range symbols {
		names = append(names, s.Name)
		if s.Info != elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC) || s.Section != textSection || s.Value < text.Addr || s.Value+s.Size > text.Addr+text.Size {
			say("symbol %+v", s)
		}
	}
	slices.Sort(names)
	if want := slices.Sorted(slices.Values(l.Symbols)); !slices.Equal(names, want) {
		say("symbols %q, want %q", names, want)
	}
	return append(append(out, wrongSegments(l, f)...), wrongHashes(l, f)...)
}

func wrongSegments(l Library, f *elf.File) []string {
	var out []string
	page, last := machines[l.Machine].page, uint64(0)
	for i, p := range f.Progs {
		switch p.Type {
		case elf.PT_LOAD:
			if p.Off%page != p.Vaddr%page || p.Align != page || i > 0 && p.Vaddr/page <= last/page || p.Flags&elf.PF_X != 0 && p.Flags&elf.PF_W != 0 {
				out = append(out, fmt.Sprintf("segment %d: %+v", i, p.ProgHeader))
			}
			last = p.Vaddr + p.Memsz - 1
		case elf.PT_GNU_STACK:
			if p.Flags&elf.PF_X != 0 {
				out = append(out, "the stack may be run")
			}
		}
	}
	return out
}

// wrongHashes looks every symbol up as a loader does, in both tables, and one that is not there.
func wrongHashes(l Library, f *elf.File) []string {
	var out []string
	symbols, _ := f.DynamicSymbols()
	name := func(i uint32) string { return symbols[i-1].Name }
	one, _ := f.Section(".hash").Data()
	two, _ := f.Section(".gnu.hash").Data()
	for _, s := range append([]string{"notThere"}, l.Symbols...) {
		want := slices.Contains(l.Symbols, s)
		if got := findSysv(one, s, name); got != want {
			out = append(out, fmt.Sprintf(".hash finds %s: %v", s, got))
		}
		if got := findGNU(two, s, name); got != want {
			out = append(out, fmt.Sprintf(".gnu.hash finds %s: %v", s, got))
		}
	}
	return out
}

func findSysv(table []byte, name string, of func(uint32) string) bool {
	word := func(i uint32) uint32 { return binary.LittleEndian.Uint32(table[4*i:]) }
	n := word(0)
	for i := word(2 + sysv(name)%n); i != 0; i = word(2 + n + i) {
		if of(i) == name {
			return true
		}
	}
	return false
}

func findGNU(table []byte, name string, of func(uint32) string) bool {
	word := func(at uint32) uint32 { return binary.LittleEndian.Uint32(table[at:]) }
	n, offset, filters, shift, h := word(0), word(4), word(8), word(12), gnu(name)
	filter := binary.LittleEndian.Uint64(table[16+8*(h/64%filters):])
	if (filter>>(h%64))&(filter>>(h>>shift%64))&1 == 0 {
		return false
	}
	lists := 16 + 8*filters
	i := word(lists + 4*(h%n))
	for i != 0 {
		chain := word(lists + 4*n + 4*(i-offset))
		if chain|1 == h|1 && of(i) == name {
			return true
		}
		if chain&1 == 1 {
			return false
		}
		i++
	}
	return false
}

func TestELF(t *testing.T) {
	many := make([]string, 3000)
	for i := range many {
		many[i] = fmt.Sprintf("f%d", i)
	}
	for _, m := range []string{"amd64", "arm64"} {
		for _, tt := range []struct {
			name    string
			symbols []string
			answer  int32
		}{
			{"one symbol", []string{"cuInit"}, 34},
			{"two symbols", []string{"b", "a"}, 0},
			{"an answer of 32 bits", []string{"a", "b", "c"}, -1},
			{"many symbols", many, 1 << 16},
		} {
			t.Run(m+" "+tt.name, func(t *testing.T) {
				l := Library{m, "libx.so.1", tt.symbols, tt.answer}
				b, f := write(t, l)
				for _, w := range wrong(l, f) {
					t.Error(w)
				}
				slices.Reverse(l.Symbols)
				if again, _ := write(t, l); !bytes.Equal(b, again) {
					t.Error("the order of the symbols changes the file")
				}
			})
		}
	}
}

// TestBodies holds the code against what the processors' manuals (and objdump) say.
func TestBodies(t *testing.T) {
	for _, tt := range []struct {
		machine string
		answer  int32
		want    string
	}{
		{"amd64", 34, "b822000000c3"},
		{"amd64", -1, "b8ffffffffc3"},
		{"arm64", 34, "40048052c0035fd6"},
		{"arm64", 1 << 16, "000080522000a072c0035fd6"},
	} {
		if got := fmt.Sprintf("%x", machines[tt.machine].body(tt.answer)); got != tt.want {
			t.Errorf("%s answers %d with %s, want %s", tt.machine, tt.answer, got, tt.want)
		}
	}
}

func TestELFRefuses(t *testing.T) {
	good := Library{"amd64", "libx.so.1", []string{"a"}, 0}
	for _, tt := range []struct {
		name string
		with func(*Library)
		want string
	}{
		{"another machine", func(l *Library) { l.Machine = "riscv64" }, `machine "riscv64"`},
		{"no soname", func(l *Library) { l.Soname = "" }, `soname ""`},
		{"a soname with a folder", func(l *Library) { l.Soname = "../x.so" }, `soname "../x.so"`},
		{"a soname with a zero", func(l *Library) { l.Soname = "x\x00y" }, `soname "x\x00y"`},
		{"no symbols", func(l *Library) { l.Symbols = nil }, "no symbols"},
		{"an empty symbol", func(l *Library) { l.Symbols = []string{"a", ""} }, `symbol ""`},
		{"a symbol twice", func(l *Library) { l.Symbols = []string{"a", "b", "a"} }, `symbol "a" stands twice`},
		{"a version in a symbol", func(l *Library) { l.Symbols = []string{"a@@V1"} }, `symbol "a@@V1"`},
		{"a digit first", func(l *Library) { l.Symbols = []string{"1a"} }, `symbol "1a"`},
		{"a zero", func(l *Library) { l.Symbols = []string{"a\x00b"} }, `symbol "a\x00b"`},
		{"a very long symbol", func(l *Library) { l.Symbols = []string{strings.Repeat("a", longest+1)} }, "no C identifier"},
		{"too many", func(l *Library) { l.Symbols = make([]string, most+1) }, "at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := good
			tt.with(&l)
			if b, err := ELF(l); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ELF gave %d bytes, error %v, want one with %q", len(b), err, tt.want)
			}
		})
	}
}

func FuzzELF(f *testing.F) {
	f.Add("cuInit cuMemAlloc_v2", "libcuda.so.1", int32(34), true)
	f.Add("a a", "x", int32(-1), false)
	f.Add("a@1 \x00", "/", int32(0), false)
	f.Fuzz(func(t *testing.T, symbols, soname string, answer int32, arm bool) {
		l := Library{Machine: "amd64", Soname: soname, Symbols: strings.Split(symbols, " "), Answer: answer}
		if arm {
			l.Machine = "arm64"
		}
		if l.check() != nil {
			return
		}
		_, file := write(t, l)
		for _, w := range wrong(l, file) {
			t.Error(w)
		}
	})
}
