package shim

import (
	"fmt"
	"os"
	"slices"
	"time"

	"cupel/internal/cache"
	"cupel/internal/call"
	"cupel/internal/nvcc"
	"cupel/internal/record"
	"cupel/internal/relay"
)

// grace is how long output is waited for that a process left behind by the tool may still write.
const grace = time.Second

// recorded passes the call through and writes it down. false: there is no run, and nothing was started. A build never fails,
// and no byte changes, because a call cannot be recorded.
//
// The tool is started first. What there is to know is looked up and written while it runs, so that hardly any of it is
// waited for; only a repair must be known before.
func (t target) recorded() (code int, ok bool) {
	began := time.Now()
	run, outside := t.run()
	if info, err := os.Stat(run); run == "" || err != nil || !info.IsDir() {
		return 0, false
	}
	b := call.Begin{Tool: t.tool, Path: t.real, Args: t.args, At: began, PID: os.Getpid(), Outside: outside}
	read, mends := nvcc.Invocation{}, false
	if plan, ok := repairs(run); ok {
		mends = true
		read = t.look(&b)
		repair(plan, &b)
	}
	b.Merged = relay.Same(os.Stdout, os.Stderr)
	asked := t.ask(argvOf(b), b.Merged)
	if asked.found != nil {
		return t.answered(run, b, asked), true
	}
	k := keeper{ready: make(chan struct{}), asked: asked}
	r, err := relay.Open(os.Stdout, os.Stderr, k.keep)
	if err != nil {
		return 0, false
	}
	b.Merged, asked.merged = r.Merged, r.Merged
	used := b.Used
	if args := asked.begin(); args != nil {
		used, t.temp = args, asked.work.Dir
	}
	c, err := t.start(used, stdin(), r.Stdout.Fd(), r.Stderr.Fd())
	r.Started()
	if c.plain {
		leftOut(&b)
		asked.abandon()
	}
	t.describe(run, &b)
	if !mends {
		read = t.look(&b)
	}
	k.open(run, b)
	c.asked = asked.signals
	e, sig := t.ending(c, err)
	r.Wait(grace)
	k.lost(r.Err(), &e)
	e, again := asked.end(e)
	if again != nil {
		t.temp = ""
		e, sig = t.repeat(&k, b.Used, again)
	}
	e.At = time.Now()
	e.Seconds = e.At.Sub(began).Seconds()
	e.Outputs, e.Cache = outputs(read), asked.told
	k.close(e)
	return finish(e, sig), true
}

// describe adds where the call came from.
func (t target) describe(run string, b *call.Begin) {
	b.Parent, b.Caller = caller()
	b.Dir, _ = os.Getwd()
	b.Env = environment(run)
}

// repeat makes a call once more, without the store.
func (t target) repeat(k *keeper, used []string, why error) (e call.End, sig int) {
	complain(why, 0)
	k.keep(call.Stderr, []byte(complaint(why)))
	r, err := relay.Open(os.Stdout, os.Stderr, k.keep)
	if err != nil {
		return call.End{Error: err.Error(), Code: int64(complain(err, codeShim))}, 0
	}
	c, err := t.start(used, stdin(), r.Stdout.Fd(), r.Stderr.Fd())
	r.Started()
	c.asked = k.asked.signals
	e, sig = t.ending(c, err)
	r.Wait(grace)
	k.lost(r.Err(), &e)
	return e, sig
}

// answered writes down a call that the store answered.
func (t target) answered(run string, b call.Begin, a *asked) int {
	t.describe(run, &b)
	read := t.look(&b)
	k := keeper{ready: make(chan struct{}), asked: a}
	k.open(run, b)
	e, sig, err := a.tell()
	k.keep(call.Stdout, a.found.Result.Stdout)
	errs := call.Stderr
	if b.Merged {
		errs = call.Stdout
	}
	k.keep(errs, a.found.Result.Stderr)
	k.lost(err, &e)
	e.At = time.Now()
	e.Seconds = e.At.Sub(b.At).Seconds()
	e.Outputs, e.Cache = outputs(read), a.told
	k.close(e)
	return finish(e, sig)
}

// argvOf are the arguments after repairs.
func argvOf(b call.Begin) []string {
	if b.Used != nil {
		return b.Used
	}
	return b.Args
}

// ending is how the tool ended, or that it could not be started, which is said then.
func (t target) ending(c child, err error) (call.End, int) {
	if err == nil {
		e, sig, waitErr := c.wait()
		if waitErr == nil {
			return e, sig
		}
		err = waitErr
	}
	err = fmt.Errorf("start %s: %w", t.real, err)
	return call.End{Error: err.Error(), Code: int64(complain(err, startCode(err)))}, 0
}

// keeper writes the record as soon as it is begun, or not at all when it cannot be.
type keeper struct {
	ready chan struct{}
	w     *record.Writer
	asked *asked
}

func (k *keeper) open(run string, b call.Begin) {
	k.w, _ = record.Begin(run, b)
	close(k.ready)
}

// keep waits for the beginning of the record, at most for as long as looking takes.
func (k *keeper) keep(s call.Stream, p []byte) {
	k.asked.keep(s, p)
	if <-k.ready; k.w != nil && len(p) > 0 {
		k.w.Output(s, p)
	}
}

// lost says that output did not come where it should, which a tool that ended before could not notice. The record has what
// the caller saw.
func (k *keeper) lost(err error, e *call.End) {
	if err == nil {
		return
	}
	complain(err, 0)
	k.keep(call.Stderr, []byte(complaint(err)))
	if e.Code == 0 {
		e.Code = codeLost
	}
}

func (k *keeper) close(e call.End) {
	if k.w != nil {
		_ = k.w.End(e)
	}
}

// environment is what the call has other than the run's command was given.
func environment(run string) call.Diff {
	base, err := record.BaseEnv(run)
	if err != nil {
		base = call.Env{} // all of it is written down then
	}
	mine := call.Keep(os.Environ())
	delete(mine.Values, call.NestVariable)
	return mine.Since(base)
}

// look reads nvcc's command line: response files, inputs. What goes wrong here costs only that knowledge.
func (t target) look(b *call.Begin) (read nvcc.Invocation) {
	defer func() { _ = recover() }()
	if t.tool != "nvcc" {
		return read
	}
	expanded, lost := nvcc.Expand(b.Args, cache.ResponseFile(""))
	if b.Lost = lost; !slices.Equal(expanded, b.Args) {
		b.Expanded = expanded
	}
	read = nvcc.Parse(nvcc.WithEnv(expanded, os.Getenv("NVCC_PREPEND_FLAGS"), os.Getenv("NVCC_APPEND_FLAGS")))
	b.Inputs = sizes(read.Inputs)
	return read
}

func outputs(read nvcc.Invocation) (files []call.File) {
	defer func() { _ = recover() }()
	if read.Compiles() {
		files = sizes(read.Outputs(windows))
	}
	return files
}

func sizes(paths []string) []call.File {
	files := make([]call.File, len(paths))
	for i, path := range paths {
		files[i] = call.File{Path: path, Size: -1}
		if info, err := os.Stat(path); err == nil {
			files[i].Size = info.Size()
		}
	}
	return files
}
