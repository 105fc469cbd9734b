package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func openKey(key string) (registry.Key, error) {
	hive, rest, _ := strings.Cut(key, `\`)
	root, ok := map[string]registry.Key{"HKLM": registry.LOCAL_MACHINE, "HKCU": registry.CURRENT_USER}[hive]
	if !ok {
		return 0, fmt.Errorf("registry %s: unknown hive", key)
	}
	// NVIDIA's and Microsoft's keys live in the 64-bit view, also for a 32-bit caller.
	return registry.OpenKey(root, rest, registry.READ|registry.WOW64_64KEY)
}

func (r *real) RegistryValues(key string) (map[string]string, error) {
	k, err := openKey(key)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	names, err := k.ReadValueNames(-1)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, n := range names {
		if v, ok := valueText(k, n); ok {
			out[n] = v
		}
	}
	return out, nil
}

func valueText(k registry.Key, name string) (string, bool) {
	if s, _, err := k.GetStringValue(name); err == nil {
		return s, true
	}
	if n, _, err := k.GetIntegerValue(name); err == nil {
		return fmt.Sprint(n), true
	}
	// Some drivers store a number as its bytes.
	if b, _, err := k.GetBinaryValue(name); err == nil && len(b) > 0 && len(b) <= 8 {
		var n [8]byte
		copy(n[:], b)
		return fmt.Sprint(binary.LittleEndian.Uint64(n[:])), true
	}
	return "", false
}

func (r *real) RegistryKeys(key string) ([]string, error) {
	k, err := openKey(key)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	return k.ReadSubKeyNames(-1)
}

// ownGroup keeps a probe's console window from flashing up.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}

// impossible says that no file can be at such a path.
func impossible(err error) bool {
	for _, e := range []error{windows.ERROR_DIRECTORY, windows.ERROR_INVALID_NAME, windows.ERROR_BAD_PATHNAME, windows.ERROR_FILENAME_EXCED_RANGE, syscall.ENOTDIR} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
