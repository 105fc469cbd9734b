package conda

import (
	"encoding/json"
	"path"
	"strings"

	"cupel/internal/pattern"
)

// record is a package as the clients describe it. Which keys are there depends on the client and on where it stands:
// conda's LINK has no address and no checksum, its FETCH has both; micromamba's LINK has everything.
type record struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	File    string `json:"fn"`
	URL     string `json:"url"`
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size"`
}

// whole says that it can be fetched and checked. The address becomes an argument of the client, the file's name a path, so
// neither may be anything else.
func (r record) whole() bool {
	return strings.Contains(r.URL, "://") && !strings.HasPrefix(r.URL, "-") && sha256Text.MatchString(r.SHA256) &&
		strings.HasSuffix(r.URL, "/"+r.File) && packageFile.MatchString(r.File)
}

var (
	sha256Text  = pattern.New(`^[0-9a-f]{64}$`)
	packageFile = pattern.New(`^[A-Za-z0-9_][A-Za-z0-9_.+!-]*\.(conda|tar\.bz2)$`)
)

// answer is what a client prints with --json. All forms in one: a key that is not there stays empty.
type answer struct {
	Actions struct {
		Fetch []record `json:"FETCH"`
		Link  []record `json:"LINK"`
	} `json:"actions"`
	Result struct {
		Packages []record `json:"pkgs"`
	} `json:"result"`
	Message   string   `json:"message"`
	Error     string   `json:"error"`
	Exception string   `json:"exception_name"`
	Problems  []string `json:"solver_problems"`
}

// tries bounds how often a beginning is looked for: a client that prints that much else does not answer.
const tries = 16

// documents are the JSON objects in a text, each at the beginning of a line. mamba prints a banner before the first, and
// one version of it the same answer twice (mamba issue 207).
func documents(text string) []json.RawMessage {
	var out []json.RawMessage
	for range tries {
		if !strings.HasPrefix(text, "{") {
			at := strings.Index(text, "\n{")
			if at < 0 {
				break
			}
			text = text[at+1:]
		}
		dec := json.NewDecoder(strings.NewReader(text))
		var doc json.RawMessage
		if dec.Decode(&doc) != nil {
			text = text[1:]
			continue
		}
		out = append(out, doc)
		text = text[dec.InputOffset():]
	}
	return out
}

// solution is the packages of a dry run by name, each with the most that is told about it.
func solution(text string) map[string]record {
	out := map[string]record{}
	for _, doc := range documents(text) {
		var a answer
		_ = json.Unmarshal(doc, &a) // a key of another type than expected leaves the rest
		for _, r := range append(a.Actions.Link, a.Actions.Fetch...) {
			r = filled(r)
			if old, ok := out[r.Name]; r.Name != "" && (!ok || !old.whole()) {
				out[r.Name] = r
			}
		}
	}
	return out
}

func filled(r record) record {
	if r.File == "" && r.URL != "" {
		r.File = path.Base(r.URL)
	}
	r.SHA256 = strings.ToLower(r.SHA256)
	return r
}

// listing is the packages of a search: {"result": {"pkgs": […]}} of mamba, {"NAME": […]} of conda.
func listing(text, name string) []record {
	var out []record
	for _, doc := range documents(text) {
		var a answer
		_ = json.Unmarshal(doc, &a)
		out = append(out, a.Result.Packages...)
		var byName map[string]json.RawMessage
		if json.Unmarshal(doc, &byName) == nil {
			var list []record
			_ = json.Unmarshal(byName[name], &list)
			out = append(out, list...)
		}
	}
	return out
}

// refused is a client that could not do what was asked, in its own words.
type refused struct {
	client, command string
	exception, said string
}

func (e refused) Error() string { return e.client + " " + e.command + ": " + e.said }

// complaint finds why a client says it failed; false when it does not say.
func complaint(text string) (refused, bool) {
	for _, doc := range documents(text) {
		var a answer
		_ = json.Unmarshal(doc, &a)
		for _, said := range []string{strings.Join(a.Problems, "; "), a.Message, a.Error} {
			if said = strings.TrimSpace(said); said != "" {
				return refused{exception: a.Exception, said: said}, true
			}
		}
	}
	return refused{}, false
}
