package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"cupel/internal/progress"
)

// there says whether the file was brought earlier. Without a checksum nobody can tell, so it is fetched again.
func there(r Request) (size int64, ok bool) {
	if r.SHA256 == "" {
		return 0, false
	}
	f, err := os.Open(r.To)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	sum := sha256.New()
	if size, err = io.Copy(sum, f); err != nil {
		return 0, false
	}
	return size, strings.EqualFold(hex.EncodeToString(sum.Sum(nil)), r.SHA256)
}

// copy brings a file of a folder.
func (c Client) copy(ctx context.Context, from string, r Request) error {
	in, err := os.Open(from)
	if err != nil {
		return localFailure(from, err)
	}
	defer in.Close()
	info, err := in.Stat()
	switch {
	case err != nil:
		return localFailure(from, err)
	case !info.Mode().IsRegular():
		return Failed{Address: from, Why: "it is not a file"}
	case r.Size > 0 && info.Size() != r.Size:
		return WrongSize{Address: from, Got: info.Size(), Want: r.Size}
	}
	out, err := os.Create(r.To + ".part")
	if err != nil {
		return c.failed(r.URL, err)
	}
	_, err = io.Copy(out, &counted{ctx: ctx, from: in, meter: newMeter(r, info.Size())})
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err != nil {
		os.Remove(r.To + ".part") // the next call begins anew
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return c.failed(r.URL, err)
	}
	return c.failed(r.URL, finish(r))
}

func localFailure(path string, err error) error {
	why := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = "there is no such file"
	}
	return Failed{Address: path, Why: why, Err: err}
}

// counted reports what is read and ends with the context.
type counted struct {
	ctx   context.Context
	from  io.Reader
	meter *meter
}

func (c *counted) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	n, err := c.from.Read(p)
	c.meter.add(int64(n))
	return n, err
}

// finish gives the whole file its name. While that does not work, the part and its ledger stay for the next call.
func finish(r Request) error {
	var err error
	// On Windows a virus scanner may hold a fresh file for a moment.
	for wait := 10 * time.Millisecond; wait < time.Second; wait *= 2 {
		if err = os.Rename(r.To+".part", r.To); err == nil {
			os.Remove(r.To + ".state")
			info, err := os.Stat(r.To)
			if err == nil {
				r.Report.Send(progress.Event{Phase: progress.Fetch, Item: r.Item, Done: info.Size(), Total: info.Size()})
			}
			return nil
		}
		time.Sleep(wait)
	}
	return err
}
