package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAsTheDryRun: nvcc's own words about its folders and its host compiler are the same.
func TestAsTheDryRun(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), "", 0o644)
	for _, sub := range []string{"folder", "gcc-13"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		symlink(t, "/usr/bin/gcc-11", filepath.Join(dir, sub, "gcc"))
	}
	for part, root := range toolkits(t) {
		for _, tt := range []struct{ name, ccbin, variable string }{
			{"nothing said", "", ""},
			{"name", "gcc-11", ""},
			{"path", "/usr/bin/g++-11", ""},
			{"relative path", "folder/gcc", ""},
			{"folder", filepath.Join(dir, "folder"), ""},
			{"relative folder", "folder", ""},
			{"folder that looks like a name", "gcc-13", ""},
			{"NVCC_CCBIN", "", "NVCC_CCBIN=gcc-11"},
			{"NVCC_CCBIN and -ccbin", "g++-11", "NVCC_CCBIN=gcc-12"},
			{"INCLUDES", "gcc-11", "INCLUDES=-I/of/env"},
		} {
			if testing.Short() && tt.variable == "" && tt.name != "relative folder" {
				continue // dry runs start the host compiler
			}
			t.Run(part+" "+tt.name, func(t *testing.T) {
				needs(t, "gcc-11")
				env := slices.DeleteFunc([]string{usual, "HOME=" + dir, tt.variable}, func(s string) bool { return s == "" })
				nvcc := filepath.Join(root, "bin", "nvcc")
				tools := find(t, nvcc, tt.ccbin, dir, env...)
				want := dryRun(t, nvcc, tt.ccbin, dir, env)
				if !samePlace(dir, tools.Host, want["host"]) {
					t.Errorf("host = %s, nvcc starts %s", tools.Host, want["host"])
				}
				for _, name := range reads {
					got := ""
					for _, v := range tools.Variables {
						if value, ok := strings.CutPrefix(v, name+"="); ok {
							got = value
						}
					}
					if strings.TrimSpace(got) != strings.TrimSpace(want[name]) {
						t.Errorf("%s = %q, nvcc has %q", name, got, want[name])
					}
				}
			})
		}
	}
}

func samePlace(dir, got, want string) bool {
	if !strings.Contains(want, "/") {
		path, err := exec.LookPath(want)
		return err == nil && got == path
	}
	if !filepath.IsAbs(want) {
		want = filepath.Join(dir, want)
	}
	return filepath.Clean(got) == filepath.Clean(want)
}

// dryRun is what nvcc prints: its variables, and the first program with -E under "host".
func dryRun(t *testing.T, nvcc, ccbin, dir string, env []string) map[string]string {
	t.Helper()
	args := []string{"--dryrun", "-c", "k.cu"}
	if ccbin != "" {
		args = append(args, "-ccbin", ccbin)
	}
	cmd := exec.CommandContext(t.Context(), nvcc, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\n"), "#$ ")
		if program, _, found := strings.Cut(line, " -D__CUDA"); found && said["host"] == "" {
			said["host"] = strings.ReplaceAll(program, `"`, "")
			continue
		}
		if name, value, found := strings.Cut(line, "="); found && !strings.Contains(name, " ") {
			said[name] = value
		}
	}
	return said
}
