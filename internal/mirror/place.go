package mirror

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// fresh makes a folder with a new name.
func (m maker) fresh(in string) (string, error) {
	for {
		dir := in + "/" + strconv.FormatUint(rand.Uint64(), 36)
		if err := m.root.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// putTries bounds how long a place that others hold is tried again.
const putTries, putWait = 40, 25 * time.Millisecond

// put moves what was made to its place.
func (m maker) put(temp, at string, good func() bool) (err error) {
	for range putTries {
		if err = m.root.Rename(temp, at); err == nil || good() {
			return nil
		}
		// A folder, or a program that runs: the old one makes room, and comes back when the new one cannot take its place.
		old, moved := m.aside(at)
		if err = m.root.Rename(temp, at); err == nil {
			m.remove(above(old))
			return nil
		}
		if moved {
			_ = m.root.Rename(old, at)
			m.remove(above(old))
		}
		if good() {
			return nil
		}
		time.Sleep(putWait)
	}
	return err
}

func (m maker) aside(at string) (old string, ok bool) {
	dir, err := m.fresh(oldDir)
	if err != nil {
		return oldDir + "/x/x", false
	}
	old = dir + "/x"
	if err := m.root.Rename(at, old); err != nil {
		m.remove(dir)
		return old, false
	}
	return old, true
}

// away takes an entry out of the mirror. One that cannot be removed yet waits in oldDir.
func (m maker) away(at string) error {
	err := m.root.Remove(at)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if old, moved := m.aside(at); moved {
		m.remove(above(old))
		return nil
	}
	if _, gone := m.root.Lstat(at); errors.Is(gone, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweepAge is how old an entry of newDir or oldDir must be before it counts as left behind: another process may be at work.
const sweepAge = time.Hour

// sweep removes what earlier processes left.
func (m maker) sweep() {
	for _, dir := range []string{oldDir, newDir} {
		for _, e := range m.list(dir) {
			info, err := e.Info()
			if err == nil && time.Since(info.ModTime()) > sweepAge {
				m.remove(dir + "/" + e.Name())
			}
		}
	}
}

func (m maker) list(dir string) []fs.DirEntry {
	if dir == "" {
		dir = "."
	}
	f, err := m.root.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	entries, _ := f.ReadDir(-1)
	return entries
}

// stale removes entries that the toolkit no longer has.
func (m maker) stale(folders []string) error {
	keep := m.places()
	for _, dir := range folders {
		keep[dir] = true
	}
	for _, dir := range append(folders, "") {
		if dir == newDir || dir == oldDir || dir == activeDir {
			continue
		}
		for _, e := range m.list(dir) {
			if at := join(dir, e.Name()); !keep[at] {
				if err := m.away(at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// remove removes an entry and, where it is a folder of its own, what is in it, as far as that can be done now.
func (m maker) remove(at string) {
	if m.drop(at) == nil {
		return
	}
	info, err := m.root.Lstat(at)
	if err != nil || !isFolder(m.at(at), info) {
		return
	}
	for _, e := range m.list(at) {
		m.remove(at + "/" + e.Name())
	}
	_ = m.drop(at)
}

// drop removes one entry. wine 8 cannot do it through a root; what lies in folders of the mirror's own it can by its path.
func (m maker) drop(at string) error {
	err := m.root.Remove(at)
	if err != nil && runtime.GOOS == "windows" && (strings.HasPrefix(at, newDir+"/") || strings.HasPrefix(at, oldDir+"/")) {
		err = os.Remove(m.at(at))
	}
	return err
}
