package cache

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// weak takes the right to write any file from the thread of a test and the programs that it starts: the tests may run as
// root. The thread ends with the test.
func weak(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	const rights = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		t.Fatal(err)
	}
	if data[0].Permitted&rights == 0 {
		return
	}
	for _, right := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, right, 0, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	data[0].Effective &^= rights
	data[0].Permitted &^= rights
	data[0].Inheritable &^= rights
	if err := unix.Capset(&header, &data[0]); err != nil {
		t.Fatal(err)
	}
}
