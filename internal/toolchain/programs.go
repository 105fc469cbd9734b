package toolchain

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// programs are what nvcc starts to compile, by name on the PATH that its profile makes. Seen in system calls of -ptx,
// -cubin, -fatbin, -c and -dc: the first four. nvlink links device code on the way where link-time optimisation is asked
// for; tileiras is the back end of tile code in newer releases. Where they are not there, nothing is lost.
var programs = []string{"cudafe++", "cicc", "ptxas", "fatbinary", "nvlink", "tileiras"}

// ownPrograms adds nvcc and what it starts of its toolkit.
func (f *finder) ownPrograms(called string, s settings) (ownNote, error) {
	first := len(f.tools.Files)
	key := noteKey("nvcc", f.abs(called), f.tools.Nvcc)
	old, known := f.readOwn(key)
	parts, err := f.parts(s)
	if err != nil {
		return old, err
	}
	if !known {
		f.ahead(parts)
	}
	nvcc, err := f.add("nvcc", f.tools.Nvcc)
	if err != nil {
		return old, fmt.Errorf("read nvcc: %w", err)
	}
	now := ownNote{nvcc: nvcc.Digest, readsCcbin: old.readsCcbin}
	if !known || old.nvcc != nvcc.Digest {
		if now.readsCcbin, err = f.inspect(f.tools.Nvcc); err != nil {
			return old, err
		}
	}
	for _, p := range parts {
		if _, err := f.add(p.Role, p.Path); err != nil {
			return old, fmt.Errorf("read %s: %w", p.Role, err)
		}
	}
	now.files = f.knowns(f.tools.Files[first:])
	if !known || !now.equal(old) {
		_ = f.store.SetNote(ownKind, key, now.append(nil)) // it would only save time
	}
	return now, nil
}

// parts are what nvcc starts and reads of its toolkit, each place once, not looked at yet.
func (f *finder) parts(s settings) ([]File, error) {
	var all []File
	at := map[string]bool{}
	add := func(role, path string) {
		if path != "" && !at[path] {
			at[path] = true
			all = append(all, File{Role: role, Path: path})
		}
	}
	for _, name := range programs {
		path, err := f.look(name, s.get("PATH"))
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", name, err)
		}
		add(name, path)
	}
	// From 13.0 on nvcc starts "$CICC_PATH/cicc"; older ones take the one on PATH. Both are taken in where they differ.
	if dir := s.get("CICC_PATH"); dir != "" {
		name := "cicc"
		if onWindows {
			name = "cicc.exe"
		}
		add("cicc", dir+string(filepath.Separator)+name)
	}
	if dir := s.get("NVVMIR_LIBRARY_DIR"); dir != "" {
		add("libdevice", dir+string(filepath.Separator)+"libdevice.10.bc")
	}
	return all, nil
}

// ahead begins to read what will be asked for, so that all cores take part: they are 200 MB.
func (f *finder) ahead(all []File) {
	for _, file := range all {
		go func() { _, _ = f.files.Known(f.abs(file.Path)) }()
	}
}

const (
	// ccbinName is in every nvcc that heeds the variable: 13.0 and newer do, 11.8 and 12.4 do not (tried, and looked for).
	ccbinName = "NVCC_CCBIN"
	// profileName is in every nvcc (11.8 … 13.4, on Windows too), and not in a program that stands before one, as ccache does
	// under the name nvcc: which nvcc that starts cannot be told.
	profileName = "nvcc.profile"
)

// inspect reads nvcc once: whether it is NVIDIA's program, and whether it heeds NVCC_CCBIN.
func (f *finder) inspect(path string) (readsCcbin bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	head := make([]byte, len("#!"))
	if _, err := file.ReadAt(head, 0); err == nil && string(head) == "#!" {
		return false, refuse("nvcc-is-a-script", path)
	}
	has, err := contains(file, ccbinName, profileName)
	if err == nil && !has[profileName] {
		err = refuse("nvcc-is-another-program", path)
	}
	return has[ccbinName], err
}

// contains tells which of the names are in a file.
func contains(file io.Reader, names ...string) (map[string]bool, error) {
	has := map[string]bool{}
	buf := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := io.ReadFull(file, buf[kept:])
		got := buf[:kept+n]
		for _, name := range names {
			has[name] = has[name] || bytes.Contains(got, []byte(name))
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return has, nil
		}
		if err != nil {
			return has, err
		}
		kept = copy(buf, got[len(got)-longest:]) // a name may lie across
	}
}

// longest is as long as any name that is looked for.
const longest = len(profileName)
