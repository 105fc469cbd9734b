package unpack

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cupel/internal/resolve"
)

// TestTogether: archives that hold the same files are unpacked into one root at the same time. Each finds its files
// whole, whoever wrote them.
func TestTogether(t *testing.T) {
	var things []thing
	for i := range 8 {
		things = append(things, thing{name: fmt.Sprintf("lib/%d", i), body: noise(1+i*40_000, uint64(i))}, thing{name: fmt.Sprintf("l/%d", i), link: fmt.Sprintf("../lib/%d", i)})
	}
	formats := []string{resolve.Wheel, "tar", resolve.TarGZ, resolve.Zip}
	var archives []string
	for _, format := range formats {
		archives = append(archives, archiveOf(t, format, things))
	}
	for _, noLinks := range []bool{false, true} {
		root := t.TempDir()
		var all sync.WaitGroup
		for i, format := range formats {
			all.Go(func() {
				files, err := Unpack(t.Context(), archives[i], root, Options{Format: format, NoLinks: noLinks})
				if err != nil || len(files) != len(things) {
					t.Errorf("%s, NoLinks %v: %d files, %v; want %d", format, noLinks, len(files), err, len(things))
				}
			})
		}
		all.Wait()
		alone, _, err := unpacked(t, archives[0], Options{Format: formats[0], NoLinks: noLinks})
		must(t, err)
		if got, want := shown(t, root), shown(t, alone); got != want {
			t.Errorf("NoLinks %v: together they made %d bytes, alone %d", noLinks, len(got), len(want))
		}
		if len(writing.busy) != 0 {
			t.Errorf("%d places are still taken", len(writing.busy))
		}
	}
}

// TestTurns stops one archive in the middle of a file: another that brings the same file waits, and the two agree.
func TestTurns(t *testing.T) {
	body := noise(3<<20, 6)
	for _, tt := range []struct {
		name, first string // what the first one writes
		bad         error  // what it ends with
		why         string // what the second is told
	}{
		{"the same bytes", body, nil, ""},
		{"other bytes", strings.ToUpper(body), nil, "other bytes"},
		{"the first breaks off", body[:2<<20], errors.New("broken"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			root, err := os.OpenRoot(dir)
			must(t, err)
			defer root.Close()
			s := newSink(t.Context(), "first", root, Options{})
			s.home, err = identity(dir)
			must(t, err)
			in, out := io.Pipe()
			first := make(chan error, 1)
			go func() { h := s.newHand(); defer h.close(); first <- h.file("lib/a", "lib/a", 0o644, in) }()
			_, err = io.WriteString(out, tt.first[:1<<20+1])
			must(t, err) // it was read, so the file is there, and holds less than it will
			second := make(chan error, 1)
			archive := archiveOf(t, "tar", []thing{{name: "lib/a", body: body}})
			spelt := dir + string(filepath.Separator) + "." // another name of the same folder
			go func() { _, err := Unpack(t.Context(), archive, spelt, Options{Format: "tar"}); second <- err }()
			_, err = io.WriteString(out, tt.first[1<<20+1:])
			must(t, err)
			must(t, out.CloseWithError(tt.bad))
			if err := <-first; (err != nil) != (tt.bad != nil) {
				t.Errorf("first: %v, want %v", err, tt.bad)
			}
			if err := <-second; tt.why == "" && err != nil || tt.why != "" && (err == nil || !strings.Contains(err.Error(), tt.why)) {
				t.Errorf("second: %v, want %q", err, tt.why)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "lib", "a")); tt.why == "" && string(got) != body {
				t.Errorf("lib/a holds %d bytes (%v), want %d", len(got), err, len(body))
			}
		})
	}
}
