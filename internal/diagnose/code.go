package diagnose

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/finding"
	"cupel/internal/pattern"
)

// Code is what a code that a person typed stands for. Line is the text a program would print for it: the code is
// explained as that line is.
type Code struct {
	Name    string     `json:"name"`
	Meaning string     `json:"meaning"`
	Causes  []string   `json:"causes,omitempty"`
	Fixes   []string   `json:"fixes,omitempty"`
	Source  []string   `json:"source,omitempty"`
	Also    string     `json:"also,omitempty"` // what the same number is as an exit code
	Line    string     `json:"-"`
	fine    bool       // it is no failure
	exit    *data.Exit // set when the table says the cause itself
}

var (
	exits   = pattern.New(`^(?i:exit(?:ed)?(?:[ -](?:code|status))?|rc|status|code)[ :=]*(-?\d+)$`)
	numbers = pattern.New(`^(?i:cuda )?(?i:error)(?i:[ -]code)?[ :=#]*(\d{1,4})$`)
	signals = pattern.New(`^(?i:signal|sig)[ :=]*(\d+)$`)
	hex     = pattern.New(`^(?i:0x[0-9a-f]{1,8})$`)
)

// CodeOf reads a code: 222, CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice, 0xC0000135, exit 137, LNK1181 cuda.lib.
func CodeOf(text string) (Code, bool) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return Code{}, false
	}
	if m := exits.FindStringSubmatch(text); m != nil {
		return exitNumber(m[1])
	}
	if m := signals.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return exitNumber(strconv.Itoa(128 + n))
	}
	if hex.MatchString(text) {
		n, err := strconv.ParseUint(text[2:], 16, 32)
		if err != nil {
			return Code{}, false
		}
		if c, ok := exitNumber(strconv.FormatUint(n, 10)); ok && n > 255 {
			return c, true
		}
		return cudaCode(func(c data.Code) bool { return uint64(c.Code) == n })
	}
	if m := numbers.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		exit, known := exitNumber(text)
		if n < 0 || n > 1<<31 {
			return exit, known
		}
		c, ok := cudaCode(func(c data.Code) bool { return int64(c.Code) == n })
		if !ok {
			return exit, known
		}
		c.Also = exit.Meaning
		return c, true
	}
	return namedCode(text)
}

// namedCode finds a CUDA name, or a tool's code with what was said after it.
func namedCode(text string) (Code, bool) {
	if c, ok := cudaCode(func(c data.Code) bool { return strings.EqualFold(c.Driver, text) || strings.EqualFold(c.Runtime, text) }); ok {
		return c, true
	}
	word, rest, _ := strings.Cut(text, " ")
	for _, e := range data.Exits() {
		if strings.EqualFold(e.Name, word) {
			c := exitCode(e)
			if rest != "" && e.Log != "" {
				c.Line = strings.ReplaceAll(e.Log, "{rest}", strings.Trim(rest, `'"`))
			} else if e.Log != "" && !strings.Contains(e.Log, "{rest}") {
				c.Line = e.Log
			}
			return c, true
		}
	}
	return Code{}, false
}

func cudaCode(is func(data.Code) bool) (Code, bool) {
	for _, c := range data.Codes() {
		if is(c) {
			name := fmt.Sprintf("%d, %s, %s", c.Code, c.Driver, c.Runtime)
			line := fmt.Sprintf("CUDA error %d: %s: %s", c.Code, c.Driver, c.Message)
			return Code{Name: strings.ReplaceAll(name, ", ,", ","), Meaning: c.Meaning, Causes: c.Causes, Fixes: c.Fixes, Source: c.Source, Line: line, fine: c.Fine}, true
		}
	}
	return Code{}, false
}

// exitNumber finds an exit code; Windows gives its own as negative or as large numbers.
func exitNumber(text string) (Code, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < -1<<31 || n >= 1<<32 {
		return Code{}, false
	}
	for _, e := range data.Exits() {
		if e.Number == uint32(n) && (n != 0 || e.Fine) {
			return exitCode(e), true
		}
	}
	return Code{}, false
}

func exitCode(e data.Exit) Code {
	return Code{Name: e.Name, Meaning: e.Meaning, Source: e.Source, exit: &e, fine: e.Fine}
}

// Finding is what the table itself says: for a code that no signature knows more about.
func (c Code) Finding() Finding {
	f := Finding{Title: c.Name, Source: c.Source}
	f.Finding = finding.Finding{ID: Unknown, Label: Unknown, Severity: finding.Error, What: strings.TrimSuffix(c.Meaning, ".")}
	if c.exit == nil {
		return f
	}
	if c.exit.Label != "" {
		f.ID, f.Label = c.exit.Label, c.exit.Label
	}
	for _, n := range c.exit.Next {
		f.Next = append(f.Next, finding.Step(n))
	}
	return f
}

// WithCode puts what the tables say about a code into the answer that its line got.
func (a Answer) WithCode(c Code) Answer {
	a.Code, a.Telling = &c, nil
	a.Log = LogFacts{Name: a.Log.Name, Kind: a.Log.Kind, Failed: !c.fine}
	if c.fine {
		a.Findings = []Finding{}
		return a
	}
	if len(a.Findings) == 0 || a.Findings[0].Label == Unknown {
		a.Findings = []Finding{c.Finding()}
	}
	return a
}

// OfMessage is the answer to words that a person typed: whoever types them has a failure.
func (a Answer) OfMessage() Answer {
	if len(a.Findings) == 0 {
		f := unknown(nil)
		f.What, f.Why = "cupel does not know this message", "no known failure has these words"
		f.Next = []finding.Step{{Command: "make 2>&1 | cupel explain", Note: "with your build command: the whole output tells more than a part of it"}}
		a.Findings, a.Log.Failed = []Finding{f}, true
	}
	return a
}
