package tool

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// reading is one pass of the preprocessor: for one architecture, or for the host.
type reading struct {
	c      *compiler
	macros map[string]string
	marked strings.Builder // with line markers
	plain  strings.Builder
	stack  []string // files that are open
	once   []onceFile
}

// onceFile is one with #pragma once. gcc takes a file of the same size, time and bytes for it.
type onceFile struct {
	size int64
	time time.Time
	sum  [32]byte
}

// failure ends a pass.
type failure string

func (c *compiler) preprocess(source, arch string) *reading {
	r := &reading{c: c, macros: map[string]string{"__CUDACC__": "1"}}
	if arch != "" {
		r.macros["__CUDA_ARCH__"] = arch + "0"
	}
	for _, d := range c.defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		r.macros[name] = value
	}
	for _, u := range c.undefines {
		delete(r.macros, u)
	}
	r.mark(0, source, 0)
	for _, name := range c.included {
		path, ok := r.find(name, true, "")
		if !ok {
			panic(failure(fmt.Sprintf("cc1plus: fatal error: %s: No such file or directory\n", name)))
		}
		r.file(path, true)
	}
	r.file(source, false)
	return r
}

func (r *reading) mark(line int, path string, flag int) {
	path = strings.ReplaceAll(path, `\`, `\\`)
	switch {
	case r.c.call.Windows:
		fmt.Fprintf(&r.marked, "#line %d \"%s\"\n", max(line, 1), path)
	case flag == 0:
		fmt.Fprintf(&r.marked, "# %d \"%s\"\n", line, path)
	default:
		fmt.Fprintf(&r.marked, "# %d \"%s\" %d\n", line, path, flag)
	}
}

// file takes in a file.
func (r *reading) file(path string, enter bool) {
	text, info, ok := r.c.read(path)
	if !ok {
		panic(failure(fmt.Sprintf("%s: No such file or directory\n", path)))
	}
	o := onceFile{info.Size(), info.ModTime(), sha256.Sum256(text)}
	for _, old := range r.once {
		if old == o {
			return
		}
	}
	if len(r.stack) > 30 {
		panic(failure(fmt.Sprintf("%s: #include nested too deeply\n", path)))
	}
	if enter {
		r.mark(1, path, 1)
	}
	r.stack = append(r.stack, path)
	r.lines(path, uncomment(string(text)), o)
	r.stack = r.stack[:len(r.stack)-1]
	if enter && len(r.stack) > 0 {
		r.mark(1, r.stack[len(r.stack)-1], 2)
	}
}

// branch is an #if: whether its lines count, whether one of its parts did, whether it stands in one that counts.
type branch struct{ on, taken, around bool }

func (r *reading) lines(path, text string, o onceFile) {
	var ifs []branch
	on := func() bool { return len(ifs) == 0 || ifs[len(ifs)-1].on }
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		rest, directive := strings.CutPrefix(line, "#")
		if !directive {
			if on() && line != "" {
				got := r.expand(line, path, i+1, 0)
				r.plain.WriteString(got + "\n")
				r.marked.WriteString(got + "\n")
			}
			continue
		}
		word, arg, _ := strings.Cut(strings.TrimSpace(rest), " ")
		arg = strings.TrimSpace(arg)
		r.c.mention(path, word, arg)
		switch word {
		case "if", "ifdef", "ifndef":
			b := branch{around: on()}
			b.on = b.around && r.holds(word, arg, path, i+1)
			b.taken = b.on
			ifs = append(ifs, b)
		case "elif", "else", "endif":
			if len(ifs) == 0 {
				panic(failure(fmt.Sprintf("%s:%d: error: #%s without #if\n", path, i+1, word)))
			}
			b := &ifs[len(ifs)-1]
			switch {
			case word == "endif":
				ifs = ifs[:len(ifs)-1]
			case word == "else":
				b.on = b.around && !b.taken
			default:
				b.on = b.around && !b.taken && r.holds("if", arg, path, i+1)
				b.taken = b.taken || b.on
			}
		default:
			if on() {
				r.directive(word, arg, path, i+1, o)
			}
		}
	}
}

func (r *reading) directive(word, arg, path string, line int, o onceFile) {
	switch word {
	case "include":
		r.include(arg, path, line)
	case "define":
		name, value, _ := strings.Cut(arg, " ")
		r.macros[name] = strings.TrimSpace(value)
	case "undef":
		delete(r.macros, arg)
	case "pragma":
		if arg == "once" {
			r.once = append(r.once, o)
		}
	case "warning":
		fmt.Fprintf(&r.c.said, "%s:%d: %s: #warning %s\n", path, line, r.c.word("warning", "Warnung"), arg)
	case "error":
		panic(failure(fmt.Sprintf("%s:%d: %s: #error %s\n", path, line, r.c.word("error", "Fehler"), arg)))
	}
}

func (r *reading) include(arg, path string, line int) {
	if !strings.HasPrefix(arg, `"`) && !strings.HasPrefix(arg, "<") {
		arg = strings.TrimSpace(r.expand(arg, path, line, 0))
	}
	name, quoted, ok := literal(arg)
	if ok {
		if at, found := r.find(name, quoted, path); found {
			r.file(at, true)
			return
		}
	}
	panic(failure(fmt.Sprintf("%s:%d: fatal error: %s: No such file or directory\n", path, line, arg)))
}

// literal reads "x" or <x>.
func literal(arg string) (name string, quoted, ok bool) {
	if len(arg) < 3 {
		return "", false, false
	}
	end := map[byte]byte{'"': '"', '<': '>'}[arg[0]]
	at := strings.IndexByte(arg[1:], end)
	if end == 0 || at <= 0 {
		return "", false, false
	}
	return arg[1 : 1+at], arg[0] == '"', true
}

// find looks for a header where gcc does, or cl. The name of a file is that of its folder as it was given, and its own.
func (r *reading) find(name string, quoted bool, from string) (string, bool) {
	if filepath.IsAbs(name) {
		return name, r.c.isFile(name)
	}
	try := func(dir string) (string, bool) {
		path := join(dir, name)
		return path, r.c.isFile(path)
	}
	if quoted {
		if path, ok := try(dirOf(from)); ok {
			return path, true
		}
		for i := len(r.stack) - 2; i >= 0 && r.c.call.Windows && from != ""; i-- {
			if path, ok := try(dirOf(r.stack[i])); ok {
				return path, true
			}
		}
	}
	for _, dir := range r.c.search {
		if path, ok := try(dir); ok {
			return path, true
		}
	}
	return "", false
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func dirOf(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 && (path[i] == '/' || os.PathSeparator == '\\') {
		return path[:i]
	}
	return ""
}

// uncomment takes comments out; lines stay.
func uncomment(text string) string {
	if !strings.Contains(text, "/*") && !strings.Contains(text, "//") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "//"):
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				n = len(text) - i
			}
			i += n
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				n = len(text) - i - 4
			}
			out.WriteString(" " + strings.Repeat("\n", strings.Count(text[i:i+n+4], "\n")))
			i += n + 4
		default:
			out.WriteByte(text[i])
			i++
		}
	}
	return out.String()
}

// expand puts in what macros stand for.
func (r *reading) expand(text, path string, line, depth int) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		n := identifier(text[i:])
		if n == 0 {
			out.WriteByte(text[i])
			i++
			continue
		}
		word := text[i : i+n]
		i += n
		value, ok := r.macros[word]
		switch {
		case word == "__FILE__":
			out.WriteString(strconv.Quote(path))
		case word == "__LINE__":
			out.WriteString(strconv.Itoa(line))
		case word == "__TIME__" || word == "__DATE__":
			out.WriteString(r.c.now())
		case ok && depth < 20:
			out.WriteString(r.expand(value, path, line, depth+1))
		default:
			out.WriteString(word)
		}
	}
	return out.String()
}

// identifier is how long the word or number at the beginning is.
func identifier(text string) int {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n] >= 'a' && text[n] <= 'z' || text[n] >= 'A' && text[n] <= 'Z' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return n
}
