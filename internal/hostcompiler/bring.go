package hostcompiler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/unpack"
)

// jobs is how many packages are fetched at once: one connection seldom fills the line.
const jobs = 4

// bringAll fetches the packages, several at once, and then unpacks them in the order of the plan: a link is made when what
// it leads to is there, which an earlier package brings.
func (i Installer) bringAll(ctx context.Context, p Plan, dir string) ([]depot.Component, error) {
	if err := depot.Room(depot.Need{Dir: i.Depot.Cache, Bytes: p.Size.Download}, depot.Need{Dir: i.Depot.Home, Bytes: p.Size.Installed}); err != nil {
		return nil, err
	}
	if err := i.fetchAll(ctx, p.Parcels); err != nil {
		return nil, err
	}
	var out []depot.Component
	for _, parcel := range p.Parcels {
		part, err := i.held(ctx, parcel, func(file string) error {
			_, err := unpack.Unpack(ctx, file, dir, unpack.Options{Format: parcel.Format, Place: place, Item: parcel.Name, Report: i.Report})
			return err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// fetchAll ends with the first error.
func (i Installer) fetchAll(ctx context.Context, parcels []resolve.Parcel) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan resolve.Parcel)
	var all sync.WaitGroup
	for range min(jobs, len(parcels)) {
		all.Go(func() {
			for p := range next {
				if _, err := i.held(ctx, p, func(string) error { return nil }); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, p := range parcels {
		if ctx.Err() != nil {
			break
		}
		next <- p
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// held fetches one package, unless it lies there, looks at its checksum and hands it on. The download stays until
// everything is installed: who is killed before goes on with it.
func (i Installer) held(ctx context.Context, parcel resolve.Parcel, use func(file string) error) (depot.Component, error) {
	at, release, err := i.Depot.Hold(ctx, parcel.SHA256, i.Report)
	if err != nil {
		return depot.Component{}, err
	}
	defer release()
	file, err := i.fetchOne(ctx, parcel, at)
	if err != nil {
		return depot.Component{}, depot.Full(at, parcel.Size.Download, err)
	}
	sum, size, err := digest(file)
	if err != nil {
		return depot.Component{}, err
	}
	if sum != parcel.SHA256 {
		_ = os.Remove(file)
		return depot.Component{}, fmt.Errorf("verify %s: sha256 is %s, want %s", parcel.File, sum, parcel.SHA256)
	}
	return depot.Component{Name: parcel.Name, Version: parcel.Version, File: parcel.File, SHA256: sum, Size: size}, use(file)
}

// fetchOne lets apt bring a package into a folder.
func (i Installer) fetchOne(ctx context.Context, parcel resolve.Parcel, dir string) (string, error) {
	if i.fetch != nil {
		return i.fetch(ctx, parcel, dir, i.Report)
	}
	state, err := i.packages().Open(parcel.Place)
	if err != nil {
		return "", err
	}
	return state.Fetch(ctx, parcel, dir, i.Report)
}

func digest(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// listing is every file below a folder, for the manifest: finishing changed some of what was unpacked.
func listing(dir string) ([]unpack.File, error) {
	var out []unpack.File
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f := unpack.File{Path: filepath.ToSlash(rel)}
		if e.Type()&os.ModeSymlink != 0 {
			f.Link, err = os.Readlink(path)
			out = append(out, f)
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		f.Mode = info.Mode().Perm()
		f.SHA256, f.Size, err = digest(path)
		out = append(out, f)
		return err
	})
	return out, err
}
