package peers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// launcher is a compiler cache in front of nvcc, with a cache of its own.
type launcher struct {
	name string
	ours bool
	argv []string // before nvcc's path
	env  []string
	tell func() tally // since it was made; nil where it keeps no count
	// twin is the same cache with a server of its own whose started programs are written to a log; nil where there is no server.
	twin func() (l launcher, log string)
	slow bool // a warm call takes seconds
}

// tally is a cache's own count: answers given, and calls or stages that it had to run.
type tally struct{ hits, others int }

// launchers are all caches that are here, each empty. It is the one place where a cache takes its place in the tables.
func launchers(t testing.TB) []launcher {
	t.Helper()
	out := ccaches(t)
	if path := program("sccache", "sccache"); path != "" {
		out = append(out, sccache(t, path, t.TempDir(), nil))
	} else {
		absent("sccache", "sccache")
	}
	return append(out, cupelLaunchers(t)...)
}

func ccaches(t testing.TB) (out []launcher) {
	t.Helper()
	for _, p := range []struct{ name, part string }{{"ccache 4.7", "ccache"}, {"ccache 4.11", "ccache-4.11"}} {
		if path := program(p.part, "ccache"); path != "" {
			out = append(out, ccache(t, p.name, path))
		} else {
			absent(p.name, p.part)
		}
	}
	return out
}

// ccache with its settings as delivered: direct mode, compression.
func ccache(t testing.TB, name, path string) launcher {
	env := []string{"CCACHE_DIR=" + t.TempDir(), "CCACHE_CONFIGPATH=/dev/null"}
	return launcher{name: name, argv: []string{path}, env: env, tell: func() tally {
		var sum tally
		for line := range strings.Lines(run(t, "/", env, path, "--print-stats")) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "\t")
			n, _ := strconv.Atoi(value)
			switch key {
			case "direct_cache_hit", "preprocessed_cache_hit":
				sum.hits += n
			case "cache_miss", "called_for_link", "unsupported_compiler_option", "could_not_use_precompiled_header", "compile_failed":
				sum.others += n
			}
		}
		return sum
	}}
}

// sccache with a server of its own, which ends with the test. traced is put before the server: what it compiles, it starts there.
func sccache(t testing.TB, path, cache string, traced []string) launcher {
	t.Helper()
	dir := t.TempDir()
	env := []string{"SCCACHE_DIR=" + cache, "SCCACHE_SERVER_UDS=" + filepath.Join(dir, "socket"), "SCCACHE_IDLE_TIMEOUT=0", "SCCACHE_CONF=" + filepath.Join(dir, "none")}
	server := command(t, dir, append([]string{"SCCACHE_START_SERVER=1", "SCCACHE_NO_DAEMON=1"}, env...), append(traced, path)...)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command(t, dir, env, path, "--stop-server").Run()
		time.AfterFunc(10*time.Second, func() { _ = server.Process.Kill() })
		_ = server.Wait()
	})
	waitFor(t, filepath.Join(dir, "socket"))
	twin := func() (launcher, string) {
		log := filepath.Join(t.TempDir(), "execve")
		return sccache(t, path, cache, tracer(log)), log
	}
	tell := func() tally { return sccacheTally(t, run(t, dir, env, path, "--show-stats", "--stats-format=json")) }
	return launcher{name: "sccache 0.19", argv: []string{path}, env: env, tell: tell, twin: twin, slow: true}
}

func waitFor(t testing.TB, path string) {
	t.Helper()
	for range 200 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s did not come", path)
}

// sccacheTally adds up its kinds: a call is several (PTX, CUBIN, CUDA), as sccache does the work of nvcc itself.
func sccacheTally(t testing.TB, stats string) tally {
	t.Helper()
	type counts struct {
		Counts map[string]int `json:"counts"`
	}
	var s struct {
		Stats struct {
			Hits   counts `json:"cache_hits"`
			Misses counts `json:"cache_misses"`
			Errors counts `json:"cache_errors"`
		} `json:"stats"`
	}
	if err := json.Unmarshal([]byte(stats), &s); err != nil {
		t.Fatalf("statistics of sccache: %v\n%s", err, stats)
	}
	sum := func(c counts) (n int) {
		for _, count := range c.Counts {
			n += count
		}
		return n
	}
	return tally{sum(s.Stats.Hits), sum(s.Stats.Misses) + sum(s.Stats.Errors)}
}

// call is a launcher's words for one source of a set.
func (l launcher) call(tk toolkit, s set, source string) []string {
	return append(append(append([]string(nil), l.argv...), tk.nvcc), s.call(source)...)
}

// starts are the programs that a warm call starts, in it and in its server.
func (l launcher) starts(t testing.TB, tk toolkit, s set, source string) ([]string, bool) {
	t.Helper()
	if l.twin == nil || tracer("") == nil {
		return started(t, s.dir, l.env, l.call(tk, s, source)...)
	}
	twin, log := l.twin()
	before := len(readStarts(string(read(t, log))))
	own, ok := started(t, s.dir, twin.env, twin.call(tk, s, source)...)
	return append(own, readStarts(string(read(t, log)))[before:]...), ok
}
