package child

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// EndTree ends every process below this one. A process that starts others while it is ended is met in the next
// round; the rounds are bounded because one in the kernel's hands cannot be ended.
func EndTree() {
	for range 200 {
		pids := Below(os.Getpid())
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Below lists the living processes below pid.
func Below(pid int) []int {
	parents := map[int]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			if parent, alive := Parent(id); alive {
				parents[id] = parent
			}
		}
	}
	var out []int
	for id := range parents {
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

// Parent reads /proc/PID/stat: "pid (name) state parent …"; the name may hold anything. False: the process is gone, or
// has ended and is not yet waited for.
func Parent(pid int) (int, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 2 || f[0] == "Z" || f[0] == "X" {
		return 0, false
	}
	parent, err := strconv.Atoi(f[1])
	return parent, err == nil
}
