package toolchain

import (
	"fmt"
	"path/filepath"
	"strings"
)

// defaultHost is what nvcc starts when nothing names a host compiler (dry runs of all releases).
func defaultHost() string {
	if onWindows {
		return "cl.exe"
	}
	return "gcc"
}

// host finds the host compiler and what it starts. nvcc takes -ccbin, else NVCC_CCBIN, else its default: a folder means the
// default name in it, a name without a folder is looked for on PATH.
func (f *finder) host(ccbin string, readsCcbin bool, s settings) error {
	if v, ok := f.env.lookup(ccbinName); ok && ccbin == "" && readsCcbin {
		if v == "" {
			return refuse("host-compiler-missing", ccbinName+" is empty") // so nvcc says too
		}
		ccbin = v
	}
	if ccbin == "" {
		ccbin = defaultHost()
	}
	driver, err := f.driver(ccbin, s.get("PATH"))
	if err != nil {
		return err
	}
	// nvcc asks the compiler for its version before it has read its profile, so with the PATH of the call, and compiles with
	// the profile's: where they find different ones (Debian puts its own gcc there), both matter.
	asked, err := f.driver(ccbin, f.env.get("PATH"))
	if err != nil {
		return err
	}
	f.tools.Host = driver
	if onWindows {
		return f.microsoft(driver)
	}
	if err := f.gnu(driver, "host", s); err != nil || asked == driver {
		return err
	}
	includes := f.tools.Includes
	if err := f.gnu(asked, "host asked for its version", s); err != nil {
		return err
	}
	f.tools.Includes = includes
	return nil
}

// driver is the program that nvcc starts for a -ccbin.
func (f *finder) driver(ccbin, path string) (string, error) {
	at, err := f.place(ccbin, path)
	if err != nil {
		return "", fmt.Errorf("find the host compiler: %w", err)
	}
	if at != "" {
		ok, err := f.runs(f.abs(at))
		if err != nil {
			return "", fmt.Errorf("find the host compiler: %w", err)
		}
		if ok {
			return f.abs(at), nil
		}
	}
	return "", refuse("host-compiler-missing", ccbin)
}

func (f *finder) place(ccbin, path string) (string, error) {
	there, err := f.files.Stamp(f.abs(ccbin))
	switch {
	case err != nil && !notFolder(err):
		return "", err
	case there.Dir:
		return strings.TrimSuffix(ccbin, "/") + string(filepath.Separator) + defaultHost(), nil
	case hasFolder(ccbin):
		return ccbin, nil
	}
	return f.look(ccbin, path)
}
