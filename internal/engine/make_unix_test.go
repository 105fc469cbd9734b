//go:build unix

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cupel/internal/jobserver"
	"cupel/internal/testbed"
)

// The test program is also the program that make and cargo run: with CUPEL_TEST_WORKER it runs steps under the job server
// that it finds.
func TestMain(m *testing.M) {
	if how := os.Getenv("CUPEL_TEST_WORKER"); how != "" {
		os.Exit(worker(how))
	}
	os.Exit(m.Run())
}

func worker(how string) int {
	log, err := os.OpenFile(os.Getenv("CUPEL_TEST_LOG"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		panic(err)
	}
	say := func(line string) { _, _ = log.WriteString(line + "\n") } // one write: lines of several programs do not mix
	server, why := jobserver.Found(os.Environ())
	if server == nil {
		say("no server: " + why)
		return 0
	}
	if how == "leak" {
		_, _ = server.Acquire(context.Background())
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	steps := make([]Step, 9)
	for i := range steps {
		steps[i] = Step{Name: fmt.Sprint(i), Threads: 1 + i%2, Run: func(_ context.Context, threads int) Outcome {
			say("+" + strconv.Itoa(threads))
			time.Sleep(10 * time.Millisecond)
			if how == "interrupt" && i == 3 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
				time.Sleep(10 * time.Millisecond)
			}
			say("-" + strconv.Itoa(threads))
			return Outcome{}
		}}
	}
	err = Run(ctx, steps, Limits{Jobs: 8, Memory: -1, Server: server}, nil)
	if errors.Is(err, context.Canceled) {
		say("cancelled")
		err = nil
	}
	if err = errors.Join(err, server.Close()); err != nil {
		say(err.Error())
	}
	return 0
}

// widest is the most threads at once of a worker's log, and what it says besides.
func widest(t *testing.T, path string) (most int, rest []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	now := 0
	for line := range strings.Lines(string(b)) {
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			rest = append(rest, strings.TrimSpace(line))
		}
		now += n
		most = max(most, now)
	}
	if now != 0 {
		t.Errorf("%d threads never ended", now)
	}
	return most, rest
}

// setUp gives a folder, the log in it and the variables of a worker.
func setUp(t *testing.T, how string) (dir, log string, env []string) {
	t.Helper()
	dir = t.TempDir()
	log = filepath.Join(dir, "log")
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.Contains(e, "MAKEFLAGS=") || strings.HasPrefix(e, "MFLAGS=") })
	return dir, log, append(env, "CUPEL_TEST_WORKER="+how, "CUPEL_TEST_LOG="+log)
}

// makeProgram is the installed make, or the one that CUPEL_TEST_MAKE names, to try another version.
func makeProgram(t *testing.T) string {
	t.Helper()
	program := cmp.Or(os.Getenv("CUPEL_TEST_MAKE"), "make")
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("make is not installed here")
	}
	return program
}

// TestUnderMake: three programs under make -j3 never run more than three things at once, one alone gets all three, and make
// finds its tokens complete at the end (it complains otherwise: "INTERNAL: Exiting with 1 jobserver tokens …").
func TestUnderMake(t *testing.T) {
	program := makeProgram(t)
	for _, tt := range []struct {
		name, how, mark string
		rules           int
		most            int
		says, complains string
	}{
		{"three programs", "run", "+", 3, 3, "", ""},
		{"one program gets all", "run", "+", 1, 3, "", ""},
		{"interrupted", "interrupt", "+", 1, 3, "cancelled", ""},
		{"a token that is not given back", "leak", "+", 1, 0, "", "INTERNAL: Exiting with 2 jobserver tokens available; should be 3!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, log, env := setUp(t, tt.how)
			makefile := "all:"
			for i := range tt.rules {
				makefile += fmt.Sprint(" r", i)
			}
			makefile += "\nr%:\n\t" + tt.mark + "@" + os.Args[0] + "\n"
			if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(makefile), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), program, "-j3", "-C", dir)
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			most, says := widest(t, log)
			if err != nil || most != tt.most || strings.Join(says, "; ") != tt.says || tt.complains == "" && strings.Contains(string(out), "INTERNAL") || !strings.Contains(string(out), tt.complains) {
				t.Errorf("%v\n%s%d at once, says %q; want %d and %q", err, out, most, says, tt.most, tt.says)
			}
		})
	}
}

// TestWithoutPlus: make 4.3 closes the descriptors for a recipe line that is no make's, and the reason says so. From 4.4 on
// the FIFO can be opened all the same.
func TestWithoutPlus(t *testing.T) {
	program := makeProgram(t)
	version, _ := exec.CommandContext(t.Context(), program, "--version").Output()
	dir, log, env := setUp(t, "run")
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte("all:\n\t@"+os.Args[0]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-j3", "-C", dir)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "INTERNAL") {
		t.Fatalf("%v\n%s", err, out)
	}
	most, says := widest(t, log)
	all := strings.Join(says, "; ")
	closed := strings.HasPrefix(all, "no server: MAKEFLAGS names the job server ") && strings.Contains(all, "recipe line that starts with +")
	if fifo := all == "" && most == 3; closed == fifo {
		t.Errorf("%s%d at once, says %q", version, most, all)
	}
}

// TestUnderCargo: a build script of a real cargo -j3 starts the worker.
func TestUnderCargo(t *testing.T) {
	testbed.Long(t)
	if _, err := exec.LookPath("cargo"); err != nil {
		t.Skip("cargo is not installed here")
	}
	dir, log, env := setUp(t, "run")
	for name, text := range map[string]string{
		"Cargo.toml": "[package]\nname = \"uses-jobs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n",
		"lib.rs":     "",
		"build.rs": "fn main() {\n    let status = std::process::Command::new(std::env::var(\"CUPEL_TEST_PROGRAM\").unwrap()).status().unwrap();\n" +
			"    assert!(status.success());\n    std::fs::write(std::env::var(\"CUPEL_TEST_LOG\").unwrap() + \".flags\", std::env::var(\"CARGO_MAKEFLAGS\").unwrap()).unwrap();\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "cargo", "build", "--offline", "-j3")
	cmd.Dir, cmd.Env = dir, append(env, "CUPEL_TEST_PROGRAM="+os.Args[0])
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	flags, err := os.ReadFile(log + ".flags")
	if err != nil {
		t.Fatal(err)
	}
	if most, says := widest(t, log); most != 3 || len(says) > 0 {
		t.Errorf("%d at once, says %q, want 3\nCARGO_MAKEFLAGS=%s", most, says, flags)
	}
	t.Logf("CARGO_MAKEFLAGS=%s", flags)
}
