package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	words "cupel/internal/call" // the tests of this package have a type call
	"cupel/internal/record"
	"cupel/internal/testbed"
)

// TestRecordedScripts runs the commands that need a recorded run; their scripts make one with "recorded".
func TestRecordedScripts(t *testing.T) {
	needsShell(t)
	recordedScripts(t, "recorded", nil)
}

// TestRecordedNvcc does so with real compilers.
func TestRecordedNvcc(t *testing.T) {
	needsShell(t)
	// Options that nvcc hands on to no other program: it starts those by sh -c, which takes no more than 128 KiB itself.
	long := slices.Repeat([]string{`"-Wno-deprecated-gpu-targets"`}, 40_000)
	long = append(long, `"-L/`+strings.Repeat("x", 140_000)+`"`)
	recordedScripts(t, "recorded-nvcc", map[string]string{
		"CUDA130": testbed.Toolkit(t, "cuda-13.0"), "CUDA124": testbed.Toolkit(t, "cuda-12.4"), "LONG": strings.Join(long, ","),
	})
}

// needsShell: on Windows TestWindowsReplay does the same with NVIDIA's real nvcc.exe.
func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a Unix shell is needed")
	}
}

func recordedScripts(t *testing.T, dir string, set map[string]string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:           "../../testdata/script/" + dir,
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "recorded": recordedWith(set)},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("CUPEL_HOME", env.WorkDir+"/cupel")
			env.Setenv("USER", "ann")
			for name, value := range set {
				if len(value) < 4096 { // a longer one is for the record alone: no process could be given it
					env.Setenv(name, value)
				}
			}
			return nil
		},
	})
}

// recordedRun is a run as a test writes it down.
type recordedRun struct {
	Run   words.Run
	Env   []string
	Calls []recordedCall
}

type recordedCall struct {
	Begin          words.Begin
	Env            []string // of the call; nil: the run's
	Stdout, Stderr string
	End            *words.End // nil: it was killed before
}

// recordedWith makes a run from a file of JSON, in which $NAME stands for a value given here or a variable of the script:
// recorded FILE. RUN is then its ID.
func recordedWith(set map[string]string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		if len(args) != 1 {
			ts.Fatalf("usage: recorded FILE")
		}
		text := os.Expand(ts.ReadFile(args[0]), func(name string) string {
			if value, ok := set[name]; ok {
				return value
			}
			return ts.Getenv(name)
		})
		id, err := writeRun(filepath.Join(ts.Getenv("CUPEL_HOME"), "runs"), []byte(text))
		ts.Check(err)
		ts.Setenv("RUN", id)
	}
}

// writeRun writes a run as exec and its shims do.
func writeRun(dir string, text []byte) (id string, err error) {
	var r recordedRun
	if err := json.Unmarshal(text, &r); err != nil {
		return "", err
	}
	if r.Run.OS == "" {
		r.Run.OS, r.Run.Arch = runtime.GOOS, runtime.GOARCH
	}
	live, err := record.Store{Dir: dir}.New(r.Run, r.Env)
	if err != nil {
		return "", err
	}
	base := words.Keep(r.Env)
	for i, c := range r.Calls {
		c.Begin.At, c.Begin.PID = time.Now(), 1000+i
		if c.Env != nil {
			c.Begin.Env = words.Keep(c.Env).Since(base)
		}
		w, err := record.Begin(live.Dir, c.Begin)
		if err != nil {
			return "", err
		}
		w.Output(words.Stdout, []byte(c.Stdout))
		w.Output(words.Stderr, []byte(c.Stderr))
		if c.End == nil {
			continue // killed: its record has no end
		}
		c.End.At = time.Now()
		if err := w.End(*c.End); err != nil {
			return "", err
		}
	}
	end := words.RunEnd{Ended: time.Now()}
	if r.Run.End != nil {
		end.Code = r.Run.End.Code
	}
	return live.Run.ID, live.Finish(end)
}

// TestWriteRunReadsBack: the helper writes what the reader takes for a run.
func TestWriteRunReadsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	id, err := writeRun(dir, []byte(`{"Run": {"Command": ["make"]}, "Env": ["A=1", "MY_TOKEN=x"], "Calls": [{"Begin": {"Tool": "nvcc", "Args": ["-c"]}, "Stdout": "out", "End": {"code": 2}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Store{Dir: dir}.Find(t.Context(), id[:len(id)-1])
	c, rerr := run.Read(1)
	if err = errors.Join(err, rerr); err != nil || !c.Failed() || string(c.Of(words.Stdout)) != "out" || strings.Join(c.Begin.Args, " ") != "-c" {
		t.Errorf("Read = %+v, %v", c, err)
	}
}
