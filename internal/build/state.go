package build

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"cupel/internal/cas"
	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/wire"
)

// stateFile lies in the folder of outputs and remembers the last build there. The store has a copy of a whole one, so that
// a folder of outputs that was deleted can be filled again without planning.
const stateFile = ".cupel-state"

const stateHead = "cupel.state/5\n"

// maxState bounds a state: 10,000 kernels with the headers of Thrust take some 30 MB.
const maxState = 1 << 30

// state is what the last build of a folder of outputs knew.
type state struct {
	Root    string        // of the project: a copy of the folder is another one
	Request digest.Digest // what was asked for: command line, environment, program
	Watched []watched     // what the plan was made from
	Way     []Folder      // likewise
	Machine digest.Digest // what the plan took from the machine beside files
	Whole   bool          // everything was built, and nothing is to be made anew each time
	Notes   []string
	Release string    // of the toolkit
	Toolkit string    // in words
	Anew    []anew    // steps whose result could not be remembered
	Loose   []row     // what they made: it goes when no kernel makes it any more
	Files   []row     // every file that a step read
	Absent  []absent  // every set of names that were not there
	Sites   []site    // where the sources really lay: compilers make names of that
	Outputs []row     // every file that was made, whole paths
	Sums    []cas.Sum // of the outputs, for who restores them
	Count   int       // of steps
	Steps   []made    // read when they are asked for

	later string // the steps, as they are written
	size  int    // bytes that it takes, about
}

// watched is a file, folder or name from which the plan was made.
type watched struct {
	Path    string
	Stamp   stamp.Stamp
	Settled bool
	Kind    bool // only whether it is a folder counts
}

// row is one file; paths are those of closures.
type row struct {
	Path  string
	Known stamp.Known
}

// byDigest: the file was placed from the store, and is known by its digest alone.
func (r *row) byDigest() bool { return !r.Known.Stamp.Exists() && !r.Known.Digest.IsZero() }

// absent are names that are not in a folder.
type absent struct {
	Dir     string
	Stamp   stamp.Stamp
	Settled bool
	Names   []string
}

// site is the project, a folder below it with sources or on the way to them, or a source that is a link.
type site struct {
	Path string
	Real string // where it leads; "": it is no link
}

func (p site) same() bool {
	if p.Real == "" {
		return !isLink(p.Path)
	}
	real, err := filepath.EvalSymlinks(p.Path)
	return err == nil && real == p.Real
}

// anew is a step that each build makes, with the reason.
type anew struct{ Out, Why string }

// made is a step that ended well.
type made struct {
	Named   bool // its source was named on the command line
	Call    PlannedCall
	Key     digest.Digest // of the call without the files; of a link all of it
	Files   []uint32      // into state.Files
	Absent  []uint32
	Outputs []uint32 // into state.Outputs
	Said    string
	Seconds float64 // that the compiler took
	Peak    int64
}

func (s *state) append(b []byte) []byte {
	b = wire.Text(b, s.Root)
	b = append(append(b, s.Request[:]...), s.Machine[:]...)
	b = wire.Text(wire.Text(wire.List(wire.Bool(b, s.Whole), s.Notes), s.Release), s.Toolkit)
	b = wire.Uint(b, uint64(len(s.Anew)))
	for _, a := range s.Anew {
		b = wire.Text(wire.Text(b, a.Out), a.Why)
	}
	b = appendRows(b, s.Loose)
	b = wire.Uint(b, uint64(len(s.Watched)))
	for _, w := range s.Watched {
		b = wire.Bool(wire.Bool(w.Stamp.Append(wire.Text(b, w.Path)), w.Settled), w.Kind)
	}
	b = wire.Uint(b, uint64(len(s.Way)))
	for _, f := range s.Way {
		b = wire.Bool(append(wire.Text(b, f.Path), f.Names[:]...), f.Link)
	}
	b = appendRows(b, s.Files)
	b = wire.Uint(b, uint64(len(s.Absent)))
	for _, a := range s.Absent {
		b = wire.List(wire.Bool(a.Stamp.Append(wire.Text(b, a.Dir)), a.Settled), a.Names)
	}
	b = wire.Uint(b, uint64(len(s.Sites)))
	for _, p := range s.Sites {
		b = wire.Text(wire.Text(b, p.Path), p.Real)
	}
	b = appendNumbers(appendRows(b, s.Outputs), s.Sums)
	b = wire.Uint(b, uint64(len(s.Steps)))
	for _, m := range s.Steps {
		b = m.append(b)
	}
	return b
}

func appendRows(b []byte, rows []row) []byte {
	b = wire.Uint(b, uint64(len(rows)))
	for _, r := range rows {
		b = r.Known.Stamp.Append(wire.Text(b, r.Path))
		b = wire.Bool(append(b, r.Known.Digest[:]...), r.Known.Settled)
	}
	return b
}

func (m made) append(b []byte) []byte {
	c := m.Call
	for _, s := range []string{c.Kernel, c.Kind, c.Out, c.Source, c.Arch, c.Library, m.Said} {
		b = wire.Text(b, s)
	}
	b = wire.List(wire.List(wire.List(b, c.Argv), c.Inputs), c.Archs)
	b = wire.Uint(wire.Bool(wire.Bool(wire.Bool(b, c.Optional), c.Asked), c.RDC), uint64(c.Stage))
	b = append(b, m.Key[:]...)
	b = appendNumbers(appendNumbers(appendNumbers(b, m.Files), m.Absent), m.Outputs)
	return wire.Bool(wire.Uint(wire.Float(b, m.Seconds), uint64(m.Peak)), m.Named)
}

func appendNumbers[N ~uint32](b []byte, list []N) []byte {
	b = wire.Uint(b, uint64(len(list)))
	for _, v := range list {
		b = wire.Uint(b, uint64(v))
	}
	return b
}

var errState = errors.New("it is torn")

func takeState(text string) (*state, error) {
	t := wire.Read(text)
	s := &state{size: len(text) + 1<<10, Root: t.Text(), Request: takeDigest(t), Machine: takeDigest(t), Whole: t.Bool(), Notes: t.List(), Release: t.Text(), Toolkit: t.Text()}
	for range t.Count() {
		s.Anew = append(s.Anew, anew{t.Text(), t.Text()})
	}
	s.Loose = takeRows(t)
	for range t.Count() {
		s.Watched = append(s.Watched, watched{Path: t.Text(), Stamp: stamp.From(t), Settled: t.Bool(), Kind: t.Bool()})
	}
	for range t.Count() {
		s.Way = append(s.Way, Folder{Path: t.Text(), Names: takeDigest(t), Link: t.Bool()})
	}
	s.Files = takeRows(t)
	for range t.Count() {
		s.Absent = append(s.Absent, absent{Dir: t.Text(), Stamp: stamp.From(t), Settled: t.Bool(), Names: t.List()})
	}
	for range t.Count() {
		s.Sites = append(s.Sites, site{Path: t.Text(), Real: t.Text()})
	}
	s.Outputs, s.Sums = takeRows(t), takeNumbers[cas.Sum](t, 1<<32)
	s.Count = t.Count()
	if t.Bad || len(s.Sums) != len(s.Outputs) {
		return nil, errState
	}
	s.later = t.Rest()
	return s, nil
}

// steps reads those, which a build with nothing to do does not need.
func (s *state) steps() error {
	t := wire.Read(s.later)
	s.Steps = make([]made, 0, s.Count)
	for range s.Count {
		s.Steps = append(s.Steps, s.takeMade(t))
	}
	if t.Bad || t.Rest() != "" {
		s.Steps = nil
		return errState
	}
	s.later = ""
	return nil
}

func (s *state) takeMade(t *wire.Reader) (m made) {
	c := &m.Call
	for _, to := range []*string{&c.Kernel, &c.Kind, &c.Out, &c.Source, &c.Arch, &c.Library, &m.Said} {
		*to = t.Text()
	}
	if c.Argv, c.Inputs, c.Archs = t.List(), t.List(), t.List(); len(c.Argv) == 0 {
		t.Fail()
	}
	c.Optional, c.Asked, c.RDC, c.Stage = t.Bool(), t.Bool(), t.Bool(), int(t.Uint())
	m.Key = takeDigest(t)
	m.Files, m.Absent, m.Outputs = takeNumbers[uint32](t, len(s.Files)), takeNumbers[uint32](t, len(s.Absent)), takeNumbers[uint32](t, len(s.Outputs))
	m.Seconds, m.Peak, m.Named = t.Float(), int64(t.Uint()), t.Bool()
	return m
}

func takeNumbers[N ~uint32](t *wire.Reader, below int) []N {
	n := t.Count()
	list := make([]N, 0, n)
	for range n {
		v := t.Uint()
		if v >= uint64(below) {
			t.Fail()
			return nil
		}
		list = append(list, N(v))
	}
	return list
}

func takeRows(t *wire.Reader) []row {
	n := t.Count()
	rows := make([]row, 0, n)
	for range n {
		r := row{Path: t.Text()}
		r.Known.Stamp, r.Known.Digest = stamp.From(t), takeDigest(t)
		r.Known.Settled = t.Bool()
		rows = append(rows, r)
	}
	return rows
}

func takeDigest(t *wire.Reader) (d digest.Digest) {
	copy(d[:], t.Raw(len(d)))
	return d
}

// readState reads the state of a folder of outputs; one that is not there, torn or of another form is nil.
func readState(out string) *state {
	b, err := os.ReadFile(filepath.Join(out, stateFile))
	if err != nil || len(b) < len(stateHead)+4 || len(b) > maxState || string(b[:len(stateHead)]) != stateHead {
		return nil
	}
	body, sum := b[len(stateHead):len(b)-4], b[len(b)-4:]
	if string(sum) != string(sumOf(body)) {
		return nil
	}
	s, err := takeState(textOf(body))
	if err != nil {
		return nil
	}
	return s
}

// textOf takes bytes for a text, without a copy: nobody changes them any more.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// sumOf is a sum as it is written.
func sumOf(b []byte) []byte {
	var sum cas.Sum
	_, _ = sum.Write(b)
	return binary.LittleEndian.AppendUint32(nil, uint32(sum))
}

// write replaces the state of a folder whole.
func (s *state) write(out string) error {
	b := s.append(append(make([]byte, 0, s.size), stateHead...))
	b = append(b, sumOf(b[len(stateHead):])...)
	if err := cas.Replace(filepath.Join(out, stateFile), b, 0o666); err != nil { // Unchanged does it without the folder's lock
		return fmt.Errorf("remember the build: %w", err)
	}
	return nil
}

// closureOf puts together what a step read.
func (s *state) closureOf(m made) closure.Closure {
	c := closure.Closure{Files: make([]closure.File, len(m.Files)), Absent: make([]closure.Absent, len(m.Absent))}
	for i, at := range m.Files {
		c.Files[i] = closure.File{Path: s.Files[at].Path, Known: s.Files[at].Known}
	}
	for i, at := range m.Absent {
		a := s.Absent[at]
		c.Absent[i] = closure.Absent{Dir: a.Dir, Stamp: a.Stamp, Settled: a.Settled, Names: a.Names}
	}
	return c
}
