package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// cover hides one path that no overlay took away, and notes how it went.
func (m *mounts) cover(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		m.rep.Hidden = append(m.rep.Hidden, path)
		return
	}
	how := " (its name stays)"
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		m.link(path)
		return
	case info.IsDir():
		how = " (emptied)"
		err = unix.Mount("cupel", path, "tmpfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "mode=755")
	default:
		err = unix.Mount(filepath.Join(m.scratch, "poison"), path, "", unix.MS_BIND, "")
	}
	if err != nil {
		m.rep.NotHidden = append(m.rep.NotHidden, path+": "+err.Error())
		return
	}
	m.rep.Hidden = append(m.rep.Hidden, path+how)
}

// link: nothing can be mounted on a link, so it is as hidden as what it leads to.
func (m *mounts) link(path string) {
	real := resolved(path)
	if _, err := os.Stat(path); err != nil || m.goes(real) {
		m.rep.Hidden = append(m.rep.Hidden, path)
		return
	}
	m.rep.NotHidden = append(m.rep.NotHidden, path+": a link to "+real+", which is not CUDA's")
}

// cache covers the loader's cache with one that does not name what is hidden: ldconfig -p is asked by builds.
func (m *mounts) cache() {
	b, err := os.ReadFile(cacheFile)
	if err != nil {
		return
	}
	named := slices.ContainsFunc(cached(b), m.unloadable)
	clean, ok := withoutCached(b, m.unloadable)
	if !named || !ok {
		return
	}
	at := filepath.Join(m.scratch, "ld.so.cache")
	if os.WriteFile(at, clean, 0o644) != nil || unix.Mount(at, cacheFile, "", unix.MS_BIND, "") != nil {
		m.rep.NotHidden = append(m.rep.NotHidden, cacheFile+": it still names libraries that are hidden")
	}
}

func (m *mounts) unloadable(path string) bool {
	dir := resolved(filepath.Dir(path))
	return m.goes(path) || m.goes(filepath.Join(dir, filepath.Base(path))) || libraryName.MatchString(filepath.Base(path)) && !exists(path)
}

// mountPoints are the places where something is mounted already.
func mountPoints() ([]string, error) {
	b, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 4 {
			out = append(out, unescape.Replace(f[4]))
		}
	}
	return out, nil
}

// unescape reads mountinfo's way to write white space.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
