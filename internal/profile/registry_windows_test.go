package profile

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestRealRegistry runs against a key of its own in the user's part of the real registry.
func TestRealRegistry(t *testing.T) {
	const key = `Software\cupel-test-environment`
	k, _, err := registry.CreateKey(registry.CURRENT_USER, key, registry.ALL_ACCESS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close(); registry.DeleteKey(registry.CURRENT_USER, key) })
	old := `%USERPROFILE%\bin;C:\tools`
	if err := k.SetExpandStringValue("Path", old); err != nil {
		t.Fatal(err)
	}
	target := Target{Kind: Registry, Path: filepath.Join(t.TempDir(), "env-undo.json"), key: key}
	for range 2 {
		if _, err := Persist(target, winSet(`C:\cuda 13`)); err != nil {
			t.Fatal(err)
		}
	}
	text, kind, err := k.GetStringValue("Path")
	if want := `C:\cuda 13\bin;C:\cuda 13\bin\x64;` + old; err != nil || text != want || kind != registry.EXPAND_SZ {
		t.Errorf("Path = %q of kind %d (%v), want %q of kind %d", text, kind, err, want, registry.EXPAND_SZ)
	}
	if text, _, err := k.GetStringValue("CUDA_PATH"); err != nil || text != `C:\cuda 13` {
		t.Errorf("CUDA_PATH = %q (%v)", text, err)
	}
	report, err := Undo(target)
	if err != nil {
		t.Fatal(err)
	}
	if want := `HKCU\` + key; report.Path != want || len(report.Done) == 0 {
		t.Errorf("report = %+v, want it to name %s", report, want)
	}
	if text, kind, err := k.GetStringValue("Path"); err != nil || text != old || kind != registry.EXPAND_SZ {
		t.Errorf("Path = %q of kind %d (%v) after undo, want %q", text, kind, err, old)
	}
	if _, _, err := k.GetStringValue("CUDA_PATH"); err != registry.ErrNotExist {
		t.Errorf("CUDA_PATH is left: %v", err)
	}
}
