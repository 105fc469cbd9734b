package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"cupel/internal/contract"
)

// writeContract puts the text in its place in one step; on any failure everything is as it was. A contract that
// appears meanwhile is not lost.
func writeContract(file string, text []byte, force bool) (old string, err error) {
	if _, found := contract.Parse(contractFile, text); len(found) > 0 {
		return "", fmt.Errorf("the draft cannot be read back: %s", found[0].What)
	}
	temp, err := writeBeside(file, text, 0o644)
	if err != nil {
		return "", err
	}
	defer os.Remove(temp)
	if !force {
		return "", putNew(temp, file)
	}
	if _, err := os.Lstat(file); err == nil {
		if old, err = keepOld(file); err != nil {
			return "", err
		}
	}
	return old, os.Rename(temp, file)
}

// putNew gives the text its name only where nothing has it: a link, unlike a rename, never replaces.
func putNew(temp, file string) error {
	err := os.Link(temp, file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(file); err == nil { // a file system without links
		return fs.ErrExist
	}
	return os.Rename(temp, file)
}

// readPlain reads a file of a person's size; anything else of that name (a pipe, a device) is not waited for.
func readPlain(file string) ([]byte, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 16<<20 {
		return nil, fmt.Errorf("%s is not a plain file of at most 16 MiB", file)
	}
	return os.ReadFile(file)
}

// keepOld copies the contract that stands there beside it, under a name that is free: nothing is lost.
func keepOld(file string) (string, error) {
	b, err := readPlain(file)
	if err != nil {
		return "", err
	}
	for n := 1; n < 1000; n++ {
		old := file + ".old"
		if n > 1 {
			old = fmt.Sprintf("%s.old%d", file, n)
		}
		if had, err := readPlain(old); err == nil && string(had) == string(b) {
			return old, nil
		}
		out, err := os.OpenFile(old, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = out.Write(b)
		if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
			return "", errors.Join(err, os.Remove(old))
		}
		return old, nil
	}
	return "", errors.New("there are too many old ones beside it")
}
