package relay

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// terminal makes a pseudo terminal where to is a terminal: compilers colour what a person reads. It is raw, so that no byte
// changes on the way; the real terminal does what it does with each. Its size is the real one's at the start: no compiler
// follows changes.
func terminal(to end) (child *os.File, from end, ok bool) {
	if _, err := unix.IoctlGetTermios(int(to), unix.TCGETS); err != nil {
		return nil, none, false
	}
	m, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, none, false
	}
	s, err := slave(m, int(to))
	if err != nil {
		_ = unix.Close(m)
		return nil, none, false
	}
	return os.NewFile(uintptr(s), "pty"), end(m), true
}

func slave(m, like int) (int, error) {
	if err := unix.IoctlSetPointerInt(m, unix.TIOCSPTLCK, 0); err != nil {
		return 0, err
	}
	n, err := unix.IoctlGetInt(m, unix.TIOCGPTN)
	if err != nil {
		return 0, err
	}
	s, err := unix.Open("/dev/pts/"+strconv.Itoa(n), unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	if err := raw(s, like); err != nil {
		_ = unix.Close(s)
		return 0, err
	}
	return s, nil
}

// raw is cfmakeraw(3).
func raw(s, like int) error {
	t, err := unix.IoctlGetTermios(s, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	if err := unix.IoctlSetTermios(s, unix.TCSETS, t); err != nil {
		return err
	}
	if size, err := unix.IoctlGetWinsize(like, unix.TIOCGWINSZ); err == nil {
		_ = unix.IoctlSetWinsize(s, unix.TIOCSWINSZ, size)
	}
	return nil
}
