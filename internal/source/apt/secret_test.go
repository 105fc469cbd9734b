//go:build linux

package apt

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/resolve"
	"cupel/internal/source"
)

// TestRefused: a mirror at which nobody listens is told with apt's own reason, and its password by nobody.
func TestRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	t.Setenv("http_proxy", "")
	r := newRepository(t, "trixie")
	t.Setenv("APT_CONFIG", r.write("apt.conf", `Acquire::http::Proxy "DIRECT";`))
	r.write("etc/apt/sources.list.d/debian.sources", "Types: deb\nURIs: http://name:secret@"+l.Addr().String()+"/debian\nSuites: trixie\nComponents: main\nTrusted: yes\n")
	err = r.source().Reach(t.Context())
	var gone source.Unreachable
	if !errors.As(err, &gone) || !strings.Contains(gone.Why, "onnection refused") || strings.Contains(err.Error(), "secret") {
		t.Errorf("Reach = %v, want that the connection is refused, without the password", err)
	}
	m, err := r.source().Machine()
	if err != nil {
		t.Fatal(err)
	}
	if _, state, err := r.source().Beside(m, ""); err != nil || state.lay() != nil {
		t.Fatal(err)
	}
	private(t, filepath.Join(r.root, "state"))
}

// private: what cupel writes of a mirror's address is for the user alone.
func private(t *testing.T, state string) {
	var seen int
	err := filepath.WalkDir(state, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, _ := os.ReadFile(path)
		if strings.Contains(string(text), "secret") || d.IsDir() && filepath.Dir(path) == state {
			seen++
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %s", path, info.Mode())
			}
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Errorf("looked at %d files that matter, error %v", seen, err)
	}
}

// TestSweep: what killed runs left goes away, what a run beside us has just made stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-2 * old)
	for _, name := range []string{"reach-1/InRelease", "reach-2/InRelease", ".new-1", ".new-2", "trixie-amd64/updated"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"reach-1", ".new-1", "trixie-amd64"} {
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir)
	for name, want := range map[string]bool{"reach-1": false, ".new-1": false, "reach-2": true, ".new-2": true, "trixie-amd64": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
}

// TestSettle: the folder's own name is no pattern.
func TestSettle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[odd] folder*")
	work := filepath.Join(dir, "apt")
	if err := errors.Join(os.MkdirAll(work, 0o755), os.WriteFile(filepath.Join(work, "libx_1%3a2_amd64.deb"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "libx_2_amd64.deb")
	if err := settle(work, resolve.Parcel{Name: "libx"}, to); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(to); err != nil {
		t.Error(err)
	}
}
