package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/resolve"
)

// hostile are archives that are refused, with words of the reason.
var hostile = []struct {
	name   string
	things []thing
	why    string
	tarred bool // only a tar can hold it
	zipped bool // only a zip can hold it
}{
	{name: "absolute path", things: []thing{{name: "/etc/passwd", body: "x"}}, why: "absolute path"},
	{name: "climbs out", things: []thing{{name: "a/../../b", body: "x"}}, why: "climbs out"},
	{name: "climbs within", things: []thing{{name: "a/../b", body: "x"}}, why: "climbs out"},
	{name: "drive letter", things: []thing{{name: "C:/windows/x", body: "x"}}, why: "absolute path"},
	{name: "drive letter without a slash", things: []thing{{name: "c:x", body: "x"}}, why: "absolute path"},
	{name: "backslashes", things: []thing{{name: `a\..\..\b`, body: "x"}}, why: "backslash"},
	{name: "share", things: []thing{{name: `\\host\share\x`, body: "x"}}, why: "backslash"},
	{name: "NUL in the name", things: []thing{{name: "a\x00b", body: "x"}}, why: "control character", zipped: true},
	{name: "line feed in the name", things: []thing{{name: "a\nb", body: "x"}}, why: "control character"},
	{name: "not UTF-8", things: []thing{{name: "a\xff\xfe", body: "x"}}, why: "UTF-8"},
	{name: "long part", things: []thing{{name: strings.Repeat("n", 300), body: "x"}}, why: "too long"},
	{name: "fifo", things: []thing{{name: "pipe", kind: tar.TypeFifo}}, why: "neither file"},
	{name: "device", things: []thing{{name: "null", kind: tar.TypeChar}}, why: "neither file", tarred: true},
	{name: "block device", things: []thing{{name: "disk", kind: tar.TypeBlock}}, why: "neither file", tarred: true},
	{name: "link out", things: []thing{{name: "a/l", link: "../../etc/passwd"}}, why: "link out of its folder"},
	{name: "absolute link", things: []thing{{name: "l", link: "/etc/passwd"}}, why: "link out of its folder"},
	{name: "link with a drive", things: []thing{{name: "l", link: `C:\x`}}, why: "link out of its folder"},
	{name: "link out through a link", things: []thing{{name: "a/b/up", link: ".."}, {name: "l", link: "a/b/up/../../x"}}, why: "link out of its folder"},
	{name: "hard link out", things: []thing{{name: "l", hard: "../../etc/passwd"}}, why: "link out of its folder", tarred: true},
	{name: "absolute hard link", things: []thing{{name: "l", hard: "/etc/passwd"}}, why: "link out of its folder", tarred: true},
	{name: "hard link to nothing", things: []thing{{name: "l", hard: "none"}}, why: "not there", tarred: true},
	{name: "written through a link", things: []thing{{name: "d/x", body: "x"}, {name: "l", link: "d"}, {name: "l/y", body: "y"}}, why: "written through"},
	{name: "written through a link out", things: []thing{{name: "l", link: "../.."}, {name: "l/y", body: "y"}}, why: "written through"},
	{name: "link below a link", things: []thing{{name: "d/x", body: "x"}, {name: "l", link: "d"}, {name: "l/y", link: "../d/x"}}, why: "written through"},
	{name: "file below a file", things: []thing{{name: "a", body: "x"}, {name: "a/b", body: "y"}}, why: ""},
	{name: "two of one name", things: []thing{{name: "a", body: "x"}, {name: "./a", body: "y"}}, why: "other bytes"},
	{name: "file and link of one name", things: []thing{{name: "b", body: "x"}, {name: "a", body: "x"}, {name: "a", link: "b"}}, why: "twice"},
	{name: "link and file of one name", things: []thing{{name: "b", body: "x"}, {name: "a", link: "b"}, {name: "a", body: "x"}}, why: "twice"},
	{name: "the folder itself", things: []thing{{name: ".", body: "x"}}, why: "folder itself"},
}

func TestHostile(t *testing.T) {
	for _, format := range []string{resolve.Wheel, resolve.TarGZ, resolve.TarXZ} {
		for _, tt := range hostile {
			if tt.tarred && format == resolve.Wheel || tt.zipped && format != resolve.Wheel {
				continue
			}
			t.Run(format+"/"+tt.name, func(t *testing.T) {
				archive := archiveOf(t, format, tt.things)
				around := t.TempDir()
				root := filepath.Join(around, "x", "root")
				must(t, os.MkdirAll(root, 0o755))
				_, err := Unpack(t.Context(), archive, root, Options{Format: format})
				r, ok := errors.AsType[Refused](err)
				if err == nil || tt.why != "" && (!ok || !strings.Contains(err.Error(), tt.why) || r.Archive != filepath.Base(archive) || r.Entry == "") {
					t.Errorf("%+v: %v, want it refused: %q", tt.things, err, tt.why)
				}
				if left, _ := filepath.Glob(filepath.Join(around, "*")); len(left) != 1 {
					t.Errorf("beside the root lies %v", left)
				}
				if left, _ := filepath.Glob(filepath.Join(around, "x", "*")); len(left) != 1 {
					t.Errorf("beside the root lies %v", left)
				}
			})
		}
	}
}

// A hostile name is refused even when the layout leaves its entry out, and before the layout is asked.
func TestHostileDropped(t *testing.T) {
	names := map[string]string{
		"../../etc/passwd": "climbs out", "/etc/passwd": "absolute path", `C:\x`: "backslash", "C:/x": "absolute path", "./../x": "climbs out",
		"./usr/../x": "climbs out", "a/..": "climbs out", "../up/": "climbs out", "/etc/": "absolute path", "a\nb": "control character",
	}
	for _, format := range []string{resolve.Wheel, resolve.Zip, resolve.TarXZ, resolve.TarGZ, resolve.Deb, resolve.Conda} {
		for name, why := range names {
			kinds := []thing{{name: name, body: "x"}, {name: name, link: "ok"}}
			if strings.HasSuffix(name, "/") {
				kinds = []thing{{name: name}}
			}
			for _, e := range kinds {
				place := func(n string) (string, bool) {
					if n != "ok" {
						t.Errorf("%s: the layout is asked for %q", format, n)
					}
					return "", false
				}
				_, _, err := unpacked(t, archiveOf(t, format, []thing{{name: "ok", body: "y"}, e}), Options{Format: format, Place: place})
				if r, ok := errors.AsType[Refused](err); !ok || r.Entry != name || !strings.Contains(r.Why, why) {
					t.Errorf("%s with %q: %v, want it refused: %q", format, name, err, why)
				}
			}
		}
	}
	nul := archiveOf(t, resolve.Zip, []thing{{name: "a\x00b", body: "x"}}) // a tar's names end at it
	_, _, err := unpacked(t, nul, Options{Format: resolve.Zip, Place: func(string) (string, bool) { return "", false }})
	if r, ok := errors.AsType[Refused](err); !ok || r.Entry != "a\x00b" {
		t.Errorf("NUL in a name: %v, want it refused", err)
	}
}

// The outer names of a conda package are foreign too.
func TestHostileCondaNames(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"pkg-x-1.tar", "../../etc/passwd"} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		must(t, err)
		_, err = f.Write(makeTar(t, plain[:1]))
		must(t, err)
	}
	must(t, w.Close())
	_, _, err := unpacked(t, saved(t, "a.conda", b.Bytes()), Options{Format: resolve.Conda})
	if r, ok := errors.AsType[Refused](err); !ok || r.Entry != "../../etc/passwd" {
		t.Errorf("outer entry ../../etc/passwd: %v, want it refused", err)
	}
}

// Debian writes its folders too, and everything with "./".
func TestDebianNames(t *testing.T) {
	things := []thing{{name: "./"}, {name: "./usr/"}, {name: "./usr/..x/"}, {name: "./usr/..x/a..b", body: "x"}}
	root, _, err := unpacked(t, archiveOf(t, resolve.Deb, things), Options{Format: resolve.Deb})
	if got := shown(t, root); err != nil || got != "usr/..x/a..b \"x\"\n" {
		t.Errorf("unpacked to %q, %v; want usr/..x/a..b", got, err)
	}
}

// What a layout drops may be of any kind and have a foreign name, but a layout cannot put a file outside.
func TestHostileLayout(t *testing.T) {
	a := archiveOf(t, "tar", []thing{
		{name: "a\xff", body: "x"}, {name: strings.Repeat("n", 300), body: "x"}, {name: "ok", body: "y"}, {name: "l", link: "/"}, {name: "dev", kind: tar.TypeChar},
	})
	root, _, err := unpacked(t, a, Options{Format: "tar", Place: func(n string) (string, bool) { return n, n == "ok" }})
	if got := shown(t, root); err != nil || got != "ok \"y\"\n" {
		t.Errorf("unpacked to %q, %v; want ok alone", got, err)
	}
	for _, to := range []string{"../x", "/x", `..\x`, "", ".", "a/../../x"} {
		_, _, err := unpacked(t, a, Options{Format: "tar", Place: func(n string) (string, bool) { return to, n == "ok" }})
		if _, ok := errors.AsType[Refused](err); !ok {
			t.Errorf("placed at %q: %v, want it refused", to, err)
		}
	}
}

func TestWindowsNames(t *testing.T) {
	for _, tt := range []struct {
		why   string
		names []string
	}{
		{"device", []string{"CON", "a/nul.txt", "Aux .h", "com1", "lpt9.x", "COM³", "conin$"}},
		{"does not allow", []string{"ab/x:stream", "a?", "b*", "x<y", "x|y", `say"`}},
		{"dot or a blank", []string{"a./b", "b.", "c "}},
		{"", []string{"console", "com", "com10", "a.b", ".hidden", "null"}},
	} {
		for _, name := range tt.names {
			_, _, err := unpacked(t, archiveOf(t, "tar", []thing{{name: name, body: "x"}}), Options{Format: "tar", NoLinks: true})
			if tt.why == "" && err != nil || tt.why != "" && (err == nil || !strings.Contains(err.Error(), tt.why)) {
				t.Errorf("%q: %v, want %q", name, err, tt.why)
			}
		}
	}
}

func TestCaseCollision(t *testing.T) {
	for _, format := range []string{resolve.Zip, "tar"} {
		a := archiveOf(t, format, []thing{{name: "Include/A.h", body: "x"}, {name: "include/b.h", body: "x"}, {name: "include/a.h", body: "x"}})
		_, _, err := unpacked(t, a, Options{Format: format, NoLinks: true})
		if err == nil || !strings.Contains(err.Error(), "upper and lower case") {
			t.Errorf("%s for Windows: %v, want it refused", format, err)
		}
		if _, files, err := unpacked(t, a, Options{Format: format}); linked && (err != nil || len(files) != 3) {
			t.Errorf("%s here: %d files, %v; want 3", format, len(files), err)
		}
	}
}

// A link that an earlier archive left in the root is not followed.
func TestThroughOldLink(t *testing.T) {
	if !linked {
		t.Skip("no links can be made here")
	}
	root, out := t.TempDir(), t.TempDir()
	must(t, os.Symlink(out, filepath.Join(root, "l")))
	must(t, os.Symlink(filepath.Join(out, "f"), filepath.Join(root, "f")))
	for _, name := range []string{"l/x", "f"} {
		_, err := Unpack(t.Context(), archiveOf(t, "tar", []thing{{name: name, body: "x"}}), root, Options{Format: "tar"})
		if _, ok := errors.AsType[Refused](err); !ok {
			t.Errorf("%s: %v, want it refused", name, err)
		}
	}
	if left, _ := os.ReadDir(out); len(left) > 0 {
		t.Errorf("outside lies %v", left)
	}
}

func TestLimits(t *testing.T) {
	zeros := []thing{{name: "a", body: strings.Repeat("\x00", 4<<20)}, {name: "b", body: "x"}, {name: "c", body: "x"}}
	for _, format := range []string{resolve.Wheel, resolve.TarXZ, resolve.TarGZ, resolve.Deb, resolve.Conda, resolve.Tree} {
		a := archiveOf(t, format, zeros)
		for _, tt := range []struct {
			limits Limits
			why    string
		}{
			{Limits{Bytes: 4 << 20}, "more than 4194304 bytes"}, {Limits{Files: 2}, "more than 2 files"}, {Limits{Bytes: 4<<20 + 2, Files: 3}, ""},
		} {
			_, _, err := unpacked(t, a, Options{Format: format, Limits: tt.limits})
			if tt.why == "" && err != nil || tt.why != "" && (err == nil || !strings.Contains(err.Error(), tt.why)) {
				t.Errorf("%s with %+v: %v, want %q", format, tt.limits, err, tt.why)
			}
		}
	}
}

// Copies count too: a link for Windows is bytes.
func TestLimitsOfCopies(t *testing.T) {
	things := []thing{{name: "a", body: strings.Repeat("x", 1000)}, {name: "b", link: "a"}, {name: "c", hard: "a"}}
	_, _, err := unpacked(t, archiveOf(t, "tar", things), Options{Format: "tar", NoLinks: true, Limits: Limits{Bytes: 2500}})
	if err == nil || !strings.Contains(err.Error(), "more than 2500 bytes") {
		t.Errorf("three times 1000 bytes: %v, want it refused", err)
	}
}

// Every prefix of an archive is an error, and so is a changed byte in its packed bodies.
func TestTruncated(t *testing.T) {
	things := []thing{{name: "a", body: noise(3000, 2)}, {name: "d/b", body: noise(100_000, 3)}, {name: "c", body: "x"}}
	for _, format := range []string{resolve.Wheel, resolve.TarXZ, resolve.TarGZ, resolve.Deb, resolve.Conda, "tar.zst"} {
		raw, err := os.ReadFile(archiveOf(t, format, things))
		must(t, err)
		for _, n := range []int{0, 1, 7, 100, len(raw) / 3, len(raw) / 2, len(raw) - 100, len(raw) - 13, len(raw) - 3} {
			_, _, err := unpacked(t, saved(t, "cut", raw[:n]), Options{Format: format})
			if d, ok := errors.AsType[Damaged](err); !ok || d.Archive != "cut" {
				t.Errorf("%s cut to %d of %d bytes: %v, want it damaged", format, n, len(raw), err)
			}
		}
		bad := bytes.Clone(raw)
		bad[len(bad)/2] ^= 0x10
		if _, _, err := unpacked(t, saved(t, "bad", bad), Options{Format: format}); err == nil {
			t.Errorf("%s with a wrong byte in the middle: no error", format)
		}
	}
}

// patched changes numbers in the first central directory entry of a zip.
func patched(t *testing.T, raw []byte, at int, value uint32) []byte {
	t.Helper()
	out := bytes.Clone(raw)
	i := bytes.Index(out, []byte("PK\x01\x02"))
	if i < 0 {
		t.Fatal("no central directory")
	}
	binary.LittleEndian.PutUint32(out[i+at:], value)
	return out
}

func TestLyingZip(t *testing.T) {
	raw := makeZip(t, []thing{{name: "a", body: noise(5000, 4)}, {name: "b", body: "x"}})
	second := bytes.LastIndex(raw, []byte("PK\x01\x02"))
	overlap := bytes.Clone(raw)
	binary.LittleEndian.PutUint32(overlap[second+42:], 0) // the second entry begins at the first one's header
	copy(overlap[second+46:], "a")
	var stored bytes.Buffer
	w := zip.NewWriter(&stored)
	_, err := w.CreateRaw(&zip.FileHeader{Name: "a", Method: 99})
	must(t, err)
	must(t, w.Close())
	for _, tt := range []struct {
		name, why string
		raw       []byte
	}{
		{"more bytes than it says", "holds more", patched(t, raw, 24, 4000)},
		{"fewer bytes than it says", "5000 bytes of 6000", patched(t, raw, 24, 6000)},
		{"wrong checksum", "checksum", patched(t, raw, 16, 7)},
		{"two entries of the same bytes", "shares bytes", overlap},
		{"unknown method", "method 99", stored.Bytes()},
		{"encrypted", "encrypted", patched(t, raw, 8, 0x00080001)},
	} {
		_, _, err := unpacked(t, saved(t, "lying.whl", tt.raw), Options{Format: resolve.Wheel})
		if err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.why)
		}
	}
}

func TestOddDebs(t *testing.T) {
	good := makeDeb(t, "", makeTar(t, plain[:1]))
	for _, tt := range []struct {
		name, why string
		raw       []byte
	}{
		{"not an ar", "no Debian package", []byte("PK\x03\x04 and so on")},
		{"an ar of something else", "no Debian package", bytes.Replace(good, []byte(debFirst), []byte("something-else"[:13]), 1)},
		{"no data", "data.tar", bytes.Replace(good, []byte(debData), []byte("date.tar"), 1)},
		{"odd packing", "cannot read", bytes.Replace(good, []byte("data.tar    "), []byte("data.tar.lz4"), 1)},
		{"a size below zero", "size is wrong", bytes.Replace(good, []byte("4         `"), []byte("-4        `"), 1)},
	} {
		_, _, err := unpacked(t, saved(t, "odd.deb", tt.raw), Options{Format: resolve.Deb})
		if err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.why)
		}
	}
}
