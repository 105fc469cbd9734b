package sourcetest

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/unpack"
)

// fetch: every parcel comes, again and again, whole; and together they are a toolkit.
func (h Harness) fetch(t *testing.T) {
	if h.NoFetch != "" {
		t.Skip(h.NoFetch)
	}
	src := h.New(t)
	plan := h.plan(t, src, h.request(h.Release))
	dir := t.TempDir()
	h.cancelled(t, src, plan, dir)
	got := map[string]bool{}
	for _, p := range plan.Parcels {
		if len(h.Few) > 0 && !slices.Contains(h.Few, p.Component) {
			continue
		}
		for _, name := range h.bring(t, src, plan, p, dir) {
			got[name] = true
		}
	}
	if len(h.Few) > 0 || plan.Root != "" {
		return
	}
	for _, want := range h.root() {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(got)), func(name string) bool { ok, _ := path.Match(want, name); return ok }) {
			t.Errorf("no parcel puts %s into the root", want)
		}
	}
}

// root is what a minimal toolkit has on the platform.
func (h Harness) root() []string {
	if len(h.Root) > 0 {
		return h.Root
	}
	if h.Platform.Windows() {
		return []string{"bin/nvcc.exe", "bin/ptxas.exe", "nvvm/bin/cicc.exe", "nvvm/libdevice/libdevice.10.bc", "include/cuda_runtime.h", "include/crt/host_config.h",
			"lib/*/cudart.lib", "lib/*/cudart_static.lib", "lib/*/cudadevrt.lib"}
	}
	t := "targets/" + h.Platform.Target()
	return []string{"bin/nvcc", "bin/ptxas", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc", t + "/include/cuda_runtime.h", t + "/include/crt/host_config.h",
		t + "/lib/libcudart.so.*", t + "/lib/libcudart_static.a", t + "/lib/libcudadevrt.a"}
}

// bring fetches a parcel twice and lists where its files go.
func (h Harness) bring(t *testing.T, src source.Source, plan resolve.Plan, p resolve.Parcel, dir string) []string {
	t.Helper()
	own := filepath.Join(dir, p.Name)
	if err := os.MkdirAll(own, 0o755); err != nil {
		t.Fatal(err)
	}
	var at string
	for range 2 {
		var err error
		if at, err = src.Fetch(patient(t), plan, p, own, func(e progress.Event) {}); err != nil {
			t.Fatalf("Fetch of %s: %v", p.Name, err)
		}
	}
	if rel, err := filepath.Rel(own, at); p.Format != resolve.Tree && (err != nil || strings.HasPrefix(rel, "..")) {
		t.Errorf("Fetch of %s put it at %s, want below %s", p.Name, at, own)
	}
	if p.Format != resolve.Tree {
		sum, size := digest(t, at)
		if p.SHA256 != "" && sum != p.SHA256 || p.Size.Download > 0 && size != p.Size.Download {
			t.Errorf("Fetch of %s: %d bytes, sha256 %s; want %d, %s", p.Name, size, sum, p.Size.Download, p.SHA256)
		}
	}
	return placed(t, plan, p, at)
}

// placed lists where the files of a parcel go, without writing them.
func placed(t *testing.T, plan resolve.Plan, p resolve.Parcel, at string) []string {
	t.Helper()
	layout, nothing := resolve.LayoutOf(plan, p), t.TempDir()
	var names []string
	_, err := unpack.Unpack(t.Context(), at, nothing, unpack.Options{Format: p.Format, Place: func(name string) (string, bool) {
		if to, ok := layout.Place(name); ok {
			names = append(names, to)
		}
		return "", false
	}})
	if err != nil {
		t.Fatalf("list %s: %v", filepath.Base(at), err)
	}
	return names
}

// cancelled: an ended context leaves nothing that looks finished.
func (h Harness) cancelled(t *testing.T, src source.Source, plan resolve.Plan, dir string) {
	t.Helper()
	for _, p := range plan.Parcels {
		if p.File == "" {
			continue
		}
		at, err := src.Fetch(ended(t), plan, p, dir, nil)
		if err == nil {
			t.Errorf("Fetch of %s with an ended context brought %s", p.Name, at)
		}
		if _, err := os.Stat(filepath.Join(dir, p.File)); err == nil {
			t.Errorf("Fetch of %s with an ended context left %s", p.Name, p.File)
		}
	}
}

func digest(t *testing.T, path string) (string, int64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil)), n
}
