package depot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/unpack"
)

var ctx = context.Background()

func newDepot(t *testing.T) Depot {
	t.Helper()
	dir := t.TempDir()
	return Depot{Home: filepath.Join(dir, "home"), Cache: filepath.Join(dir, "cache")}
}

// put writes files into a folder and lists them as a manifest does.
func put(t *testing.T, dir string, files map[string]string) []unpack.File {
	t.Helper()
	var out []unpack.File
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(text))
		out = append(out, unpack.File{Path: name, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), Mode: info.Mode().Perm()})
	}
	return out
}

func manifest(files []unpack.File) Manifest {
	return Manifest{Cupel: "test", Release: "13.0.2", Source: "pip", Platform: resolve.Platforms[0], Files: files}
}

// install puts a folder of these files into the depot.
func install(t *testing.T, d Depot, name string, files map[string]string) Installed {
	t.Helper()
	c, err := d.Begin(ctx, Toolkits, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.End()
	i, err := c.Commit(manifest(put(t, c.Dir, files)))
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// names lists what is visible and proves each of it.
func names(t *testing.T, d Depot) string {
	t.Helper()
	all, err := d.List(Toolkits)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range all {
		if i.Broken != nil {
			out = append(out, filepath.Base(i.Dir)+" broken")
			continue
		}
		out = append(out, i.Manifest.Name)
		if faults, err := Check(ctx, i, nil); err != nil || len(faults) > 0 {
			t.Errorf("check %s: %v %v", i.Dir, faults, err)
		}
	}
	return strings.Join(out, ",")
}

// entries are all names in the folder of the toolkits.
func entries(t *testing.T, d Depot) string {
	t.Helper()
	all, err := os.ReadDir(d.kind(Toolkits))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range all {
		out = append(out, e.Name())
	}
	return strings.Join(out, ",")
}

func TestInstallReplaceRemove(t *testing.T) {
	d := newDepot(t)
	if got := names(t, d); got != "" {
		t.Fatalf("an empty depot has %q", got)
	}
	c, err := d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	files := put(t, c.Dir, map[string]string{"bin/nvcc": "one", "include/cuda.h": "h"})
	if got := names(t, d); got != "" {
		t.Errorf("before the commit %q is visible", got)
	}
	i, err := c.Commit(manifest(files))
	if err != nil || i.Dir != filepath.Join(d.Home, "toolkits", "a") || i.Manifest.Kind != Toolkits || i.Manifest.Name != "a" {
		t.Fatalf("commit: %+v, %v", i, err)
	}
	c.End()
	if got := names(t, d); got != "a" {
		t.Errorf("after the commit %q is visible, want a", got)
	}
	install(t, d, "a", map[string]string{"bin/nvcc": "two"})
	if text, err := os.ReadFile(filepath.Join(i.Dir, "bin", "nvcc")); string(text) != "two" {
		t.Errorf("replaced: %q, %v", text, err)
	}
	if got := entries(t, d); got != "a" {
		t.Errorf("the folder has %q, want a alone", got)
	}
	c, err = d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Old == nil || c.Old.Manifest.Release != "13.0.2" {
		t.Errorf("what is there: %+v", c.Old)
	}
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
	c.End()
	if got := entries(t, d); got != "" {
		t.Errorf("removed, the folder has %q", got)
	}
}

func TestNothingWithoutCommit(t *testing.T) {
	d := newDepot(t)
	install(t, d, "a", map[string]string{"x": "1"})
	c, err := d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	put(t, c.Dir, map[string]string{"x": "2"})
	c.End()
	c.End()
	if got := entries(t, d); got != "a" {
		t.Errorf("given up, the folder has %q, want a", got)
	}
	if text, _ := os.ReadFile(filepath.Join(d.kind(Toolkits), "a", "x")); string(text) != "1" {
		t.Errorf("given up, the old file reads %q", text)
	}
	if c, err = d.Begin(ctx, Toolkits, "b", nil); err != nil {
		t.Fatal(err)
	}
	defer c.End()
	if err := c.Remove(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("remove what is not there: %v", err)
	}
}

func TestAdopt(t *testing.T) {
	d := newDepot(t)
	old := install(t, d, "a", map[string]string{"bin/nvcc": "one", "deep/er/file": "two"})
	c, err := d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.End()
	if err := c.Adopt(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.Dir, ManifestName)); err == nil {
		t.Error("the old manifest was adopted: a killed install would look whole")
	}
	m, err := Read(old.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Commit(manifest(append(m.Files, put(t, c.Dir, map[string]string{"new": "3"})...))); err != nil {
		t.Fatal(err)
	}
	if got := names(t, d); got != "a" {
		t.Errorf("visible: %q", got)
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name string
		ok   bool
	}{
		{"13.0.2-pip-linux-x86_64", true}, {"gcc-13", true}, {"libstdc++", true},
		{"", false}, {".", false}, {"..", false}, {"a/b", false}, {`a\b`, false}, {".new-a-1", false}, {"A", false},
		{"nul", false}, {"com1.x", false}, {"console", true}, {"a.", false}, {"a b", false}, {strings.Repeat("a", 81), false}, {"a:b", false},
	} {
		if err := checkName(tt.name); (err == nil) != tt.ok {
			t.Errorf("checkName(%q) = %v, want ok %t", tt.name, err, tt.ok)
		}
	}
	if _, err := newDepot(t).Begin(ctx, Toolkits, "../x", nil); err == nil {
		t.Error("begin with ../x: no error")
	}
}

func TestLockWaits(t *testing.T) {
	d := newDepot(t)
	first, err := d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	report := func(e progress.Event) { said = append(said, e.Text) }
	short, stop := context.WithTimeout(ctx, 200*time.Millisecond)
	defer stop()
	if _, err := d.Begin(short, Toolkits, "a", report); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("begin while another is at it: %v", err)
	}
	if len(said) != 1 || !strings.Contains(said[0], "waiting") {
		t.Errorf("it said %q, want one line about the waiting", said)
	}
	other, err := d.Begin(ctx, Toolkits, "b", nil)
	if err != nil {
		t.Fatalf("another name: %v", err)
	}
	if _, err := os.Stat(first.Dir); err != nil {
		t.Errorf("the folder that the first one fills was swept: %v", err)
	}
	other.End()
	first.End()
	again, err := d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatalf("begin after it was let go: %v", err)
	}
	again.End()
}

// TestManyAtOnce: who begins sees the folder as the one before left it.
func TestManyAtOnce(t *testing.T) {
	d := newDepot(t)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			c, err := d.Begin(ctx, Toolkits, "a", nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.End()
			var files []unpack.File
			if c.Old != nil {
				if err := c.Adopt(ctx); err != nil {
					t.Error(err)
				}
				m, err := Read(c.Old.Dir)
				if err != nil {
					t.Error(err)
				}
				files = m.Files
			}
			files = append(files, put(t, c.Dir, map[string]string{"n" + strings.Repeat("x", len(files)): "1"})...)
			if _, err := c.Commit(manifest(files)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	names(t, d)
	m, err := Read(filepath.Join(d.kind(Toolkits), "a"))
	if err != nil || len(m.Files) != 12 {
		t.Errorf("%d of 12 files are there: %v", len(m.Files), err)
	}
}

// TestNoFolder: a link or a file that has the name of a folder is not written through, replaced or removed.
func TestNoFolder(t *testing.T) {
	type row struct {
		name string
		make func(there, at string) error
	}
	rows := []row{{"a file", func(_, at string) error { return os.WriteFile(at, []byte("mine"), 0o644) }}}
	if runtime.GOOS != "windows" { // who may make links there, and wine's that nobody sees, is another matter
		rows = append(rows, row{"a link", os.Symlink})
	}
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			d := newDepot(t)
			there := install(t, d, "there", map[string]string{"x": "one"})
			at := filepath.Join(filepath.Dir(there.Dir), "a")
			if err := tt.make(there.Dir, at); err != nil {
				t.Fatal(err)
			}
			_, err := d.Begin(ctx, Toolkits, "a", nil)
			var no NoFolder
			if !errors.As(err, &no) || no.Path != at {
				t.Errorf("begin: %v, want NoFolder with %s", err, at)
			}
			if _, err := os.Lstat(at); err != nil {
				t.Errorf("it is gone: %v", err)
			}
			if got := names(t, d); got != "there" {
				t.Errorf("visible: %q, want there alone", got)
			}
		})
	}
}
