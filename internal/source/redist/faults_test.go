package redist_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cupel/internal/fetch"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/redist"
	"cupel/internal/source/sourcetest"
	"cupel/internal/version"
)

var quick = fetch.Client{Tries: 3, Pause: time.Millisecond}

// hasty is for servers that stand still: a busy machine does so too.
func hasty(f sourcetest.Fault) fetch.Client {
	c := quick
	if f.StallAfter > 0 {
		c.Stall = 300 * time.Millisecond
	}
	if f.Stalls > 0 {
		c.Tries = 50
	}
	return c
}

// TestReach: who answers can be used; who does not is said in time.
func TestReach(t *testing.T) {
	small := sourcetest.Small(t, linux, "13.0.2")
	for _, tt := range []struct {
		name  string
		fault sourcetest.Fault
		base  string
		says  string // empty: it can be reached
	}{
		{name: "a server without the newest list", fault: sourcetest.Fault{}},
		{name: "a server that refuses", fault: sourcetest.Fault{Status: 403, Only: "redistrib"}, says: "403 Forbidden"},
		{name: "a server that is broken", fault: sourcetest.Fault{Status: 502, Only: "redistrib"}, says: "502 Bad Gateway"},
		{name: "a folder", base: small},
		{name: "a folder without lists", base: filepath.Join(small, "cuda_nvcc"), says: "holds no redistrib_X.Y.Z.json"},
		{name: "no folder", base: filepath.Join(small, "nowhere"), says: "there is no folder"},
		{name: "nobody listens", base: "http://" + closedPort(t), says: "refuses the connection"},
		{name: "nobody answers", base: "http://" + silent(t), says: "did not answer within 1s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.base == "" {
				tt.base = sourcetest.Server(t, small, tt.fault).URL
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := redist.New(redist.Config{Base: tt.base}).Reach(ctx)
			if tt.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := (source.Unreachable{}); !errors.As(err, &e) || !strings.Contains(e.Why, tt.says) {
				t.Errorf("Reach: %v, want Unreachable with %q", err, tt.says)
			}
		})
	}
}

func closedPort(t *testing.T) string {
	l := listen(t)
	l.Close()
	return l.Addr().String()
}

// silent takes connections and never answers.
func silent(t *testing.T) string {
	l := listen(t)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestWhichRelease: what a wish means depends on what is there.
func TestWhichRelease(t *testing.T) {
	dir := t.TempDir()
	for _, release := range []string{"12.4.0", "12.4.1", "13.0.2", "13.0.5", "14.0.0"} {
		sourcetest.AddSmall(t, dir, linux, release)
	}
	web := sourcetest.Server(t, dir, sourcetest.Fault{})
	for _, tt := range []struct {
		wish, server, folder string // empty: none
	}{
		{"12.4", "12.4.1", "12.4.1"},
		{"12.4.0", "12.4.0", "12.4.0"},
		{"12", "12.4.1", "12.4.1"},
		{"13.0", "13.0.5", "13.0.5"}, // two updates newer than the table
		{"14.0", "14.0.0", "14.0.0"}, // the table does not know it at all
		{"12.5", "", ""},
		{"12.4.7", "", ""},
		{"11.8", "", ""},
	} {
		for base, want := range map[string]string{web.URL: tt.server, dir: tt.folder} {
			plan, err := redist.New(redist.Config{Base: base, Client: quick}).Resolve(t.Context(), resolve.Request{Release: version.MustParse(tt.wish), Platform: linux})
			if plan.Release != want {
				t.Errorf("%s from the %s is %q (%v), want %q", tt.wish, kind(base), plan.Release, err, want)
			}
			if no := (source.NoRelease{}); want == "" && (!errors.As(err, &no) || !slices.Contains(no.Has, "12.4.1")) {
				t.Errorf("%s from the %s: %v, want NoRelease that has 12.4.1", tt.wish, kind(base), err)
			}
		}
	}
	src := redist.New(redist.Config{Base: web.URL, Client: quick})
	if _, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse("12.4"), Platform: windows}); err == nil || !strings.Contains(err.Error(), "redist has no CUDA 12.4 for windows-x86_64") {
		t.Errorf("12.4 for Windows from a mirror for Linux: %v", err)
	}
}

// TestBrokenNewest: an older update is not taken for the newest because the server has trouble with that one; one that says
// so is believed, whatever its words.
func TestBrokenNewest(t *testing.T) {
	dir := t.TempDir()
	for _, release := range []string{"12.4.0", "12.4.1", "13.0.2"} {
		sourcetest.AddSmall(t, dir, linux, release)
	}
	for _, tt := range []struct {
		name   string
		status int // for the list of 12.4.1
		head   int // for every question that is not for the whole list
		drops  bool
		want   string // empty: Unreachable
	}{
		{name: "no trouble", want: "12.4.1"},
		{name: "not there", status: 404, want: "12.4.0"},
		{name: "gone", status: 410, want: "12.4.0"},
		{name: "how a store of objects says so", status: 403, want: "12.4.0"},
		{name: "broken", status: 503},
		{name: "busy", status: 429},
		{name: "dropped", drops: true},
		{name: "no such questions", head: 405, want: "12.4.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := http.FileServer(http.Dir(dir))
			var now, most atomic.Int64
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for n := now.Add(1); n > most.Load(); {
					most.Store(n)
				}
				defer now.Add(-1)
				is := r.URL.Path == "/redistrib_12.4.1.json"
				switch {
				case is && tt.drops:
					panic(http.ErrAbortHandler)
				case is && tt.status != 0:
					w.WriteHeader(tt.status)
				case r.Method == http.MethodHead && tt.head != 0:
					w.WriteHeader(tt.head)
				default:
					files.ServeHTTP(w, r)
				}
			}))
			defer web.Close()
			src := redist.New(redist.Config{Base: web.URL, Client: quick})
			plan, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse("12.4"), Platform: linux})
			if gone := (source.Unreachable{}); plan.Release != tt.want || (tt.want == "") != errors.As(err, &gone) {
				t.Errorf("12.4 is %q, %v; want %q", plan.Release, err, tt.want)
			}
			offers, err := src.Offers(t.Context(), linux)
			if gone := (source.Unreachable{}); (tt.want == "") != errors.As(err, &gone) || tt.want != "" && len(offers) != 2 {
				t.Errorf("Offers = %v, %v; want %q", offers, err, tt.want)
			}
			if most.Load() > 8 {
				t.Errorf("%d questions at once, want at most 8", most.Load())
			}
		})
	}
}

// TestBadLists: a list that is not one is an error that names it.
func TestBadLists(t *testing.T) {
	for name, text := range map[string]string{
		"a page":  "<html>log in first</html>",
		"cut off": `{"cuda_nvcc": {"version": "13`,
		"upwards": `{"cuda_nvcc": {"linux-x86_64": {"relative_path": "../../x.zip", "sha256": "` + strings.Repeat("0", 64) + `", "size": "1"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := sourcetest.Manifests(t, map[string][]byte{"redistrib_13.0.2.json": []byte(text)})
			for _, base := range []string{dir, sourcetest.Server(t, dir, sourcetest.Fault{}).URL} {
				_, err := redist.New(redist.Config{Base: base, Client: quick}).Resolve(t.Context(), resolve.Request{Release: version.MustParse("13.0.2"), Platform: linux})
				if err == nil || !strings.Contains(err.Error(), "resolve CUDA 13.0.2: read ") || !strings.Contains(err.Error(), "redistrib_13.0.2.json") {
					t.Errorf("Resolve: %v, want an error that names the list", err)
				}
			}
		})
	}
}

// TestFetchFaults: what becomes of an archive on a bad network.
func TestFetchFaults(t *testing.T) {
	dir := sourcetest.Small(t, linux, "13.0.2")
	for _, tt := range []struct {
		name  string
		fault sourcetest.Fault
		says  string // empty: it comes
	}{
		{"dropped every 100 bytes", sourcetest.Fault{DropEvery: 100}, ""},
		{"stalled once", sourcetest.Fault{StallAfter: 50, Stalls: 1}, ""},
		{"a list that names a missing file", sourcetest.Fault{Gone: "cuda_nvcc/"}, "fetch cuda_nvcc: get http://"},
		{"truncated", sourcetest.Fault{Shorter: 7}, "bytes, want "},
		{"longer", sourcetest.Fault{Longer: 7}, "bytes, want "},
		{"refused", sourcetest.Fault{Status: 403}, "403 Forbidden"},
		{"stalled for ever", sourcetest.Fault{StallAfter: 1, NoRange: true}, "no byte came"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			web := sourcetest.Server(t, dir, tt.fault)
			plan, err := redist.New(redist.Config{Base: web.URL}).Resolve(t.Context(), resolve.Request{Release: version.MustParse("13.0"), Platform: linux})
			if err != nil {
				t.Fatal(err)
			}
			src := redist.New(redist.Config{Base: web.URL, Client: hasty(tt.fault)})
			to := t.TempDir()
			at, err := src.Fetch(t.Context(), plan, plan.Parcels[0], to, nil)
			if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("Fetch: %q, %v; want %q", at, err, tt.says)
			}
			if _, there := os.Stat(filepath.Join(to, plan.Parcels[0].File)); (there == nil) != (tt.says == "") {
				t.Errorf("the archive is there: %t", there == nil)
			}
		})
	}
}

// TestOddParcels: a plan is not believed blindly.
func TestOddParcels(t *testing.T) {
	src := redist.New(redist.Config{Base: t.TempDir()})
	for _, p := range []resolve.Parcel{{}, {File: "x", Place: "../x"}, {File: "x", Place: "a/y"}, {File: "..", Place: "a/.."}, {File: "x", Place: "/x"}} {
		if _, err := src.Fetch(context.Background(), resolve.Plan{}, p, t.TempDir(), nil); err == nil {
			t.Errorf("Fetch of %+v: no error", p)
		}
	}
}
