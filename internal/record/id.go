package record

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// An ID is the moment in UTC, so that names sort by time, and letters that tell runs of one second apart. It is the name
// of a folder, also where case does not count, and has no letters that look alike.
const (
	idLayout  = "060102-150405"
	idLetters = "abcdefghjkmnpqrstuvwxyz23456789"
	idRandom  = 3
)

func newID(at time.Time) string {
	b := []byte(at.UTC().Format(idLayout) + "-")
	for range idRandom {
		b = append(b, idLetters[rand.IntN(len(idLetters))])
	}
	return string(b)
}

// idTime is the moment that an ID tells; not ok: it is none.
func idTime(id string) (at time.Time, ok bool) {
	if len(id) != len(idLayout)+1+idRandom || id[len(idLayout)] != '-' || strings.Trim(id[len(idLayout)+1:], idLetters) != "" {
		return at, false
	}
	at, err := time.Parse(idLayout, id[:len(idLayout)])
	return at, err == nil
}

// Last is the word for the newest run.
const Last = "last"

// Split reads what a person types: a run, or a call of it as RUN.NUMBER; number is 0 without one.
func Split(name string) (run string, number int, err error) {
	run, digits, has := strings.Cut(name, ".")
	if !has {
		return run, 0, nil
	}
	if number, err = strconv.Atoi(digits); err != nil || number < 1 {
		return "", 0, fmt.Errorf("%q names no call: a call is the run's ID, a dot and its number from 1 on", name)
	}
	return run, number, nil
}

// Unknown: no run is meant by what was typed, or more than one.
type Unknown struct {
	Name string
	Like []string // those that it could mean; without any, no run begins so
}

func (u Unknown) Error() string {
	if len(u.Like) > 0 {
		return fmt.Sprintf("%d runs begin with %q: %s", len(u.Like), u.Name, strings.Join(u.Like[:min(3, len(u.Like))], ", "))
	}
	return fmt.Sprintf("no run is called %q", u.Name)
}

// ErrNone: nothing was recorded yet.
var ErrNone = errors.New("no run was recorded yet")

// Find is the run that is meant by an ID, the unique beginning of one, or "last".
func (s Store) Find(ctx context.Context, id string) (Saved, error) {
	if id == Last || id == "" {
		runs, _, err := s.Runs(ctx)
		switch {
		case err != nil:
			return Saved{}, err
		case len(runs) == 0:
			return Saved{}, ErrNone
		}
		return runs[0], nil
	}
	ids, err := s.ids()
	if err != nil {
		return Saved{}, fmt.Errorf("find run %s: %w", id, err)
	}
	var like []string
	for _, known := range ids {
		if strings.HasPrefix(known, strings.ToLower(id)) {
			like = append(like, known)
		}
	}
	if len(like) != 1 {
		return Saved{}, Unknown{id, like}
	}
	r, err := s.read(like[0])
	if err != nil {
		return Saved{}, fmt.Errorf("read run %s: %w", like[0], err)
	}
	return r, nil
}
