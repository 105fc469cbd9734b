package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/testbed"
)

// TestFindOnWindows: NVIDIA's own toolkit and the stand-in for Visual Studio, in the places where they are installed.
func TestFindOnWindows(t *testing.T) {
	testbed.Root(t, "vs")
	testbed.Root(t, "win-cuda-13.0")
	nvcc := testbed.CUDAFolder + `\v13.0\bin\nvcc.exe`
	dir, store := t.TempDir(), cas.Store{Dir: t.TempDir()}
	path := "Path=" + testbed.HostX64 + ";" + os.Getenv("PATH")
	find := func(ccbin string, more ...string) Tools {
		t.Helper()
		tools, refusal, err := Find(nvcc, ccbin, dir, append([]string{path, "ProgramFiles(x86)=" + os.Getenv("ProgramFiles(x86)")}, more...), stamp.New(), store)
		if refusal != nil || err != nil {
			t.Fatalf("Find with -ccbin %q: %v, %v", ccbin, refusal, err)
		}
		return tools
	}
	key := func(tools Tools) digest.Digest {
		h := digest.NewHash()
		tools.Walk(h)
		return h.Sum()
	}
	tools := find("", `INCLUDE=C:\one;C:\two`)
	for _, role := range []string{"nvcc", "nvcc.profile", "cicc", "cudafe++", "ptxas", "fatbinary", "libdevice", "host", "host environment"} {
		if !slices.ContainsFunc(tools.Files, func(f File) bool { return f.Role == role && !f.Digest.IsZero() }) {
			t.Errorf("no %s in %v", role, tools.Files)
		}
	}
	if !slices.Contains(tools.Includes, `C:\two`) || !strings.HasSuffix(tools.Includes[0], "/include") {
		t.Errorf("folders: %q", tools.Includes)
	}
	for name, want := range dryRun(t, nvcc, path, dir) {
		if got := variable(tools, name); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s = %q, nvcc.exe has %q", name, got, want)
		}
	}
	plain := key(find(""))
	for _, ccbin := range []string{testbed.HostX64, testbed.HostX64 + `\cl.exe`, "cl.exe", "cl"} {
		if got := find(ccbin); !strings.EqualFold(got.Host, filepath.Join(testbed.HostX64, "cl.exe")) || key(got) != plain {
			t.Errorf("-ccbin %s: host %s, the key as without: %v", ccbin, got.Host, key(got) == plain)
		}
	}
	if key(find("", "ptxas_flags=-O1")) == plain {
		t.Error("PTXAS_FLAGS in small letters is not in the key")
	}
	if _, refusal, err := Find(nvcc, "", dir, []string{`PATH=C:\none`}, stamp.New(), store); err != nil || refusal == nil || refusal.Reason != "host-compiler-missing" {
		t.Errorf("without cl.exe: %v, %v", refusal, err)
	}
}

func variable(tools Tools, name string) string {
	for _, v := range tools.Variables {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// dryRun is what nvcc.exe says of the variables that are kept.
func dryRun(t *testing.T, nvcc, path, dir string) map[string]string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), nvcc, "--dryrun", "-use-local-env", "-c", "k.cu")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, value, found := strings.Cut(strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "#$ "), "=")
		if found && slices.Contains(reads, name) {
			said[name] = value
		}
	}
	if said["INCLUDES"] == "" {
		t.Fatalf("the dry run names no INCLUDES:\n%s", out)
	}
	return said
}
