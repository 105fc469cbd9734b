package depot

import (
	"context"
	"os"
	"path/filepath"

	"cupel/internal/progress"
)

func (d Depot) downloads() string { return filepath.Join(d.Cache, "downloads") }

// Hold gives this process alone a folder of the download cache, by a key such as a checksum. What an earlier process
// left in it stays. Who holds one folder must not wait for another: two processes could wait for each other.
func (d Depot) Hold(ctx context.Context, key string, report progress.Report) (dir string, release func(), err error) {
	if err := checkName(key); err != nil {
		return "", nil, err
	}
	if d.Cache == "" {
		return "", nil, errNoHome
	}
	if err := os.MkdirAll(d.downloads(), 0o777); err != nil {
		return "", nil, notWritable(d.downloads(), err)
	}
	release, err = take(ctx, d.downloads(), key, report)
	if err != nil {
		return "", nil, err
	}
	if release == nil {
		release = func() {}
	}
	dir = filepath.Join(d.downloads(), key)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		release()
		return "", nil, notWritable(d.downloads(), err)
	}
	return dir, release, nil
}

// Forget removes a folder of the download cache, unless somebody holds it.
func (d Depot) Forget(key string) {
	if checkName(key) != nil {
		return
	}
	release, err := TryLock(filepath.Join(d.downloads(), partLock+key))
	if err != nil {
		return
	}
	_ = os.RemoveAll(filepath.Join(d.downloads(), key))
	release()
}
