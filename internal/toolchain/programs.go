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
	if err := f.addPrograms(s); err != nil {
		return old, err
	}
	now.files = f.knowns(f.tools.Files[first:])
	if !known || !now.equal(old) {
		_ = f.store.SetNote(ownKind, key, now.append(nil)) // it would only save time
	}
	return now, nil
}

func (f *finder) addPrograms(s settings) error {
	at := map[string]bool{}
	add := func(role, path string) error {
		if path == "" || at[path] {
			return nil
		}
		at[path] = true
		_, err := f.add(role, path)
		return err
	}
	for _, name := range programs {
		path, err := f.look(name, s.get("PATH"))
		if err == nil {
			err = add(name, path)
		}
		if err != nil {
			return fmt.Errorf("find %s: %w", name, err)
		}
	}
	// From 13.0 on nvcc starts "$CICC_PATH/cicc"; older ones take the one on PATH. Both are taken in where they differ.
	if dir := s.get("CICC_PATH"); dir != "" {
		name := "cicc"
		if onWindows {
			name = "cicc.exe"
		}
		if err := add("cicc", dir+string(filepath.Separator)+name); err != nil {
			return fmt.Errorf("find cicc: %w", err)
		}
	}
	if dir := s.get("NVVMIR_LIBRARY_DIR"); dir != "" {
		if err := add("libdevice", dir+string(filepath.Separator)+"libdevice.10.bc"); err != nil {
			return fmt.Errorf("find libdevice: %w", err)
		}
	}
	return nil
}

// ccbinName is in every nvcc that heeds the variable: 13.0 and newer do, 11.8 and 12.4 do not (tried, and looked for).
const ccbinName = "NVCC_CCBIN"

// inspect reads nvcc once: whether it is a program, and whether it heeds NVCC_CCBIN.
func (f *finder) inspect(path string) (readsCcbin bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	buf := make([]byte, 1<<20)
	kept, first := 0, true
	for {
		n, err := io.ReadFull(file, buf[kept:])
		got := buf[:kept+n]
		if first && bytes.HasPrefix(got, []byte("#!")) {
			return false, refuse("nvcc-is-a-script", path)
		}
		first = false
		if bytes.Contains(got, []byte(ccbinName)) {
			return true, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		kept = copy(buf, got[len(got)-len(ccbinName):])
	}
}
