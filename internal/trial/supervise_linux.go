package trial

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/verify"
)

// grace is how long the supervising child has to end its tree before it is ended itself.
const grace = 5 * time.Second

// run is one config on its way.
type run struct {
	req     Request
	out     *output
	o       *verify.Outcome
	env     []string
	vars    []string // variables and folders of lists that were taken out
	job     job
	visible []string // what may not be hidden, with why
	refused string   // why the last way did not do
}

// execute runs the command below a child that supervises it: this program again, see Child. The child makes the
// mounts, starts the command, and at its end ends whatever the command left behind.
func execute(ctx context.Context, req Request, out *output, o *verify.Outcome) {
	if len(os.Args) > 1 && os.Args[1] == childWord {
		o.Err = "this program does not call trial.Child" // it would start itself for ever
		return
	}
	if err := checkDir(workDir(req)); err != nil {
		o.Err = err.Error()
		return
	}
	r := run{req: req, out: out, o: o, job: job{Argv: argv(req)}}
	r.env, r.vars = environment(req, "linux")
	if hides(req) {
		p := findPlaces(*req.Hide, req.Dir)
		r.job.Gone, r.job.Kept, r.visible = p.gone, written(req), p.visible
	}
	for _, w := range ways(r.job) {
		rep, ok := r.attempt(ctx, w)
		if ok {
			r.describe(w, rep)
			return
		}
		r.refused = rep.Refused
	}
}

func hides(req Request) bool { return req.Hide != nil && Need(req.Config) == "none" }

// way is one manner of hiding.
type way struct {
	mounts, user bool
	flags        uintptr
}

// ways are tried in order. Root makes mounts without a user namespace, where every account stays what it is.
func ways(j job) []way {
	if len(j.Gone) == 0 {
		return []way{{}}
	}
	list := []way{{true, true, unix.CLONE_NEWNS | unix.CLONE_NEWUSER}, {}}
	if os.Geteuid() == 0 {
		list = append([]way{{true, false, unix.CLONE_NEWNS}}, list...)
	}
	return list
}

// attempt starts the child one way. False: nothing was run, another way may do.
func (r *run) attempt(ctx context.Context, w way) (report, bool) {
	j := r.job
	j.User = w.user
	if !w.mounts {
		j.Gone = nil
	}
	line, err := newLink()
	if err != nil {
		r.o.Err = err.Error()
		return report{}, true
	}
	defer line.close()
	cmd := r.child(ctx, w, line)
	if err := cmd.Start(); err != nil && w.mounts {
		return report{Refused: err.Error()}, false
	} else if err != nil {
		r.o.Err = err.Error()
		return report{}, true
	}
	rep, res := line.talk(j)
	_ = cmd.Wait() // the child's own end says nothing that its answer does not
	r.o.Code, r.o.Signal, r.o.Err = res.Code, res.Signal, res.Err
	return rep, rep.Refused == ""
}

func (r *run) child(ctx context.Context, w way, line link) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/proc/self/exe", childWord)
	cmd.Args[0] = "cupel"
	cmd.Dir, cmd.Env = workDir(r.req), r.env
	cmd.Stdout, cmd.Stderr = r.out.stdout, r.out.stderr
	cmd.ExtraFiles = []*os.File{line.jobRead, line.answerWrite}
	cmd.SysProcAttr = attributes(w)
	// The child sees the end of its line and ends its tree; it also does when this program is killed.
	cmd.Cancel = func() error { return line.jobWrite.Close() }
	cmd.WaitDelay = grace
	return cmd
}

func attributes(w way) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Cloneflags: w.flags}
	if w.user {
		uid, gid := os.Getuid(), os.Getgid()
		// The same numbers inside: a build that asks who it is gets the answer it always gets.
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_DAC_OVERRIDE}
	}
	return a
}

// link is the line to the child: the job goes down, answers come up.
type link struct {
	jobRead, jobWrite, answerRead, answerWrite *os.File
}

func newLink() (l link, err error) {
	if l.jobRead, l.jobWrite, err = os.Pipe(); err != nil {
		return l, err
	}
	if l.answerRead, l.answerWrite, err = os.Pipe(); err != nil {
		l.close()
	}
	return l, err
}

func (l link) close() {
	for _, f := range []*os.File{l.jobRead, l.jobWrite, l.answerRead, l.answerWrite} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// talk tells the job and listens. A child that dies without a word leaves an error.
func (l link) talk(j job) (rep report, res result) {
	_ = l.jobRead.Close()
	_ = l.answerWrite.Close()
	res = result{Code: -1}
	if err := json.NewEncoder(l.jobWrite).Encode(j); err != nil {
		res.Err = fmt.Sprintf("tell the supervising child: %v", err)
		return rep, res
	}
	dec := json.NewDecoder(bufio.NewReader(io.LimitReader(l.answerRead, 16<<20)))
	if err := dec.Decode(&rep); err != nil {
		res.Err = fmt.Sprintf("the supervising child did not answer: %v", err)
		return rep, res
	}
	if rep.Refused != "" {
		return rep, res
	}
	if err := dec.Decode(&res); err != nil {
		res = result{Code: -1, Signal: "SIGKILL"}
	}
	return rep, res
}

// describe says what was hidden, and how.
func (r *run) describe(w way, rep report) {
	if !hides(r.req) {
		return
	}
	r.o.Hidden = append(summary(rep.Hidden), r.vars...)
	r.o.NotHidden = append(r.visible, rep.NotHidden...)
	switch {
	case w.mounts:
		r.o.HiddenBy = "mounts"
	case len(r.job.Gone) > 0:
		r.o.HiddenBy = "environment"
		r.o.NotHidden = append(append(r.visible, summary(r.job.Gone)...), "mounts were refused: "+r.refused)
	case len(r.vars) > 0: // there was nothing else to hide
		r.o.HiddenBy = "environment"
	}
}

// written is what the build writes to.
func written(req Request) []string {
	keep := []string{resolved(req.Dir), resolved(workDir(req)), resolved(os.TempDir())}
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		keep = append(keep, resolved(home))
	}
	return keep
}

func argv(req Request) []string {
	if c := req.Config.Command; c.Line != "" {
		return []string{"/bin/sh", "-c", c.Line}
	}
	return req.Config.Command.Argv
}
