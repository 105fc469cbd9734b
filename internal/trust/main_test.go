// Package trust holds tests only: whatever is done to a project, its tools and the store between two builds, the second one
// makes the bytes of a clean one, and runs no compiler that it need not. The compiler is a stand-in (testdata/standin) whose
// outputs hold exactly what a real result depends on; package build is the real one, and so are the programs.
package trust

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"cupel/internal/trust/testdata/standin/tool"
)

var (
	seed  = flag.Uint64("seed", 0, "repeat the sequence of this number")
	count = flag.Int("sequences", 0, "how many sequences are tried (0: 500, 10 on Windows)")
)

// scratch is what all tests of a run share.
var scratch string

func TestMain(m *testing.M) {
	if strings.HasPrefix(filepath.Base(os.Args[0]), "nvcc") { // see standins
		tool.Main()
	}
	flag.Parse()
	dir, err := os.MkdirTemp(place(), "trust")
	if err != nil {
		fmt.Fprintln(os.Stderr, "trust:", err)
		os.Exit(1)
	}
	if scratch, err = filepath.EvalSymlinks(dir); err != nil {
		scratch = dir
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

const onWindows = runtime.GOOS == "windows"

func exe(name string) string {
	if onWindows {
		return name + ".exe"
	}
	return name
}

// standins are the programs of the two toolkits and of the two host compilers: one program, with a version at its end.
var standins = sync.OnceValues(func() (dir string, err error) {
	dir = filepath.Join(scratch, "standin")
	plain := filepath.Join(dir, exe("plain"))
	if onWindows { // there is no go command under wine: this program is the stand-in too
		if plain, err = os.Executable(); err != nil {
			return "", err
		}
	} else if out, err := goBuild(plain, "cupel/internal/trust/testdata/standin"); err != nil {
		return "", fmt.Errorf("build the stand-in: %w\n%s", err, out)
	}
	text, err := os.ReadFile(plain)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, version := range []string{"A", "B"} {
		if err := os.WriteFile(filepath.Join(dir, exe(version)), append(text[:len(text):len(text)], tool.Mark+version...), 0o755); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// cupel is the real program.
var cupel = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "bin", exe("cupel"))
	if out, err := goBuild(path, "cupel/cmd/cupel"); err != nil {
		return "", fmt.Errorf("build cupel: %w\n%s", err, out)
	}
	return path, nil
})

func goBuild(to, from string) ([]byte, error) {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, from)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd.CombinedOutput()
}
