package review

import (
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// retried says that a later call made the same file and succeeded.
func (j *judge) retried(w *work) bool {
	return len(w.asked) > 0 && slices.ContainsFunc(j.works, func(o *work) bool {
		return o.real && o.well() && !o.Begin.At.Before(w.End.At) && o.Begin.Dir == w.Begin.Dir && slices.Equal(o.asked, w.asked)
	})
}

func (w *work) well() bool { return w.End != nil && !w.Failed() }

func (w *work) any() bool { return true }

// wentOn counts the calls of a kind that began after this one had failed. Calls side by side end what they began, and
// begin what was waiting: as many as ran beside it prove nothing. A build that was told to go on proves nothing either.
func (j *judge) wentOn(w *work, kind func(*work) bool) int {
	if j.keepsGoing() {
		return 0
	}
	later, beside := 0, 0
	for _, o := range j.works {
		switch {
		case o == w || o.Begin.Tool != "nvcc" || !o.real:
		case !o.Begin.At.Before(w.End.At):
			if kind(o) {
				later++
			}
		case o.End == nil || o.End.At.After(w.End.At):
			beside++
		}
	}
	if later <= beside {
		return 0
	}
	return later
}

// keepsGoing says that the build tool was told to go on after a failure: -k of make and Ninja, --keep-going of make and cargo.
func (j *judge) keepsGoing() bool {
	if flags, _, _ := strings.Cut(j.Base.Values["MAKEFLAGS"], " "); strings.Contains(flags, "k") && !strings.HasPrefix(flags, "-") {
		return true
	}
	for _, arg := range j.Run.Command {
		for word := range strings.FieldsSeq(arg) {
			if keeps.MatchString(word) {
				return true
			}
		}
	}
	return false
}

var keeps = pattern.New(`^(?:-[Bisnrw]*k[Bisnrw]*(?:j?\d+)?|-j\d+k|--keep-going|--no-fail-fast)$`)
