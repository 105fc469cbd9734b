// Package shim is what cupel-nvcc does: find the real tool and the run, answer the call from the store or pass it through,
// write it down. Outside of cupel exec, where it is not called as a launcher, it becomes the real tool. It leans on little:
// its start is paid by every compiler call.
package shim

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"cupel/internal/call"
)

// MapFile lies in a mirror root and tells the real tools: a line "cupel-shim 1", then a line for each tool with its name, a
// tab and the absolute path of the real program. A shim's program lies in a folder of the mirror root (bin/nvcc,
// tools/g++) and looks for ../MapFile.
const MapFile = "cupel-shim"

// Exit codes of the shim's own, as env(1) and shells have them. Every other one is the real tool's.
const (
	codeLost     = 1   // the tool ended well, and its output was lost (a full disk)
	codeShim     = 125 // the shim itself cannot go on
	codeCannot   = 126 // the real tool cannot be started
	codeNotFound = 127 // the real tool is not there
)

// Main passes one call through and returns its exit code, where it returns at all.
func Main(argv []string) int {
	t, err := find(argv)
	if err != nil {
		return complain(err, codeShim)
	}
	if !t.again && !t.onward {
		if code, ok := t.recorded(); ok {
			return code
		}
		if code, ok := t.launched(); ok {
			return code
		}
	}
	return t.pass()
}

// complain is the one place where the shim itself says something.
func complain(err error, code int) int {
	_, _ = os.Stderr.WriteString(complaint(err))
	return code
}

func complaint(err error) string { return "cupel-nvcc: " + err.Error() + "\n" }

// startCode is the exit code for a tool that could not be started.
func startCode(err error) int {
	if errors.Is(err, fs.ErrNotExist) {
		return codeNotFound
	}
	return codeCannot
}

// run is the folder of the run that this call belongs to, empty when there is none. outside: only its processes told.
func (t target) run() (dir string, outside bool) {
	if dir = os.Getenv(call.RunVariable); dir == "" {
		dir = announced(t.mirror)
		outside = dir != ""
	}
	if !filepath.IsAbs(dir) {
		return "", false
	}
	return dir, outside
}
