package hostcompiler

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// madeTree is an unpacked gcc of scripts: cc1plus prints what it sees.
func madeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	all := map[string]string{
		"usr/bin/x86_64-linux-gnu-g++-13":                  "#!/bin/sh\n",
		"usr/bin/x86_64-linux-gnu-gcc-13":                  "#!/bin/sh\n",
		"usr/libexec/gcc/x86_64-linux-gnu/13/cc1plus":      "#!/bin/sh\necho \"$LD_LIBRARY_PATH|$*\"\n",
		"usr/lib/gcc/x86_64-linux-gnu/13/include/stddef.h": "",
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFinishGCC(t *testing.T) {
	root := madeTree(t, map[string]string{
		"usr/lib/x86_64-linux-gnu/libisl.so.23":    "",
		"usr/lib/x86_64-linux-gnu/libasan.so.8":    "",
		"usr/lib/x86_64-linux-gnu/libc.so":         "GROUP ( /lib/x86_64-linux-gnu/libc.so.6 /usr/lib/x86_64-linux-gnu/libc_nonshared.a )\n",
		"usr/include/stdio.h":                      "",
		"usr/include/x86_64-linux-gnu/bits/x.h":    "",
		"usr/bin/x86_64-linux-gnu-as":              "#!/bin/sh\necho as \"$@\"\n",
		"usr/lib/gcc/x86_64-linux-gnu/13/libgcc.a": "",
	})
	command, err := finishGCC(root)
	if err != nil || command != "bin/g++-13" {
		t.Fatalf("finishGCC = %q, %v", command, err)
	}
	if to, err := os.Readlink(filepath.Join(root, command)); err != nil || to != "../usr/bin/x86_64-linux-gnu-g++-13" {
		t.Errorf("%s leads to %q, %v", command, to, err)
	}
	exe := filepath.Join(root, "usr/libexec/gcc/x86_64-linux-gnu/13")
	for name, want := range map[string]string{"cc1plus": "/../../../../lib/x86_64-linux-gnu|a b c", "as": "as a b c"} {
		out, err := exec.Command(filepath.Join(exe, name), "a b", "c").Output()
		if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), want) {
			t.Errorf("%s prints %q, %v, want …%q", name, out, err, want)
		}
	}
	if got := read(t, root, "usr/lib/x86_64-linux-gnu/libc.so"); got != "GROUP ( /lib/x86_64-linux-gnu/libc.so.6 libc_nonshared.a )\n" {
		t.Errorf("libc.so is %q", got)
	}
	if got := read(t, root, "usr/lib/gcc/x86_64-linux-gnu/13/libasan.so"); !strings.Contains(got, "INPUT ( libasan.so.8 )") {
		t.Errorf("libasan.so is %q", got)
	}
	for _, header := range []string{"stdio.h", "bits/x.h"} {
		read(t, root, "usr/x86_64-linux-gnu/include", header)
	}
}

// TestFinishPlain: where the machine has everything else, the compilers stay as they are.
func TestFinishPlain(t *testing.T) {
	root := madeTree(t, nil)
	if _, err := finishGCC(root); err != nil {
		t.Fatal(err)
	}
	if got := read(t, root, "usr/libexec/gcc/x86_64-linux-gnu/13/cc1plus"); strings.Contains(got, "cupel") {
		t.Errorf("cc1plus became %q", got)
	}
	for _, name := range []string{"usr/x86_64-linux-gnu", "usr/libexec/gcc/x86_64-linux-gnu/13/as"} {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	if _, err := finishGCC(t.TempDir()); err == nil {
		t.Error("finishGCC of an empty folder gives no error")
	}
}

// TestDoorOpens: the loader goes through the door.
func TestDoorOpens(t *testing.T) {
	machine := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]
	body, err := door(machine, []string{"$ORIGIN/inner/there", "libc.so.6"})
	if err != nil {
		t.Fatal(err)
	}
	inner, err := door(machine, []string{"libc.so.6"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := filepath.Join(dir, "libdoor.so")
	for path, text := range map[string][]byte{at: body, filepath.Join(dir, "inner", "there"): inner} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	loader, err := interpreter()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(loader, "--list", at).CombinedOutput()
	if err != nil || !strings.Contains(string(out), filepath.Join(dir, "inner", "there")) || !strings.Contains(string(out), "libc.so.6 => /") {
		t.Errorf("the loader says %s, %v", out, err)
	}
}
