package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// A shim is a copy of cupel-nvcc, never a link: builders resolve links, and would look for include beside cupel's own
// program. Each copy has a mark at its end and the time of the real tool: ccache (by time and size) and sccache (by content)
// tell compilers apart by their files, and would take the objects of one toolkit for those of another.
func (m maker) shim(s Shim, program string) error {
	from, err := os.Stat(program)
	if err != nil {
		return err
	}
	real, err := os.Stat(s.Real)
	if err != nil {
		return err
	}
	end := mark(from, real, s.Real)
	good := func() bool { return marked(m.at(s.At), from.Size(), end) }
	return m.entry(s.At, good, func(temp string) error {
		if err := copyFile(temp, program, end); err != nil {
			return err
		}
		return os.Chtimes(temp, real.ModTime(), real.ModTime())
	})
}

// mark tells for which program, of which cupel-nvcc, a shim was made. What follows the end of a program does no harm.
func mark(program, real os.FileInfo, path string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %d %d %s", program.Size(), program.ModTime().UnixNano(), real.Size(), real.ModTime().UnixNano(), path))
	return "\ncupel-shim " + hex.EncodeToString(sum[:]) + "\n"
}

func marked(path string, size int64, end string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || info.Size() != size+int64(len(end)) {
		return false
	}
	b := make([]byte, len(end))
	_, err = f.ReadAt(b, size)
	return err == nil && string(b) == end
}

// copyFile copies a program and adds to its end.
func copyFile(to, from, end string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		_, err = out.WriteString(end)
	}
	return errors.Join(err, out.Close())
}
