// Package cache gives the result of a compiler call out of the store, or puts it there. A warm hit starts no process: a
// manifest, found by the call's options and tools, names every file that the call read and every name whose coming would
// change it; while all of them are as they were, so is the result. `cupel build` and the shim use it, so it leans on little.
package cache

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"cupel/internal/cas"
	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/nvcc"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
	"cupel/internal/toolchain"
)

const onWindows = runtime.GOOS == "windows"

// version is part of every key: raise it when a key of old would mean something else.
const version = "cupel-cache 3"

// Cache answers calls of one process, which share one environment.
type Cache struct {
	Store cas.Store
	Files *stamp.Files

	env     []string
	reader  *closure.Reader
	shared  sync.Map // sharedIn → *sharedLook
	tools   sync.Map // wanted → *found: which tools a call has is looked up once
	folders sync.Map // path → *folderLook
}

// New is a cache over a store.
func New(store cas.Store, env []string) *Cache {
	files := stamp.New()
	return &Cache{Store: store, Files: files, env: env, reader: closure.NewReader(files)}
}

func (c *Cache) variable(name string) string { return Variable(c.env, name) }

// Call is one call of nvcc.
type Call struct {
	Nvcc string   // the real program
	Args []string // as it is to be started
	Dir  string   // working folder, whole
}

// Question is a call that can be answered.
type Question struct {
	Call   Call
	Recipe recipe.Recipe
	Tools  toolchain.Tools
	Key    digest.Digest  // of everything but the files that it reads
	Words  []closure.File // the response files that its arguments came from

	cache *Cache
}

// Ask reads a call. A refusal says why it is not remembered; it is not counted yet.
func (c *Cache) Ask(call Call) (*Question, *recipe.Refusal) {
	q, refused := c.ask(call)
	if refused == nil {
		refused = q.barred()
	}
	if refused != nil {
		return nil, refused
	}
	return q, nil
}

func (c *Cache) ask(call Call) (*Question, *recipe.Refusal) {
	var words []closure.File
	args, lost := nvcc.Expand(call.Args, func(name string) ([]byte, error) {
		text, err := ResponseFile(call.Dir)(name)
		if err == nil {
			var file closure.File
			file, err = c.responseFile(call.Dir, name, text)
			words = append(words, file)
		}
		return text, err
	})
	if len(lost) > 0 {
		return nil, &recipe.Refusal{Reason: "response-file-lost", Detail: lost[0]}
	}
	read := nvcc.Parse(nvcc.WithEnv(args, c.variable("NVCC_PREPEND_FLAGS"), c.variable("NVCC_APPEND_FLAGS")))
	r, refused := recipe.For(read, c.variable, onWindows)
	if refused != nil {
		return nil, refused
	}
	if name := unspoken(r); name != "" {
		return nil, &recipe.Refusal{Reason: "outside-code-page", Detail: name}
	}
	tools, refused := c.find(wanted{call.Nvcc, r.Ccbin, call.Dir})
	if refused != nil {
		return nil, refused
	}
	q := &Question{Call: call, Recipe: r, Tools: tools, Words: words, cache: c}
	h := digest.NewHash()
	q.Walk(h)
	q.Key = h.Sum()
	return q, nil
}

// unspoken is a file of the call that nvcc cannot be told by its name, and whose words must then be its own alone.
func unspoken(r recipe.Recipe) string {
	if !spoken(r.Source) {
		return r.Source
	}
	for _, out := range r.Outputs {
		if !spoken(out.Path) {
			return out.Path
		}
	}
	return ""
}

// Walk tells everything that the result depends on but the files that are read.
func (q *Question) Walk(w digest.Writer) {
	w.Field("format", version)
	q.Recipe.Walk(w)
	q.Tools.Walk(w)
	for _, name := range q.Recipe.Variables {
		if v := q.cache.variable(name); v != "" {
			w.Field("variable", name, v)
		}
	}
	if q.Recipe.DirMatters != "" {
		w.Field("folder", q.Call.Dir, q.source()) // a link on the way may come to lead elsewhere
	}
	if q.Recipe.NameInside {
		w.Field("work", q.cache.Store.Dir)
	}
}

// place is a path of the call as a whole one.
func (q *Question) place(path string) string { return Whole(q.Call.Dir, path) }

// Whole makes a path whole. It is not cleaned: a/.. leads elsewhere where a is a link. On Windows \x needs no folder, only
// the drive of the process.
func Whole(dir, path string) string {
	if filepath.IsAbs(path) || onWindows && path != "" && os.IsPathSeparator(path[0]) {
		return path
	}
	return dir + string(filepath.Separator) + path
}

// sharedIn is a shared part of closures, for calls in one folder.
type sharedIn struct {
	id  digest.Digest
	dir string
}

type sharedLook struct {
	once   sync.Once
	shared *Shared
	miss   Miss
}

// wanted says which tools are looked for.
type wanted struct{ nvcc, ccbin, dir string }

type found struct {
	once    sync.Once
	tools   toolchain.Tools
	refused *recipe.Refusal
}

func (c *Cache) find(w wanted) (toolchain.Tools, *recipe.Refusal) {
	entry, _ := c.tools.LoadOrStore(w, &found{})
	f := entry.(*found)
	f.once.Do(func() {
		var err error
		f.tools, f.refused, err = toolchain.Find(w.nvcc, w.ccbin, w.dir, c.env, c.Files, c.Store)
		if err != nil {
			f.refused = &recipe.Refusal{Reason: "tools-unreadable", Detail: err.Error()}
		}
	})
	return f.tools, f.refused
}

// Tools are those behind a call that is no compilation.
func (c *Cache) Tools(nvcc, ccbin, dir string) (toolchain.Tools, error) {
	tools, refused := c.find(wanted{nvcc, ccbin, dir})
	if refused != nil {
		return tools, refused
	}
	return tools, nil
}

// Variable finds a variable; names have no case on Windows. Of several the last counts, as os/exec has it.
func Variable(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if len(env[i]) > len(name) && env[i][len(name)] == '=' && sameName(env[i][:len(name)], name) {
			return env[i][len(name)+1:]
		}
	}
	return ""
}

func sameName(a, b string) bool {
	if onWindows {
		return strings.EqualFold(a, b)
	}
	return a == b
}
