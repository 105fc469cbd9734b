package pip

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/resolve"
)

// TestTabled: the table names a file that fits for every component of every release it has.
func TestTabled(t *testing.T) {
	files := 0
	for _, r := range data.SourceOf(sourceName).Releases {
		p, err := resolve.ParsePlatform(r.Platform)
		if err != nil {
			t.Fatal(err)
		}
		req := full(r.Release, p)
		parts, ok := tabled(req)
		if !ok {
			t.Errorf("the table does not know all of %s for %s", r.Release, p)
		}
		for _, q := range parts {
			w, platforms, ok := parseWheel(q.known.file)
			if !ok || rank(platforms, p) < 0 || !isSum(q.known.sha256) {
				t.Errorf("%s for %s: %s has the file %q, sha256 %q", r.Release, p, q.word, q.known.file, q.known.sha256)
			}
			if word := wordOf(w.name, "", req); word != q.word {
				t.Errorf("%s for %s: %s is the file of %q, not %s", r.Release, p, q.known.file, word, q.word)
			}
			files++
		}
	}
	if files < 300 {
		t.Errorf("only %d files were looked at", files)
	}
}

func TestTabledClosure(t *testing.T) {
	for _, tt := range []struct {
		name string
		req  resolve.Request
		want string
	}{
		{"cublas wants nvrtc", request("13.0.3", linux, "cublas"), "nvcc crt nvvm cudart cccl cublas nvrtc"},
		{"cusolver wants cublas, and that nvrtc", request("13.0.3", linux, "cusolver"), "nvcc crt nvvm cudart cccl cublas cusolver cusparse nvjitlink nvrtc"},
		{"cudnn has releases of its own", request("13.0.3", linux, "cudnn"), "nvcc crt nvvm cudart cccl cublas nvrtc cudnn?"},
		{"an update that it does not know", request("13.0.2", linux), "not known"},
		{"no such component", request("13.0.3", linux, "cublass"), "not known"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parts, ok := tabled(tt.req)
			var got []string
			for _, p := range parts {
				word := p.word
				if p.known.file == "" {
					word += "?"
				}
				got = append(got, word)
			}
			if text := strings.Join(got, " "); ok && text != tt.want || !ok && tt.want != "not known" {
				t.Errorf("tabled(%v) = %s, %t, want %s", tt.req, text, ok, tt.want)
			}
		})
	}
}

func TestBatchesOfPip(t *testing.T) {
	const mega = 1 << 20
	for _, tt := range []struct {
		name  string
		sizes []int64 // MiB
		want  string
	}{
		{"minimal", []int64{36, 0, 59, 2, 3}, "[59] [36 3 2 0]"},
		{"small ones fill a gap", []int64{40, 30, 20, 10, 5}, "[40 5] [30 10] [20]"},
		{"large ones alone", []int64{400, 200, 48, 1}, "[400] [200] [48] [1]"},
		{"sizes not known", []int64{0, 0, 0}, "[0 0 0]"},
		{"none", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var parcels []resolve.Parcel
			for _, s := range tt.sizes {
				parcels = append(parcels, resolve.Parcel{Size: resolve.Size{Download: s * mega}, Format: resolve.Wheel})
			}
			var got []string
			for _, b := range New(Config{}).Batches(parcels) {
				var batch []int64
				for _, p := range b {
					batch = append(batch, p.Size.Download/mega)
				}
				got = append(got, fmt.Sprint(batch))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("Batches of %v = %s, want %s", tt.sizes, text, tt.want)
			}
		})
	}
	if got := New(Config{}).Batches([]resolve.Parcel{{Format: resolve.Tree}, {Format: resolve.Tree}}); len(got) != 2 {
		t.Errorf("uv's parcels come in %d batches, want 2", len(got))
	}
}

// TestLiveTable: the table says what the metapackages and the index say.
func TestLiveTable(t *testing.T) {
	src := live(t)
	c, err := src.client(t.Context())
	if err != nil || c.format() != resolve.Wheel {
		t.Skip("no pip here")
	}
	for _, r := range data.SourceOf(sourceName).Releases {
		p, _ := resolve.ParsePlatform(r.Platform)
		req := full(r.Release, p)
		if slices.Contains(resolve.Offered(sourceName, req.Release, p), "cudnn") {
			req.With = []string{"cudnn"}
		}
		meta, err := src.metapackage(t.Context(), c, req)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range slices.Concat([]resolve.Request{req}, eachWord(req)) {
			asked, err := choose(meta, one)
			if err != nil {
				t.Fatal(err)
			}
			want, err := src.fill(t.Context(), c, one, asked)
			if err != nil {
				t.Fatal(err)
			}
			known, _ := tabled(one)
			if got, err := src.fill(t.Context(), c, one, known); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s for %s with %v (%v):\ntable %+v\nindex %+v", r.Release, p, one.With, err, got, want)
			}
		}
	}
}

// eachWord asks for the components one by one.
func eachWord(req resolve.Request) []resolve.Request {
	var out []resolve.Request
	for _, w := range resolve.Offered(sourceName, req.Release, req.Platform) {
		out = append(out, resolve.Request{Release: req.Release, Platform: req.Platform, With: []string{w}})
	}
	return out
}
