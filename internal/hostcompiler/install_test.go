package hostcompiler

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// distribution is a made-up one: a package is a zip of one program.
type distribution struct {
	mu      sync.Mutex
	files   map[string][]byte
	fetched []string
	spoil   string // the package that comes broken
}

func (d *distribution) fetch(_ context.Context, p resolve.Parcel, dir string, _ progress.Report) (string, error) {
	path := filepath.Join(dir, p.File)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	d.mu.Lock()
	d.fetched = append(d.fetched, p.Name)
	d.mu.Unlock()
	data := d.files[p.Name]
	if p.Name == d.spoil {
		data = []byte("broken")
	}
	return path, os.WriteFile(path, data, 0o644)
}

var errBad = errors.New("it does not run")

// made is an installer with six packages, and the kind of thing that they make.
func made(t *testing.T) (Installer, *distribution, Plan, kind) {
	t.Helper()
	d := &distribution{files: map[string][]byte{}}
	p := Plan{Source: "apt", Name: "gcc-13", Version: "13.3.0"}
	for _, name := range []string{"a", "b", "c", "d", "e", "g++"} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.Create("usr/bin/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("program " + name)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		d.files[name] = b.Bytes()
		sum := sha256.Sum256(b.Bytes())
		p.Parcels = append(p.Parcels, resolve.Parcel{Name: name, Version: "1", File: name + ".zip", Format: resolve.Zip, SHA256: hex.EncodeToString(sum[:]), Size: resolve.Size{Download: int64(b.Len()), Installed: 20}})
	}
	p.Size = resolve.Sum(p.Parcels)
	home := t.TempDir()
	i := Installer{Depot: depot.Depot{Home: filepath.Join(home, "home"), Cache: filepath.Join(home, "cache")}, Cupel: "test", Here: resolve.Platforms[0], fetch: d.fetch}
	k := kind{folder: depot.Compilers, name: "gcc-13.3.0", finish: func(string) (string, error) { return "usr/bin/g++", nil }, prove: proveFake}
	return i, d, p, k
}

// proveFake needs a scratch folder below the depot and leaves nothing in it.
func proveFake(_ context.Context, command, scratch string) ([]string, error) {
	if !strings.Contains(scratch, depot.Compilers) {
		return nil, errors.New("the proof is made in " + scratch)
	}
	dir, err := os.MkdirTemp(scratch, ".proof-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if _, err := os.Stat(command); err != nil {
		return nil, err
	}
	return []string{"runs"}, nil
}

func downloads(t *testing.T, i Installer) int {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(i.Depot.Cache, "downloads"))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// TestInstallOnce: everything is recorded with its size, downloads go with the end, and the second run finds it.
func TestInstallOnce(t *testing.T) {
	i, d, p, k := made(t)
	for _, already := range []bool{false, true} {
		out, err := i.install(t.Context(), p, k)
		if err != nil {
			t.Fatal(err)
		}
		m, err := depot.Read(out.Installed.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if out.Already != already || len(m.Components) != 6 || m.Size != int64(len("program a")*5+len("program g++")) || m.Command != "usr/bin/g++" {
			t.Errorf("install: already %t, want %t; manifest %+v", out.Already, already, m)
		}
		if faults, err := depot.Check(t.Context(), out.Installed, nil); err != nil || len(faults) > 0 {
			t.Errorf("Check = %v, %v", faults, err)
		}
		if n := downloads(t, i); n > 0 {
			t.Errorf("%d downloads are left", n)
		}
	}
	if len(d.fetched) != 6 {
		t.Errorf("fetched %q, want six", d.fetched)
	}
}

// TestInstallFaults: nothing is visible, what came whole is kept, and the next run fetches the rest alone.
func TestInstallFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(d *distribution, k *kind, p *Plan)
		want  func(error) bool
		again []string // what the next run fetches
	}{
		{"a wrong checksum", func(d *distribution, _ *kind, _ *Plan) { d.spoil = "g++" }, func(err error) bool { return strings.Contains(err.Error(), "verify g++.zip: sha256 is ") }, []string{"g++"}},
		{"it does not run", func(_ *distribution, k *kind, _ *Plan) {
			k.prove = func(context.Context, string, string) ([]string, error) { return nil, errBad }
		}, func(err error) bool { return errors.Is(err, errBad) }, nil},
		{"no room", func(_ *distribution, _ *kind, p *Plan) { p.Size.Installed = 1 << 60 }, func(err error) bool { var no depot.NoSpace; return errors.As(err, &no) }, []string{"a", "b", "c", "d", "e", "g++"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i, d, p, k := made(t)
			bad, worse := k, p
			tt.spoil(d, &bad, &worse)
			if _, err := i.install(t.Context(), worse, bad); err == nil || !tt.want(err) {
				t.Errorf("install: %v", err)
			}
			if all, err := i.Depot.List(depot.Compilers); err != nil || len(all) > 0 {
				t.Errorf("visible: %v, %v", all, err)
			}
			d.spoil, d.fetched = "", nil
			if _, err := i.install(t.Context(), p, k); err != nil {
				t.Errorf("the next run: %v", err)
			}
			if slices.Sort(d.fetched); !slices.Equal(d.fetched, tt.again) {
				t.Errorf("the next run fetched %q, want %q", d.fetched, tt.again)
			}
		})
	}
}

// TestGiven: a depot that may not be written and has it.
func TestGiven(t *testing.T) {
	i, _, p, k := made(t)
	no := depot.NotWritable{Dir: i.Depot.Home, Err: os.ErrPermission}
	if _, err := i.given(p, k, no); !errors.As(err, new(depot.NotWritable)) {
		t.Errorf("nothing there: %v, want NotWritable", err)
	}
	if _, err := i.install(t.Context(), p, k); err != nil {
		t.Fatal(err)
	}
	if out, err := i.given(p, k, no); err != nil || !out.Already || filepath.Base(out.Command) != "g++" {
		t.Errorf("there: %+v, %v", out, err)
	}
	p.Parcels[0].SHA256 = strings.Repeat("0", 64)
	if _, err := i.given(p, k, no); err == nil {
		t.Error("made of other packages: no error")
	}
	if _, err := i.given(p, k, errBad); !errors.Is(err, errBad) {
		t.Errorf("another error: %v", err)
	}
}
