package depot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Adopt puts everything of the old folder into the new one, without copying where the file system can. Files of both
// folders are then the same ones: who changes one must put a new file in its place.
func (c *Change) Adopt(ctx context.Context) error {
	if c.Old == nil {
		return errors.New("adopt the old folder: there is none")
	}
	return errorOf(notWritable(c.parent, graft(ctx, c.Old.Dir, c.Dir)), "adopt the old folder")
}

func graft(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil || rel == "." || rel == ManifestName {
			return err
		}
		return graftOne(path, filepath.Join(to, rel), e)
	})
}

func graftOne(path, to string, e fs.DirEntry) error {
	switch {
	case e.IsDir():
		return os.Mkdir(to, 0o777)
	case e.Type()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case !e.Type().IsRegular():
		return fmt.Errorf("%s is neither file nor folder nor link", path)
	}
	if os.Link(path, to) == nil {
		return nil
	}
	return copyFile(path, to)
}

func copyFile(path, to string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chmod(to, info.Mode().Perm()))
}
