package pip

import (
	"errors"
	"strings"

	"cupel/internal/child"
	"cupel/internal/pattern"
)

// short keeps a client's own words and leaves the command line away; the whole stays within reach of errors.As.
func short(err error) error {
	var failed child.Failed
	if !errors.As(err, &failed) {
		return err
	}
	return said{text: reason(err), err: err}
}

type said struct {
	text string
	err  error
}

func (e said) Error() string { return e.text }
func (e said) Unwrap() error { return e.err }

// network is where pip hides why an index does not answer: with -vv in "Could not fetch URL", else in its retries.
var network = []*pattern.Pattern{
	pattern.New(`Could not fetch URL (?:\S+): (.*) - skipping`),
	pattern.New(`after connection broken by '(.*)': /`),
}

// noise is wrapped around the reason by the libraries below pip.
var noise = []*pattern.Pattern{
	pattern.New(`.*<[^>]*>: `),
	pattern.New(`.*Max retries exceeded with url: \S+ `),
	pattern.New(`^connection error: `),
	pattern.New(`^There was a problem confirming the ssl certificate: `),
	pattern.New(`^Failed to establish a new connection: `),
	pattern.New(` for url: .*`),
	pattern.New(`^\[Errno -?\d+\] `),
}

// reason is what the client said in few words: why the network failed, else its last line that begins with error, else
// its last line.
func reason(err error) string { return child.Mask(words(err)) }

func words(err error) string {
	var failed child.Failed
	if !errors.As(err, &failed) {
		return err.Error()
	}
	text := failed.Result.Stdout + "\n" + failed.Result.Stderr
	if strings.Contains(text, mismatch) {
		return "what came is not what the index promised: its sha256 differs"
	}
	for _, re := range network {
		if all := re.FindAllStringSubmatch(text, -1); all != nil {
			return plain(all[len(all)-1][1])
		}
	}
	return lastError(failed.Result.Stderr, failed.Result.Stdout)
}

// indexFailed says whether the client worked and its index did not; a Python without pip, or a pip without `index`, is
// another matter.
func indexFailed(err error) bool {
	var failed child.Failed
	if !errors.As(err, &failed) {
		return false
	}
	text := failed.Result.Stdout + "\n" + failed.Result.Stderr
	return strings.Contains(text, "No matching distribution found") || strings.Contains(text, "Could not fetch URL")
}

func plain(s string) string {
	for _, re := range noise {
		s = re.ReplaceAllString(s, "")
	}
	s = strings.TrimSpace(s)
	for strings.HasSuffix(s, "'") || strings.HasSuffix(s, `"`) || strings.HasSuffix(s, ")") && strings.Count(s, "(") < strings.Count(s, ")") {
		s = s[:len(s)-1] // ends of what the noise began
	}
	return s
}

// marks begin the lines in which pip and uv say what is wrong. uv's causes come after its error; the last one is the root.
var marks = []string{"ERROR: ", "error: ", "cause: ", "Caused by: "}

// mismatch is what pip says in its longest message.
const mismatch = "DO NOT MATCH THE HASHES"

func lastError(streams ...string) string {
	var last, marked string
	for _, s := range streams {
		for line := range strings.SplitSeq(s, "\n") {
			line = strings.TrimSpace(line)
			if line != "" {
				last = line
			}
			for _, m := range marks {
				if rest, ok := strings.CutPrefix(line, m); ok {
					marked = rest
				}
			}
		}
		if marked != "" {
			return marked
		}
	}
	if last == "" {
		return "it said nothing"
	}
	return last
}
