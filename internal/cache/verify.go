package cache

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/nvcc"
)

// Verified is what became of one remembered result when its call was made again.
type Verified struct {
	Key    digest.Digest
	Source string
	Output string // the file that the call makes
	Args   []string
	Same   bool
	Skip   string // why it was not made again: its files, its tools or the environment are others now
	Why    string // what is different, or why the call failed
}

// Runner makes a call and says what it said.
type Runner func(ctx context.Context, program string, args []string, dir string, env []string) (said string, err error)

// Verify makes the calls of the store again, beside their outputs, and compares: jobs of them at a time. each is told every
// one, never two at once; it ends it with false.
func Verify(ctx context.Context, store cas.Store, env []string, jobs int, run Runner, each func(Verified) bool) error {
	inner, end := context.WithCancel(ctx)
	defer end()
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	tell := func(v Verified, err error) {
		mu.Lock()
		defer mu.Unlock()
		if inner.Err() != nil {
			return
		}
		if failed = err; err != nil || !each(v) {
			end()
		}
	}
	slots := make(chan struct{}, max(jobs, 1))
	for key, note := range store.Notes(kindManifest) {
		m, err := takeManifest(note)
		if err != nil || len(m) == 0 {
			continue
		}
		v, err := takeVariant(m[0])
		if err != nil {
			continue
		}
		slots <- struct{}{}
		if inner.Err() != nil {
			break
		}
		all.Go(func() {
			tell(verify(inner, New(store, withVariables(env, v.made.variables)), key, v, run))
			<-slots
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

// withVariables is the environment with other values. A variable that stood there twice would be refused.
func withVariables(env, set []string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		return slices.ContainsFunc(set, func(s string) bool {
			name, _, _ := strings.Cut(s, "=")
			return len(v) > len(name) && v[len(name)] == '=' && sameName(v[:len(name)], name)
		})
	})
	return append(out, set...)
}

func verify(ctx context.Context, c *Cache, key digest.Digest, v variant, run Runner) (Verified, error) {
	out := Verified{Key: key, Args: v.made.args}
	q, refused := c.ask(Call{Nvcc: v.made.nvcc, Args: v.made.args, Dir: v.made.dir})
	switch {
	case refused != nil:
		out.Skip = refused.Error()
		return out, nil
	case q.Key != key:
		out.Source, out.Skip = q.Recipe.Source, "the toolkit, the host compiler or the environment is another now"
		return out, nil
	}
	out.Source, out.Output = q.Recipe.Source, q.Recipe.Outputs[0].Path
	_, miss := c.Still(v.made.dir, v.closure)
	if miss == (Miss{}) {
		_, miss = c.sharedNow(v.shared, v.made.dir)
	}
	if miss != (Miss{}) {
		out.Skip = miss.String()
		return out, nil
	}
	if v.result.Outputs == nil || v.result.Outputs[0].Role != "main" {
		out.Skip = "it has no output"
		return out, nil
	}
	w, err := q.Begin()
	if err != nil {
		return out, err
	}
	defer w.End()
	if w.other {
		out.Skip = "another process makes the same call"
		return out, nil
	}
	to, err := w.beside()
	if err != nil {
		return out, err
	}
	said, err := run(ctx, v.made.nvcc, redirected(w.Args, to), v.made.dir, c.env)
	if err != nil {
		out.Why = fmt.Sprintf("the call failed: %v\n%s", err, said)
		return out, context.Cause(ctx)
	}
	out.Same, out.Why = c.compare(v.result.Outputs[0].Digest, to)
	switch {
	case out.Same:
	case q.Recipe.OwnName && onWindows:
		out.Skip, out.Why = "its output may hold its own whole name, and this one was written elsewhere", ""
	case q.Recipe.Lines && q.Recipe.Kind != "ptx": // in the table of lines of nvcc up to 13.3
		out.Skip, out.Why = "its output is different and may hold the times of its sources, which are perhaps others now", ""
	}
	return out, nil
}

// beside is a place with the same last name: a cubin of -G holds that of its own.
func (w *Work) beside() (string, error) {
	dir := filepath.Join(w.Dir, "verified")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", fmt.Errorf("make a folder to verify in: %w", err)
	}
	return filepath.Join(dir, filepath.Base(w.q.Recipe.Outputs[0].Path)), nil
}

// redirected are the arguments with another output; a file of dependencies goes beside it.
func redirected(args []string, to string) []string {
	read := nvcc.Parse(args)
	out := slices.Clone(args)
	for _, g := range slices.Backward(read.Given) {
		if g.Name == "output-file" || g.Name == "dependency-output" {
			out = slices.Delete(out, g.At, g.At+g.N)
		}
	}
	return append(out, "-o", to)
}

// compare holds a file against what was remembered. COFF objects hold the time at which they were made (bytes 4 to 8).
func (c *Cache) compare(want digest.Digest, path string) (same bool, why string) {
	got, err := os.ReadFile(path)
	if err != nil {
		return false, err.Error()
	}
	if digest.Of(got) == want {
		return true, ""
	}
	old, err := c.Store.Get(want, 1<<40)
	if err != nil {
		return false, "the store does not have the remembered output: " + err.Error()
	}
	if len(old) == len(got) && coff(got) && slices.Equal(old[:4], got[:4]) && slices.Equal(old[8:], got[8:]) {
		return true, ""
	}
	return false, fmt.Sprintf("the output has %d bytes and other content; the remembered one has %d", len(got), len(old))
}

// coff: an object for x64 or arm64 Windows by its machine number, or one with many sections (/bigobj).
func coff(b []byte) bool {
	return len(b) > 20 && (b[0] == 0x64 && b[1] == 0x86 || b[0] == 0x64 && b[1] == 0xaa)
}
