// Package cache gives the result of a compiler call out of the store, or puts it there. A warm hit starts no process: a
// manifest, found by the call's options and tools, names every file that the call read and every name whose coming would
// change it; while all of them are as they were, so is the result. `cupel build` and the shim use it, so it leans on little.
package cache

import (
	"fmt"
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

// version is part of every key: raise it when a key of old would mean something else.
const version = "cupel-cache 1"

// Cache answers calls of one process, which share one environment.
type Cache struct {
	Store cas.Store
	Files *stamp.Files

	env     []string
	reader  *closure.Reader
	shared  sync.Map // sharedIn → *sharedLook
	tools   sync.Map // wanted → *found: which tools a call has is looked up once
	folders sync.Map // path → folder
}

// New is a cache over a store.
func New(store cas.Store, env []string) *Cache {
	files := stamp.New()
	return &Cache{Store: store, Files: files, env: env, reader: closure.NewReader(files)}
}

func (c *Cache) variable(name string) string { return lookup(c.env, name) }

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
	Key    digest.Digest // of everything but the files that it reads

	cache *Cache
}

// Ask reads a call. A refusal says why it is not remembered; it is not counted yet.
func (c *Cache) Ask(call Call) (*Question, *recipe.Refusal) {
	args, lost := nvcc.Expand(call.Args, responseFile(call.Dir))
	if len(lost) > 0 {
		return nil, &recipe.Refusal{Reason: "response-file-lost", Detail: lost[0]}
	}
	read := nvcc.Parse(nvcc.WithEnv(args, c.variable("NVCC_PREPEND_FLAGS"), c.variable("NVCC_APPEND_FLAGS")))
	r, refused := recipe.For(read, c.variable, runtime.GOOS == "windows")
	if refused != nil {
		return nil, refused
	}
	tools, refused := c.find(wanted{call.Nvcc, r.Ccbin, call.Dir})
	if refused != nil {
		return nil, refused
	}
	q := &Question{Call: call, Recipe: r, Tools: tools, cache: c}
	h := digest.NewHash()
	q.Walk(h)
	q.Key = h.Sum()
	return q, nil
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
	if filepath.IsAbs(path) || runtime.GOOS == "windows" && path != "" && os.IsPathSeparator(path[0]) {
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

// Tools tells the tools of a call that links.
func (c *Cache) Tools(w digest.Writer, nvcc, ccbin, dir string) error {
	tools, refused := c.find(wanted{nvcc, ccbin, dir})
	if refused != nil {
		return refused
	}
	tools.Walk(w)
	return nil
}

// lookup finds a variable; names have no case on Windows. Of several the last counts, as os/exec has it.
func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if len(env[i]) > len(name) && env[i][len(name)] == '=' && sameName(env[i][:len(name)], name) {
			return env[i][len(name)+1:]
		}
	}
	return ""
}

func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// maxResponse bounds a response file.
const maxResponse = 16 << 20

func responseFile(dir string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		path := Whole(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() > maxResponse {
			return nil, fmt.Errorf("read %s: it is no file of at most %d MB", name, maxResponse>>20)
		}
		return os.ReadFile(path)
	}
}
