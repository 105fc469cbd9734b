package closure

import (
	"time"
	"unsafe"

	win "golang.org/x/sys/windows"
)

// basicInfo is FILE_BASIC_INFO, times in 100 ns since 1601. Its time of change is what package stamp has to do without: it
// needs an open file.
type basicInfo struct {
	created, accessed, written, changed int64
	attributes                          uint32
	_                                   uint32
}

// entryOf asks for a name itself, links not followed; false: it is not there, or cannot be asked for.
func entryOf(path string) (e entry, ok bool) {
	name, err := win.UTF16PtrFromString(path)
	if err != nil {
		return e, false
	}
	share := uint32(win.FILE_SHARE_READ | win.FILE_SHARE_WRITE | win.FILE_SHARE_DELETE)
	h, err := win.CreateFile(name, win.FILE_READ_ATTRIBUTES, share, nil, win.OPEN_EXISTING,
		win.FILE_FLAG_BACKUP_SEMANTICS|win.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return e, false
	}
	defer win.CloseHandle(h)
	var info basicInfo
	if err := win.GetFileInformationByHandleEx(h, win.FileBasicInfo, (*byte)(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		return e, false
	}
	e = entry{modified: since1970(info.written), changed: since1970(info.changed), kind: file}
	switch {
	case info.attributes&win.FILE_ATTRIBUTE_REPARSE_POINT != 0:
		e.kind = link
	case info.attributes&win.FILE_ATTRIBUTE_DIRECTORY != 0:
		e.kind = folder
	}
	return e, true
}

func since1970(t int64) int64 {
	const begin = 116444736000000000 // 1970 in that count (Microsoft, FILETIME)
	return (t - begin) * int64(100*time.Nanosecond)
}
