package toolkit

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"cupel/internal/depot"
	"cupel/internal/unpack"
)

// stock lists every file below a folder as it lies there. A checksum that is known from unpacking is believed when the
// size is the same; every other file is read.
func stock(dir string, known map[string]unpack.File) ([]unpack.File, error) {
	var files []unpack.File
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := stockOne(dir, path, e)
		if k, ok := known[f.Path]; ok && f.Link == "" && k.Link == "" && k.Size == f.Size {
			f.SHA256 = k.SHA256
		}
		files = append(files, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return files, sumAll(dir, files)
}

func stockOne(dir, path string, e fs.DirEntry) (unpack.File, error) {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return unpack.File{}, err
	}
	f := unpack.File{Path: filepath.ToSlash(rel)}
	info, err := e.Info()
	if err != nil {
		return f, err
	}
	if e.Type()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		f.Link = filepath.ToSlash(target)
		return f, err
	}
	f.Size, f.Mode = info.Size(), info.Mode().Perm()
	return f, nil
}

// sumAll reads the files that have no checksum yet, several at once.
func sumAll(dir string, files []unpack.File) error {
	var all sync.WaitGroup
	next := make(chan int)
	errs := make([]error, len(files))
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := range next {
				files[i].SHA256, errs[i] = depot.Sum(filepath.Join(dir, filepath.FromSlash(files[i].Path)))
			}
		})
	}
	for i, f := range files {
		if f.Link == "" && f.SHA256 == "" {
			next <- i
		}
	}
	close(next)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
