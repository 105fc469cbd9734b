package unpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ulikunitz/xz"
	lzma2ref "github.com/ulikunitz/xz/lzma"

	"cupel/internal/resolve"
)

// xzConfigs are ways in which a stream may be written.
var xzConfigs = map[string]xz.WriterConfig{
	"one block":           {DictCap: 1 << 16},
	"blocks":              {DictCap: 1 << 16, BlockSize: 100_000},
	"smallest dictionary": {DictCap: lzma2ref.MinDictCap},
	"CRC-32":              {CheckSum: xz.CRC32},
	"SHA-256":             {CheckSum: xz.SHA256},
	"no check":            {NoCheckSum: true},
	"other model":         {Properties: &lzma2ref.Properties{LC: 0, LP: 4, PB: 4}},
}

func packXZ(t testing.TB, c xz.WriterConfig, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := c.NewWriter(&b)
	must(t, err)
	_, err = w.Write(raw)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

var xzTexts = []string{"", "a", strings.Repeat("a", 100_000), noise(500_000, 7), strings.Repeat(noise(3_000, 9), 100), noise(20_000, 1) + strings.Repeat("abc", 50_000)}

func TestXZReader(t *testing.T) {
	for name, c := range xzConfigs {
		for i, text := range xzTexts {
			packed := packXZ(t, c, []byte(text))
			two := append(append(bytes.Clone(packed), make([]byte, 8)...), packed...)
			for _, tt := range []struct {
				how  string
				r    io.Reader
				want string
			}{
				{"whole", bytes.NewReader(packed), text},
				{"in halves", iotest.HalfReader(bytes.NewReader(packed)), text},
				{"two streams with zeros between", bytes.NewReader(two), text + text},
			} {
				got, err := io.ReadAll(newXZReader(tt.r))
				if err != nil || string(got) != tt.want {
					t.Errorf("%s, text %d, %s: %d bytes, %v; want %d", name, i, tt.how, len(got), err, len(tt.want))
				}
			}
		}
	}
}

// Every end but the true one is an error, and so is every wrong byte.
func TestXZReaderDamaged(t *testing.T) {
	packed := packXZ(t, xz.WriterConfig{BlockSize: 300}, []byte(noise(1000, 5)))
	for n := range packed {
		if got, err := io.ReadAll(newXZReader(bytes.NewReader(packed[:n]))); err == nil {
			t.Errorf("cut to %d of %d: %d bytes and no error", n, len(packed), len(got))
		}
		bad := bytes.Clone(packed)
		bad[n] ^= 0x04
		if got, err := io.ReadAll(newXZReader(bytes.NewReader(bad))); err == nil {
			t.Errorf("byte %d of %d is wrong: %d bytes and no error", n, len(packed), len(got))
		}
	}
	for _, after := range []string{"\x00", "\x00\x00\x00", "more", "\x00\x00\x00\x00\x00"} {
		if _, err := io.ReadAll(newXZReader(strings.NewReader(string(packed) + after))); err == nil {
			t.Errorf("%q after the stream: no error", after)
		}
	}
}

// The dictionary is moved many times, with matches that reach back as far as they may, and positions go on counting.
func TestXZWindowMoves(t *testing.T) {
	var text bytes.Buffer
	far := noise(60_000, 2)
	for i := range 400 {
		text.WriteString(far)
		text.WriteString(noise(1+i%7, uint64(i)))
	}
	for _, c := range []xz.WriterConfig{{DictCap: 1 << 16}, {DictCap: 1 << 16, Properties: &lzma2ref.Properties{LC: 0, LP: 3, PB: 3}}} {
		z := newXZReader(bytes.NewReader(packXZ(t, c, text.Bytes())))
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, text.Bytes()) {
			t.Errorf("%d bytes, %v; want %d", len(got), err, text.Len())
		}
		if z.d.start >= 0 || len(z.d.out) > 1<<16+4*largestChunk {
			t.Errorf("the window has %d bytes and begins at %d: it never moved", len(z.d.out), z.d.start)
		}
	}
}

// A block header is enough to ask for memory: 1 GiB is refused.
func TestXZDictionaryRefused(t *testing.T) {
	for _, tt := range []struct {
		b    byte
		want int64
	}{{0, 4096}, {1, 6144}, {22, 8 << 20}, {28, 64 << 20}, {40, 1 << 32}, {63, 1 << 32}} {
		if got := dictSize(tt.b); got != tt.want {
			t.Errorf("dictSize(%d) = %d, want %d", tt.b, got, tt.want)
		}
	}
	packed := reheaded(packXZ(t, xz.WriterConfig{}, []byte("abc")), 36)
	_, err := io.ReadAll(newXZReader(bytes.NewReader(packed)))
	if _, ok := errors.AsType[Refused](err); !ok {
		t.Errorf("a dictionary of 1 GiB: %v, want it refused", err)
	}
}

// What the xz program writes, in one block with one thread, and in several with sizes in their headers.
func TestXZProgram(t *testing.T) {
	program, err := exec.LookPath("xz")
	if err != nil {
		t.Skip("no xz program here")
	}
	raw := makeTar(t, append([]thing{{name: "lib/more.a", body: noise(300_000, 12)}}, plain...))
	file := saved(t, "a.tar", raw)
	for _, args := range []string{"-T1", "-T1 -0 --check=sha256", "-T2 -1 --block-size=100000", "-T1 -1 --block-size=100000 --check=none", "-T1 --x86 --lzma2=preset=0"} {
		packed, err := exec.Command(program, append(strings.Fields(args), "-k", "-c", file)...).Output()
		must(t, err)
		_, files, err := unpacked(t, saved(t, "a.tar.xz", packed), Options{Format: resolve.TarXZ})
		if strings.Contains(args, "x86") {
			if _, ok := errors.AsType[Refused](err); !ok {
				t.Errorf("xz %s: %v, want it refused", args, err)
			}
		} else if err != nil || len(files) != len(plain)+1 {
			t.Errorf("xz %s: %d files, %v; want %d", args, len(files), err, len(plain)+1)
		}
	}
}

// BenchmarkXZ compares with the other decoder for Go, on CUPEL_BENCH_XZ.
func BenchmarkXZ(b *testing.B) {
	name := os.Getenv("CUPEL_BENCH_XZ")
	if name == "" {
		b.Skip("CUPEL_BENCH_XZ names no file")
	}
	for _, tt := range []struct {
		name string
		open func(io.Reader) (io.Reader, error)
	}{
		{"cupel", func(r io.Reader) (io.Reader, error) { return newXZReader(r), nil }},
		{"ulikunitz", func(r io.Reader) (io.Reader, error) { return xz.NewReader(newBuffered(r)) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				f, err := os.Open(name)
				must(b, err)
				r, err := tt.open(f)
				must(b, err)
				n, err := io.Copy(io.Discard, struct{ io.Reader }{r})
				must(b, err)
				b.SetBytes(n)
				f.Close()
			}
		})
	}
}

// reheaded changes the dictionary's size in the first block's header of a file.
func reheaded(packed []byte, dict byte) []byte {
	head, err := blockHeader(packed[xzHeader:])
	if err != nil {
		panic(err)
	}
	raw := packed[xzHeader : xzHeader+head.length]
	at := bytes.Index(raw, []byte{xzLZMA2, 1})
	raw[at+2] = dict
	binary.LittleEndian.PutUint32(raw[head.length-4:], crc32.ChecksumIEEE(raw[:head.length-4]))
	return packed
}
