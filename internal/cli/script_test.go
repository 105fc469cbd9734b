package cli_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cupel/internal/cli"
	"cupel/internal/tree"
	"cupel/internal/trial"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) {
	testscript.Main(ownCache{m}, map[string]func(){
		"cupel": func() {
			if !trial.Child(os.Args[1:]) && !tree.Child(os.Args[1:]) {
				os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
			}
		},
	})
}

// ownCache gives the tests a CUPEL_CACHE of their own: never the user's.
type ownCache struct{ *testing.M }

func (m ownCache) Run() int {
	dir, err := os.MkdirTemp("", "cli-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("CUPEL_CACHE", dir)
	return m.M.Run()
}

// TestScripts runs the commands as commands; one topic a script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "../../testdata/script",
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "mirror": mirror, "serve": serve, "tamper": tamper},
		Setup: func(env *testscript.Env) error {
			hosts, err := os.Getwd()
			if err != nil {
				return err
			}
			env.Setenv("HOSTS", hosts+"/../../testdata/hosts")
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("USERPROFILE", env.WorkDir+"/home")
			return nil
		},
	})
}

// exits runs a command that must end with a code, or with any: exits CODE COMMAND…
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := args[0]; want != "any" && fmt.Sprint(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}
