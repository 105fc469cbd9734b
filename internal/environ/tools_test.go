//go:build linux

package environ

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCMakePreset configures a project with the preset as it is and has cmake print its environment.
func TestCMakePreset(t *testing.T) {
	cmake := program(t, "cmake")
	program(t, "make")
	dir := t.TempDir()
	env := oldEnv(t)
	text, err := Format(withLists(nastySet(nasty, quotes), nastyDirs), "cmake-preset", env)
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	put(t, filepath.Join(dir, "CMakeUserPresets.json"), string(text))
	put(t, filepath.Join(dir, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.21)\nproject(p NONE)\nexecute_process(COMMAND /usr/bin/env -0 OUTPUT_FILE ${CMAKE_BINARY_DIR}/env.txt)\n")
	if out, err := exec.Command(cmake, "--version").Output(); err != nil || strings.Contains(string(out), "version 3.1") {
		t.Skipf("this cmake has no presets: %s", out)
	}
	readBack(t, env, dir, cmake, "--preset", "cupel")
	got, err := os.ReadFile(filepath.Join(dir, "build", "cupel", "env.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// CMake knows no way to take an earlier copy out; it reads the parent's variable afresh, so nothing grows.
	front := strings.Join(nastyDirs, ":")
	compare(t, parseEnv(got), nasty, quotes, map[string]string{
		"PATH": front + ":" + env["PATH"], "CUPEL_T_LIST_PATH": front + ":" + env["CUPEL_T_LIST_PATH"], "CUPEL_T_NEW_PATH": front})
}

// TestCargo has cargo start a program that prints its environment, with the file as .cargo/config.toml.
func TestCargo(t *testing.T) {
	cargo := program(t, "cargo")
	dir := t.TempDir()
	env := map[string]string{"CUPEL_T_PLAIN": "set in the shell before"}
	for _, name := range []string{"PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"} {
		if v, ok := os.LookupEnv(name); ok {
			env[name] = v
		}
	}
	dirs := []string{"/first dir/bin", "/third"}
	text, err := Format(withLists(nastySet(nasty, quotes), dirs), "cargo", env)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, ".cargo", "config.toml"), string(text))
	put(t, filepath.Join(dir, "Cargo.toml"), "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n")
	put(t, filepath.Join(dir, "src", "main.rs"), `fn main() { for (k, v) in std::env::vars() { print!("{k}={v}\0"); } }`)
	got := readBack(t, env, dir, cargo, "run", "-q", "--offline")
	front := strings.Join(dirs, ":")
	compare(t, got, nasty, quotes, map[string]string{"CUPEL_T_LIST_PATH": front, "CUPEL_T_NEW_PATH": front})
	if strings.Contains(string(text), "\nPATH") || strings.Contains(got["PATH"], front) {
		t.Errorf("PATH = %q, want it left alone:\n%s", got["PATH"], text)
	}
}
