package depot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// NoSpace is a disk that is too full.
type NoSpace struct {
	Dir        string
	Need, Free int64 // Need is 0 when nobody could tell before
}

func (e NoSpace) Error() string {
	if e.Need == 0 {
		return fmt.Sprintf("the disk of %s is full: %s free", e.Dir, bytesText(e.Free))
	}
	return fmt.Sprintf("%s has %s free, %s are needed", e.Dir, bytesText(e.Free), bytesText(e.Need))
}

// Need is what will be written below a folder.
type Need struct {
	Dir   string
	Bytes int64
}

// Space is an error when the disk of a folder (which need not be there yet) has fewer bytes free.
func Space(dir string, need int64) error { return Room(Need{dir, need}) }

// Room is Space for several folders: what goes onto one disk is added up. A disk that does not tell is believed to be
// large enough: writing will show.
func Room(needs ...Need) error {
	total := map[string]int64{}
	for _, n := range needs {
		at, err := existing(n.Dir)
		if err != nil {
			return err
		}
		disk, free, err := diskOf(at)
		if err != nil {
			continue
		}
		if total[disk] += n.Bytes; n.Bytes > 0 && total[disk] > free {
			return NoSpace{n.Dir, total[disk], free}
		}
	}
	return nil
}

// existing is the nearest folder above that is there.
func existing(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at != filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		at = filepath.Dir(at)
	}
	return at, nil
}

// Full turns the error of a write into NoSpace when the disk is full, and leaves every other one as it is.
func Full(dir string, need int64, err error) error {
	if err == nil || !diskFull(err) {
		return err
	}
	free := int64(0)
	if at, e := existing(dir); e == nil {
		_, free, _ = diskOf(at)
	}
	return fmt.Errorf("%w: %w", NoSpace{dir, need, free}, err)
}

// bytesText writes a size as a person reads it.
func bytesText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
