package tool

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Main is the program: nvcc, or gcc by its name. For the tests it writes down each run (a file in STANDIN_LOG) and takes its time
// (STANDIN_SLOW, milliseconds), the longest between the two halves of an output.
func Main() {
	if name := filepath.Base(os.Args[0]); strings.HasPrefix(name, "gcc") || strings.HasPrefix(name, "g++") {
		fmt.Print(Gcc(os.Args[0], os.Args[1:]))
		os.Exit(0)
	}
	code, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stand-in:", err)
		code = 2
	}
	os.Exit(code)
}

func run() (code int, err error) {
	nvcc, err := os.Executable()
	if err != nil {
		return 0, err
	}
	if filepath.IsAbs(os.Args[0]) {
		nvcc = os.Args[0]
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	env := map[string]string{}
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	slow, _ := strconv.Atoi(env["STANDIN_SLOW"])
	m := Run(Call{Nvcc: nvcc, Args: os.Args[1:], Dir: dir, Env: env, Windows: runtime.GOOS == "windows"})
	if err := note(env["STANDIN_LOG"], os.Args); err != nil {
		return 0, err
	}
	for name, text := range m.Kept {
		if m.Keep != "" {
			if err := os.WriteFile(filepath.Join(m.Keep, name), text, 0o644); err != nil {
				return 0, err
			}
		}
	}
	for path, text := range m.Outputs {
		if err := write(path, text, time.Duration(slow)*time.Millisecond); err != nil {
			return 0, err
		}
	}
	fmt.Fprint(os.Stderr, m.Said)
	return m.Code, nil
}

// write writes an output as compilers do: in pieces, under its own name.
func write(path string, text []byte, slow time.Duration) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	time.Sleep(slow / 4)
	if _, err := f.Write(text[:len(text)/2]); err != nil {
		return err
	}
	time.Sleep(slow / 2)
	if _, err := f.Write(text[len(text)/2:]); err != nil {
		return err
	}
	return f.Close()
}

// note leaves a file for each run: wine loses lines where two processes append to one.
func note(log string, args []string) error {
	if log == "" || !slices.Contains(args, "-o") {
		return nil
	}
	if err := os.MkdirAll(log, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(log, "run-*")
	if err != nil {
		return err
	}
	return f.Close()
}
