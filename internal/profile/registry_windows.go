package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"

	"cupel/internal/environ"
	"cupel/internal/ospath"
)

// userKey holds the user's variables; systemKey those of all users, whose PATH comes before the user's.
const (
	userKey   = "Environment"
	systemKey = `SYSTEM\CurrentControlSet\Control\Session Manager\Environment`
)

type userStore struct{ registry.Key }

func openStore(target Target) (userStore, error) {
	key := target.key
	if key == "" {
		key = userKey
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, key, registry.QUERY_VALUE|registry.SET_VALUE)
	if err != nil {
		return userStore{}, fmt.Errorf(`open HKCU\%s: %w`, key, err)
	}
	return userStore{k}, nil
}

func (s userStore) get(name string) (value, error) {
	text, kind, err := s.GetStringValue(name)
	switch {
	case errors.Is(err, registry.ErrNotExist):
		return value{}, nil
	case err != nil:
		return value{}, err
	}
	return value{Exists: true, Kind: kind, Text: text}, nil
}

func (s userStore) put(name string, v value) error {
	switch {
	case !v.Exists:
		return s.DeleteValue(name)
	case v.Kind == expandKind:
		return s.SetExpandStringValue(name, v.Text)
	}
	return s.SetStringValue(name, v.Text)
}

func persistRegistry(target Target, set environ.Set) (Report, error) {
	s, err := openStore(target)
	if err != nil {
		return Report{Path: target.Place()}, err
	}
	defer s.Close()
	report, err := keepIn(s, target, set)
	if report.Changed {
		broadcast()
		report.Notes = append(report.Notes, "shells that are open already keep the old values")
	}
	report.Notes = append(report.Notes, shadowed(set)...)
	return report, err
}

func undoRegistry(target Target) (Report, error) {
	s, err := openStore(target)
	if err != nil {
		return Report{Path: target.Place()}, err
	}
	defer s.Close()
	report, err := takeFrom(s, target)
	if report.Changed {
		broadcast()
	}
	return report, err
}

// broadcast tells running programs, the Explorer above all, that the environment changed: what they start from
// now on has it. A program that hangs is not waited for.
func broadcast() {
	const (
		hwndBroadcast   = 0xffff
		wmSettingChange = 0x001a
		abortIfHung     = 0x0002
		milliseconds    = 2000
	)
	what, err := windows.UTF16PtrFromString("Environment")
	if err != nil {
		return
	}
	send := windows.NewLazySystemDLL("user32.dll").NewProc("SendMessageTimeoutW")
	if send.Find() != nil {
		return // Windows without a desktop: nobody is there to be told
	}
	var result uintptr
	send.Call(hwndBroadcast, wmSettingChange, 0, uintptr(unsafe.Pointer(what)), abortIfHung, milliseconds, uintptr(unsafe.Pointer(&result)))
}

// shadowed names an nvcc in the PATH of all users: it stays first, whatever the user's part says.
func shadowed(set environ.Set) []string {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, systemKey, registry.QUERY_VALUE)
	if err != nil {
		return nil
	}
	defer k.Close()
	text, _, err := k.GetStringValue("Path")
	if err != nil {
		return nil
	}
	if full, err := registry.ExpandString(text); err == nil {
		text = full
	}
	paths := ospath.For("windows")
	for _, dir := range paths.List(text) {
		if _, err := os.Stat(filepath.Join(dir, "nvcc.exe")); err != nil {
			continue
		}
		for _, v := range set.Vars {
			if strings.EqualFold(v.Name, "PATH") && paths.Same(v.Dirs[0], dir) {
				return nil
			}
		}
		return []string{"the PATH of all users comes first and has another nvcc in " + dir + ": tools that look on PATH alone still find that one"}
	}
	return nil
}
