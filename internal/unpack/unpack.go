// Package unpack lays the files of an archive into a folder and nowhere else: wheels and other zips, Debian packages,
// tars in xz, gzip, bzip2 and zstandard, conda packages, and folders. Archives are foreign bytes: what would lie outside
// the folder, or would be larger than the limits, is an error and not a file.
package unpack

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// File is one file that was written, with what is needed to look at it again later.
type File struct {
	Path   string      `json:"path"` // below the root, with forward slashes
	Size   int64       `json:"size"`
	SHA256 string      `json:"sha256,omitempty"`
	Mode   fs.FileMode `json:"mode,omitempty"` // permissions alone
	Link   string      `json:"link,omitempty"` // a symbolic link to this
}

// Limits bound what an archive may become.
type Limits struct {
	Files int
	Bytes int64 // of all files together
}

// Defaults are far above any real toolkit.
var Defaults = Limits{Files: 200_000, Bytes: 64 << 30}

// Options say what is unpacked and how.
type Options struct {
	Format  string                                   // one of resolve's: wheel, zip, tar.xz, deb …
	Place   func(name string) (to string, keep bool) // where a file of the archive goes below the root; nil: as it is
	Limits  Limits                                   // zero: Defaults
	NoLinks bool                                     // copies instead of symbolic links: a Windows root
	Item    string                                   // the name in reports
	Report  progress.Report
}

// format is one way in which files are handed out.
type format struct {
	unpack  func(*sink, string) error
	measure func(string, Options) (int64, error) // nil: only unpacking tells
}

// formats are all of them. tar and tar.zst are what Debian and conda packages hold inside.
var formats = map[string]format{
	resolve.Wheel:  {unpackZip, measureZip},
	resolve.Zip:    {unpackZip, measureZip},
	resolve.Conda:  {unpackConda, nil},
	resolve.Deb:    {unpackDeb, measureDeb},
	resolve.Tree:   {unpackTree, measureTree},
	resolve.TarXZ:  {tarFile(".xz"), measureXZ},
	resolve.TarGZ:  {tarFile(".gz"), nil},
	resolve.TarBZ2: {tarFile(".bz2"), nil},
	"tar.zst":      {tarFile(".zst"), nil},
	"tar":          {tarFile(""), nil},
}

// Unpack writes what Place keeps of an archive below root, which must be there, and lists it by path. After an error the
// folder holds anything, and is the caller's to remove. Files that are there already are an error, unless they are the
// same. Several archives may be unpacked into one root at a time.
//
// A symbolic link points at where its target went; one whose target is not kept is left out, unless the target is below
// root already. Times are those of the unpacking; modes are 0644 or 0755.
func Unpack(ctx context.Context, archive, root string, o Options) ([]File, error) {
	f, ok := formats[o.Format]
	if !ok {
		return nil, fmt.Errorf("unpack %s: there is no format %q", filepath.Base(archive), o.Format)
	}
	below, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", filepath.Base(archive), err)
	}
	defer below.Close()
	s := newSink(ctx, filepath.Base(archive), below, o)
	if s.home, err = identity(root); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", filepath.Base(archive), err)
	}
	if err := f.unpack(s, archive); err != nil {
		return nil, fmt.Errorf("unpack: %w", s.blame(err))
	}
	if err := s.makeLinks(); err != nil {
		return nil, fmt.Errorf("unpack: %w", s.blame(err))
	}
	s.meter.end()
	slices.SortFunc(s.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return s.files, nil
}

// Measure is how many bytes Unpack would write at most, without unpacking; 0 where the format cannot tell.
func Measure(archive string, o Options) (int64, error) {
	f, ok := formats[o.Format]
	if !ok {
		return 0, fmt.Errorf("measure %s: there is no format %q", filepath.Base(archive), o.Format)
	}
	if f.measure == nil {
		return 0, nil
	}
	n, err := f.measure(archive, o)
	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", filepath.Base(archive), err)
	}
	return n, nil
}

// place is where an entry goes.
func (o Options) place(name string) (string, bool) {
	if o.Place == nil {
		return name, true
	}
	return o.Place(name)
}

// noLinks says whether the root has to be readable by Windows.
func (o Options) noLinks() bool { return o.NoLinks || runtime.GOOS == "windows" }

// limits are the given ones, or the defaults.
func (o Options) limits() Limits {
	return Limits{Files: cmp.Or(o.Limits.Files, Defaults.Files), Bytes: cmp.Or(o.Limits.Bytes, Defaults.Bytes)}
}
