package tool

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// expanded has the words of response files in their place.
func (c *compiler) expanded(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		if args[i] != "--options-file" || i+1 == len(args) {
			out = append(out, args[i])
			continue
		}
		i++
		text, err := os.ReadFile(filepath.Join(c.call.Dir, args[i]))
		if err != nil {
			panic(failure("nvcc fatal   : Could not open options file " + args[i] + "\n"))
		}
		out = append(out, strings.Fields(string(text))...)
	}
	return out
}

// options reads the words of the call.
func (c *compiler) options() {
	args := c.expanded(c.call.Args)
	value := func(i *int, word, name string) string {
		if rest := strings.TrimPrefix(word, name); rest != "" {
			return strings.TrimPrefix(rest, "=")
		}
		if *i++; *i == len(args) {
			panic(failure("nvcc fatal   : Missing value for " + name + "\n"))
		}
		return args[*i]
	}
	for i := 0; i < len(args); i++ {
		switch word := args[i]; {
		case word == "-ptx" || word == "-cubin" || word == "-fatbin" || word == "-c" || word == "-lib" || word == "-dlink":
			c.mode = word
		case word == "--keep":
			c.keeps = true
		case word == "--keep-dir":
			c.keep = value(&i, word, "--keep-dir")
		case word == "--threads":
			value(&i, word, "--threads")
		case word == "-Xcompiler" && i+1 < len(args) && strings.HasPrefix(args[i+1], "-MD,-MF,"): // for the stub of a device link
			i++
			c.stubDeps = strings.TrimPrefix(args[i], "-MD,-MF,")
		case word == "-MD":
			c.depfile = true
		case word == "-ccbin":
			c.ccbin = value(&i, word, "-ccbin")
		case word == "-o":
			c.out = value(&i, word, "-o")
		case word == "-include":
			c.included = append(c.included, value(&i, word, "-include"))
		case strings.HasPrefix(word, "-isystem"):
			c.system = append(c.system, value(&i, word, "-isystem"))
		case strings.HasPrefix(word, "-gencode"):
			c.gencode(value(&i, word, "-gencode"))
		case strings.HasPrefix(word, "-arch"):
			arch := value(&i, word, "-arch")
			c.targets = append(c.targets, target{number(arch), arch})
		case strings.HasPrefix(word, "-I"):
			c.user = append(c.user, value(&i, word, "-I"))
		case strings.HasPrefix(word, "-D"):
			c.defines = append(c.defines, value(&i, word, "-D"))
		case strings.HasPrefix(word, "-U"):
			c.undefines = append(c.undefines, value(&i, word, "-U"))
		case strings.HasPrefix(word, "-"):
			c.words = append(c.words, word)
			c.folder = c.folder || word == "-lineinfo" || word == "-rdc=true" && c.isObject()
		default:
			c.inputs = append(c.inputs, word)
		}
	}
	if c.mode == "" || len(c.inputs) == 0 || c.out == "" {
		panic(failure("nvcc fatal   : the stand-in needs a phase, a source and -o\n"))
	}
	c.source = c.inputs[0]
	c.included = append([]string{"cuda_runtime.h"}, c.included...)
	c.folders()
}

func (c *compiler) isObject() bool {
	for _, a := range c.call.Args {
		if a == "-c" {
			return true
		}
	}
	return false
}

func (c *compiler) gencode(text string) {
	arch, code, _ := strings.Cut(text, ",")
	c.targets = append(c.targets, target{number(arch), strings.TrimPrefix(code, "code=")})
}

// number is 80 of arch=compute_80, sm_80.
func number(arch string) string {
	_, n, _ := strings.Cut(arch, "_")
	return n
}

// folders are those in which headers are looked for: -I, the toolkit's, CPATH, -isystem, the host compiler's own.
func (c *compiler) folders() {
	split := func(name string) (all []string) {
		for dir := range strings.SplitSeq(c.call.Env[name], string(os.PathListSeparator)) {
			if dir != "" {
				all = append(all, dir)
			}
		}
		return all
	}
	c.search = append(append([]string{}, c.user...), c.top()+"/include")
	if c.call.Windows {
		c.search = append(append(c.search, c.system...), split("INCLUDE")...)
		return
	}
	c.search = append(append(append(c.search, split("CPATH")...), c.system...), c.top()+"/include/cccl")
	c.search = append(append(c.search, split("CPLUS_INCLUDE_PATH")...), filepath.Join(filepath.Dir(c.compiler()), "..", "include"))
}

// top is the toolkit as nvcc.profile names it.
func (c *compiler) top() string { return filepath.Dir(c.call.Nvcc) + "/.." }

func (c *compiler) exe(name string) string {
	if c.call.Windows {
		return name + ".exe"
	}
	return name
}

// compiler is the host compiler: that of -ccbin, else the first on PATH.
func (c *compiler) compiler() string {
	if c.ccbin != "" {
		return c.ccbin
	}
	name := "gcc"
	if c.call.Windows {
		name = "cl.exe"
	}
	for _, dir := range filepath.SplitList(c.call.Env["PATH"]) {
		if path := filepath.Join(dir, name); c.isFile(path) {
			return path
		}
	}
	panic(failure("nvcc fatal   : Failed to find " + name + "\n"))
}

// tool is a program of the toolkit or of the host compiler by its content: what it is decides what it makes.
func (c *compiler) tool(name string) []byte {
	top := c.top()
	path := ""
	switch name {
	case "cicc":
		path = top + "/nvvm/bin/" + c.exe("cicc")
	case "stub":
		path = c.stub()
	case "cudadevrt":
		path = top + "/lib64/libcudadevrt.a"
	case "libdevice":
		path = top + "/nvvm/libdevice/libdevice.10.bc"
	case "gcc":
		path = c.compiler()
	case "cc1plus", "as":
		path = filepath.Join(filepath.Dir(c.compiler()), "..", "libexec", name)
		if c.call.Windows {
			path = filepath.Join(filepath.Dir(c.compiler()), map[string]string{"cc1plus": "c1xx.dll", "as": "c2.dll"}[name])
		}
	default:
		path = top + "/bin/" + c.exe(name)
	}
	text := c.tail(path)
	sum := sha256.Sum256(text)
	c.tools[path] = sum
	return sum[:4]
}

// nvccVersion stands at the end of the program's file.
func (c *compiler) nvccVersion() string {
	text := c.tail(c.call.Nvcc)
	c.tools[c.call.Nvcc] = sha256.Sum256(text)
	return string(text[max(0, bytes.LastIndex(text, []byte(Mark))):])
}

// tail is the end of a file: the stand-ins themselves are large, and differ there.
func (c *compiler) tail(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		panic(failure(fmt.Sprintf("nvcc fatal   : %v\n", err)))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		panic(failure(fmt.Sprintf("nvcc fatal   : %v\n", err)))
	}
	text := make([]byte, min(info.Size(), 1024))
	if _, err := f.ReadAt(text, info.Size()-int64(len(text))); err != nil {
		panic(failure(fmt.Sprintf("nvcc fatal   : %v\n", err)))
	}
	return text
}

// Mark stands before the version at the end of a stand-in's file. It names nvcc.profile, as every nvcc does.
var Mark = strings.Join([]string{"stand-in", "without nvcc.profile, version", ""}, " ")
