package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestPlan(t *testing.T) {
	step := func(name string, expect int, needs ...int) Step {
		return Step{Name: name, Needs: needs, Expect: time.Duration(expect)}
	}
	for _, tt := range []struct {
		name  string
		steps []Step
		want  []int
		err   string
	}{
		{"nothing", nil, []int{}, ""},
		{"longest first", []Step{step("a", 1), step("b", 3), step("c", 2)}, []int{1, 2, 0}, ""},
		{"equal ones as they stand", []Step{step("a", 1), step("b", 1)}, []int{0, 1}, ""},
		{"a short one before a long one goes first", []Step{step("a", 5), step("b", 1), step("c", 9, 1)}, []int{1, 2, 0}, ""},
		{"a time below zero is none", []Step{step("a", -9), step("b", 1, 0)}, []int{0, 1}, ""},
		{"twice the same need", []Step{step("a", 1), step("b", 1, 0, 0)}, []int{0, 1}, ""},
		{"a circle", []Step{step("a", 1), step("b", 1, 0, 3), step("c", 1, 1), step("d", 1, 2), step("e", 1, 3)}, nil,
			"plan the steps: they need each other in a circle: b needs d needs c needs b"},
		{"itself", []Step{step("a", 1, 0)}, nil, "plan the steps: they need each other in a circle: a needs a"},
		{"nobody", []Step{step("a", 1, 7)}, nil, "plan the steps: a needs step 7 of 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := planOf(tt.steps)
			if err != nil || tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				if err := Run(context.Background(), tt.steps, Limits{}, nil); err == nil {
					t.Error("Run took it")
				}
				return
			}
			if !slices.Equal(p.order, tt.want) {
				t.Errorf("order %v, want %v", p.order, tt.want)
			}
		})
	}
}

// TestQueue compares with a search through a list.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 40 {
		q, plain := newQueue(n), make([]int64, n)
		for i := range plain {
			plain[i] = nobody
		}
		for range 20 * n {
			if i := rng.IntN(n); plain[i] == nobody {
				plain[i] = rng.Int64N(9)
				q.put(i, plain[i])
			} else {
				plain[i] = nobody
				q.drop(i)
			}
			free := rng.Int64N(10) - 1
			want := slices.IndexFunc(plain, func(need int64) bool { return need <= free })
			top := slices.IndexFunc(plain, func(need int64) bool { return need != nobody })
			if q.first(free) != want || q.top() != top {
				t.Fatalf("first(%d) = %d, top = %d of %v, want %d and %d", free, q.first(free), q.top(), plain, want, top)
			}
		}
	}
}
