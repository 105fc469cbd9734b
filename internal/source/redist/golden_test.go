package redist_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/resolve"
	"cupel/internal/source/redist"
	"cupel/internal/version"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// lists is NVIDIA's own lists, of three platforms.
var lists = filepath.Join("..", "..", "..", "testdata", "redist")

// TestRealLists: what each release comes to. The golden file is testdata/redist/resolved.txt.
func TestRealLists(t *testing.T) {
	src := redist.New(redist.Config{Base: lists, CuDNNBase: filepath.Join(lists, "cudnn")})
	var b strings.Builder
	for _, release := range []string{"11.8", "12.2", "12.4", "12.9", "13.0"} {
		for _, p := range []resolve.Platform{linux, windows, sbsa} {
			for _, tt := range []struct {
				name string
				with []string
				full bool
			}{{"minimal", nil, false}, {"with cublas", []string{"cublas"}, false}, {"full", nil, true}} {
				plan, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse(release), Platform: p, With: tt.with, Full: tt.full})
				if err != nil {
					t.Fatalf("%s for %s, %s: %v", release, p, tt.name, err)
				}
				show(&b, tt.name, plan)
			}
		}
	}
	for _, release := range []string{"12.9", "13.0"} {
		plan, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse(release), Platform: linux, With: []string{"cudnn"}})
		if err != nil {
			t.Fatal(err)
		}
		show(&b, "with cudnn", plan)
	}
	golden := filepath.Join(lists, "resolved.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), b.String()); diff != "" {
		t.Errorf("resolved lists differ from %s (-want +got):\n%s", golden, diff)
	}
}

// show writes a plan as a person would check it.
func show(b *strings.Builder, name string, plan resolve.Plan) {
	fmt.Fprintf(b, "%s %s, %s: %d archives, %d bytes\n", plan.Release, plan.Platform, name, len(plan.Parcels), plan.Size.Download)
	fmt.Fprintf(b, "  components: %s\n", strings.Join(plan.Components, " "))
	for _, p := range plan.Parcels {
		fmt.Fprintf(b, "  %12d  %s %s", p.Size.Download, p.Name, p.Version)
		if words := strings.Join(p.Brings, " "); words != "" {
			fmt.Fprintf(b, "  (%s)", words)
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintln(b)
}

// TestRealOffers: the same lists as offers.
func TestRealOffers(t *testing.T) {
	offers, err := redist.New(redist.Config{Base: lists, CuDNNBase: filepath.Join(lists, "cudnn")}).Offers(t.Context(), linux)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range offers {
		got = append(got, fmt.Sprintf("%s minimal %d full %d, %d components", o.Release, o.Minimal.Download, o.Full.Download, len(o.Components)))
	}
	want := []string{
		"13.0.2 minimal 72862168 full 4044986624, 30 components",
		"12.9.1 minimal 83612808 full 4570023956, 30 components",
		"12.4.1 minimal 53441344 full 2939819692, 30 components",
		"12.2.2 minimal 48937952 full 2761335004, 29 components",
		"11.8.0 minimal 45151244 full 2647442312, 26 components",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Offers (-want +got):\n%s", diff)
	}
}
