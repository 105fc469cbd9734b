//go:build unix && !linux

package jobserver

import "errors"

// reopen: elsewhere /dev/fd gives the same description again, whose state belongs to make too.
func reopen(int) (pool, error) {
	return nil, errors.New("a pipe of make's cannot be shared on this system (make 4.4 with --jobserver-style=fifo can)")
}
