package nvcc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// windowsNvcc is NVIDIA's nvcc.exe under wine, as a function that gives what it says in a folder.
func windowsNvcc(t *testing.T, release string) func(dir string, args ...string) string {
	t.Helper()
	testbed.Root(t, "win-cuda-"+release)
	testbed.Root(t, "vs")
	prefix := testbed.Wine(t)
	return func(dir string, args ...string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		cmd := prefix.Command(ctx, testbed.CUDAFolder+`\v`+release+`\bin\nvcc.exe`, args...)
		cmd.Dir, cmd.Env = dir, append(cmd.Env, "WINEPATH="+testbed.HostX64)
		// The first program of a prefix starts wine's services, which keep its output open. It goes to a file, so nobody waits.
		out, err := os.CreateTemp(t.TempDir(), "out")
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Run(); ctx.Err() != nil || cmd.ProcessState == nil {
			t.Fatalf("nvcc.exe %q: %v", args, err)
		}
		said, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(said), "\r\n", "\n")
	}
}

func TestWindowsHelp(t *testing.T) {
	for _, release := range []string{"13.0", "13.4"} {
		t.Run(release, func(t *testing.T) {
			sameAsHelp(t, windowsNvcc(t, release)(t.TempDir(), "--help"), release, "windows")
		})
	}
}

// windowsFile is a file that a command of a dry run writes.
var windowsFile = regexp.MustCompile(`-F[oe]"([^"]*)"|/out:"([^"]*)"|-o "([^"]*)"|--create="([^"]*)"|> "([^"]*)"`)

// TestWindowsOutputs: the last command of a dry run writes the file that Outputs names.
func TestWindowsOutputs(t *testing.T) {
	nvcc, dir := windowsNvcc(t, "13.0"), sources(t)
	for _, args := range []string{
		"-c k.cu", "-c k.cu -odir od", `-dc sub\s.cu`, "-c k.cu -o x.o", "-ptx k.cu", "-cubin k.cu", "-fatbin k.cu", "-cuda k.cu", "-lib k.cu", "k.cu",
		"-shared k.cu", "k.cu -odir od", "-dlink a.obj", "k.cu -o prog.exe",
	} {
		want := Parse(strings.Fields(args)).Outputs(true)
		out := nvcc(dir, append([]string{"--dryrun", "-use-local-env", "-arch=sm_80"}, strings.Fields(args)...)...)
		lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(out), "\n"), func(l string) bool { return strings.HasPrefix(l, "#$ erase") })
		var got []string
		if m := windowsFile.FindAllStringSubmatch(lines[len(lines)-1], -1); m != nil {
			got = []string{strings.Join(m[len(m)-1][1:], "")}
		}
		if !slices.Equal(got, want) {
			t.Errorf("nvcc.exe %s writes %q, want %q:\n%s", args, got, want, out)
		}
	}
}

// TestWindowsResponse: nvcc.exe reads response files as words says, and what Quote wrote. It shows paths with / for \.
func TestWindowsResponse(t *testing.T) {
	nvcc, dir := windowsNvcc(t, "13.0"), t.TempDir()
	quoted := []string{"a b.o", `C:\x y\z.o`, `a\"b.o`, `a \"b c\".o`, "it's.o", "a,b.o", `C:\x\y.o`}
	tests := append(slices.Clone(texts), struct {
		name, text     string
		linux, windows []string
	}{"what Quote wrote", string(QuoteFor(quoted, true)), nil, quoted})
	for _, tt := range tests {
		if testing.Short() && slices.Equal(tt.linux, tt.windows) { // a second and a half each
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "f.rsp"), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		out := nvcc(dir, "--dryrun", "-use-local-env", "-lib", "-optf", "f.rsp")
		_, got, ok := strings.Cut(out, `/out:"a.lib" "`)
		got, _, _ = strings.Cut(got, "\" \n")
		want := strings.ReplaceAll(strings.Join(tt.windows, `" "`), `\`, "/")
		if strings.Contains(out, "fatal") == (tt.windows != nil) || ok && got != want {
			t.Errorf("nvcc.exe reads %q as %q, want %q:\n%s", tt.text, got, want, out)
		}
	}
}

// TestPasteCmd: cmd gives the words back to a program that shows them.
func TestPasteCmd(t *testing.T) {
	prefix, dir := testbed.Wine(t), t.TempDir()
	program := filepath.Join(dir, "show.go")
	if err := os.WriteFile(program, []byte("package main\nimport (\"fmt\"; \"os\")\nfunc main() { for _, a := range os.Args[1:] { fmt.Printf(\"[%s]\\n\", a) } }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "show.exe"), program)
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	// A batch file: wine's cmd reads no second line from a pipe. % means something else in one than at the prompt, and its
	// letters are those of the code page.
	lines := "@echo off\r\n"
	want := slices.DeleteFunc(slices.Clone(pasted), func(w string) bool { return strings.ContainsAny(w, "%ä") })
	for _, w := range want {
		lines += Paste([]string{`.\show.exe`, w}, true) + "\r\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "paste.bat"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := prefix.Command(ctx, "cmd", "/c", "paste.bat")
	cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
	out, err := cmd.Output()
	var got []string
	for line := range strings.Lines(string(out)) {
		if _, word, ok := strings.Cut(strings.TrimSpace(line), "["); ok {
			got = append(got, strings.TrimSuffix(word, "]"))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("cmd gives %q, want %q (%v)\n%s", got, want, err, out)
	}
}
