package shim

import (
	"bytes"
	"iter"
	"os"
	"strconv"
	"strings"
)

// startOf is when a process was started, in ticks since boot, or 0.
func startOf(pid int) uint64 {
	_, start := stat(pid)
	return start
}

// ancestors are the processes above this one, nearest first.
func ancestors() iter.Seq[process] {
	return func(yield func(process) bool) {
		for pid := os.Getppid(); pid > 0; {
			parent, start := stat(pid)
			if start == 0 || !yield(process{pid, start}) {
				return
			}
			pid = parent
		}
	}
}

// stat reads /proc/PID/stat (proc(5)): the parent is field 4, the start field 22. Field 2 is the name in parentheses, in
// which anything may stand.
func stat(pid int) (parent int, start uint64) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[1])
	start, _ = strconv.ParseUint(fields[19], 10, 64)
	return parent, start
}
