//go:build unix

package jobserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fifo is a pipe with a byte for each free slot, opened by this process itself: the descriptors that make hands down share
// their file status with make and all its children, so they may not be made non-blocking, and a blocking read that loses
// the race for a token cannot be called off.
type fifo struct{ file *os.File }

func open(server string) (pool, error) {
	if path, ok := strings.CutPrefix(server, "fifo:"); ok {
		return openFIFO(path)
	}
	left, right, ok := strings.Cut(server, ",")
	r, errR := strconv.Atoi(left)
	w, errW := strconv.Atoi(right)
	if !ok || errR != nil || errW != nil {
		return nil, errors.New("this is neither fifo:PATH nor two descriptors")
	}
	if r < 0 || w < 0 { // GNU make manual, "POSIX Jobserver Interaction"
		return nil, errors.New("make switched it off for this command (a recipe line that starts with + gets it)")
	}
	if err := onePipe(r, w); err != nil {
		return nil, err
	}
	return reopen(r)
}

// openFIFO opens for both directions, which never waits for the other side.
func openFIFO(path string) (pool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode()&os.ModeNamedPipe == 0 {
		err = errors.New("it is not a FIFO")
	}
	if err == nil {
		err = f.SetReadDeadline(time.Time{}) // refused when reads could not be called off
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return fifo{f}, nil
}

// onePipe checks that the descriptors are the two ends of one pipe: where make closed them, their numbers may stand for
// anything that was opened since.
func onePipe(r, w int) error {
	var stats [2]unix.Stat_t
	for i, fd := range [...]int{r, w} {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err != nil {
			return fmt.Errorf("descriptor %d is not open here (make hands it down to a recipe line that starts with + or holds $(MAKE))", fd)
		}
		if err := unix.Fstat(fd, &stats[i]); err != nil {
			return fmt.Errorf("descriptor %d: %w", fd, err)
		}
		wrong := [...]int{unix.O_WRONLY, unix.O_RDONLY}[i]
		if uint32(stats[i].Mode)&unix.S_IFMT != unix.S_IFIFO || flags&unix.O_ACCMODE == wrong {
			return fmt.Errorf("descriptor %d is not an end of make's pipe (make closed that one: a recipe line that starts with + gets it)", fd)
		}
	}
	if stats[0].Ino != stats[1].Ino || stats[0].Dev != stats[1].Dev {
		return fmt.Errorf("descriptors %d and %d are not the ends of one pipe", r, w)
	}
	return nil
}

func (p fifo) wait(ctx context.Context) (byte, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := p.file.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = p.file.SetReadDeadline(time.Unix(1, 0))
		close(woken)
	})
	var b [1]byte
	n, err := p.file.Read(b[:])
	if !stop() {
		<-woken // or it would call off the next one's read
	}
	if n == 1 {
		return b[0], nil
	}
	return 0, err
}

func (p fifo) try() (mark byte, ok bool) {
	raw, err := p.file.SyscallConn()
	if err != nil || p.file.SetReadDeadline(time.Time{}) != nil {
		return 0, false
	}
	err = raw.Read(func(fd uintptr) bool {
		var b [1]byte
		n, err := unix.Read(int(fd), b[:])
		mark, ok = b[0], err == nil && n == 1
		return true
	})
	return mark, ok && err == nil
}

// give cannot meet a full pipe: the byte was in it before.
func (p fifo) give(mark byte) error {
	_, err := p.file.Write([]byte{mark})
	return err
}

func (p fifo) close() error { return p.file.Close() }
