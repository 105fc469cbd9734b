// Package fetch brings files from a web server or a folder: in parallel ranges, going on where an earlier try stopped,
// with patience as long as bytes come. It writes the file it was told to, and beside it NAME.part and NAME.state while
// the file is not whole; it never says that bytes are the right ones: checksums are the caller's.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"

	"cupel/internal/progress"
)

// Request is one file to bring.
type Request struct {
	URL    string // http, https, file, or a path
	To     string // the file to write; its folder is there
	Size   int64  // bytes it must have; 0: not known
	SHA256 string // hex; a file or half of one that is there already is only used when it belongs to it
	Item   string // the name in reports
	Report progress.Report
}

// Client says how patient and how greedy fetching is. Zero values are good defaults.
type Client struct {
	Agent string        // User-Agent
	Stall time.Duration // a connection without a byte for so long is dropped
	Tries int           // connections in a row without one new byte, then it gives up
	Pause time.Duration // before the second of them; doubles
	Chunk int64         // bytes of one range
	Parts int           // ranges of one file at once

	web *http.Client
}

// Defaults.
const (
	stall    = 20 * time.Second
	dial     = 8 * time.Second // clearly less than stall, so that a server that is away is told from one that stops
	tries    = 8
	pause    = 250 * time.Millisecond
	maxPause = 4 * time.Second
	chunk    = 8 << 20
	parts    = 4
	largest  = 64 << 30 // of a file whose size nobody promised
)

// Ready fills in what was left empty; connections of the client that comes back are used again from file to file.
func (c Client) Ready() Client {
	c.Stall = or(c.Stall, stall)
	c.Tries = or(c.Tries, tries)
	c.Pause = or(c.Pause, pause)
	c.Chunk = or(c.Chunk, chunk)
	c.Parts = or(c.Parts, parts)
	c.Agent = or(c.Agent, "cupel")
	c.web = or(c.web, web())
	return c
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// Get brings a file. When it returns without an error, the file is whole and has the size that was asked for; after an
// error, or when the program was killed, the file is not there and the next Get goes on from what is.
func Get(ctx context.Context, r Request) error { return Client{}.Get(ctx, r) }

// Get brings a file.
func (c Client) Get(ctx context.Context, r Request) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if size, ok := there(r); ok {
		os.Remove(r.To + ".state") // of a run that was killed after its last step but one
		r.Report.Send(progress.Event{Phase: progress.Fetch, Item: r.Item, Done: size, Total: size})
		return nil
	}
	// What lies there is not the file, and must not be taken for it while the right one is on its way.
	if err := os.Remove(r.To); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make room for %s: %w", r.Item, err)
	}
	c = c.Ready()
	if path, ok := Local(r.URL); ok {
		return c.copy(ctx, path, r)
	}
	return c.download(ctx, r)
}
