package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// poison is what a hidden file holds where it cannot be made to disappear. An empty file would not do: a
// preprocessor takes it for an empty header, and the linker for an empty script; both would be content. The first
// line stops the one, the second the other, to which the first is a comment.
const poison = "#error hidden by cupel: this config says needs = \"none\"\nhidden by cupel\n"

// scratches are folders that may be covered for the moment in which the mounts are made.
var scratches = []string{"/mnt", "/media", "/srv", "/run", "/var/tmp", "/tmp"}

// systemAreas are the folders in which a passing copy does no harm: a build writes elsewhere. What it writes
// there all the same is gone afterwards.
var systemAreas = []string{"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt"}

// mounts makes paths disappear in this process' own mount namespace.
type mounts struct {
	job     job
	scratch string
	points  []string // mount points that were there before
	blind   bool     // they could not be read
	rep     report
}

// hideAll takes everything in job.Gone away. It refuses only when no mount at all can be made.
func hideAll(j job) report {
	m := &mounts{job: j, scratch: scratchFor(j)}
	var err error
	m.points, err = mountPoints()
	m.blind = err != nil
	if err := m.prepare(); err != nil {
		return report{Refused: err.Error()}
	}
	for _, dir := range m.tops() {
		_ = m.overlay(dir) // where it is refused, each of the paths is covered by itself
	}
	for _, path := range j.Gone {
		m.cover(path)
	}
	m.cache()
	// The mounts hold on to what they need of it; nobody else shall find it.
	_ = unix.Unmount(m.scratch, unix.MNT_DETACH)
	return m.rep
}

func (m *mounts) prepare() error {
	if m.scratch == "" {
		return fmt.Errorf("no folder to prepare mounts in: one of %s is needed", strings.Join(scratches, ", "))
	}
	// Nothing of what follows may reach the rest of the machine.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("cupel", m.scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755"); err != nil {
		return fmt.Errorf("mount a tmpfs: %w", err)
	}
	return os.WriteFile(filepath.Join(m.scratch, "poison"), []byte(poison), 0o444)
}

// scratchFor finds a folder that is not around anything to be hidden or worked in.
func scratchFor(j job) string {
	cwd, _ := os.Getwd()
	for _, s := range scratches {
		around := func(p string) bool { return linux.Within(p, s) }
		if info, err := os.Lstat(s); err == nil && info.IsDir() && !around(cwd) && !slices.ContainsFunc(j.Gone, around) {
			return s
		}
	}
	return ""
}

// tops are the folders that get an overlay: the outermost ones, because overlays cannot be stacked deep.
func (m *mounts) tops() []string {
	var out []string
	for _, dir := range dirsOf(m.job.Gone) {
		if m.overlayable(dir) {
			out = append(out, dir)
		}
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(d string) bool {
		return slices.ContainsFunc(all, func(top string) bool { return top != d && linux.Within(d, top) })
	})
}

func (m *mounts) overlayable(dir string) bool {
	system := slices.ContainsFunc(systemAreas, func(a string) bool { return dir != "/usr" && linux.Within(dir, a) })
	written := slices.ContainsFunc(m.job.Kept, func(k string) bool { return linux.Within(k, dir) || linux.Within(dir, k) })
	// An overlay shows the folder without what is mounted in it.
	busy := slices.ContainsFunc(m.points, func(p string) bool { return p != dir && linux.Within(p, dir) && !m.goes(p) })
	return system && !written && !busy && !m.blind
}

func dirsOf(paths []string) []string {
	var out []string
	for _, p := range paths {
		out = append(out, filepath.Dir(p))
	}
	return unique(out)
}

func (m *mounts) goes(path string) bool {
	return slices.ContainsFunc(m.job.Gone, func(g string) bool { return linux.Within(path, g) })
}

// overlay puts a copy over dir in which its share of Gone has a whiteout, the mark of a deleted file.
func (m *mounts) overlay(dir string) error {
	base := filepath.Join(m.scratch, strings.ReplaceAll(dir, "/", "-"))
	upper, work := filepath.Join(base, "upper"), filepath.Join(base, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	if err := like(dir, upper); err != nil {
		return err
	}
	for _, path := range m.job.Gone {
		if rel, err := filepath.Rel(dir, path); err == nil && linux.Within(path, dir) && path != dir {
			if err := whiteout(dir, upper, rel); err != nil {
				return err
			}
		}
	}
	options := "lowerdir=" + escape(dir) + ",upperdir=" + escape(upper) + ",workdir=" + escape(work)
	if m.job.User {
		options += ",userxattr"
	}
	return unix.Mount("overlay", dir, "overlay", 0, options)
}

// whiteout marks rel as deleted, making the folders on the way as they are below.
func whiteout(lower, upper, rel string) error {
	elems := strings.Split(rel, "/")
	for i := 1; i < len(elems); i++ {
		at := filepath.Join(elems[:i]...)
		info, err := os.Lstat(filepath.Join(upper, at))
		switch {
		case err == nil && !info.IsDir():
			return nil // a folder around it is gone already
		case err != nil:
			if err := like(filepath.Join(lower, at), filepath.Join(upper, at)); err != nil {
				return err
			}
		}
	}
	if err := unix.Mknod(filepath.Join(upper, rel), unix.S_IFCHR, 0); err != nil && err != unix.EEXIST {
		return err
	}
	return nil
}

// like makes a folder with another's rights: in an overlay those of the upper one are seen.
func like(model, dir string) error {
	info, err := os.Stat(model)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = os.Chown(dir, int(st.Uid), int(st.Gid)) // refused in a user namespace, and of no matter there
	}
	return os.Chmod(dir, info.Mode().Perm())
}

func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, ",", `\,`, ":", `\:`).Replace(path)
}
