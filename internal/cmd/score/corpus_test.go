package main

import (
	"path/filepath"
	"testing"

	"cupel/internal/testbed"
)

// TestCorpus: of the labelled cases at least 95 in 100 get the right cause first, and none that is not about CUDA
// gets a cause of CUDA. Told where they are from, and not told. corpus-more was gathered from other threads after the
// signatures were first written; they were then widened with it, so it guards what was learnt and measures nothing new.
func TestCorpus(t *testing.T) {
	for _, tt := range []struct {
		dir   string
		total int
	}{{"corpus", 215}, {"corpus-more", 361}} {
		for _, blind := range []bool{false, true} {
			r, err := score(filepath.Join(testbed.Repo(t), "testdata", tt.dir), blind)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, blind %v: %s", tt.dir, blind, r.summary())
			if r.Total != tt.total || r.FalseOnNotCUDA != 0 {
				t.Errorf("%s, blind %v: %d cases, %d false causes; want %d and none", tt.dir, blind, r.Total, r.FalseOnNotCUDA, tt.total)
			}
			if r.RightFirst*100 < r.Total*95 {
				t.Errorf("%s, blind %v: right first %d of %d, want 95 in 100", tt.dir, blind, r.RightFirst, r.Total)
			}
		}
	}
}
