package child

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// EndTree ends every process below this one. A process that starts others while it is ended is met in the next
// round; the rounds are bounded because one in the kernel's hands cannot be ended. One that finds nobody is not enough: a
// process whose parent ended while the list was made is in nobody's line.
func EndTree() {
	for nobody, round := 0, 0; nobody < 2 && round < 200; round++ {
		pids := Below(os.Getpid())
		if nobody++; len(pids) > 0 {
			nobody = 0
		}
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Below lists the living processes below pid.
func Below(pid int) []int {
	parents := map[int]int{} // those that have ended too: their children name them still, if they were read earlier
	var living []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if parent, ended, err := stat(id); err == nil {
			parents[id] = parent
			if !ended {
				living = append(living, id)
			}
		}
	}
	var out []int
	for _, id := range living {
		at, known := parents[id], true
		for steps := 0; known && at != pid && steps < len(parents); steps++ {
			at, known = parents[at]
		}
		if known && at == pid {
			out = append(out, id)
		}
	}
	return out
}

// Parent is the process that a living one belongs to. False: the process is gone, or has ended and is not yet waited for.
func Parent(pid int) (int, bool) {
	parent, ended, err := stat(pid)
	return parent, err == nil && !ended
}

// stat reads /proc/PID/stat: "pid (name) state parent …"; the name may hold anything.
func stat(pid int) (parent int, ended bool, err error) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false, err
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 2 {
		return 0, false, fmt.Errorf("/proc/%d/stat says %q", pid, b)
	}
	parent, err = strconv.Atoi(f[1])
	return parent, f[0] == "Z" || f[0] == "X", err
}
