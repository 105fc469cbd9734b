package emit

import (
	"strconv"
	"strings"
)

// device are the kinds that programs load at run time, and so want by name.
var device = []string{"ptx", "cubin", "fatbin"}

// constant is a device code file with the name that programs know it by.
type constant struct {
	File
	name string // without the kind: VECTOR_ADD, VECTOR_ADD_SM_80
}

// variable is what cargo calls the file's path: the kind always stands behind the name.
func (c constant) variable() string { return c.name + "_" + strings.ToUpper(c.Kind) }

// rust is the constant in Rust: PTX is a text and has the bare name.
func (c constant) rust() string {
	if c.Kind == "ptx" {
		return c.name
	}
	return c.variable()
}

// constants name the device code of a build. A name is the file's, with its arch where one source has several files of that
// kind, and with its kernel where another kernel has a file of that name too.
func (b Build) constants() []constant {
	var out []constant
	owners := map[string]map[string]bool{} // stem → kernels
	for _, k := range b.built() {
		for _, f := range k.files(device...) {
			stem := identifier(b.stem(f))
			if owners[stem] == nil {
				owners[stem] = map[string]bool{}
			}
			owners[stem][k.Name] = true
		}
	}
	taken := map[string]bool{}
	for _, k := range b.built() {
		several := map[string]int{}
		for _, f := range k.files(device...) {
			several[f.Kind+b.stem(f)]++
		}
		for _, f := range k.files(device...) {
			name := identifier(b.stem(f))
			if len(owners[name]) > 1 {
				name = identifier(k.Name) + "_" + name
			}
			if several[f.Kind+b.stem(f)] > 1 {
				name += "_" + identifier(f.Arch)
			}
			out = append(out, free(taken, constant{f, name}))
		}
	}
	return out
}

// free gives a constant a name that no other has: two file names may be one identifier, and the PTX of add_cubin.cu has the bare
// name that the cubin of add.cu has with its kind. What is one of a kind in Rust is so for cargo.
func free(taken map[string]bool, c constant) constant {
	name := c.name
	for n := 2; taken[c.rust()]; n++ {
		c.name = name + "_" + strconv.Itoa(n)
	}
	taken[c.rust()] = true
	return c
}

// stem is a file's name without its kind and arch: vector_add of vector_add.sm_80.cubin.
func (b Build) stem(f File) string {
	base := strings.TrimSuffix(b.style().Base(f.Path), "."+f.Kind)
	if f.Arch != "" {
		base = strings.TrimSuffix(base, "."+f.Arch)
	}
	return base
}

// identifier is a name in capitals that Rust, C, Go and shells take.
func identifier(name string) string {
	out := []byte(strings.ToUpper(name))
	some := false
	for i, c := range out {
		switch {
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			some = true
		default:
			out[i] = '_'
		}
	}
	if !some {
		return "KERNEL"
	}
	if out[0] >= '0' && out[0] <= '9' {
		return "_" + string(out)
	}
	return string(out)
}
