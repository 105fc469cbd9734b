package unpack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// linked says whether this system's roots have links.
const linked = runtime.GOOS != "windows"

var plain = []thing{
	{name: "bin/tool", body: "#!/bin/sh\n", mode: 0o4755},
	{name: "include/a.h", body: "#pragma once\n", mode: 0o600},
	{name: "lib/big.a", body: noise(300_000, 1)},
	{name: "lib/empty"},
}

func TestFormats(t *testing.T) {
	for _, format := range []string{resolve.Wheel, resolve.Zip, resolve.TarXZ, resolve.TarGZ, "tar.zst", "tar", resolve.Deb, resolve.Conda, resolve.Tree} {
		t.Run(format, func(t *testing.T) {
			root, files, err := unpacked(t, archiveOf(t, format, plain), Options{Format: format})
			must(t, err)
			if len(files) != len(plain) {
				t.Fatalf("%d files, want %d: %v", len(files), len(plain), files)
			}
			for i, want := range plain {
				f := files[i]
				sum := sha256.Sum256([]byte(want.body))
				if f.Path != want.name || f.Size != int64(len(want.body)) || f.SHA256 != hex.EncodeToString(sum[:]) || f.Mode != wantMode(format, want) {
					t.Errorf("file %d is %+v, want %s with %d bytes, mode %o", i, f, want.name, len(want.body), mode(want.mode))
				}
				got, err := os.ReadFile(filepath.Join(root, want.name))
				if err != nil || string(got) != want.body {
					t.Errorf("%s holds %d bytes (%v), want %d", want.name, len(got), err, len(want.body))
				}
				info, _ := os.Stat(filepath.Join(root, want.name))
				if linked && info.Mode() != mode(want.perm()) {
					t.Errorf("%s has mode %v, want %v", want.name, info.Mode(), mode(want.perm()))
				}
			}
		})
	}
}

// wantMode: a folder of Windows does not know which files can be started.
func wantMode(format string, e thing) os.FileMode {
	if format == resolve.Tree && !linked {
		return 0o644
	}
	return mode(e.perm())
}

func TestBzip2(t *testing.T) {
	root, files, err := unpacked(t, saved(t, "old.tar.bz2", tinyBZ2), Options{Format: resolve.TarBZ2})
	must(t, err)
	if got, want := shown(t, root), "bin/tool \"#!/bin/sh\\n\"\n"; got != want || len(files) != 1 {
		t.Errorf("unpacked to %s, want %s", got, want)
	}
}

func TestDebMembers(t *testing.T) {
	raw := makeTar(t, plain)
	for _, ending := range []string{"", ".gz", ".xz", ".zst"} {
		_, files, err := unpacked(t, saved(t, "a.deb", makeDeb(t, ending, pack(t, ending, raw))), Options{Format: resolve.Deb})
		if err != nil || len(files) != len(plain) {
			t.Errorf("data.tar%s: %d files, %v; want %d", ending, len(files), err, len(plain))
		}
	}
}

func TestCondaLicence(t *testing.T) {
	info := makeTar(t, []thing{{name: "info/index.json", body: "{}"}, {name: "info/licenses/EULA.txt", body: "terms"}})
	raw := makeConda(t, pack(t, ".zst", makeTar(t, plain[:1])), pack(t, ".zst", info))
	root, _, err := unpacked(t, saved(t, "a.conda", raw), Options{Format: resolve.Conda})
	must(t, err)
	want := "bin/tool \"#!/bin/sh\\n\"\ninfo/licenses/EULA.txt \"terms\"\n"
	if got := shown(t, root); got != want {
		t.Errorf("unpacked to\n%s want\n%s", got, want)
	}
}

var linkCases = []struct {
	name          string
	things        []thing
	place         func(string) (string, bool)
	want, noLinks string
}{
	{
		"a chain of library names", []thing{
			{name: "lib/liba.so", link: "liba.so.1"}, {name: "lib/liba.so.1", link: "liba.so.1.2"}, {name: "lib/liba.so.1.2", body: "x"},
		}, nil,
		"lib/liba.so -> liba.so.1\nlib/liba.so.1 -> liba.so.1.2\nlib/liba.so.1.2 \"x\"\n",
		"lib/liba.so \"x\"\nlib/liba.so.1 \"x\"\nlib/liba.so.1.2 \"x\"\n",
	}, {
		"a layout moves both to different folders", []thing{
			{name: "usr/lib/a", body: "x"}, {name: "usr/bin/b", link: "../lib/a"},
		}, func(n string) (string, bool) {
			return map[string]string{"usr/lib/a": "lib64/a", "usr/bin/b": "nvvm/bin/b"}[n], true
		},
		"lib64/a \"x\"\nnvvm/bin/b -> ../../lib64/a\n", "lib64/a \"x\"\nnvvm/bin/b \"x\"\n",
	}, {
		"a target that is not kept", []thing{
			{name: "keep/a", link: "../drop/x"}, {name: "drop/x", body: "x"}, {name: "keep/b", body: "y"},
		}, below("keep", ""), "b \"y\"\n", "b \"y\"\n",
	}, {
		"a target that is not there", []thing{{name: "a", link: "nowhere"}, {name: "b", link: "b"}, {name: "c", link: "d"}, {name: "d", link: "c"}}, nil, "", "",
	}, {
		"a link that is not kept on the way", []thing{
			{name: "keep/a", link: "../drop/l"}, {name: "drop/l", link: "../keep/b"}, {name: "keep/b", body: "y"},
		}, below("keep", "k"), "k/a -> b\nk/b \"y\"\n", "k/a \"y\"\nk/b \"y\"\n",
	}, {
		"a folder", []thing{
			{name: "usr/lib/x/a", body: "x"}, {name: "usr/lib64", link: "lib"}, {name: "usr/t", link: "lib64/x/a"},
		}, below("usr", ""), "lib/x/a \"x\"\nlib64 -> lib\nt -> lib/x/a\n", "lib/x/a \"x\"\nlib64/x/a \"x\"\nt \"x\"\n",
	},
}

func TestLinks(t *testing.T) {
	for _, format := range []string{resolve.Zip, "tar", resolve.Tree} {
		if format == resolve.Tree && !linked {
			continue
		}
		for _, tt := range linkCases {
			t.Run(format+"/"+tt.name, func(t *testing.T) {
				archive := archiveOf(t, format, tt.things)
				for _, noLinks := range []bool{false, true} {
					want := tt.want
					if noLinks || !linked {
						want = tt.noLinks
					}
					root, files, err := unpacked(t, archive, Options{Format: format, Place: tt.place, NoLinks: noLinks})
					if err != nil {
						t.Fatalf("NoLinks %v: %v", noLinks, err)
					}
					if got := shown(t, root); got != want {
						t.Errorf("NoLinks %v: unpacked to\n%swant\n%s", noLinks, got, want)
					}
					if len(files) != strings.Count(want, "\n") {
						t.Errorf("NoLinks %v: lists %v, want\n%s", noLinks, files, want)
					}
				}
			})
		}
	}
}

// Debian's links between top folders are absolute, and mean the package's own root.
func TestRootedLinks(t *testing.T) {
	things := []thing{{name: "./etc/a.conf", body: "x"}, {name: "./usr/lib/a.conf", link: "/etc/a.conf"}}
	root, _, err := unpacked(t, archiveOf(t, resolve.Deb, things), Options{Format: resolve.Deb})
	must(t, err)
	want := "etc/a.conf \"x\"\nusr/lib/a.conf -> ../../etc/a.conf\n"
	if !linked {
		want = "etc/a.conf \"x\"\nusr/lib/a.conf \"x\"\n"
	}
	if got := shown(t, root); got != want {
		t.Errorf("unpacked to\n%s want\n%s", got, want)
	}
}

func TestHardLinks(t *testing.T) {
	things := []thing{{name: "drop/a", body: "x", mode: 0o755}, {name: "keep/b", hard: "drop/a"}, {name: "keep/c", hard: "./drop/a"}}
	for _, tt := range []struct {
		name, want string
		place      func(string) (string, bool)
	}{
		{"all kept", "drop/a \"x\"\nkeep/b \"x\"\nkeep/c \"x\"\n", nil},
		{"the bytes lie in an entry that is not kept", "b \"x\"\nc \"x\"\n", below("keep", "")},
	} {
		root, files, err := unpacked(t, archiveOf(t, resolve.TarXZ, things), Options{Format: resolve.TarXZ, Place: tt.place})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := shown(t, root); got != tt.want {
			t.Errorf("%s: unpacked to\n%swant\n%s", tt.name, got, tt.want)
		}
		for _, f := range files {
			if f.Mode != 0o755 {
				t.Errorf("%s: %s has mode %o, want 755", tt.name, f.Path, f.Mode)
			}
		}
	}
}

// Archives of one toolkit may hold the same licence; they may not hold different files of one name.
func TestThereAlready(t *testing.T) {
	a := archiveOf(t, resolve.Zip, []thing{{name: "LICENSE", body: "terms"}, {name: "a", body: "1"}})
	root, first, err := unpacked(t, a, Options{Format: resolve.Zip})
	must(t, err)
	second, err := Unpack(context.Background(), a, root, Options{Format: resolve.Zip})
	if err != nil || !reflect.DeepEqual(first, second) {
		t.Errorf("again: %v, %v; want %v", second, err, first)
	}
	b := archiveOf(t, resolve.Zip, []thing{{name: "a", body: "2"}})
	_, err = Unpack(context.Background(), b, root, Options{Format: resolve.Zip})
	if r, ok := errors.AsType[Refused](err); !ok || r.Entry != "a" {
		t.Errorf("other bytes for a: %v, want it refused", err)
	}
}

// A link to a file that another archive brought is made.
func TestLinkAcrossArchives(t *testing.T) {
	root, _, err := unpacked(t, archiveOf(t, "tar", []thing{{name: "lib/a.so.1", body: "x"}}), Options{Format: "tar"})
	must(t, err)
	_, err = Unpack(context.Background(), archiveOf(t, "tar", []thing{{name: "lib/a.so", link: "a.so.1"}}), root, Options{Format: "tar"})
	must(t, err)
	if got, err := os.ReadFile(filepath.Join(root, "lib", "a.so")); err != nil || string(got) != "x" {
		t.Errorf("lib/a.so holds %q, %v; want x", got, err)
	}
}

func TestMeasure(t *testing.T) {
	var all, lib int64
	for _, e := range plain {
		all += int64(len(e.body))
		if strings.HasPrefix(e.name, "lib/") {
			lib += int64(len(e.body))
		}
	}
	raw := int64(len(makeTar(t, plain)))
	for _, tt := range []struct {
		format      string
		whole, part int64
	}{
		{resolve.Wheel, all, lib}, {resolve.Tree, all, lib}, {resolve.TarXZ, raw, raw}, {resolve.Deb, raw, raw}, {resolve.TarGZ, 0, 0}, {resolve.Conda, 0, 0},
	} {
		a := archiveOf(t, tt.format, plain)
		whole, err := Measure(a, Options{Format: tt.format})
		part, err2 := Measure(a, Options{Format: tt.format, Place: below("lib", "")})
		if whole != tt.whole || part != tt.part || err != nil || err2 != nil {
			t.Errorf("Measure of a %s: %d, %d (%v, %v); want %d, %d", tt.format, whole, part, err, err2, tt.whole, tt.part)
		}
	}
	if n, err := Measure(filepath.Join(t.TempDir(), "none"), Options{Format: resolve.Zip}); err == nil {
		t.Errorf("Measure of nothing: %d, want an error", n)
	}
}

func TestProgress(t *testing.T) {
	for _, format := range []string{resolve.Wheel, resolve.Deb, resolve.TarGZ} {
		var mu sync.Mutex
		var events []progress.Event
		report := func(e progress.Event) { mu.Lock(); defer mu.Unlock(); events = append(events, e) }
		_, _, err := unpacked(t, archiveOf(t, format, plain), Options{Format: format, Item: "nvcc", Report: report})
		must(t, err)
		last := events[len(events)-1]
		if last.Phase != progress.Unpack || last.Item != "nvcc" || last.Total == 0 || last.Done != last.Total {
			t.Errorf("%s: the last report is %+v, want all of nvcc", format, last)
		}
	}
}

func TestStopped(t *testing.T) {
	for _, format := range []string{resolve.Wheel, resolve.TarXZ, resolve.TarGZ, resolve.Tree} {
		ctx, cancel := context.WithCancelCause(context.Background())
		why := errors.New("enough")
		// The layout is asked for each file: this stops in the middle of the work.
		place := func(n string) (string, bool) { cancel(why); return n, true }
		_, err := Unpack(ctx, archiveOf(t, format, plain), t.TempDir(), Options{Format: format, Place: place})
		if !errors.Is(err, why) {
			t.Errorf("%s: %v, want %v", format, err, why)
		}
	}
}
