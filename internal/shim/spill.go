package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"cupel/internal/nvcc"
)

var errTooLong = errors.New("its arguments are too long for this system")

// launch starts the real tool with the arguments that this program was given, or with used: as they are, through response
// files where the system does not take that much, and without repairs where that does not help either. start takes nil for
// this program's own arguments.
func (t target) launch(c *child, used []string, start func(args []string) error) error {
	err := start(used)
	if !errors.Is(err, syscall.E2BIG) {
		return err
	}
	args := used
	if args == nil {
		args = t.args
	}
	short, remove, err := t.spill(args)
	if err == nil {
		if err = start(short); err == nil {
			c.remove = remove
			return nil
		}
		remove()
		if errors.Is(err, syscall.E2BIG) {
			err = errTooLong
		}
	}
	if used == nil {
		return err
	}
	c.plain = true
	return t.launch(c, nil, start)
}

// spillFrom is how much words must have in a row for a file of their own.
const spillFrom = 256

// spill writes arguments into response files and gives those that name them. Words that no response file can say stay where
// they are, so there may be several. Only nvcc is known to read one.
func (t target) spill(args []string) (short []string, remove func(), err error) {
	if t.tool != "nvcc" {
		return nil, nil, errTooLong
	}
	dir, err := os.MkdirTemp("", "cupel-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	for from := 0; from < len(args); {
		to := sayable(args, from)
		text := nvcc.Quote(args[from:to])
		if len(text) < spillFrom {
			to = max(to, from+1)
			short = append(short, args[from:to]...)
			from = to
			continue
		}
		file := filepath.Join(dir, strconv.Itoa(len(short))+".rsp")
		name, err := fileWord(file)
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			remove()
			return nil, nil, err
		}
		short = append(short, "--options-file", name)
		from = to
	}
	return short, remove, nil
}

// sayable is how far one response file can go: to the next word that it cannot say, and not up to an option whose value
// that may be: nvcc looks for the value in the same file ("argument expected after", 11.8 to 13.4).
func sayable(args []string, from int) int {
	to := from
	for to < len(args) && nvcc.Quotable(args[to]) {
		to++
	}
	if to > from && to < len(args) && strings.HasPrefix(args[to-1], "-") {
		to--
	}
	return to
}

// fileWord names a response file. The option takes a list, in which double quotes hold a comma (tried with 12.4, 13.0 and nvcc.exe 13.0);
// nothing holds a double quote.
func fileWord(file string) (string, error) {
	switch {
	case strings.Contains(file, `"`):
		return "", fmt.Errorf("name a response file: nvcc cannot be told %s", file)
	case strings.Contains(file, ","):
		return `"` + file + `"`, nil
	}
	return file, nil
}
