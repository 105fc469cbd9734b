package nvcc

import (
	"iter"
	"sync"
)

// Option is one option of nvcc in the tested releases.
type Option struct {
	Long   string // --gpu-architecture; empty where only the short name is known
	Short  string // -arch; empty: it has none
	Kind   Kind
	Role   Role
	Cache  Cache
	First  string // the first tested release that takes it
	Last   string // the last one; empty: the newest tested release takes it
	Only   string // linux, windows: the help of the other system does not name it
	Hidden bool   // no release's help names it; found in the program and tried
}

// Name is how Given names it.
func (o Option) Name() string {
	if o.Long != "" {
		return o.Long
	}
	return o.Short
}

// Kind says what an option takes. A value stands in the next word or behind =.
type Kind uint8

const (
	Flag     Kind = iota // nothing; a value is an error
	Bool                 // true or false, never left out
	Single               // one value; of several the last counts, with a warning
	List                 // values between commas; several are added up
	Optional             // one value, or none before a word with a dash and at the end
)

// Role says what an option is about, where that is sure; None promises nothing.
type Role uint8

const (
	None         Role = iota
	Phase             // how far to go
	Output            // names what is written
	Depfile           // the file of dependencies for make
	Include           // files and folders of headers
	Define            // macros
	Query             // asks, and compiles nothing
	Arch              // of the GPU
	HostCompiler      // which one, and what it is told
	Link              // host or device linker, libraries, archiver
	ResponseFile      // a file with more options
	Keep              // what becomes of files on the way
)

// joined are the short names that take their value without a blank or =: -O3, -DX. Tried for every short name of one letter:
// -ox.o, -xcu, -ek are unknown options, and -m64 is an option of its own.
const joined = "DILOUlt"

var index struct {
	once  sync.Once
	named map[string]*Option // with its dashes
}

// named finds an option by its name with dashes.
func named(name string) *Option {
	index.once.Do(func() {
		index.named = make(map[string]*Option, 2*len(options))
		for i := range options {
			o := &options[i]
			for _, n := range []string{"--" + o.Long, "-" + o.Short} {
				// The first row of a name is that of the newest release which has it.
				if _, ok := index.named[n]; !ok && n != "-" && n != "--" {
					index.named[n] = o
				}
			}
		}
	})
	return index.named[name]
}

// Options are all that are known, the newest meaning of a name first.
func Options() iter.Seq[Option] {
	return func(yield func(Option) bool) {
		for _, o := range options {
			if !yield(o) {
				return
			}
		}
	}
}
