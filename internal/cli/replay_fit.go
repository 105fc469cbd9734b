package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// Limits of a command line, above which the arguments go through a response file.
const (
	// CreateProcess: "the maximum length of this string is 32,767 characters, including the Unicode terminating null
	// character"; the rest is room for quotes.
	windowsLine = 30_000
	// execve(2): one string has at most 32 pages (128 KiB), all together a quarter of the stack limit (8 MiB is usual).
	unixWord, unixLine = 128<<10 - 1, 1 << 20
)

// fitting are the arguments as the system takes them. done removes the response files, if there had to be some.
func (r *rerun) fitting() (args []string, done func(), err error) {
	if r.call.Begin.Tool != "nvcc" || fits(runtime.GOOS, r.program, r.args) {
		return r.args, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "cupel-replay-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a response file: %w", err)
	}
	done = func() { _ = os.RemoveAll(dir) }
	for n, part := range parted(r.args) {
		if !part.quotable {
			args = append(args, part.words...)
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("options%d.txt", n))
		if err := os.WriteFile(file, nvcc.Quote(part.words), 0o600); err != nil {
			done()
			return nil, nil, fmt.Errorf("make a response file: %w", err)
		}
		args = append(args, "--options-file", file)
	}
	r.note("the arguments are too long for this system's command line: they go through a response file")
	return args, done, nil
}

// part is a row of arguments that a response file can say, or cannot.
type part struct {
	words    []string
	quotable bool
}

// parted keeps the order of the arguments, and an option with its value. One that a response file cannot say stays on the
// command line.
func parted(args []string) []part {
	span := map[int]int{}
	for _, g := range nvcc.Parse(args).Given {
		span[g.At] = g.N
	}
	var out []part
	for at := 0; at < len(args); {
		unit := args[at : at+max(1, span[at])]
		can := !slices.ContainsFunc(unit, func(w string) bool { return !nvcc.Quotable(w) })
		if len(out) == 0 || out[len(out)-1].quotable != can {
			out = append(out, part{quotable: can})
		}
		last := &out[len(out)-1]
		last.words = append(last.words, unit...)
		at += len(unit)
	}
	return out
}

func fits(goos, program string, args []string) bool {
	total, longest := len(program)+3, 0
	for _, a := range args {
		total += len(a) + 3 + strings.Count(a, `"`)
		longest = max(longest, len(a))
	}
	if goos == "windows" {
		return total <= windowsLine
	}
	return longest <= unixWord && total <= unixLine
}
