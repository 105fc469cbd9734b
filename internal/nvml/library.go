package nvml

import (
	"errors"
	"fmt"
	"strings"

	"cupel/internal/fact"
)

// library is one loaded file. It is never unloaded: the program ends right after the report, and unloading is
// one more thing that can hang.
type library struct {
	handle uintptr
	asked  string
	// explain turns a return code of this library into its name.
	explain func(code int) string
}

// open loads the first of the names that the loader accepts.
func open(names []string) (*library, error) {
	var refusals []string
	for _, name := range names {
		handle, err := load(name)
		if err == nil {
			return &library{handle: handle, asked: name, explain: unnamed}, nil
		}
		refusals = append(refusals, err.Error())
	}
	return nil, errors.New(strings.Join(refusals, "; "))
}

// answer describes the loaded library. The file is found through the address of a function that the library
// must have, because the name asked for says nothing about which file the loader took.
func (l *library) answer(landmark string) fact.LibraryAnswer {
	file := loadedFile(l.handle, lookup(l.handle, landmark))
	return fact.LibraryAnswer{Found: true, Asked: l.asked, File: file}
}

// find looks the names up in order; old drivers lack the newer ones.
func (l *library) find(names ...string) (proc, error) {
	for _, name := range names {
		if addr := lookup(l.handle, name); addr != 0 {
			return proc{name: name, addr: addr, explain: l.explain}, nil
		}
	}
	return proc{}, fmt.Errorf("%s is not in this library", names[0])
}

// proc is one function of a library that returns a 32-bit code, 0 for success.
type proc struct {
	name    string
	addr    uintptr
	explain func(code int) string
}

// call passes integers and pointers. A pointer must be converted to uintptr in the argument list itself: the
// directive keeps what it points to on the heap and alive until the call is over.
//
//go:uintptrescapes
func (p proc) call(args ...uintptr) error {
	// The upper half of the register is not part of the C value.
	if code := int(int32(uint32(invoke(p.addr, args...)))); code != 0 {
		return &refusal{call: p.name, code: code, text: p.explain(code)}
	}
	return nil
}

// refusal is a call that answered with an error code.
type refusal struct {
	call string
	code int
	text string
}

func (r *refusal) Error() string {
	if r.text == "" {
		return fmt.Sprintf("%s: error %d", r.call, r.code)
	}
	return fmt.Sprintf("%s: error %d (%s)", r.call, r.code, r.text)
}

// code is the number of a refusal, 0 for any other error (a missing function, a value nobody knows).
func code(err error) int {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return 0
}

func unnamed(int) string { return "" }
