package recipe

// Reason is why a call is not remembered. A slug is never given to another reason.
type Reason struct {
	Slug string
	Text string // for people: it links …
}

// Reasons are the refusals of this package. It is no map: one would be made at every start of the shim.
var Reasons = [...]Reason{
	{"links", "it links, makes a library or runs the program"},
	{"query", "it asks nvcc something and compiles nothing"},
	{"preprocess", "it preprocesses or lists dependencies only"},
	{"other-phase", "it makes something else than PTX, a cubin, a fatbin or an object"},
	{"tile-code", "it compiles tile code, which other programs are needed for"},
	{"no-source", "it names no source"},
	{"several-sources", "it compiles several files"},
	{"not-cuda", "its source is not CUDA C++ (.cu)"},
	{"stdin", "the source comes from standard input"},
	{"no-output", "it writes no file"},
	{"stdout-output", "the result goes to standard output or a device"},
	{"keeps-files", "it keeps files on the way"},
	{"writes-extra-file", "it writes one more file, that is not followed"},
	{"verbose", "it tells its steps, with names that change"},
	{"native-arch", "native asks for the GPU of this machine"},
	{"native-host", "native asks for the processor of this machine"},
	{"unknown-option", "nvcc has no such option in any tested release"},
	{"hidden-option", "an option that no help of nvcc names"},
	{"not-followed", "an option that changes which files are read in a way that is not followed"},
	{"unknown-host-option", "an option for the host compiler that is not known here"},
	{"host-search", "an option that changes where the host compiler looks for its own headers"},
	{"host-reads", "an option for the host compiler that reads one more file"},
	{"host-phase", "an option for the host compiler that changes what it makes"},
	{"unknown-tool-option", "an option for ptxas, cudafe++ or fatbinary that is not known here"},
	{"shell-words", "a word means something to the shell that nvcc calls"},
	{"response-file-lost", "a response file could not be read"},
	{"variable", "a variable changes what the compilers read or write"},
}

// Explain is the text of a slug; empty: it is none of this package.
func Explain(slug string) string {
	for _, r := range Reasons {
		if r.Slug == slug {
			return r.Text
		}
	}
	return ""
}
