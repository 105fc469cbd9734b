package unpack

import (
	"errors"
	"io"
	"sort"
	"sync"
	"sync/atomic"
)

// memory bounds the blocks that are held unpacked at a time.
const memory = 512 << 20

// blocks is an unpacked xz stream that is unpacked block by block, several at a time, and only where it is read: a block
// that lies within what is skipped is never touched. It is read by one goroutine. Bytes are handed out while the rest of
// their block is still being unpacked; end tells whether every block that was read fits its check.
type blocks struct {
	s      *sink
	r      io.ReaderAt
	index  xzStream
	pos    int64
	wanted int64 // up to here it will be read
	streak int64 // where reading in a row began
	jobs   map[int]*job
	most   int // jobs at a time
	free   chan *room
	bad    firstError
	all    sync.WaitGroup
	opened int // for the tests
}

// room is the memory of one job, used again by later ones.
type room struct{ out, scratch []byte }

// job is one block being unpacked.
type job struct {
	size  int64
	room  *room
	made  atomic.Int64
	more  chan struct{} // made grew
	done  chan struct{}
	read  bool // some of it was handed out: it has to be unpacked to its end
	drop  atomic.Bool
	error error // once done
}

func (s *sink) newBlocks(r io.ReaderAt, index xzStream) *blocks {
	largest := int64(1)
	for _, b := range index.blocks {
		largest = max(largest, b.size)
	}
	most := int(max(2, min(int64(s.workers)+1, memory/largest/2)))
	b := &blocks{s: s, r: r, index: index, jobs: map[int]*job{}, most: most, free: make(chan *room, most)}
	for range most {
		b.free <- &room{}
	}
	return b
}

// want says that the next n bytes will be read.
func (b *blocks) want(n int64) { b.wanted = b.pos + n }

// at is the block that holds a position.
func (b *blocks) at(pos int64) int {
	return sort.Search(len(b.index.blocks), func(i int) bool { return b.index.blocks[i].start > pos }) - 1
}

func (b *blocks) Read(p []byte) (int, error) {
	if b.pos >= b.index.size || len(p) == 0 {
		return 0, io.EOF
	}
	i := b.at(b.pos)
	if err := b.drive(i); err != nil {
		return 0, err
	}
	j := b.jobs[i]
	j.read = true
	from := b.pos - b.index.blocks[i].start
	made, err := b.wait(j, min(from+int64(len(p)), j.size))
	if err != nil {
		return 0, err
	}
	n := copy(p, j.room.out[from:made])
	b.pos += int64(n)
	return n, nil
}

// wait is for a job to have made so many bytes.
func (b *blocks) wait(j *job, need int64) (int64, error) {
	for {
		if made := j.made.Load(); made >= need {
			return made, nil
		}
		select {
		case <-j.more:
		case <-j.done:
			if j.error != nil {
				return 0, j.error
			}
		case <-b.s.ctx.Done():
			return 0, b.s.stop()
		}
	}
}

// drive has block i unpacked, and those after it that are sure or likely to be read: what was read in a row so far is
// what is trusted to go on.
func (b *blocks) drive(i int) error {
	if b.jobs[i] == nil {
		b.forget(i)
		room, err := b.claimRoom()
		if err != nil {
			return err
		}
		b.jobs[i] = b.start(i, room)
		b.s.meter.reached(b.index.blocks[i].at)
	}
	last := b.at(min(max(b.wanted, b.pos+(b.pos-b.streak)), b.index.size) - 1)
	for k := i + 1; k <= last && k < i+b.most; k++ {
		if b.jobs[k] != nil {
			continue
		}
		select {
		case room := <-b.free:
			b.jobs[k] = b.start(k, room)
		default:
			return nil
		}
	}
	return nil
}

// claimRoom waits for memory.
func (b *blocks) claimRoom() (*room, error) {
	select {
	case room := <-b.free:
		return room, nil
	case <-b.s.ctx.Done():
		return nil, b.s.stop()
	}
}

// forget lets go of blocks that reading has moved away from. One that was read goes on to its check.
func (b *blocks) forget(i int) {
	for k, j := range b.jobs {
		if k >= i && k < i+b.most {
			continue
		}
		delete(b.jobs, k)
		j.drop.Store(!j.read)
		b.all.Go(func() {
			<-j.done
			if j.read {
				b.bad.set(j.error)
			}
			b.free <- j.room
		})
	}
}

// Seek moves on without unpacking what lies between.
func (b *blocks) Seek(offset int64, whence int) (int64, error) {
	to := offset
	switch whence {
	case io.SeekCurrent:
		to += b.pos
	case io.SeekEnd:
		to += b.index.size
	}
	if to < 0 {
		return 0, errors.New("seek before the beginning")
	}
	if to < b.pos || to < b.index.size && b.pos < b.index.size && b.at(to) > b.at(b.pos)+1 {
		b.streak = to
	}
	b.pos = to
	return to, nil
}

// errDropped ends a block that nobody waits for any more.
var errDropped = errors.New("not wanted any more")

// start unpacks a block in a goroutine of its own.
func (b *blocks) start(k int, room *room) *job {
	b.opened++
	size := b.index.blocks[k].size
	if int64(cap(room.out)) < size {
		room.out = make([]byte, size)
	}
	room.out = room.out[:size]
	j := &job{size: size, room: room, more: make(chan struct{}, 1), done: make(chan struct{})}
	b.all.Go(func() {
		defer close(j.done)
		room.scratch, j.error = readBlock(b.r, b.index, k, room.out, room.scratch, func(n int) error {
			j.made.Store(int64(n))
			select {
			case j.more <- struct{}{}:
			default:
			}
			if j.drop.Load() {
				return errDropped
			}
			return b.s.stop()
		})
	})
	return j
}

// end waits for the checks of all blocks that were read.
func (b *blocks) end() error {
	b.forget(len(b.index.blocks))
	b.all.Wait()
	if b.bad.is() {
		return b.bad.err
	}
	return nil
}

// Close ends the goroutines and waits for them.
func (b *blocks) Close() error {
	for _, j := range b.jobs {
		j.drop.Store(true)
	}
	b.all.Wait()
	return nil
}
