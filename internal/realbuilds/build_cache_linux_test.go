package realbuilds

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/render"
)

// answer runs a command with --json and reads its answer into to; the code is given back.
func (k kernels) answer(t *testing.T, to any, args ...string) int {
	t.Helper()
	r := k.cupel(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(r.stdout), to); err != nil {
		t.Fatalf("cupel %s: code %d, %v\n%s", strings.Join(args, " "), r.code, err, r.all)
	}
	return r.code
}

// TestCacheCommands: the store after real builds: counted, made again and compared, trimmed.
func TestCacheCommands(t *testing.T) {
	t.Parallel()
	k := small(t)
	second, file := "object", "k.o"
	if testing.Short() {
		second, file = "cubin", "k.cubin"
	}
	swap("cupel.toml", `"ptx"`, `["ptx", "`+second+`"]`)(t, k)
	write(t, k.path("now.cu"), "const char *now = __TIME__;\n")
	k.built(t)
	remove(t, k.path("build"))
	a := k.built(t) // what holds the time of day is made again
	if got, want := hows(a, "cached"), file+" k.ptx"; got != want {
		t.Errorf("cached %s, want %s", got, want)
	}
	var stats render.CacheStats
	if code := k.answer(t, &stats, "cache", "stats"); code != 0 || stats.Hits != 2 || stats.Misses != 2 || stats.Uncached != 4 || stats.Bytes == 0 {
		t.Errorf("code %d, %+v", code, stats)
	}
	if !strings.Contains(reasons(stats), "uses-date 4") {
		t.Errorf("reasons: %s, want that the time of day is in it", reasons(stats))
	}
	var verified render.CacheVerify
	if code := k.answer(t, &verified, "cache", "verify"); code != 0 || verified.Same != 2 || len(verified.Different)+len(verified.Torn)+len(verified.Skipped) != 0 {
		t.Errorf("code %d, %+v", code, verified)
	}
	k.wrong(t)
	var trimmed render.CacheTrim
	if code := k.answer(t, &trimmed, "cache", "trim", "--limit", "0"); code != 0 || trimmed.Files == 0 || trimmed.Left > 1 {
		t.Errorf("code %d, %+v", code, trimmed)
	}
	remove(t, k.path("build"))
	if a := k.built(t); hows(a, "cached") != "" {
		t.Errorf("after a trim of everything the store has %s", hows(a, "cached"))
	}
}

func reasons(s render.CacheStats) string {
	var out []string
	for _, r := range s.Reasons {
		out = append(out, r.Reason+" "+itoa(int(r.Count)))
	}
	return strings.Join(out, ", ")
}

// wrong puts another result under the right key, as a broken compiler or a bug would, and has verify find it; then it tears a
// file of the store.
func (k kernels) wrong(t *testing.T) {
	t.Helper()
	a := k.built(t)
	s := a.Result.Steps[0]
	store := cas.Store{Dir: filepath.Join(filepath.Dir(k.dir), "cache", "store")}
	q, refused := cache.New(store, once(environment(t, k.env))).Ask(cache.Call{Nvcc: s.Argv[0], Args: s.Argv[1:], Dir: k.dir})
	if refused != nil {
		t.Fatal(refused)
	}
	found, miss := q.Find(true)
	if found == nil {
		t.Fatalf("the store does not have the call of %s: %s", s.Out, miss)
	}
	work, err := q.Begin()
	if err != nil {
		t.Fatal(err)
	}
	write(t, k.place(work.Args[slices.Index(work.Args, "-o")+1]), "// not what nvcc makes\n")
	if _, err := work.Save(found.Closure, found.Result); err != nil {
		t.Fatal(err)
	}
	work.End()
	var v render.CacheVerify
	if code := k.answer(t, &v, "cache", "verify"); code != 1 || len(v.Different) != 1 || v.Different[0].Source != s.Source || v.Same != 1 {
		t.Errorf("a wrong result: code %d, %+v", code, v)
	}
	r := k.cupel(t, "cache", "verify")
	contains(t, "the answer", r.stdout, s.Source)
	k.torn(t, store.Dir)
}

// once leaves the last of variables that are set twice, as os/exec does.
func once(env []string) []string {
	last := map[string]string{}
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		last[name] = kv
	}
	return slices.Collect(maps.Values(last))
}

// torn flips a byte in every file of the store, which must cost no more than compiling again.
func (k kernels) torn(t *testing.T, store string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(store, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Base(path) == "learned" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil || len(b) == 0 {
			return err
		}
		b[len(b)/2] ^= 0x10
		n++
		return os.WriteFile(path, b, 0o644)
	})
	if err != nil || n < 4 {
		t.Fatalf("%d files torn, %v", n, err)
	}
	remove(t, k.path("build"))
	a := k.built(t)
	sameFiles(t, "with a torn store", k.withoutTime(k.files(t, a)), k.withoutTime(k.byHand(t, a)))
}

// withoutTime leaves out what holds the time of day.
func (k kernels) withoutTime(files map[string]string) map[string]string {
	for name := range files {
		if strings.HasPrefix(name, "now.") {
			delete(files, name)
		}
	}
	return files
}

// TestCacheOff: --no-cache neither asks nor fills; CUPEL_NO_CACHE the same; a store that cannot be written is a note.
func TestCacheOff(t *testing.T) {
	t.Parallel()
	k := small(t)
	store := filepath.Join(filepath.Dir(k.dir), "cache", "store")
	for range 2 {
		if a := k.built(t, "--no-cache"); hows(a, "built") != "k.ptx" {
			t.Errorf("%+v", a.Result.Steps)
		}
		remove(t, k.path("build"))
	}
	var stats render.CacheStats
	k.answer(t, &stats, "cache", "stats")
	if stats.Blobs != 0 || stats.Notes > 2 || stats.Hits != 0 {
		t.Errorf("--no-cache filled the store: %+v", stats)
	}
	remove(t, store)
	write(t, store, "a file where the folder should be")
	a := k.built(t)
	sameFiles(t, "without a store", k.files(t, a), k.byHand(t, a))
	if again := k.built(t); again.Result.Calls > 1 {
		t.Errorf("%+v", again.Result.Steps)
	}
}
