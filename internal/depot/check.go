package depot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"cupel/internal/progress"
	"cupel/internal/unpack"
)

// Fault is a file that is not as the manifest says.
type Fault struct {
	Path string `json:"path"`
	What string `json:"what"` // one of the words below
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}

// What can be wrong with a file.
const (
	Missing = "missing"
	Changed = "changed"
	Extra   = "not in the manifest"
)

// Check compares every file with the manifest, by its bytes.
func Check(ctx context.Context, i Installed, report progress.Report) ([]Fault, error) {
	return compare(ctx, i, report, sameBytes)
}

// Glance compares every file with the manifest without reading any: what is missing, has another size or is too much.
func Glance(ctx context.Context, i Installed) ([]Fault, error) {
	return compare(ctx, i, nil, func(string, unpack.File) (Fault, error) { return Fault{}, nil })
}

// compare looks at every file, several at once; read looks into it.
func compare(ctx context.Context, i Installed, report progress.Report, read func(string, unpack.File) (Fault, error)) ([]Fault, error) {
	m, err := Read(i.Dir)
	if err != nil {
		return nil, err
	}
	if m.Root != "" {
		return registered(m.Root)
	}
	faults, err := extras(i.Dir, m.Files)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var done atomic.Int64
	err = each(ctx, m.Files, func(f unpack.File) error {
		fault, err := judge(i.Dir, f, read)
		report.Send(progress.Event{Phase: progress.Check, Item: m.Name, Done: done.Add(1), Total: int64(len(m.Files))})
		mu.Lock()
		defer mu.Unlock()
		if fault.What != "" {
			faults = append(faults, fault)
		}
		return err
	})
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Path, b.Path) })
	return faults, err
}

// registered: of a root elsewhere nothing is known but that it was there.
func registered(root string) ([]Fault, error) {
	if _, err := os.Stat(root); err != nil {
		return []Fault{{Path: root, What: Missing}}, nil
	}
	return nil, nil
}

// each calls do for every file, on all processors, until the first error.
func each(ctx context.Context, files []unpack.File, do func(unpack.File) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan unpack.File)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for f := range next {
				if err := do(f); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		next <- f
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// judge compares one file: what it is, its size and rights, and then what read finds.
func judge(dir string, f unpack.File, read func(string, unpack.File) (Fault, error)) (Fault, error) {
	path := filepath.Join(dir, filepath.FromSlash(f.Path))
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Fault{Path: f.Path, What: Missing}, nil
	}
	if err != nil {
		return Fault{}, err
	}
	if want, got := outside(f), outsideOf(path, info); want != got {
		return Fault{f.Path, Changed, want, got}, nil
	}
	if f.Link == "" && runtime.GOOS != "windows" && f.Mode != 0 && f.Mode.Perm() != info.Mode().Perm() {
		return Fault{f.Path, Changed, f.Mode.Perm().String(), info.Mode().Perm().String()}, nil
	}
	if f.Link != "" {
		return Fault{}, nil
	}
	return read(path, f)
}

// outside is what can be seen of a file without opening it.
func outside(f unpack.File) string {
	if f.Link != "" {
		return "a link to " + f.Link
	}
	return fmt.Sprintf("%d bytes", f.Size)
}

func outsideOf(path string, info fs.FileInfo) string {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, _ := os.Readlink(path)
		return "a link to " + filepath.ToSlash(target)
	case info.Mode().IsRegular():
		return fmt.Sprintf("%d bytes", info.Size())
	}
	return info.Mode().Type().String()
}

func sameBytes(path string, f unpack.File) (Fault, error) {
	got, err := Sum(path)
	if err != nil || got == f.SHA256 {
		return Fault{}, err
	}
	return Fault{f.Path, Changed, "sha256 " + f.SHA256, "sha256 " + got}, nil
}

// Sum is the sha256 of a file, in hex.
func Sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, make([]byte, 1<<18)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// extras are files that the manifest does not know.
func extras(dir string, files []unpack.File) ([]Fault, error) {
	known := map[string]bool{ManifestName: true}
	for _, f := range files {
		known[f.Path] = true
	}
	var out []Fault
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if name := filepath.ToSlash(rel); err == nil && !known[name] {
			out = append(out, Fault{Path: name, What: Extra})
		}
		return err
	})
	return out, err
}
