package cli_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	words "cupel/internal/call"
	"cupel/internal/testbed"
)

// TestWindowsReplay: cupel.exe runs recorded calls of NVIDIA's real nvcc.exe again, in a folder with blanks and brackets (the
// stand-in for cl.exe reads no letters beyond ASCII), with a command line that is too long for Windows, by a printed batch
// file, and packs one.
func TestWindowsReplay(t *testing.T) {
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "vs")
	wine := testbed.Wine(t)
	home := t.TempDir()
	dir := filepath.Join(home, "Users", "ann", "my project (1)")
	putFile(t, filepath.Join(dir, "k.cu"), "#include \"k.h\"\n__global__ void k(int *p) { *p = VALUE; }\n")
	putFile(t, filepath.Join(dir, "bad.cu"), "__global__ void k(int *p) { *p = ; }\n")
	putFile(t, filepath.Join(dir, "in c", "k.h"), "#define VALUE 3\n")
	var rec recordedRun
	rec.Run = words.Run{OS: "windows", Arch: "amd64", Command: []string{"make"}, Toolkit: words.Toolkit{Release: "13.0", Nvcc: "13.0.88", Root: testbed.CUDAFolder + `\v13.0`}}
	rec.Env = append(windowsEnv(t, wine), `Path=`+testbed.HostX64+`;C:\windows\system32;C:\windows`, `USERNAME=ann`, `API_TOKEN=planted`, `CUPEL_RUN=C:\x`)
	add := func(code int64, expanded []string, args ...string) {
		rec.Calls = append(rec.Calls, recordedCall{
			Begin:  words.Begin{Tool: "nvcc", Path: testbed.CUDAFolder + `\v13.0\bin\nvcc.exe`, Args: args, Expanded: expanded, Dir: wine.Windows(dir), Inputs: []words.File{{Path: args[len(args)-1], Size: 1}}},
			Stderr: "API_TOKEN=planted for ann\n", End: &words.End{Code: code},
		})
	}
	add(0, nil, "-ptx", "-o", "one.ptx", "-I", "in c", "k.cu")
	add(0, nil, "-ptx", "-o", "bad.ptx", "bad.cu")
	long := []string{"-ptx", "-o", "long.ptx", "-I", "in c"}
	for i := range 5000 { // 100 kB
		long = append(long, "-DLONG_NAME_"+strings.Repeat("x", i%9)+string(rune('a'+i%26)))
	}
	add(0, append(long, "k.cu"), "--options-file", "gone.txt", "k.cu")
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writeRun(filepath.Join(home, "cupel", "runs"), text); err != nil {
		t.Fatal(err)
	}
	exe := windowsProgram(t)
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cupel := func(want int, args ...string) (string, string) {
		t.Helper()
		cmd := wine.Command(ctx, exe, args...)
		cmd.Dir = home
		cmd.Env = append(cmd.Env, "CUPEL_HOME="+wine.Windows(filepath.Join(home, "cupel")))
		var errs strings.Builder
		cmd.Stderr = &errs
		out, code := run(t, cmd)
		if code != want {
			t.Fatalf("%q ends with %d, want %d\n%s\n%s", args, code, want, out, errs.String())
		}
		return out, errs.String()
	}
	_, errs := cupel(0, "replay", "1")
	made(t, filepath.Join(dir, "one.ptx"))
	if !strings.Contains(errs, "not recorded and not set in this shell: API_TOKEN") {
		t.Errorf("API_TOKEN is not told:\n%s", errs)
	}
	out, errs := cupel(1, "replay", "2")
	if !strings.Contains(out+errs, "bad.cu(1): error: expected an expression") || !strings.Contains(errs, "recorded: exit code 0; now: exit code 1") {
		t.Errorf("the failing call prints\n%s\n%s", out, errs)
	}
	_, errs = cupel(0, "replay", "3")
	made(t, filepath.Join(dir, "long.ptx"))
	if !strings.Contains(errs, "they go through a response file") {
		t.Errorf("a line of 100 kB:\n%s", errs)
	}
	t.Run("print", func(t *testing.T) {
		out, _ := cupel(0, "replay", "1", "--print")
		batch := filepath.Join(home, "again.bat")
		putFile(t, batch, "@echo off\r\nchcp 65001 > nul\r\n"+out)
		cmd := wine.Command(ctx, "cmd", "/c", wine.Windows(batch))
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\nof\n%s", err, said, out)
		}
		made(t, filepath.Join(dir, "one.ptx"))
	})
	t.Run("bundle", func(t *testing.T) {
		cupel(0, "bundle", "1", "--out", "b.zip")
		parts := unzipped(t, filepath.Join(home, "b.zip"))
		for name, want := range map[string]string{"preprocessed/k.cu.ii": "*p = 3;", "versions.txt": "release 13.0, V13.0.88", "sources/k.cu": "VALUE", "snapshot.json": `"os": "windows"`} {
			if !strings.Contains(parts[name], want) {
				t.Errorf("%s has no %q:\n%.2000s", name, want, parts[name]+parts[name+".failed.txt"])
			}
		}
		for name, text := range parts {
			if strings.Contains(text, "planted ") || strings.Contains(text, `\ann\`) {
				t.Errorf("%s tells a name or a secret", name)
			}
		}
	})
}

// windowsEnv is the environment that every program of the prefix gets, Path apart.
func windowsEnv(t *testing.T, wine testbed.Prefix) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	text, code := run(t, wine.Command(ctx, "cmd", "/c", "set"))
	if code != 0 {
		t.Fatalf("cmd /c set ends with %d", code)
	}
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n") {
		if strings.Contains(line, "=") && !strings.HasPrefix(strings.ToUpper(line), "PATH=") {
			out = append(out, line)
		}
	}
	return out
}

// made looks for a file, and takes it away for the next try.
func made(t *testing.T, path string) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("%s was not made: %v", path, err)
	}
	_ = os.Remove(path)
}

func unzipped(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(text)
	}
	return out
}

func putFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
