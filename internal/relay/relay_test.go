package relay_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/relay"
)

// kept collects what a relay tells.
type kept struct {
	mu  sync.Mutex
	all map[call.Stream][]byte
}

func (k *kept) keep(s call.Stream, p []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[call.Stream][]byte{}
	}
	k.all[s] = append(k.all[s], p...)
}

func (k *kept) of(s call.Stream) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(k.all[s])
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// reading gives all that comes out of r.
func reading(r io.Reader) <-chan string {
	all := make(chan string, 1)
	go func() { b, _ := io.ReadAll(r); all <- string(b) }()
	return all
}

func open(t *testing.T, stdout, stderr *os.File, k *kept) *relay.Relay {
	t.Helper()
	r, err := relay.Open(stdout, stderr, k.keep)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestApart: two places, two streams, every byte.
func TestApart(t *testing.T) {
	r1, w1 := pipe(t)
	r2, w2 := pipe(t)
	var k kept
	out, errs := reading(r1), reading(r2)
	r := open(t, w1, w2, &k)
	if r.Merged {
		t.Fatal("two pipes are merged")
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	want1, want2 := strings.Repeat(string(every), 4000), strings.Repeat("E\r\n\x00", 5)
	io.WriteString(r.Stderr, want2)
	io.WriteString(r.Stdout, want1)
	r.Started()
	r.Wait(time.Minute)
	w1.Close()
	w2.Close()
	if got := <-out; got != want1 || k.of(call.Stdout) != want1 {
		t.Errorf("stdout has %d bytes, kept %d, want %d", len(got), len(k.of(call.Stdout)), len(want1))
	}
	if got := <-errs; got != want2 || k.of(call.Stderr) != want2 {
		t.Errorf("stderr = %q, kept %q, want %q", got, k.of(call.Stderr), want2)
	}
}

// TestMergedOrder: one place, one order.
func TestMergedOrder(t *testing.T) {
	pr, pw := pipe(t)
	var k kept
	out := reading(pr)
	r := open(t, pw, pw, &k)
	if !r.Merged {
		t.Fatal("one pipe for both is not merged")
	}
	var want bytes.Buffer
	for i := range 4000 {
		f, s := r.Stdout, "out\n"
		if i%2 == 1 {
			f, s = r.Stderr, "err\n"
		}
		io.WriteString(f, s)
		want.WriteString(s)
	}
	r.Started()
	r.Wait(time.Minute)
	pw.Close()
	if got := <-out; got != want.String() || k.of(call.Stdout) != want.String() {
		t.Errorf("the order changed on the way: got %d bytes, kept %d, want %d", len(got), len(k.of(call.Stdout)), want.Len())
	}
}

// TestSlowReader: what the child wrote before its end is passed on however slowly it is read, and nothing more is held
// meanwhile than pipes hold.
func TestSlowReader(t *testing.T) {
	pr, pw := pipe(t)
	_, other := pipe(t)
	var k kept
	r := open(t, pw, other, &k)
	want := strings.Repeat("x", 1<<20)
	written := make(chan struct{})
	go func() { io.WriteString(r.Stdout, want); r.Started(); close(written) }()
	time.Sleep(300 * time.Millisecond)
	select {
	case <-written:
		t.Fatal("1 MB was taken while nobody read: the child would not have been held up")
	default:
	}
	var got bytes.Buffer
	ended := make(chan struct{})
	go func() {
		<-written
		r.Wait(100 * time.Millisecond)
		pw.Close()
		close(ended)
	}()
	buf := make([]byte, 16<<10)
	for {
		n, err := pr.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			break
		}
		if got.Len() >= 900<<10 {
			time.Sleep(250 * time.Millisecond) // longer than the grace, at the end
		}
	}
	<-ended
	if got.String() != want {
		t.Errorf("%d bytes came, want %d", got.Len(), len(want))
	}
}

// TestLeftBehind: somebody else holds the child's end open; what came is there, and the wait ends.
func TestLeftBehind(t *testing.T) {
	pr, pw := pipe(t)
	_, other := pipe(t)
	var k kept
	r := open(t, pw, other, &k)
	io.WriteString(r.Stdout, "the last words")
	r.Wait(100 * time.Millisecond) // without Started: this process itself holds them
	buf := make([]byte, 100)
	n, _ := pr.Read(buf)
	if got := string(buf[:n]); got != "the last words" || k.of(call.Stdout) != got {
		t.Errorf("got %q, kept %q", got, k.of(call.Stdout))
	}
	io.WriteString(r.Stdout, "late")
	n, _ = pr.Read(buf)
	if got := string(buf[:n]); got != "late" || k.of(call.Stdout) != "the last words" {
		t.Errorf("after the wait %q was passed on and %q kept; want it passed on and not kept", got, k.of(call.Stdout))
	}
	r.Started()
}

// TestReaderGone: the child's next write fails, as it would have directly; the other stream goes on.
func TestReaderGone(t *testing.T) {
	pr, pw := pipe(t)
	er, ew := pipe(t)
	var k kept
	errs := reading(er)
	r := open(t, pw, ew, &k)
	pr.Close()
	if !failsSoon(r.Stdout) {
		t.Error("writes go on though nobody reads")
	}
	io.WriteString(r.Stderr, "still here")
	r.Started()
	r.Wait(time.Minute)
	ew.Close()
	if got := <-errs; got != "still here" {
		t.Errorf("stderr = %q", got)
	}
	if err := r.Err(); err != nil {
		t.Errorf("a reader that went away is told as %v", err)
	}
}

// refusing is a stream that takes no byte: a file that may only be read.
func refusing(t *testing.T) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestRefused: a stream of ours takes nothing. The child's writes fail soon, the record has what it wrote, the other stream
// goes on, and the loss is told also where the child never noticed.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stderr bool
		want   string
	}{
		{"stdout", false, "write standard output: "},
		{"stderr", true, "write standard error: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pr, pw := pipe(t)
			other := reading(pr)
			var k kept
			out, errs := refusing(t), pw
			if tt.stderr {
				out, errs = errs, out
			}
			r := open(t, out, errs, &k)
			bad, good, s := r.Stdout, r.Stderr, call.Stdout
			if tt.stderr {
				bad, good, s = good, bad, call.Stderr
			}
			if _, err := io.WriteString(bad, "first"); err != nil {
				t.Fatal(err)
			}
			if !failsSoon(bad) {
				t.Error("writes go on though nothing is taken")
			}
			io.WriteString(good, "still here")
			r.Started()
			r.Wait(time.Minute)
			pw.Close()
			if err := r.Err(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Err() = %v, want %s…", err, tt.want)
			}
			if got := <-other; got != "still here" || !strings.HasPrefix(k.of(s), "first") {
				t.Errorf("the other stream has %q; kept %q", got, k.of(s))
			}
		})
	}
}

func failsSoon(f *os.File) bool {
	for range 200 {
		if _, err := io.WriteString(f, "x"); err != nil {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// TestNoStream: where this program has no stream itself, nothing is lost that anybody could miss.
func TestNoStream(t *testing.T) {
	var k kept
	r := open(t, nil, nil, &k)
	for range 3 {
		if _, err := io.WriteString(r.Stdout, "x"); err != nil {
			t.Errorf("write: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.Started()
	r.Wait(time.Minute)
	if err := r.Err(); err != nil || k.of(call.Stdout) != "xxx" {
		t.Errorf("Err() = %v, kept %q, want xxx", err, k.of(call.Stdout))
	}
}

// TestSamePlace: which streams are one.
func TestSamePlace(t *testing.T) {
	dir := t.TempDir()
	create := func(name string, flag int) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_WRONLY|flag, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	one := create("one", 0)
	_, p := pipe(t)
	_, q := pipe(t)
	for _, tt := range []struct {
		name string
		a, b *os.File
		want bool
	}{
		{"one file", one, one, true},
		{"one file, a copy of the handle", one, duplicate(t, one), true},
		{"one pipe, a copy of the handle", p, duplicate(t, p), true},
		{"a file that was opened twice", create("two", 0), create("two", 0), false},
		{"two files", create("three", 0), create("four", 0), false},
		{"two pipes", p, q, false},
		{"a file and a pipe", one, p, false},
		{"no stream at all", nil, nil, false},
		{"no stderr", one, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var k kept
			r := open(t, tt.a, tt.b, &k)
			if r.Merged != tt.want {
				t.Errorf("merged = %v, want %v", r.Merged, tt.want)
			}
			r.Started()
			r.Wait(time.Minute)
		})
	}
}
