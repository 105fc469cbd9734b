package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"cupel/internal/pattern"
)

// maxOutput bounds what is kept of a probe's output.
const maxOutput = 4 << 20

// errNotRegular is a folder, or something a read could block on.
var errNotRegular = errors.New("not a regular file")

// real is this machine.
type real struct{ started atomic.Int64 }

// Here returns the machine the program runs on.
func Here() Host { return &real{} }

func (r *real) System() System {
	s := System{OS: runtime.GOOS, Arch: runtime.GOARCH}
	s.Home, _ = os.UserHomeDir()
	if u, err := user.Current(); s.Home == "" && err == nil {
		s.Home = u.HomeDir // services and cron jobs have no HOME
	}
	s.Cwd, _ = os.Getwd()
	s.Name, _ = os.Hostname()
	s.User = accountName()
	return s
}

// accountName asks the environment first: os/user reads /etc/passwd or asks a domain, which can be slow.
func accountName() string {
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

func (r *real) Environ() []string { return os.Environ() }

func (r *real) Stat(path string) (Info, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return Info{}, gone(err)
	}
	return infoOf(fi), nil
}

func (r *real) Lstat(path string) (Info, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return Info{}, gone(err)
	}
	return infoOf(fi), nil
}

func infoOf(fi os.FileInfo) Info {
	return Info{
		Name: fi.Name(), Size: fi.Size(), Dir: fi.IsDir(),
		Link: fi.Mode()&os.ModeSymlink != 0,
		Node: fi.Mode()&os.ModeDevice != 0,
		Exec: isExec(fi), MTime: fi.ModTime(),
	}
}

func isExec(fi os.FileInfo) bool {
	if runtime.GOOS == "windows" {
		return isWindowsProgram(fi.Name())
	}
	return !fi.IsDir() && fi.Mode()&0o111 != 0
}

func isWindowsProgram(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".exe", ".bat", ".cmd", ".com":
		return true
	}
	return false
}

func (r *real) Readlink(path string) (string, error) {
	target, err := os.Readlink(path)
	return target, gone(err)
}

func (r *real) Resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	return real, gone(err)
}

// gone calls a path that leads through a file, or that no file can have, what it is: not there.
func gone(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && impossible(pe.Err) {
		return &fs.PathError{Op: pe.Op, Path: pe.Path, Err: fs.ErrNotExist}
	}
	return err
}

func (r *real) Names(dir string, keep *pattern.Pattern) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, gone(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	return matching(names, keep), nil
}

func matching(names []string, keep *pattern.Pattern) []string {
	var out []string
	for _, n := range names {
		if keep.MatchString(n) {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}

func (r *real) ReadFile(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, path)
}

// openRegular refuses folders and anything a read could block on (a FIFO, a device).
func openRegular(path string) (*os.File, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, gone(err)
	}
	if !fi.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	return os.Open(path)
}

func readBounded(r io.Reader, path string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(b) > MaxFile {
		return nil, fmt.Errorf("read %s: larger than %d MiB", path, MaxFile>>20)
	}
	return b, nil
}

func (r *real) Lines(path string, keep *pattern.Pattern) ([]string, error) {
	b, err := r.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return keepLines(b, keep), nil
}

// keepLines returns the lines of b that match; a line longer than 64 KiB is no line of text and is passed
// over. A pattern that begins with fixed text is looked for as that text first: cuda.h is a megabyte.
func keepLines(b []byte, keep *pattern.Pattern) []string {
	var out []string
	prefix, _ := keep.LiteralPrefix()
	for len(b) > 0 {
		if prefix != "" {
			i := bytes.Index(b, []byte(prefix))
			if i < 0 {
				break
			}
			b = b[bytes.LastIndexByte(b[:i], '\n')+1:]
		}
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) <= bufio.MaxScanTokenSize && keep.Match(line) {
			out = append(out, string(line))
		}
	}
	return out
}

type realBytes struct {
	*os.File
	size int64
}

func (b realBytes) Size() int64 { return b.size }

func (r *real) Open(path string) (Bytes, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return realBytes{f, fi.Size()}, nil
}

func (r *real) Processes() int { return int(r.started.Load()) }

func (r *real) Run(ctx context.Context, c Command) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	var out, errs bounded
	cmd.Stdout, cmd.Stderr = &out, &errs
	// A child of the child can hold the pipe open after the kill; do not wait for it.
	cmd.WaitDelay = 200 * time.Millisecond
	ownGroup(cmd)
	r.started.Add(1)
	err := cmd.Run()
	res := Result{Stdout: out.String(), Stderr: errs.String(), Code: -1, TimedOut: ctx.Err() == context.DeadlineExceeded}
	if cmd.ProcessState != nil {
		res.Code = cmd.ProcessState.ExitCode()
	}
	if res.TimedOut {
		return res, fmt.Errorf("run %s: no answer within %v", c.Path, c.Timeout)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return res, err
	}
	return res, nil
}

// bounded keeps the first maxOutput bytes and swallows the rest, so that a program that never stops printing
// ends by its time limit and not by our memory. The buffer is no embedded field: io.Copy would use its
// ReadFrom and pass the limit by.
type bounded struct{ buf bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := maxOutput - b.buf.Len(); room > 0 {
		b.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (b *bounded) String() string { return b.buf.String() }
