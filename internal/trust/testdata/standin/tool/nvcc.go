// Package tool is a stand-in for nvcc, small enough to run thousands of times: it preprocesses for every architecture and
// for the host as nvcc does, leaves the same files on the way (names and line markers as nvcc 13.0 with --keep), and its
// outputs hold everything that a result depends on and nothing else. So two results are equal exactly when two real ones
// had to be. It writes nothing itself: the tests ask it in their own process what a clean build would make.
package tool

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Call is one call.
type Call struct {
	Nvcc    string
	Args    []string
	Dir     string // whole
	Env     map[string]string
	Windows bool
}

// Made is what comes of it.
type Made struct {
	Outputs  map[string][]byte // by path as it was written
	Kept     map[string][]byte // files on the way, by name
	Keep     string            // the folder for them; empty: they are not asked for
	Said     string
	Code     int
	Read     map[string][32]byte // every file that was read
	Tools    map[string][32]byte
	Folder   bool     // the working folder is part of the result
	Clock    bool     // the time is
	Mentions []string // places in which a name was or could be looked for
}

// compiler is one call under way.
type compiler struct {
	call      Call
	mode      string
	source    string
	inputs    []string
	out       string
	defines   []string
	undefines []string
	included  []string
	search    []string
	words     []string // that matter
	targets   []target
	keep      string
	keeps     bool
	depfile   bool
	stubDeps  string
	ccbin     string
	user      []string
	system    []string

	files  map[string]*loaded
	names  map[string]bool
	said   strings.Builder
	folder bool
	clock  bool
	tools  map[string][32]byte
}

type target struct{ arch, code string }

type loaded struct {
	text []byte
	info os.FileInfo
}

// Run makes a call.
func Run(call Call) (m Made) {
	c := &compiler{call: call, files: map[string]*loaded{}, names: map[string]bool{}, tools: map[string][32]byte{}}
	m.Outputs, m.Kept = map[string][]byte{}, map[string][]byte{}
	defer func() {
		if f := recover(); f != nil {
			text, ok := f.(failure)
			if !ok {
				panic(f)
			}
			c.said.WriteString(string(text))
			m.Code, m.Outputs = 1, nil
		}
		m.Said, m.Read, m.Tools, m.Folder, m.Clock = c.said.String(), map[string][32]byte{}, c.tools, c.folder, c.clock
		for path, f := range c.files {
			if f != nil {
				m.Read[path] = sha256.Sum256(f.text)
			}
		}
		m.Mentions = c.places()
	}()
	c.options()
	if c.keeps {
		m.Keep = c.keep
	}
	if c.mode == "-lib" || c.mode == "-dlink" {
		m.Outputs[c.out] = c.link()
		if c.stubDeps != "" {
			m.Outputs[c.stubDeps] = c.dependencies(c.stub())
		}
		return m
	}
	c.compile(&m)
	return m
}

// compile makes the file that was asked for.
func (c *compiler) compile(m *Made) {
	stem := strings.TrimSuffix(filepath.Base(c.source), filepath.Ext(c.source))
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nnvcc %s\nwords %q\n", c.mode, c.nvccVersion(), c.words)
	if c.folder {
		fmt.Fprintf(&b, "folder %s\n", c.call.Dir)
	}
	if c.mode == "-c" {
		r := c.preprocess(c.source, "")
		m.Kept[stem+".cpp4.ii"] = []byte(r.marked.String())
		fmt.Fprintf(&b, "host %x %x %x\n", c.tool("gcc"), c.tool("cc1plus"), c.tool("as"))
		fmt.Fprintf(&b, "cudafe++ %x\n%s\n%s\n", c.tool("cudafe++"), c.private(r.plain.String()), r.plain.String())
	}
	var archs []string
	for _, t := range c.targets {
		if !slices.Contains(archs, t.arch) {
			archs = append(archs, t.arch)
		}
	}
	made := map[string][]byte{}
	for _, arch := range archs {
		name := stem
		if len(archs) > 1 {
			name += ".compute_" + arch
		}
		r := c.preprocess(c.source, arch)
		m.Kept[name+".cpp1.ii"] = []byte(r.marked.String())
		made[arch] = fmt.Appendf(nil, "// cicc %x libdevice %x\n.target sm_%s\n%s\n%s", c.tool("cicc"), c.tool("libdevice"), arch, c.private(r.plain.String()), r.plain.String())
		m.Kept[name+".ptx"] = made[arch]
	}
	for _, t := range c.targets {
		switch {
		case c.mode == "-ptx":
			b.Write(made[t.arch])
		case strings.HasPrefix(t.code, "sm_"):
			fmt.Fprintf(&b, "%s by ptxas %x: %x\n", t.code, c.tool("ptxas"), sha256.Sum256(made[t.arch]))
		default: // compressed: what is inside cannot be seen
			fmt.Fprintf(&b, "%s: %x\n", t.code, sha256.Sum256(made[t.arch]))
		}
	}
	if c.mode == "-c" || c.mode == "-fatbin" {
		fmt.Fprintf(&b, "fatbinary %x\n", c.tool("fatbinary"))
	}
	if c.mode == "-c" {
		c.host(m, &b, stem)
	}
	m.Outputs[c.out] = b.Bytes()
	if c.depfile {
		m.Outputs[c.depfileName()] = c.dependencies()
	}
}

// host compiles what nvcc wrote for the host compiler: headers of the toolkit are read there that no kept file names.
func (c *compiler) host(m *Made, b *bytes.Buffer, stem string) {
	m.Kept[stem+".cudafe1.cpp"] = []byte("#include \"crt/host_runtime.h\"\n#include \"" + stem + ".cudafe1.stub.c\"\n")
	m.Kept[stem+".cudafe1.stub.c"] = []byte("#include \"crt/host_runtime.h\"\n#include \"" + stem + ".fatbin.c\"\n")
	m.Kept[stem+".fatbin.c"] = []byte("#include \"fatbinary_section.h\"\n")
	r := &reading{c: c, macros: map[string]string{}}
	for _, name := range []string{"crt/host_runtime.h", "fatbinary_section.h"} {
		path, ok := r.find(name, false, "")
		if !ok {
			panic(failure(stem + ".cudafe1.cpp: fatal error: " + name + ": No such file or directory\n"))
		}
		r.file(path, true)
	}
	b.WriteString(r.plain.String())
}

// private is the name that nvcc makes for what others cannot see: it holds a hash of the source's whole path.
func (c *compiler) private(text string) string {
	if !strings.Contains(text, "namespace {") {
		return ""
	}
	c.folder = true
	whole := c.at(c.source)
	base := filepath.Base(c.source)
	mark := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, base)
	return fmt.Sprintf("_GLOBAL__N__%08x_%d_%s_go", crc32.ChecksumIEEE([]byte(whole)), len(base), mark)
}

func (c *compiler) depfileName() string {
	return strings.TrimSuffix(c.out, filepath.Ext(c.out)) + ".d"
}

func (c *compiler) dependencies(more ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s :", c.out)
	for _, path := range more {
		fmt.Fprintf(&b, " \\\n %s", path)
	}
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		if c.files[path] != nil {
			fmt.Fprintf(&b, " \\\n %s", path)
		}
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func (c *compiler) link() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nnvcc %s\n", c.mode, c.nvccVersion())
	if c.mode == "-dlink" {
		fmt.Fprintf(&b, "nvlink %x %x\nwords %q\n", c.tool("nvlink"), c.tool("cudadevrt"), c.words)
		c.compileStub(&b)
		c.said.WriteString("nvlink warning : Stack size for entry function 'k' cannot be statically determined\n")
	}
	for _, in := range c.inputs {
		text, err := os.ReadFile(c.at(in))
		if err != nil {
			panic(failure(err.Error() + "\n"))
		}
		fmt.Fprintf(&b, "%s %x\n", filepath.Base(in), sha256.Sum256(text))
	}
	return b.Bytes()
}

// stub is what nvcc compiles for device code that was linked, with the header that it includes.
func (c *compiler) stub() string { return filepath.Dir(c.call.Nvcc) + "/crt/link.stub" }

func (c *compiler) compileStub(b *bytes.Buffer) {
	c.search = append([]string{"."}, c.search...) // nvcc gives -I. there
	r := &reading{c: c, macros: map[string]string{}}
	path, ok := r.find("crt/host_defines.h", false, "")
	if !ok {
		panic(failure("link.stub: fatal error: crt/host_defines.h: No such file or directory\n"))
	}
	r.file(path, true)
	fmt.Fprintf(b, "stub %x %x %x\n%s\n", c.tool("stub"), c.tool("gcc"), c.tool("cc1plus"), r.plain.String())
}

func (c *compiler) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return c.call.Dir + string(filepath.Separator) + path
}

func (c *compiler) read(path string) ([]byte, os.FileInfo, bool) {
	f, ok := c.files[path]
	if !ok {
		if text, err := os.ReadFile(c.at(path)); err == nil {
			if info, err := os.Stat(c.at(path)); err == nil {
				f = &loaded{text, info}
			}
		}
		c.files[path] = f
	}
	if f == nil {
		return nil, nil, false
	}
	return f.text, f.info, true
}

func (c *compiler) isFile(path string) bool {
	info, err := os.Stat(c.at(path))
	return err == nil && info.Mode().IsRegular()
}

// word says it in the language of LANG.
func (c *compiler) word(english, german string) string {
	if strings.HasPrefix(c.call.Env["LANG"], "de") {
		return german
	}
	return english
}

func (c *compiler) now() string {
	if epoch := c.call.Env["SOURCE_DATE_EPOCH"]; epoch != "" {
		return epoch
	}
	c.clock = true
	return time.Now().Format(time.RFC3339Nano)
}

// mention keeps the names that a file asks for, in parts that are switched off too.
func (c *compiler) mention(path, word, arg string) {
	if word != "include" && word != "if" && word != "elif" {
		return
	}
	if word != "include" {
		_, arg, _ = strings.Cut(arg, "__has_include(")
	}
	if name, _, ok := literal(arg); ok {
		c.names[join(dirOf(path), name)+"\n"+name] = true
	}
}

// places are all paths under which a header that was mentioned would be found.
func (c *compiler) places() []string {
	all := map[string]bool{}
	for path := range c.files { // what a macro stood for is asked for under the name by which it was found
		for _, dir := range c.search {
			if rest, ok := strings.CutPrefix(path, dir+"/"); ok {
				c.names[path+"\n"+rest] = true
			}
		}
	}
	for key := range c.names {
		beside, name, _ := strings.Cut(key, "\n")
		all[beside] = true
		for _, dir := range c.search {
			all[join(dir, name)] = true
		}
		for path := range c.files {
			all[join(dirOf(path), name)] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
