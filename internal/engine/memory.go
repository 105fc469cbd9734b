package engine

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// freeOf is the memory that new processes can have on a Linux machine: what the kernel says is available, and not more than
// any control group that this process is in leaves. 0: it cannot be told; a group that is full leaves 1.
func freeOf(root fs.FS) int64 {
	free := int64(math.MaxInt64)
	if kib := field(read(root, "proc/meminfo"), "MemAvailable:"); kib > 0 && kib < math.MaxInt64/1024 {
		free = kib * 1024
	}
	mounts := read(root, "proc/self/mountinfo")
	for line := range strings.Lines(read(root, "proc/self/cgroup")) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		kinds, group, ok := strings.Cut(rest, ":")
		for _, h := range hierarchies {
			if ok && listed(kinds, h.controller) {
				free = min(free, h.free(root, mounts, group))
			}
		}
	}
	if free == math.MaxInt64 {
		return 0
	}
	return max(1, free)
}

// hierarchy is one of the two kinds of control groups and its files (kernel: cgroup-v2.rst, cgroup-v1/memory.rst).
type hierarchy struct {
	controller string // in /proc/self/cgroup
	filesystem string
	option     string   // of the mount, where each controller has its own
	limits     []string // the smallest counts; a limit that is not set is no number, or more than any machine has
	usage      string
	cache      string // in memory.stat: pages of files that the kernel drops first
}

var hierarchies = [...]hierarchy{
	{"", "cgroup2", "", []string{"memory.max", "memory.high"}, "memory.current", "inactive_file"},
	{"memory", "cgroup", "memory", []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"},
}

// free is what the group and all above it leave.
func (h *hierarchy) free(root fs.FS, mounts, group string) int64 {
	free := int64(math.MaxInt64)
	for line := range strings.Lines(mounts) {
		top, point, ok := h.mount(line)
		if !ok {
			continue
		}
		// In a container the mount may begin at the container's own group, or show no group of that name.
		inside, below := strings.CutPrefix(group, strings.TrimSuffix(top, "/"))
		if !below {
			inside = ""
		}
		for at := path.Join(point, path.Clean("/"+inside)); ; at = path.Dir(at) {
			free = min(free, h.leaves(root, at))
			if at == point || at == "/" {
				break
			}
		}
	}
	return free
}

// mount reads a line of mountinfo: ID PARENT DEVICE TOP POINT OPTIONS… - TYPE SOURCE OPTIONS.
func (h *hierarchy) mount(line string) (top, point string, ok bool) {
	left, right, _ := strings.Cut(line, " - ")
	l, r := strings.Fields(left), strings.Fields(right)
	if len(l) < 5 || len(r) < 3 || r[0] != h.filesystem || h.option != "" && !listed(r[2], h.option) {
		return "", "", false
	}
	return l[3], path.Clean(l[4]), true
}

func (h *hierarchy) leaves(root fs.FS, dir string) int64 {
	limit := int64(math.MaxInt64)
	for _, name := range h.limits {
		if n, err := strconv.ParseInt(strings.TrimSpace(read(root, path.Join(dir, name))), 10, 64); err == nil {
			limit = min(limit, n)
		}
	}
	if limit >= 1<<60 {
		return math.MaxInt64
	}
	used, _ := strconv.ParseInt(strings.TrimSpace(read(root, path.Join(dir, h.usage))), 10, 64)
	used -= field(read(root, path.Join(dir, "memory.stat")), h.cache)
	return limit - max(0, used)
}

func listed(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// field is the number after a word that begins a line; 0 when there is none.
func field(text, word string) int64 {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == word {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return max(0, n)
		}
	}
	return 0
}

func read(root fs.FS, name string) string {
	b, _ := fs.ReadFile(root, strings.TrimPrefix(name, "/"))
	return string(b)
}
