package shim_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/record"
	"cupel/internal/shim"
)

// TestMain: the test program is all programs of these tests, so they run wherever Go does: a shim where a map lies beside
// its folder, the real tool where it is told what to do.
func TestMain(m *testing.M) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(self)), shim.MapFile)); err == nil {
		os.Exit(shim.Main(os.Args))
	}
	if name := filepath.Base(self); name == exe("cupel-nvcc") {
		os.Exit(shim.Main(os.Args))
	}
	if does := os.Getenv("TOOL_DOES"); does != "" {
		os.Exit(tool(does))
	}
	os.Setenv("CUPEL_CACHE", filepath.Join(programs(), "cache")) // never the user's
	code := m.Run()
	_ = os.RemoveAll(programs())
	os.Exit(code)
}

// tool is what stands for nvcc.
func tool(does string) int {
	switch does {
	case "talk": // to both streams in turn, without a pause
		for i := range 600 {
			fmt.Fprintf(os.Stdout, "out %d\r\n", i)
			fmt.Fprintf(os.Stderr, "err %d\n", i)
		}
	case "bytes":
		every := make([]byte, 256)
		for i := range every {
			every[i] = byte(i)
		}
		os.Stdout.Write(every)
		os.Stderr.Write(every)
	case "flood":
		line := bytes.Repeat([]byte("0123456789abcdef"), 4096)
		for range 80 { // 5 MB
			os.Stdout.Write(line)
		}
		os.Stderr.WriteString("done\n")
	case "close": // and go on
		os.Stdout.WriteString("before")
		os.Stdout.Close()
		os.Stderr.WriteString("after")
		return 3
	case "copy":
		io.Copy(os.Stdout, os.Stdin)
	case "args":
		for i, arg := range os.Args[1:] {
			fmt.Printf("%d %q\n", i, arg)
		}
		fmt.Print(rawArgs())
	case "program":
		fmt.Printf("%s\n", os.Args[0])
	case "environment":
		for _, kv := range os.Environ() {
			if !strings.HasPrefix(kv, call.NestVariable+"=") {
				fmt.Println(kv)
			}
		}
	case "say and fail":
		fmt.Println("said")
		return 7
	case "code":
		var code int
		fmt.Sscan(os.Args[1], &code)
		return code
	case "leave": // somebody who holds the streams
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "TOOL_DOES=sleep")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return 99
		}
		time.Sleep(200 * time.Millisecond)
		return 4
	case "sleep":
		fmt.Println(os.Getpid())
		time.Sleep(20 * time.Second)
		if mark := os.Getenv("TOOL_MARK"); mark != "" {
			_ = os.WriteFile(mark, nil, 0o600)
		}
	case "again": // as a script that looks for the tool on PATH
		cmd := exec.Command("nvcc", os.Args[1:]...)
		cmd.Env = append(os.Environ(), "TOOL_DOES=args")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode()
	}
	return 0
}

// bench is a mirror with a shim, a real tool, and a run.
type bench struct {
	mirror, shim, real string
	cache              string // CUPEL_CACHE, of this test alone
	store              record.Store
	live               *record.Live
}

func exe(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// programs is a folder with a mirror and a real tool that all tests share: copying is slow under wine.
var programs = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "shim-test-")
	if err != nil {
		panic(err)
	}
	return dir
})

// install puts a copy of the test program somewhere under a name: a link would be the shim itself for the shim, and on
// Windows cannot be deleted while the test runs.
func install(t testing.TB, path string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func runnable(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{mirror: filepath.Join(programs(), "mirror"), real: filepath.Join(programs(), "real", "bin", exe("nvcc")), cache: t.TempDir(), store: record.Store{Dir: filepath.Join(t.TempDir(), "runs")}}
	b.shim = filepath.Join(b.mirror, "bin", exe("nvcc"))
	if _, err := os.Stat(b.shim); err != nil {
		install(t, b.real)
		install(t, b.shim)
		b.write(t, b.real)
	}
	live, err := b.store.New(call.Run{Command: []string{"test"}}, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	b.live = live
	t.Cleanup(func() { _ = live.Finish(call.RunEnd{}) })
	return b
}

// pointTo gives the test a mirror of its own, with another program as the real one.
func (b *bench) pointTo(t testing.TB, real string) {
	t.Helper()
	b.mirror = filepath.Join(t.TempDir(), "mirror")
	b.shim = install(t, filepath.Join(b.mirror, "bin", exe("nvcc")))
	b.write(t, real)
}

func (b *bench) write(t testing.TB, real string) {
	t.Helper()
	text, err := shim.WriteMap(map[string]string{"nvcc": real})
	if err == nil {
		err = os.WriteFile(filepath.Join(b.mirror, shim.MapFile), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.real = real
}

func (b *bench) command(t testing.TB, program, does string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Minute
	cmd.Env = append(os.Environ(), "TOOL_DOES="+does, call.RunVariable+"="+b.live.Dir, "CUPEL_CACHE="+b.cache)
	return cmd
}

// calls are all calls that were recorded, with their output.
func (b *bench) calls(t testing.TB) []call.Call {
	t.Helper()
	saved, err := b.store.Find(t.Context(), b.live.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	list, err := saved.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i], err = saved.Read(list[i].Number); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// only is the one call that was recorded.
func (b *bench) only(t testing.TB) call.Call {
	t.Helper()
	list := b.calls(t)
	if len(list) != 1 {
		t.Fatalf("%d calls were recorded, want 1", len(list))
	}
	if list[0].Torn != "" || list[0].End == nil {
		t.Fatalf("the record is not whole: %+v", list[0])
	}
	return list[0]
}
