package profile

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzPersistUndo: whatever stands in the file, keeping and taking away leaves it as it was, or refuses.
func FuzzPersistUndo(f *testing.F) {
	for _, text := range []string{"", "a", "a\r\n", "[env]\nCUDA_HOME = 1\n", "[env]", begin + "\n", "x\n" + end, taken + "a = 1", "env.CUDA_HOME = 'x'\n[env]\n", "[env]\nCUDA_HOME.value = 'x'\n"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string, cargo bool) {
		target := Target{Kind: Bash, Path: filepath.Join(dir, "file")}
		if cargo {
			target.Kind = Cargo
		}
		if err := os.WriteFile(target.Path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, kept := Persist(target, testSet("/c"))
		if kept == nil {
			if _, err := Undo(target); err != nil {
				t.Fatalf("undo of %q: %v", text, err)
			}
		}
		if got, err := os.ReadFile(target.Path); err != nil || string(got) != text {
			t.Fatalf("%q became %q (%v; persist: %v)", text, got, err, kept)
		}
	})
}
