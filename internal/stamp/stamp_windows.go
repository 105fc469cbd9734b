package stamp

import (
	"io"
	"unsafe"

	"golang.org/x/sys/windows"
)

// follow asks with one call that opens no handle. It tells no time of change and no file number: what keeps the size and
// sets the write time back is not seen. The time at which the file was made stands for the number, so that another file
// under the same name shows.
func follow(path string) (s Stamp, regular bool, err error) {
	a, err := attributes(path)
	if err != nil {
		return Stamp{}, false, unlessGone(err)
	}
	if a.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		return followLink(path)
	}
	return of(a), a.FileAttributes&windows.FILE_ATTRIBUTE_DEVICE == 0 && !isDir(a), nil
}

// followLink opens what the link leads to: the one call tells of the link itself.
func followLink(path string) (s Stamp, regular bool, err error) {
	f, err := open(path)
	if err != nil {
		return Stamp{}, false, unlessGone(err)
	}
	defer f.Close()
	s, err = f.stamp()
	return s, err == nil && !s.Dir, err
}

// attributes takes long paths too: Go switches them on for the process where Windows can.
func attributes(path string) (*windows.Win32FileAttributeData, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	var a windows.Win32FileAttributeData
	if err := windows.GetFileAttributesEx(name, windows.GetFileExInfoStandard, (*byte)(unsafe.Pointer(&a))); err != nil {
		return nil, err
	}
	return &a, nil
}

// unlessGone: a name that no file can have is not there either.
func unlessGone(err error) error {
	switch err {
	case windows.ERROR_FILE_NOT_FOUND, windows.ERROR_PATH_NOT_FOUND, windows.ERROR_INVALID_NAME, windows.ERROR_BAD_PATHNAME, windows.ERROR_DIRECTORY:
		return nil
	}
	return err
}

func isDir(a *windows.Win32FileAttributeData) bool {
	return a.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0
}

func of(a *windows.Win32FileAttributeData) Stamp {
	s := Stamp{Modified: a.LastWriteTime.Nanoseconds(), Number: number(a.CreationTime), Dir: isDir(a)}
	if !s.Dir {
		s.Size = int64(a.FileSizeHigh)<<32 | int64(a.FileSizeLow)
	}
	return s
}

// number is never 0: a file that is there is not one that is not.
func number(made windows.Filetime) uint64 {
	return max(1, uint64(made.HighDateTime)<<32|uint64(made.LowDateTime))
}

type file windows.Handle

// open is in nobody's way: others may write, rename and delete meanwhile.
func open(path string) (file, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	share := uint32(windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE)
	h, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	return file(h), err
}

func (f file) stamp() (Stamp, error) {
	var i windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f), &i); err != nil {
		return Stamp{}, err
	}
	return of(&windows.Win32FileAttributeData{
		FileAttributes: i.FileAttributes, CreationTime: i.CreationTime, LastWriteTime: i.LastWriteTime,
		FileSizeHigh: i.FileSizeHigh, FileSizeLow: i.FileSizeLow,
	}), nil
}

func (f file) Read(p []byte) (int, error) {
	var n uint32
	if err := windows.ReadFile(windows.Handle(f), p, &n, nil); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

func (f file) Close() error { return windows.CloseHandle(windows.Handle(f)) }
