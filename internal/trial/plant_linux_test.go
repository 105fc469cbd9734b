package trial

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"cupel/internal/testbed"
)

// plant changes this mount namespace: a driver's libraries, the loader's cache, a toolkit.
func plant(layout string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := tmpfs("/mnt"); err != nil {
		return err
	}
	bed := testbed.Dir()
	root := filepath.Join(bed, layouts[layout].part)
	if pip := filepath.Join(root, "nvidia", "cu13"); layout == "pip" {
		root = pip
	}
	if err := layouts[layout].plant(root); err != nil {
		return fmt.Errorf("%s: %w", layout, err)
	}
	if layout != "debian" {
		if err := plantDriver(libs, ""); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	return plantCache()
}

func plantInstaller(root string) error {
	if err := tmpfs("/usr/local"); err != nil {
		return err
	}
	if err := os.Mkdir("/usr/local/cuda-12.4", 0o755); err != nil {
		return err
	}
	if err := unix.Mount(root, "/usr/local/cuda-12.4", "", unix.MS_BIND, ""); err != nil {
		return err
	}
	return os.Symlink("cuda-12.4", "/usr/local/cuda")
}

func plantPip(root string) error {
	if err := tmpfs("/opt"); err != nil {
		return err
	}
	site := "/opt/venv/lib/python3/site-packages/nvidia/cu13"
	if err := os.MkdirAll(site, 0o755); err != nil {
		return err
	}
	return unix.Mount(root, site, "", unix.MS_BIND, "")
}

// plantDebian unpacks the distribution's packages over /usr, where they share every folder with the rest.
func plantDebian(root string) error { return plantDriver("/usr", root+"/usr:") }

// plantStacked does the same in two layers, on which the kernel allows no third: names cannot be taken away then.
func plantStacked(root string) error {
	return unix.Mount("overlay", "/usr", "overlay", 0, "lowerdir="+root+"/usr:/usr")
}

const libs = "/usr/lib/x86_64-linux-gnu"

// plantDriver puts the libraries where Debian's package and its links put them, by an overlay over dir; others are
// folders to be seen in it too.
func plantDriver(dir, others string) error {
	upper, work := "/mnt/driver/upper", "/mnt/driver/work"
	to := filepath.Join(upper, strings.TrimPrefix(libs, dir))
	for _, d := range []string{to + "/nvidia/current", work} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	script := `cp -a "$1"/libcuda.so* "$1"/libnvidia-ml.so* "$2"/nvidia/current/ &&
		for f in libcuda.so libcuda.so.1 libnvidia-ml.so.1; do ln -s nvidia/current/$f "$2"/$f; done`
	from := filepath.Join(testbed.Dir(), "driver-535", libs, "nvidia", "current")
	if out, err := exec.Command("sh", "-c", script, "sh", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return unix.Mount("overlay", dir, "overlay", 0, "lowerdir="+others+dir+",upperdir="+upper+",workdir="+work)
}

// plantCache lets the loader know. Its own notes are kept off the machine's.
func plantCache() error {
	if err := os.MkdirAll("/var/cache/ldconfig", 0o755); err != nil {
		return err
	}
	if err := tmpfs("/var/cache/ldconfig"); err != nil {
		return err
	}
	if out, err := exec.Command("/sbin/ldconfig", "-X", "-C", "/mnt/ld.so.cache").CombinedOutput(); err != nil {
		return fmt.Errorf("ldconfig: %w: %s", err, out)
	}
	return unix.Mount("/mnt/ld.so.cache", cacheFile, "", unix.MS_BIND, "")
}

func tmpfs(dir string) error { return unix.Mount("planted", dir, "tmpfs", 0, "mode=755") }
