package build

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cupel/internal/learned"
)

// TestWaits: a call that has to wait for memory is told, and is not counted as done. One whose peak was never measured is taken
// to be as large as one that was never seen.
func TestWaits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		learned bool
	}{{"never seen", false}, {"without a peak", true}} {
		t.Run(tt.name, func(t *testing.T) {
			job := realJob(t, "cuda-12.4", "12.4", kernelsOf("k"), map[string]string{"a.cu": plain, "b.cu": plain})
			o := options(t)
			if tt.learned {
				calls, _, err := Calls(job)
				if err != nil {
					t.Fatal(err)
				}
				book := learned.Open(filepath.Join(o.Store.Dir, "learned"))
				for _, c := range calls {
					book.Set((&task{call: c}).bookKey(job), learned.Row{Time: time.Second})
				}
				if err := book.Save(); err != nil {
					t.Fatal(err)
				}
			}
			var told []string
			last := 0
			o.Jobs, o.Memory = 2, guessedPeak*3/2
			o.Tell = func(e Event) {
				told = append(told, e.State+" "+filepath.Base(e.Step.Out)+" "+e.Waits)
				last = e.Done
			}
			r := ran(t, job, o)
			want := []string{"started a.ptx ", "waiting b.ptx memory", "ended a.ptx ", "started b.ptx ", "ended b.ptx "}
			if !slices.Equal(told, want) || last != 2 || r.Calls != 2 {
				t.Errorf("told %q, want %q; %d done, %d calls, want 2", told, want, last, r.Calls)
			}
		})
	}
}
