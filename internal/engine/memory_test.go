package engine

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

const (
	mountsBoth = `23 1 0:21 / /proc rw - proc proc rw
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
36 31 0:33 / /sys/fs/cgroup/devices rw,relatime - cgroup cgroup rw,devices
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
`
	mountsV2        = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountsContainer = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup cgroup rw,memory\n"
	meminfo         = "MemTotal:       32000 kB\nMemFree:         1000 kB\nMemAvailable:    20000 kB\n"
	noLimit         = "9223372036854771712\n" // what version 1 says: seen on Debian 12
)

func TestFreeOf(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing can be read", nil, 0},
		{"no groups", map[string]string{"proc/meminfo": meminfo}, 20000 * 1024},
		{"damaged", map[string]string{"proc/meminfo": "MemAvailable:\nMemAvailable: many\n", "proc/self/cgroup": "x\n0::\n:::::", "proc/self/mountinfo": "1 2 - cgroup2\n - \n"}, 0},
		{"version 2", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/user.slice/job\n",
			"sys/fs/cgroup/user.slice/job/memory.max": "5000\n", "sys/fs/cgroup/user.slice/job/memory.current": "3000\n"}, 2000},
		{"version 2, files that can be dropped", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/job\n",
			"sys/fs/cgroup/job/memory.max": "5000\n", "sys/fs/cgroup/job/memory.current": "4900\n", "sys/fs/cgroup/job/memory.stat": "anon 1\ninactive_file 3900\n"}, 4000},
		{"version 2, the group above", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/user.slice/job\n",
			"sys/fs/cgroup/user.slice/job/memory.max": "max\n", "sys/fs/cgroup/user.slice/memory.max": "7000\n", "sys/fs/cgroup/user.slice/memory.current": "10\n"}, 6990},
		{"version 2, soft limit", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/job\n",
			"sys/fs/cgroup/job/memory.max": "5000\n", "sys/fs/cgroup/job/memory.high": "4000\n", "sys/fs/cgroup/job/memory.current": "0\n"}, 4000},
		{"version 2, in a name space", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "5000\n", "sys/fs/cgroup/memory.current": "1\n"}, 4999},
		{"version 2, from outside of the name space", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/../../other\n",
			"sys/fs/cgroup/memory.max": "5000\n", "sys/fs/cgroup/memory.current": "1\n"}, 4999},
		{"full", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsV2, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "5000\n", "sys/fs/cgroup/memory.current": "6000\n"}, 1},
		{"version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsBoth, "proc/self/cgroup": "4:cpu,memory:/a/b\n0::/\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": noLimit, "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9000\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes": "4000\n", "sys/fs/cgroup/memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file 500\n"}, 5500},
		{"version 1 without a limit", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsBoth, "proc/self/cgroup": "4:memory:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": noLimit}, 20000 * 1024},
		{"version 1, in a container", map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mountsContainer, "proc/self/cgroup": "4:memory:/docker/abc\n",
			"sys/fs/cgroup/memory.limit_in_bytes": "900\n", "sys/fs/cgroup/memory.usage_in_bytes": "400\n"}, 500},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := freeOf(tree(tt.files)); got != tt.want {
				t.Errorf("free %d, want %d", got, tt.want)
			}
		})
	}
}

func tree(files map[string]string) fs.FS {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

func FuzzFreeOf(f *testing.F) {
	f.Add(meminfo, mountsBoth, "4:memory:/a\n", "5", "6", "inactive_file 1")
	f.Add(meminfo, mountsV2, "0::/\n", "5", "6", "inactive_file 1")
	f.Fuzz(func(t *testing.T, meminfo, mounts, groups, limit, used, stat string) {
		free := freeOf(tree(map[string]string{"proc/meminfo": meminfo, "proc/self/mountinfo": mounts, "proc/self/cgroup": groups,
			"sys/fs/cgroup/memory.max": limit, "sys/fs/cgroup/memory.current": used, "sys/fs/cgroup/memory.stat": stat}))
		if free < 0 {
			t.Errorf("free %d", free)
		}
	})
}
