package stamp

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"time"

	"cupel/internal/digest"
)

var (
	errRestless   = errors.New("it changes while it is read")
	errNotRegular = errors.New("not a regular file")
)

// tries are the waits between readings of a file that changes meanwhile: another program is about to finish it.
var tries = []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond}

// read takes the digest of a file as it is now.
func read(path string) (Known, error) {
	for _, wait := range tries {
		time.Sleep(wait)
		k, err := readOnce(path)
		if !errors.Is(err, errRestless) {
			return k, err
		}
	}
	return Known{}, trouble("read", path, errRestless)
}

// readOnce: the stamp is that of the name, of the file that was opened and of the file that was read, or the file changed
// meanwhile.
func readOnce(path string) (Known, error) {
	before := time.Now()
	s, regular, err := follow(path)
	if err != nil {
		return Known{}, trouble("stat", path, err)
	}
	k := Known{Stamp: s, Settled: s.Settled(before)}
	if !s.Exists() || s.Dir {
		return k, nil
	}
	if !regular {
		return Known{}, trouble("read", path, errNotRegular) // a pipe would be waited for
	}
	f, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Known{}, errRestless
	}
	if err != nil {
		return Known{}, trouble("open", path, err)
	}
	defer f.Close()
	if k.Digest, err = digestOf(f, s); err != nil && !errors.Is(err, errRestless) {
		return Known{}, trouble("read", path, err)
	}
	return k, err
}

// pieceSize: what is read at once. Smaller files take no more than they need.
const pieceSize = 128 << 10

func digestOf(f file, want Stamp) (digest.Digest, error) {
	if s, err := f.stamp(); err != nil || s != want {
		return digest.Digest{}, errors.Join(err, errRestless)
	}
	h := sha256.New()
	piece := make([]byte, min(want.Size+1, pieceSize)) // one more: the end shows in the first read
	for {
		n, err := f.Read(piece)
		_, _ = h.Write(piece[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return digest.Digest{}, err
		}
	}
	if s, err := f.stamp(); err != nil || s != want {
		return digest.Digest{}, errors.Join(err, errRestless)
	}
	return digest.Digest(h.Sum(nil)), nil
}
