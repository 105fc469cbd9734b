package nvcc

// Cache says what an option means for a result that is remembered: one of the classes below, or else the slug of the reason
// why a call with it is not remembered (recipe.Explain tells what it means). Which option changes what was measured with nvcc
// 12.4, 13.0 and 13.4: the tests of package recipe try it again.
type Cache string

const (
	InKey       Cache = "in-key"       // part of the key, as it was written
	Ignored     Cache = "ignored"      // changes no byte of any result
	Naming      Cache = "naming"       // names an output: in the key only where that name gets inside
	Headers     Cache = "headers"      // in the key; says where headers are looked for, or which
	DeviceLines Cache = "device-lines" // in the key; the working folder gets into device code, and so into every result
	HostDebug   Cache = "host-debug"   // in the key; the working folder and that of files on the way get into objects
	Relocatable Cache = "relocatable"  // in the key; the working folder gets into objects
	Judged      Cache = "judged"       // in the key; words for another program, each judged
)

// Classes are all of them; every other value of Cache is the reason of a refusal.
var Classes = [...]Cache{InKey, Ignored, Naming, Headers, DeviceLines, HostDebug, Relocatable, Judged}

// Class is what an option that was given means for a result that is remembered.
func (g Given) Class() Cache {
	return g.option().Cache
}

// Phase is the option that says how far the call goes: ptx, compile, device-c; empty: it links.
func (i Invocation) Phase() string { return i.step().option }

// Written are the files that a compilation writes: what it was asked for, and files of dependencies.
func (i Invocation) Written(windows bool) (main, depfiles []string) {
	out, named := i.Last("output-file")
	if named {
		main = i.named(out)
	} else {
		main = i.defaults(windows)
	}
	return main, i.depfiles(out, windows)
}

// Role is what the option is about.
func (g Given) Role() Role { return g.option().Role }

// option is its row of the table; the zero value: it has none.
func (g Given) option() Option {
	o := named("--" + g.Name)
	if o == nil {
		o = named("-" + g.Name)
	}
	if o == nil {
		return Option{}
	}
	return *o
}
