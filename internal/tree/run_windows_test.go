package tree

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func init() {
	acts["status"] = func() int { code, _ := strconv.ParseUint(os.Args[1], 0, 32); return int(code) }
}

// TestStatus: all 32 bits are told, and those of the system by name.
func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		arg  string
		want int64
		name string
	}{
		{"259", 259, ""}, // STILL_ACTIVE: a code that must not be waited on
		{"0xFFFFFFFF", 0xFFFFFFFF, ""},
		{"0xC0000005", 0xC0000005, "0xC0000005 (STATUS_ACCESS_VIOLATION)"},
		{"0xC000013A", 0xC000013A, "0xC000013A (STATUS_CONTROL_C_EXIT)"},
	} {
		t.Run(tt.arg, func(t *testing.T) {
			if end := Run(t.Context(), act(t, "status", tt.arg)); end.Code != tt.want || end.Status != tt.name || end.Error != "" {
				t.Errorf("Run = %+v, want %d %s", end, tt.want, tt.name)
			}
		})
	}
}

// TestMissingDLL: this program, with another name in its list of libraries, ends before main.
func TestMissingDLL(t *testing.T) {
	b, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	c := act(t, "zero")
	c.Path = filepath.Join(c.Dir, "lacks.exe")
	c.Argv = []string{c.Path}
	if err := os.WriteFile(c.Path, bytes.ReplaceAll(b, []byte("kernel32.dll"), []byte("gonegone.dll")), 0o755); err != nil {
		t.Fatal(err)
	}
	if end := Run(t.Context(), c); end.Code != 0xC0000135 || end.Status != "0xC0000135 (STATUS_DLL_NOT_FOUND)" {
		t.Errorf("Run = %+v, want 0xC0000135", end)
	}
}

// TestKilled: what is below a cupel that is killed ends with it.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(self(t), self(t))
	cmd.Env, cmd.Dir = append(with("exec"), "BELOW=leave and sleep"), dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := os.Stat(filepath.Join(dir, "beat")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	time.Sleep(300 * time.Millisecond)
	stays(t, dir)
}
