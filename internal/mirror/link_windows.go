package mirror

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// point makes an entry that stands for a file or folder. A symbolic link needs a privilege that few people have: a folder
// becomes a junction, else a folder of its files; a file a hard link, else (other volume, no right to it) a copy.
func point(at, to string) error {
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return pointFile(at, to, info)
	}
	if err := junction(at, to); err == nil {
		return nil
	}
	_ = os.Remove(at)
	return pointFolder(at, to)
}

func pointFile(at, to string, info fs.FileInfo) error {
	if os.Link(to, at) == nil {
		return nil
	}
	if err := copyFile(at, to, ""); err != nil {
		return err
	}
	return os.Chtimes(at, info.ModTime(), info.ModTime())
}

func pointFolder(at, to string) error {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		return err
	}
	for _, e := range entries {
		from, here := filepath.Join(to, e.Name()), filepath.Join(at, e.Name())
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = pointFolder(here, from)
		} else {
			err = pointFile(here, from, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leads says that an entry is what point would make.
func leads(at, to string) bool {
	here, err := os.Lstat(at)
	if err != nil {
		return false
	}
	there, err := os.Stat(to)
	if err != nil {
		return false
	}
	switch {
	case !there.IsDir():
		return sameFile(here, there)
	case !isFolder(at, here):
		got, err := os.Readlink(at)
		return err == nil && strings.EqualFold(filepath.Clean(got), filepath.Clean(to))
	}
	return sameFolder(at, to)
}

func sameFile(here, there fs.FileInfo) bool {
	// The listing tells size and time; SameFile opens both files.
	return here.Mode().IsRegular() && here.Size() == there.Size() && here.ModTime().Equal(there.ModTime()) || os.SameFile(here, there)
}

func sameFolder(at, to string) bool {
	here, err := os.ReadDir(at)
	if err != nil {
		return false
	}
	there, err := os.ReadDir(to)
	if err != nil || len(here) != len(there) {
		return false
	}
	for i, e := range there { // both are sorted
		if here[i].Name() != e.Name() {
			return false
		}
		if a, err := here[i].Info(); err == nil && e.Type().IsRegular() {
			if b, err := e.Info(); err == nil && sameFile(a, b) {
				continue
			}
		}
		if !leads(filepath.Join(at, e.Name()), filepath.Join(to, e.Name())) {
			return false
		}
	}
	return true
}

// isFolder: a folder of its own, no junction.
func isFolder(path string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return false
	}
	name, err := windows.UTF16PtrFromString(long(path))
	if err != nil {
		return false
	}
	attrs, err := windows.GetFileAttributes(name)
	return err == nil && attrs&windows.FILE_ATTRIBUTE_REPARSE_POINT == 0
}

// long is a path as the system takes it at any length.
func long(path string) string {
	if strings.HasPrefix(path, `\\`) {
		return path
	}
	return `\\?\` + path
}

// mountPoint is REPARSE_DATA_BUFFER for a junction (ntifs.h), without its names.
type mountPoint struct {
	tag                                            uint32
	length, reserved                               uint16
	substituteAt, substituteLen, printAt, printLen uint16
}

var errNoJunction = errors.New("only a folder of this machine can have a junction")

// junction makes a folder that leads to another.
func junction(at, to string) error {
	if len(to) < 2 || to[1] != ':' {
		return errNoJunction
	}
	if err := os.Mkdir(at, 0o755); err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(long(at))
	if err != nil {
		return err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_OPEN_REPARSE_POINT|windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return err
	}
	data := reparse(to)
	var n uint32
	err = windows.DeviceIoControl(h, windows.FSCTL_SET_REPARSE_POINT, &data[0], uint32(len(data)), nil, 0, &n, nil)
	return errors.Join(err, windows.CloseHandle(h))
}

func reparse(to string) []byte {
	substitute, shown := utf16.Encode([]rune(`\??\`+to)), utf16.Encode([]rune(to))
	names := append(append(append([]uint16{}, substitute...), 0), append(shown, 0)...)
	head := mountPoint{
		tag:           windows.IO_REPARSE_TAG_MOUNT_POINT,
		length:        uint16(8 + 2*len(names)),
		substituteLen: uint16(2 * len(substitute)),
		printAt:       uint16(2 * (len(substitute) + 1)),
		printLen:      uint16(2 * len(shown)),
	}
	out := append([]byte{}, unsafe.Slice((*byte)(unsafe.Pointer(&head)), unsafe.Sizeof(head))...)
	for _, u := range names {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}
