package toolchain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cupel/internal/digest"
	"cupel/internal/recipe"
)

// reads are the variables that nvcc asks for (getenv calls of 11.8, 12.4, 13.0, 13.3, and the names in 13.4) and that
// change what it makes, besides NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS, which are options. An nvcc.profile may set each.
var reads = []string{
	"INCLUDES", "SYSTEM_INCLUDES", "CUDAFE_FLAGS", "PTXAS_FLAGS", "NVVM_FLAGS", "OCG_FLAGS", "NVLINK_FLAGS", "LLVMC_FLAGS",
	"LLVMDIS_FLAGS", "NVASM_FLAGS", "NVDISASM_FLAGS", "NVVMIR_LIBRARY_DIR", "CICC_PATH", "NV_NVVM_VERSION",
}

// maxProfile bounds an nvcc.profile; NVIDIA's have 400 bytes.
const maxProfile = 1 << 20

// nvcc finds the nvcc that will be started, as it is called, and the file it is.
func (f *finder) nvcc(name string) (called string, err error) {
	called = name
	if !hasFolder(name) {
		if called, err = f.look(name, f.env.get("PATH")); err != nil {
			return "", fmt.Errorf("find nvcc: %w", err)
		}
	}
	if called == "" {
		return "", refuse("nvcc-missing", name)
	}
	f.tools.Nvcc, err = filepath.EvalSymlinks(f.abs(called))
	if errors.Is(err, fs.ErrNotExist) {
		return "", refuse("nvcc-missing", name)
	}
	return called, err
}

// profile runs the nvcc.profile beside nvcc, if there is one.
func (f *finder) profile(called string) (settings, error) {
	here := strings.TrimSuffix(called[:len(called)-len(filepath.Base(called))], string(filepath.Separator))
	if onWindows {
		here = strings.TrimRight(here, `/\`)
	}
	if here == "" {
		here = "."
	}
	s := settings{own: map[string]string{"_SPACE_": " ", "_HERE_": here, "_THERE_": here, "_NVVM_BRANCH_": "nvvm", "_CUDART_": "cudart"}, env: f.env}
	if err := f.target(s, here); err != nil {
		return s, err
	}
	at := here + string(filepath.Separator) + profileName
	text, err := readAtMost(f.abs(at), maxProfile)
	if errors.Is(err, fs.ErrNotExist) {
		return s, f.readings(s)
	}
	if err != nil {
		return s, fmt.Errorf("read nvcc.profile: %w", err)
	}
	f.tools.Files = append(f.tools.Files, File{Role: profileName, Path: at, Digest: digest.Of(text)})
	if line := s.read(string(text)); line != "" {
		return s, refuse("nvcc-profile-unclear", line)
	}
	return s, f.readings(s)
}

// target sets where headers and libraries of the target are: below targets where there is such a folder, else in the
// toolkit's own (seen in dry runs of 13.0 with and without the folder).
func (f *finder) target(s settings, here string) error {
	s.set("_TARGET_DIR_", "")
	s.set("_TARGET_SIZE_", "64")
	if onWindows {
		s.set("_WIN_PLATFORM_", "x64")
		return nil
	}
	targets := here + "/../targets"
	if there, err := f.files.Stamp(f.abs(targets)); err != nil || !there.Dir {
		return err
	}
	s.set("_TARGET_SIZE_", "")
	if runtime.GOARCH == "amd64" {
		s.set("_TARGET_DIR_", "targets/x86_64-linux")
		return nil
	}
	// On arm64 a release is for servers or for Jetson; which one nvcc takes where it has both was not seen.
	for _, name := range []string{"sbsa-linux", "aarch64-linux"} {
		there, err := f.files.Stamp(f.abs(targets + "/" + name))
		if err != nil {
			return err
		}
		if there.Dir && s.get("_TARGET_DIR_") != "" {
			return refuse("nvcc-target-unclear", targets)
		}
		if there.Dir {
			s.set("_TARGET_DIR_", "targets/"+name)
		}
	}
	return nil
}

// readings keeps what nvcc reads of its settings.
func (f *finder) readings(s settings) error {
	// nvcc mixes this one with -ccbin in ways of its own, and asks one compiler for its version and uses the other.
	if v, ok := s.lookup("compiler-bindir"); ok {
		return refuse("nvcc-profile-names-compiler", v)
	}
	for _, name := range reads {
		if v, ok := s.lookup(name); ok && v != "" {
			f.tools.Variables = append(f.tools.Variables, name+"="+v)
		}
	}
	for name := range s.own {
		if !slices.Contains(reads, name) && recipe.Matters(name, onWindows) {
			return refuse("nvcc-profile-unclear", name+"="+s.get(name)) // nvcc hands it on, and gcc heeds it
		}
	}
	f.tools.Path = s.get("PATH")
	f.tools.Libraries = s.get("LIBRARIES")
	for _, name := range []string{"INCLUDES", "SYSTEM_INCLUDES"} {
		all, ok := folders(s.get(name))
		if !ok {
			return refuse("nvcc-profile-unclear", name+"="+s.get(name))
		}
		f.tools.Search = append(f.tools.Search, all...)
	}
	for _, kind := range []string{"user", "system"} {
		for _, folder := range f.tools.Search {
			if folder.Kind == kind {
				f.tools.Includes = append(f.tools.Includes, folder.Path)
			}
		}
	}
	return nil
}

func readAtMost(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return b, err
}
