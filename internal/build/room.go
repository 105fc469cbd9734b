package build

import (
	"os"
	"path/filepath"
)

// roomless is the folder of outputs' own place for nvcc's files where there is no store.
const roomless = ".cupel-work"

// room finds a place for nvcc's files on the way and for what was learned when there is none for a store: without it they
// would lie in the current folder. What was built stays exact; only deleted outputs are compiled again.
func (m *maker) room() (end func()) {
	if m.opt.Store.Dir != "" {
		return func() {}
	}
	if !m.opt.NoCache {
		m.note("results are not kept: no home folder is known here, so there is no place for a cache (CUPEL_CACHE names one)")
	}
	m.opt.NoCache = true
	m.opt.Store.Dir = filepath.Join(m.out, roomless)
	if !m.opt.DryRun {
		return func() {}
	}
	dir, err := os.MkdirTemp("", "cupel-plan-")
	if err != nil {
		return func() {}
	}
	m.opt.Store.Dir = dir
	return func() { _ = os.RemoveAll(dir) }
}

// unkept says once that the store cannot be used: what is wrong with it is so for every step.
func (m *maker) unkept(err error) {
	m.once.Do(func() {
		m.note("results are not kept in the store: %v (CUPEL_CACHE names another folder)", err)
	})
}
