package tree

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cupel/internal/call"
	"cupel/internal/child"
)

// mostArgs bounds what is read of a command line, in bytes.
const mostArgs = 64 << 10

func proc(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// program is what a process runs: the file, or the name it was called by where that may not be read.
func program(pid int) string {
	exe, err := os.Readlink(proc(pid, "exe"))
	if err != nil {
		if args := arguments(pid); len(args) > 0 {
			return args[0]
		}
	}
	return strings.TrimSuffix(exe, " (deleted)")
}

func arguments(pid int) []string {
	f, err := os.Open(proc(pid, "cmdline"))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, mostArgs))
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// describe tells what can be told of a process. False: it is gone, or has ended and is not waited for.
func describe(pid int) (call.Process, bool) {
	parent, alive := child.Parent(pid)
	if !alive {
		return call.Process{}, false
	}
	p := call.Process{PID: pid, Args: arguments(pid)}
	p.Path = program(pid)
	p.Dir, _ = os.Readlink(proc(pid, "cwd"))
	if parent != os.Getpid() { // cupel itself is not worth a word
		p.Parent = program(parent)
	}
	return p, true
}

// absolute is a path of a process, seen from its folder.
func absolute(path string, pid int) string {
	if filepath.IsAbs(path) {
		return path
	}
	dir, err := os.Readlink(proc(pid, "cwd"))
	if err != nil {
		return path
	}
	return filepath.Join(dir, path)
}
