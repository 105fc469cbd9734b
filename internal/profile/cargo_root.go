package profile

import (
	"errors"
	"os"
	"path/filepath"
)

// cargoFile is the configuration of the project that a folder belongs to. Of two files cargo takes the one
// without an ending.
func cargoFile(folder string) (string, error) {
	root, err := cargoRoot(folder)
	if err != nil {
		return "", err
	}
	old := filepath.Join(root, ".cargo", "config")
	if info, err := os.Stat(old); err == nil && info.Mode().IsRegular() {
		return old, nil
	}
	return filepath.Join(root, ".cargo", "config.toml"), nil
}

// cargoRoot goes up to the nearest manifest, and on to the nearest workspace above it: cargo reads the
// configuration of every folder above, so one beside the workspace serves all of its members.
func cargoRoot(folder string) (string, error) {
	nearest := ""
	for dir := folder; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "Cargo.toml"))
		if err == nil {
			if nearest == "" {
				nearest = dir
			}
			if tree, err := parseTOML(string(text)); err == nil && tree["workspace"] != nil {
				return dir, nil
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if nearest == "" {
		return "", errors.New("no Cargo.toml in " + folder + " or above it: go into the project first")
	}
	return nearest, nil
}
