package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cupel/internal/contract"
	"cupel/internal/lock"
	"cupel/internal/testbed"
)

// TestKilledWrites kills lock, init and docs at every moment of their short lives: what they write is there whole or
// not at all, what was there before is not lost, and the next run does its work.
func TestKilledWrites(t *testing.T) {
	testbed.Long(t)
	hosts, err := filepath.Abs(hostsDir)
	if err != nil {
		t.Fatal(err)
	}
	const first = "cupel = 1\n[project]\nname = \"p\"\n[toolkit]\nmin = \"12.0\"\n"
	for _, tt := range []struct {
		name  string
		args  []string
		whole func(t *testing.T, dir string)
	}{
		{"lock", []string{"lock", "--host", filepath.Join(hosts, "ubuntu-l4.txtar")}, func(t *testing.T, dir string) {
			if b, err := os.ReadFile(filepath.Join(dir, "cupel.lock")); err == nil {
				if _, err := lock.Parse("cupel.lock", b); err != nil {
					t.Fatalf("half a lock: %v\n%s", err, b)
				}
			}
		}},
		{"init", []string{"init", "--force"}, func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(dir, "cupel.toml"))
			if _, wrong := contract.Parse("cupel.toml", b); err != nil || len(wrong) > 0 {
				t.Fatalf("no contract, or half of one: %v %v\n%s", err, wrong, b)
			}
		}},
		{"docs", []string{"docs"}, func(t *testing.T, dir string) {
			for _, name := range []string{"CUDA-SETUP.md", "verify-cuda.sh", "verify-cuda.ps1", "cuda.mk"} {
				if b, err := os.ReadFile(filepath.Join(dir, "docs", "cuda", name)); err == nil && len(b) == 0 {
					t.Fatalf("%s is empty", name)
				}
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "cupel.toml"), []byte(first), 0o644); err != nil {
				t.Fatal(err)
			}
			for moment := range 60 {
				cmd := exec.Command(program(t), tt.args...)
				cmd.Dir = dir
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(moment) * time.Millisecond)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				tt.whole(t, dir)
			}
			again := exec.Command(program(t), tt.args...)
			again.Dir = dir
			if out, err := again.CombinedOutput(); err != nil {
				t.Fatalf("the run after the kills: %v\n%s", err, out)
			}
			tt.whole(t, dir)
		})
	}
}
