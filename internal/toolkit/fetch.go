package toolkit

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/depot"
	"cupel/internal/pattern"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
)

var unfit = pattern.New(`[^a-z0-9._+-]+`)

// promised is the checksum of what the source hands out: the plan's, or of a folder that of the wheel which its client
// compared before it unpacked it. "": the source tells none.
func promised(p resolve.Parcel) string {
	if _, sum, ok := strings.Cut(p.Place, "--hash=sha256:"); ok && p.SHA256 == "" && p.Format == resolve.Tree {
		sum, _, _ = strings.Cut(sum, " ")
		return strings.ToLower(sum)
	}
	return strings.ToLower(p.SHA256)
}

// key names the download of a parcel: by its checksum, or by all that tells it from others when the source tells none.
func key(p resolve.Parcel, on resolve.Platform) string {
	if p.SHA256 != "" {
		return strings.ToLower(p.SHA256)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{p.Name, p.Version, p.File, p.Place, p.Format, on.String()}, "\n")))
	name := unfit.ReplaceAllString(strings.ToLower(p.Name+"-"+p.Version), "_")
	return "of-" + name[:min(len(name), 40)] + "-" + hex.EncodeToString(sum[:8])
}

// note is what is remembered of a finished download, beside it: its name where the plan had none, and its checksum.
type note struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

const noteName = ".cupel-finished.json"

// fetch gets parcels into their folders, or finds them finished there, and looks whether they are what was promised.
func (w *work) fetch(ctx context.Context, batch []resolve.Parcel, dirs []string) ([]brought, error) {
	out := make([]brought, len(batch))
	var open []int
	for i, p := range batch {
		b, ok := finished(p, dirs[i])
		if !ok {
			open = append(open, i)
			continue
		}
		out[i] = b
		w.Report.Send(progress.Event{Phase: progress.Fetch, Item: p.Name, Done: b.size, Total: b.size})
	}
	if len(open) == 0 {
		return out, nil
	}
	paths, err := w.fetchOpen(ctx, batch, dirs, open)
	if err != nil {
		return nil, err
	}
	for k, i := range open {
		if out[i], err = accept(batch[i], dirs[i], paths[k]); err != nil {
			return nil, fmt.Errorf("%s: %w", batch[i].Name, err)
		}
	}
	return out, nil
}

// fetchOpen has the source bring the parcels that are not there yet.
func (w *work) fetchOpen(ctx context.Context, batch []resolve.Parcel, dirs []string, open []int) (paths []string, err error) {
	var parcels []resolve.Parcel
	var to []string
	var size int64
	for _, i := range open {
		_ = os.Remove(filepath.Join(dirs[i], noteName))
		parcels, to, size = append(parcels, batch[i]), append(to, dirs[i]), size+batch[i].Size.Download
	}
	if b, ok := w.src.(source.Batcher); ok && len(open) > 1 {
		paths, err = b.FetchBatch(ctx, w.plan, parcels, to, w.Report)
	} else {
		paths = make([]string, 1)
		paths[0], err = w.src.Fetch(ctx, w.plan, parcels[0], to[0], w.Report)
	}
	if err != nil {
		return nil, named(parcels, fmt.Errorf("fetch: %w", depot.Full(to[0], size, err)))
	}
	return paths, nil
}

// accept looks at what came; what is not what was promised goes.
func accept(p resolve.Parcel, dir, path string) (brought, error) {
	b, err := verify(p, path)
	if err == nil {
		return b, remember(dir, b)
	}
	var wrong WrongChecksum
	if inside(dir, path) {
		_ = os.RemoveAll(path)
	} else if errors.As(err, &wrong) {
		wrong.Kept = path
		err = wrong
	}
	return b, err
}

// verify compares a parcel with what the plan says of it. Where the plan knows no checksum, the size must do.
func verify(p resolve.Parcel, path string) (brought, error) {
	b := brought{parcel: p, path: path}
	var err error
	if b.sum, b.size, err = weigh(path); err != nil {
		return b, missingFile(path, err)
	}
	if p.Format == resolve.Tree { // its client unpacked it, and looked at the checksum of what it was
		return b, nil
	}
	wrong := p.SHA256 != "" && !strings.EqualFold(p.SHA256, b.sum)
	if p.SHA256 == "" && p.Size.Download > 0 {
		wrong = p.Size.Download != b.size
	}
	if wrong {
		return b, WrongChecksum{Parcel: p, Got: b.sum, GotSize: b.size, Truncated: b.size < p.Size.Download && !whole(p, path)}
	}
	return b, nil
}

// whole tells a wheel that is another one from one that was cut off: the list of a zip stands at its end.
func whole(p resolve.Parcel, path string) bool {
	if p.Format != resolve.Wheel {
		return false
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return false
	}
	return z.Close() == nil
}

// weigh is the checksum and size of a file; of a folder, of the list of its files.
func weigh(path string) (sum string, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.IsDir() {
		sum, err = depot.Sum(path)
		return sum, info.Size(), err
	}
	files, err := stock(path, nil)
	h := sha256.New()
	for _, f := range files {
		size += f.Size
		fmt.Fprintf(h, "%s\x00%s\x00%s\n", f.Path, f.SHA256, f.Link)
	}
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// finished finds what an earlier run brought, if it is still what it was. Without a note only a plan with a checksum
// can tell a whole file.
func finished(p resolve.Parcel, dir string) (brought, bool) {
	var n note
	text, err := os.ReadFile(filepath.Join(dir, noteName))
	noted := err == nil && json.Unmarshal(text, &n) == nil && filepath.IsLocal(n.File) && n.File != ""
	if !noted {
		n.File = p.File
	}
	if n.File == "" || !filepath.IsLocal(n.File) || !noted && p.SHA256 == "" {
		return brought{}, false
	}
	b, err := verify(p, filepath.Join(dir, n.File))
	if err != nil || noted && b.sum != n.SHA256 || p.Format == resolve.Tree && !noted {
		return brought{}, false
	}
	b.cached = true
	return b, true
}

// remember writes the note, last: what has one was whole.
func remember(dir string, b brought) error {
	rel, err := filepath.Rel(dir, b.path)
	if err != nil || !filepath.IsLocal(rel) {
		return nil // the source's own file, which needs no note
	}
	text, err := json.Marshal(note{File: filepath.ToSlash(rel), SHA256: b.sum, Size: b.size})
	if err != nil {
		return err
	}
	return (&root{dir: dir}).replace(noteName, text, 0o644)
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel) && rel != "."
}
