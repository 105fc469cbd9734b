package toolchain

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	// patience is how long a compiler may take to tell about itself.
	patience = 20 * time.Second
	// mostSaid bounds what it may say; gcc says 3 kB.
	mostSaid = 1 << 20
)

var errSlow = errors.New("it took longer than 20 s")

func (f *finder) run(program string, args ...string) ([]byte, error) {
	return f.runWith(nil, program, args...)
}

// runWith starts a program and gives what it says, both streams in one. Package os/exec would do; it costs the shim start-up
// time in every call, and this is one call in thousands.
func (f *finder) runWith(more []string, program string, args ...string) ([]byte, error) {
	f.started++
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	none, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		w.Close()
		return nil, err
	}
	defer none.Close()
	p, err := os.StartProcess(program, append([]string{program}, args...), &os.ProcAttr{Dir: f.dir, Env: f.plain(more), Files: []*os.File{none, w, w}})
	w.Close()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	said, slow := listen(r, p)
	state, err := p.Wait()
	switch {
	case err != nil:
		return nil, err
	case slow:
		return nil, fmt.Errorf("ask %s %s: %w", program, strings.Join(args, " "), errSlow)
	case !state.Success():
		return nil, fmt.Errorf("ask %s %s: %s", program, strings.Join(args, " "), state)
	}
	return said, nil
}

// listen reads to the end, or kills the program when it does not come in time. What a grandchild holds open is not waited for.
func listen(r *os.File, p *os.Process) (said []byte, slow bool) {
	done := make(chan []byte, 1)
	go func() {
		b, _ := io.ReadAll(io.LimitReader(r, mostSaid))
		done <- b
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case said = <-done:
	case <-timer.C:
		slow = true
	}
	if slow || len(said) == mostSaid {
		_ = p.Kill()
	}
	return said, slow
}

// plain is the environment of the call, but in English: the answer is read.
func (f *finder) plain(more []string) []string {
	env := append([]string{"LC_ALL=C"}, more...)
	for name, value := range f.env {
		if name != "LC_ALL" && name != "LANGUAGE" && name != "LD_TRACE_LOADED_OBJECTS" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
