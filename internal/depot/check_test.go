package depot

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/unpack"
)

func TestCheck(t *testing.T) {
	at := func(i Installed, name string) string { return filepath.Join(i.Dir, filepath.FromSlash(name)) }
	for _, tt := range []struct {
		name   string
		spoil  func(i Installed) error
		faults string
		glance string // what can be seen without reading
		unix   bool
	}{
		{"whole", func(Installed) error { return nil }, "", "", false},
		{"missing", func(i Installed) error { return os.Remove(at(i, "bin/b")) }, "bin/b missing", "bin/b missing", false},
		{"other bytes", func(i Installed) error { return os.WriteFile(at(i, "a"), []byte("oNe"), 0o644) }, "a changed", "", false},
		{"other size", func(i Installed) error { return os.WriteFile(at(i, "a"), []byte("longer"), 0o644) }, "a changed", "a changed", false},
		{"extra", func(i Installed) error { return os.WriteFile(at(i, "bin/c"), nil, 0o644) }, "bin/c not in the manifest", "bin/c not in the manifest", false},
		{"a folder in its place", func(i Installed) error {
			_ = os.Remove(at(i, "a"))
			return os.Mkdir(at(i, "a"), 0o755)
		}, "a changed", "a changed", false},
		{"mode", func(i Installed) error { return os.Chmod(at(i, "a"), 0o755) }, "a changed", "a changed", true},
		{"link elsewhere", func(i Installed) error {
			_ = os.Remove(at(i, "l"))
			return os.Symlink("bin", at(i, "l"))
		}, "l changed", "l changed", true},
		{"link became a file", func(i Installed) error {
			_ = os.Remove(at(i, "l"))
			return os.WriteFile(at(i, "l"), []byte("one"), 0o644)
		}, "l changed", "l changed", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.unix && runtime.GOOS == "windows" {
				t.Skip("links and rights of Unix")
			}
			d := newDepot(t)
			c, err := d.Begin(ctx, Toolkits, "a", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer c.End()
			files := put(t, c.Dir, map[string]string{"a": "one", "bin/b": "two"})
			if runtime.GOOS != "windows" {
				if err := os.Symlink("a", filepath.Join(c.Dir, "l")); err != nil {
					t.Fatal(err)
				}
				files = append(files, unpack.File{Path: "l", Link: "a"})
			}
			i, err := c.Commit(manifest(files))
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.spoil(i); err != nil {
				t.Fatal(err)
			}
			faults, err := Check(ctx, i, nil)
			if got := faultsText(faults); got != tt.faults || err != nil {
				t.Errorf("Check = %q, %v, want %q", got, err, tt.faults)
			}
			faults, err = Glance(ctx, i)
			if got := faultsText(faults); got != tt.glance || err != nil {
				t.Errorf("Glance = %q, %v, want %q", got, err, tt.glance)
			}
		})
	}
}

func faultsText(faults []Fault) string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Path+" "+f.What)
	}
	return strings.Join(out, ", ")
}

func TestBrokenManifest(t *testing.T) {
	for _, tt := range []struct{ name, text, why string }{
		{"empty", "", "EOF"},
		{"no object", "[]", "no JSON object"},
		{"truncated head", `{"format": "cupel.manifest/1", "name": "a`, "EOF"},
		{"a newer format", `{"format": "cupel.manifest/9", "files": []}`, "cupel.manifest/9"},
		{"a wrong type", `{"format": "cupel.manifest/1", "components": 7}`, "cannot unmarshal"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDepot(t)
			i := install(t, d, "a", map[string]string{"x": "1"})
			if err := os.WriteFile(filepath.Join(i.Dir, ManifestName), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			all, err := d.List(Toolkits)
			if err != nil || len(all) != 1 || all[0].Broken == nil || !strings.Contains(all[0].Broken.Error(), tt.why) {
				t.Errorf("List = %+v, %v, want one that is broken: %s", all, err, tt.why)
			}
			if _, err := Check(ctx, i, nil); err == nil {
				t.Error("Check: no error")
			}
			install(t, d, "a", map[string]string{"x": "1"})
			if got := names(t, d); got != "a" {
				t.Errorf("installed again: %q", got)
			}
		})
	}
}

func TestPathsOfManifest(t *testing.T) {
	for _, path := range []string{"../x", "/etc/passwd", "a/../../x", `a\b`, ""} {
		d := newDepot(t)
		i := install(t, d, "a", nil)
		text := fmt.Sprintf(`{"format": "cupel.manifest/1", "name": "a", "files": [{"path": %q, "size": 1}]}`, path)
		if err := os.WriteFile(filepath.Join(i.Dir, ManifestName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if faults, err := Check(ctx, i, nil); err == nil || len(faults) > 0 {
			t.Errorf("path %q: %v, %v, want it refused", path, faults, err)
		}
	}
}

// TestHeadAlone: the list does not read the files, which may be many and broken.
func TestHeadAlone(t *testing.T) {
	m, err := decodeHead(strings.NewReader(`{"format": "cupel.manifest/1", "name": "a", "size": 7, "files": [ {{{`))
	if err != nil || m.Name != "a" || m.Size != 7 {
		t.Errorf("decodeHead = %+v, %v", m, err)
	}
	text, err := encode(Manifest{Format: ManifestFormat, Name: "a", Platform: resolve.Platforms[0], Files: []unpack.File{{Path: "x", Size: 1}, {Path: "y", Link: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	back, err := known(text)
	if err != nil || len(back.Files) != 2 || back.Files[1].Link != "x" {
		t.Errorf("known(encode) = %+v, %v\n%s", back, err, text)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format": "cupel.manifest/1", "name": "a", "files": []}`))
	f.Add([]byte(`{"format": "cupel.manifest/1", "platform": "linux-x86_64", "components": [{"name": "x"}]}`))
	f.Add([]byte(`{"format"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		head, err := decodeHead(strings.NewReader(string(text)))
		if whole, e := known(text); e == nil && err == nil && whole.Format != head.Format {
			t.Errorf("two readers: %q and %q", whole.Format, head.Format)
		}
	})
}
