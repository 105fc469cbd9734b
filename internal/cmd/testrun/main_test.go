package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestParseLanes(t *testing.T) {
	got, err := parseLanes(strings.Fields("linux: go test -short ./... -- windows: scripts/wine-go test ./internal/host"))
	want := []lane{
		{"linux", []string{"go", "test", "-json", "-short", "./..."}},
		{"windows", []string{"scripts/wine-go", "test", "-json", "./internal/host"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("parseLanes = %v, %v, want %v", got, err, want)
	}
	for _, tt := range []struct{ name, args string }{
		{"nothing", ""},
		{"no lane name", "go test ./..."},
		{"no command", "linux:"},
		{"no command before the next lane", "linux: -- windows: go test"},
		{"no test in the command", "linux: go vet ./..."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if lanes, err := parseLanes(strings.Fields(tt.args)); err == nil {
				t.Errorf("parseLanes(%q) = %v, want an error", tt.args, lanes)
			}
		})
	}
}

// TestRealGoTest runs go test over a small module: one pass, one failure, one listed and one unlisted skip.
func TestRealGoTest(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module tiny\n\ngo 1.26\n",
		"tiny_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\nfunc TestBad(t *testing.T) { t.Error(\"two is not one\") }\n" +
			"func TestListed(t *testing.T) { t.Skip(\"no moon\") }\nfunc TestQuiet(t *testing.T) { t.Skip(\"no sun\") }\n",
		"skips.txt": "tiny TestListed : no moon\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	var out, errs strings.Builder
	code, err := run(strings.Fields("-skips skips.txt here: go test ./..."), &out, &errs)
	if code != 1 || err != nil {
		t.Errorf("run = %d, %v, want 1\n%s", code, err, errs.String())
	}
	for _, want := range []string{"two is not one", "tiny TestListed: no moon\n", "tiny TestQuiet: no sun   NOT IN THE LIST", "\n1 passed, 1 failed, 2 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// TestStartedOnceMore: a test program that ends before its first test, or whose failures are all wine's own, is started again,
// and only that one; what it says then counts.
func TestStartedOnceMore(t *testing.T) {
	const all = "test -json ./p/... ./q\n"
	for _, tt := range []struct{ name, first, calls, want string }{
		{"without a word", `exit status 1\nFAIL\tp\t0.02s\n`, all + "test -json p\n", "2 passed, 0 failed"},
		{"by wine", `x_test.go:1: fork/exec C:\\\\users\\\\nvcc.exe: Internal error.\n`, all + "test -json p\n", "2 passed, 0 failed"},
		{"with a word", `panic: no\nexit status 2\nFAIL\tp\t0.02s\n`, all, "1 passed, 1 failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			script := `#!/bin/sh
echo "$@" >> ` + dir + `/calls
case "$*" in
*" p") printf '{"Action":"run","Package":"p","Test":"A"}\n{"Action":"pass","Package":"p","Test":"A"}\n{"Action":"pass","Package":"p"}\n' ;;
*) printf '{"Action":"run","Package":"q","Test":"A"}\n{"Action":"pass","Package":"q","Test":"A"}\n{"Action":"pass","Package":"q"}\n{"Action":"output","Package":"p","Output":"%s"}\n{"Action":"fail","Package":"p"}\n' '` + tt.first + `'; exit 1 ;;
esac
`
			program := filepath.Join(dir, "go")
			if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			ta, err := lane{"windows", []string{program, "test", "-json", "./p/...", "./q"}}.run(&out, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			report(&out, []*tally{ta}, nil)
			calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
			if string(calls) != tt.calls || !strings.Contains(out.String(), tt.want) {
				t.Errorf("calls\n%swant\n%s\n%swant %s", calls, tt.calls, out.String(), tt.want)
			}
		})
	}
}
