//go:build unix

package closure

import "golang.org/x/sys/unix"

// entryOf asks for a name itself, links not followed; false: it is not there, or cannot be asked for.
func entryOf(path string) (e entry, ok bool) {
	var st unix.Stat_t
	for {
		err := unix.Lstat(path, &st)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			return e, false
		}
	}
	e = entry{modified: st.Mtim.Nano(), changed: st.Ctim.Nano(), node: node{uint64(st.Dev), st.Ino}}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFLNK:
		e.kind = link
	case unix.S_IFDIR:
		e.kind = folder
	default:
		e.kind = file
	}
	return e, true
}
