package logtext

import (
	"strings"
	"unicode/utf8"

	"cupel/internal/pattern"
)

// prefix is what a tool puts before each line of another: group 1 of the expression, from the start of the line.
type prefix struct {
	first string // what its first character, after blanks, can be
	re    *pattern.Pattern
}

const (
	digits = "0123456789"
	clock  = `\d\d:\d\d:\d\d(?:[.,]\d+)?`
	day    = `\d{4}[-/]\d\d[-/]\d\d`
)

func before(first, expr string) prefix {
	return prefix{first, pattern.New(`^\s*(` + expr)}
}

// prefixes are tried in this order, again after each that was found. The rest of the line stays as it is, with
// its indentation.
var prefixes = []prefix{
	// GitHub, Azure, GitLab (00O, 01E+: its streams), kubectl, Jenkins, container run times (stdout F), logging of programs.
	before("["+digits, `\[?`+day+`[T ]`+clock+`(?:Z|[+-]\d\d:?\d\d)?(?: std(?:out|err) [FP](?: |$)| [0-9a-f]{2}[OE](?:[+ ]|$)|\]:? ?|: |[ \t]|$))`),
	before("#", `##\[(?:error|warning|debug|command|section|group|endgroup|notice)\])`),
	before("#", `#\d+ \d+\.\d+ )`),                                                                     // BuildKit, plain
	before("#", `#\d+ )ERROR`),                                                                         //
	before(digits, `(?:\d\.\d{3}|\d\d\.\d\d|\d{3}\.\d) )`),                                             // BuildKit, what it repeats at the end
	before(digits, clock+`(?: +|\t|$))`),                                                               // Jenkins
	before(digits, `\d+(?::\d+)?>)(?:[^&]|$)`),                                                         // MSBuild's node
	before("[", `\[`+clock+`\](?:[ A-Za-z]?:\s+(?:\[Step \d+/\d+\] ?)?|\s|$))`),                        // TeamCity
	before("[", `\[ *\d+\.\d{6}\] )`),                                                                  // the kernel's ring
	before("[", `\[rank ?\d+\]: ?)`),                                                                   // torchrun
	before("[", `\[\d+(?:,\d+)?\]<std(?:err|out)>: ?)`),                                                // mpirun
	before("[", `\[(?:stderr|stdout|STDERR|STDOUT|err|out)\]:? ?)`),                                    //
	before("[", `\[pod/[^\]\s]+\] )`),                                                                  // kubectl --prefix
	before("[", `\[[\w-]+ \d+\.\d+\.\d+[^\]\s]*\] )`),                                                  // cargo -vv
	before("(", `\((?:[\w.<>: -]+ )?pid=\d+(?:, ip=[\d.]+)?\) ?)`),                                     // ray, vLLM
	before("DIWEC", `(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d `+clock+` \S+:\d+\] ?)`),          // vLLM
	before("IWEF", `[IWEF]\d{4} `+clock+`\s+(?:\d+\s+)?[\w./-]+:\d+\] )`),                              // glog
	before("JFMASOND", `[A-Z][a-z]{2} [ 0-3]\d `+clock+` (?:[\w.-]+ (?:[\w./@-]+\[\d+\]|kernel): )?)`), // journald, ts
	before("cw", `cargo::?warning=|warning: [\w-]+@\d[\w.+-]*: )`),                                     // cargo, of a build script
	before("|\u2502", `[|\x{2502}] )[A-Za-z\[]`),                                                       // pip, groups of exceptions
	before("\u251c\u2570", `[\x{251c}\x{2570}]\x{2500}(?:\x{2500})?[\x{25b6}>] )`),                     // uv
	before("\ufeff", `\x{feff})`),
}

// composed is docker compose: the name of a container with its number.
var composed = pattern.New(`^[A-Za-z][\w.-]*[-_]\d+\s+\| `)

// mostPrefixes is how many stand before one line: a CI's time, a container's, a worker's, a logger's.
const mostPrefixes = 5

// Clean takes from a line what tools put around it: colours, time stamps of CI systems, names of workers,
// trailing blanks. Bytes that are no text become U+FFFD.
func Clean(line string) string {
	if Marked([]byte(line)) {
		line = string(Strip(nil, []byte(line)))
	}
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "\ufffd")
	}
	for range mostPrefixes {
		n := prefixLength(line)
		if n == 0 {
			break
		}
		line = line[n:]
	}
	return strings.TrimRight(line, " \t\r")
}

func prefixLength(line string) int {
	if bar := strings.Index(line[:min(len(line), 64)], " | "); bar > 0 {
		if found := composed.FindString(line); found != "" {
			return len(found)
		}
	}
	text := strings.TrimLeft(line, " \t")
	if text == "" {
		return 0
	}
	first, _ := utf8.DecodeRuneInString(text)
	for _, p := range prefixes {
		if !strings.ContainsRune(p.first, first) {
			continue
		}
		if m := p.re.FindStringSubmatchIndex(line); m != nil {
			return m[3]
		}
	}
	return 0
}
