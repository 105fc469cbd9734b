package redist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cupel/data"
	"cupel/internal/fetch"
	"cupel/internal/source"
	"cupel/internal/version"
)

// ahead is how many updates a server is asked for beyond those that the table of releases knows.
const ahead = 2

// atOnce bounds the small requests of a source under way, however they are nested.
const atOnce = 8

func (s *Source) listAddress(base string, v version.V) string {
	return fetch.Join(base, "redistrib_"+v.String()+".json")
}

// newestKnown is a list that NVIDIA's server has.
func newestKnown() version.V {
	all := data.Releases()
	return version.MustParse(all[len(all)-1].Version)
}

// listed are the releases whose lists lie in a folder, newest first.
func listed(dir string) ([]version.V, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s", dir)
	}
	if err != nil {
		return nil, err
	}
	var out []version.V
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), "redistrib_")
		number, isList := strings.CutSuffix(rest, ".json")
		if v, err := version.Parse(number); ok && isList && err == nil && !e.IsDir() {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b version.V) int { return b.Compare(a) })
	return out, nil
}

// updates are the numbers that X.Y may have, newest first: those of the table and a few more.
func updates(short version.V) []version.V {
	newest := -1
	var out []version.V
	for _, r := range data.Releases() {
		v := version.MustParse(r.Version)
		if v.Short() == short && v.AtLeast(version.MustParse(data.Redist().First)) {
			out = append(out, v)
			newest = max(newest, v.Patch())
		}
	}
	for i := range ahead + 1 {
		if i < ahead || newest < 0 {
			newest++
			out = append(out, version.MustParse(fmt.Sprintf("%s.%d", short, newest)))
		}
	}
	slices.SortFunc(out, func(a, b version.V) int { return b.Compare(a) })
	return out
}

// lines are the X.Y of the table that a wish covers and that may have lists, newest first.
func lines(wish version.V) []version.V {
	var out []version.V
	for _, r := range data.Releases() {
		v := version.MustParse(r.Version)
		if v.AtLeast(version.MustParse(data.Redist().First)) && (wish.IsZero() || wish.Covers(v)) && !slices.Contains(out, v.Short()) {
			out = append(out, v.Short())
		}
	}
	slices.SortFunc(out, func(a, b version.V) int { return b.Compare(a) })
	return out
}

// newest is the newest update of X.Y that the server has; the zero version when it has none.
func (s *Source) newest(ctx context.Context, short version.V) (version.V, error) {
	all := updates(short)
	there, errs := make([]bool, len(all)), make([]error, len(all))
	each(len(all), func(i int) { there[i], errs[i] = s.there(ctx, all[i]) })
	at := slices.Index(there, true)
	for i, err := range errs {
		// A refusal beside a list that is handed out is how some servers say that there is no such file.
		if err != nil && (at < 0 || i < at && !refused(err)) {
			return version.V{}, cmp.Or(context.Cause(ctx), err)
		}
	}
	if at < 0 {
		return version.V{}, nil
	}
	return all[at], nil
}

// there says whether the server has the list of a release. Anything but an answer is tried again and is an error in the
// end: an older release must not be taken for the newest because of a broken connection.
func (s *Source) there(ctx context.Context, v version.V) (there bool, err error) {
	address := s.listAddress(s.base, v)
	for try := 1; ; try++ {
		s.slots <- struct{}{}
		err = s.client.Head(ctx, address)
		<-s.slots
		switch {
		case err == nil:
			return true, nil
		case fetch.Missing(err):
			return false, nil
		case answered(err): // it does not like the question
			_, err = s.lists.read(ctx, address)
			return err == nil, notMissing(err)
		case refused(err) || try == tries || ctx.Err() != nil:
			return false, err
		}
		time.Sleep(s.client.Pause)
	}
}

// tries is how often a question about one list is asked.
const tries = 3

func notMissing(err error) error {
	if fetch.Missing(err) {
		return nil
	}
	return err
}

// refused says that a server answered and does not hand the file out.
func refused(err error) bool {
	var f fetch.Failed
	return errors.As(err, &f) && (f.Status == http.StatusForbidden || f.Status == http.StatusUnauthorized)
}

// each does n things at once; what they ask the server for waits for a slot.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// has lists the releases there are: all of a folder, of a server the newest of each X.Y.
func (s *Source) has(ctx context.Context) ([]version.V, error) {
	if dir, ok := fetch.Local(s.base); ok {
		found, err := listed(dir)
		if err != nil {
			return nil, source.Unreachable{Source: name, Why: err.Error()}
		}
		return found, nil
	}
	all := lines(version.V{})
	found, errs := make([]version.V, len(all)), make([]error, len(all))
	each(len(all), func(i int) { found[i], errs[i] = s.newest(ctx, all[i]) })
	found = slices.DeleteFunc(found, version.V.IsZero)
	for _, err := range errs {
		// One server: one reason. With a gap in the list an older release would be taken for the newest.
		if err != nil && (len(found) == 0 || !refused(err)) {
			return nil, cmp.Or(context.Cause(ctx), s.unreachable(err))
		}
	}
	return found, nil
}

// pick is the release that a wish means; the zero version when there is none.
func (s *Source) pick(ctx context.Context, wish version.V) (version.V, error) {
	if dir, ok := fetch.Local(s.base); ok {
		found, err := listed(dir)
		if err != nil {
			return version.V{}, source.Unreachable{Source: name, Why: err.Error()}
		}
		for _, v := range found {
			if wish.Covers(v) && s.isToolkit(ctx, v) {
				return v, nil
			}
		}
		return version.V{}, nil
	}
	switch wish.Parts() {
	case 1:
		for _, short := range lines(wish) {
			if v, err := s.newest(ctx, short); err != nil || !v.IsZero() {
				return v, s.asked(ctx, err)
			}
		}
		return version.V{}, nil
	case 2:
		v, err := s.newest(ctx, wish)
		return v, s.asked(ctx, err)
	}
	return wish, nil
}

// asked is the error of a question that the server did not answer.
func (s *Source) asked(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return s.unreachable(err)
}

// isToolkit tells a list of the toolkit from one of cuDNN, which a mirror may keep beside it.
func (s *Source) isToolkit(ctx context.Context, v version.V) bool {
	m, err := s.lists.read(ctx, s.listAddress(s.base, v))
	return err != nil || m.product != "cudnn" // what cannot be read is told when it is wanted
}

// lists keeps what was read: an answer is asked for once.
type lists struct {
	client fetch.Client
	slots  chan struct{}
	mu     sync.Mutex
	kept   map[string]read
}

// read is an answer: a list, or that there is none.
type read struct {
	list manifest
	gone error
}

func (l *lists) read(ctx context.Context, address string) (manifest, error) {
	l.mu.Lock()
	known, ok := l.kept[address]
	l.mu.Unlock()
	if ok {
		return known.list, known.gone
	}
	l.slots <- struct{}{}
	text, err := l.client.Read(ctx, address, limit)
	<-l.slots
	if fetch.Missing(err) {
		l.keep(address, read{gone: err})
	}
	if err != nil {
		return manifest{}, err
	}
	m, err := parse(text)
	if err != nil {
		return manifest{}, fmt.Errorf("read %s: %w", filepath.ToSlash(fetch.Shown(address)), err)
	}
	l.keep(address, read{list: m})
	return m, nil
}

func (l *lists) keep(address string, r read) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil {
		l.kept = map[string]read{}
	}
	l.kept[address] = r
}
