//go:build linux

package environ

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nasty are the values every language must carry unchanged.
var nasty = map[string]string{
	"CUPEL_T_PLAIN":     "/usr/local/cuda-13.0",
	"CUPEL_T_SPACES":    "  /opt/my  cuda / ",
	"CUPEL_T_DOLLAR":    `/o/$HOME/${X}/$(id)/$$`,
	"CUPEL_T_PERCENT":   `100%/%PATH%/%%/%n`,
	"CUPEL_T_BANG":      `/wow!/!x!/!`,
	"CUPEL_T_BACKSLASH": `C:\new\table\`,
	"CUPEL_T_HASH":      `/a#b/\#c\\#d # e`,
	"CUPEL_T_GLOB":      `/[a]*?/{b,c}/~`,
	"CUPEL_T_OPS":       `a;b&c|d<e>f^g(h),i=j`,
	"CUPEL_T_UNICODE":   "/größe/‘q’/日本",
}

// quotes are carried by the languages that can.
var quotes = map[string]string{
	"CUPEL_T_SINGLE": `/it's/''`,
	"CUPEL_T_DOUBLE": `/say "x"/"`,
	"CUPEL_T_BACKT":  "/`id`/'\"\\",
}

// nastyDirs are folders for a list; none has the separator in it.
var nastyDirs = []string{`/first dir/bin`, `/it's $HOME/*/b#n,(x)`, `/third`}

func nastySet(maps ...map[string]string) Set {
	set := Set{OS: "linux", Title: "CUDA 13.0.2 in /x"}
	for _, m := range maps {
		for name, value := range m {
			set.Vars = append(set.Vars, Var{Name: name, Value: value, Kind: Assign})
		}
	}
	return set
}

func withLists(set Set, dirs []string) Set {
	for _, name := range []string{"PATH", "CUPEL_T_LIST_PATH", "CUPEL_T_NEW_PATH"} {
		set.Vars = append(set.Vars, Var{Name: name, Value: strings.Join(dirs, ":"), Dirs: dirs, Kind: Prepend})
	}
	return set
}

// oldEnv has one of the folders in each list already, in the middle, and entries that look like patterns.
func oldEnv(t *testing.T) map[string]string {
	return map[string]string{
		"PATH":              "/usr/local/bin:/third:/usr/bin:/third:/bin:/a*[b] c",
		"CUPEL_T_LIST_PATH": "/first dir/bin:/keep me:/third/deeper",
		"HOME":              t.TempDir(),
	}
}

func wantLists(dirs []string) map[string]string {
	front := strings.Join(dirs, ":")
	return map[string]string{
		"PATH":              front + ":/usr/local/bin:/usr/bin:/bin:/a*[b] c",
		"CUPEL_T_LIST_PATH": front + ":/keep me:/third/deeper",
		"CUPEL_T_NEW_PATH":  front,
	}
}

// program finds a tool or skips.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed here", name)
	}
	return path
}

// readBack runs a command whose output is what env -0 printed.
func readBack(t *testing.T, env map[string]string, dir, name string, args ...string) map[string]string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, stderr.String())
	}
	return parseEnv(out)
}

func parseEnv(out []byte) map[string]string {
	got := map[string]string{}
	for _, entry := range strings.Split(string(out), "\x00") {
		if k, v, ok := strings.Cut(entry, "="); ok {
			got[k] = v
		}
	}
	return got
}

func compare(t *testing.T, got map[string]string, wants ...map[string]string) {
	t.Helper()
	for _, want := range wants {
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%s came back as %q, want %q", name, got[name], value)
			}
		}
	}
}

func written(t *testing.T, set Set, format string, old map[string]string, file string) string {
	t.Helper()
	text, err := Format(set, format, old)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestShells(t *testing.T) {
	for _, tt := range []struct{ shell, format, once string }{
		{"bash", "sh", `set -eu; eval "$(/bin/cat "$F")"; `},
		{"dash", "sh", `set -eu; eval "$(/bin/cat "$F")"; `},
		{"zsh", "sh", `set -eu; eval "$(/bin/cat "$F")"; `},
		{"fish", "fish", `source $F; `},
	} {
		t.Run(tt.shell, func(t *testing.T) {
			shell := program(t, tt.shell)
			set := withLists(nastySet(nasty, quotes), nastyDirs)
			env := oldEnv(t)
			env["F"] = written(t, set, tt.format, env, "env.sh")
			once := readBack(t, env, "", shell, "-c", tt.once+"/usr/bin/env -0")
			compare(t, once, nasty, quotes, wantLists(nastyDirs))
			twice := readBack(t, env, "", shell, "-c", tt.once+tt.once+"/usr/bin/env -0")
			compare(t, twice, nasty, quotes, wantLists(nastyDirs))
			for _, name := range []string{"cupel_list", "cupel_dir", "cupel_dirs", "cupel_rest"} {
				if _, left := once[name]; left {
					t.Errorf("the helper variable %s is left behind", name)
				}
			}
		})
	}
}

// shells run code in F and go on.
var shells = []struct{ shell, format, once string }{
	{"bash", "sh", `set -eu; eval "$(/bin/cat "$F")"; `}, {"dash", "sh", `set -eu; eval "$(/bin/cat "$F")"; `},
	{"zsh", "sh", `set -eu; eval "$(/bin/cat "$F")"; `}, {"fish", "fish", `source $F; `},
}

// forToolkit is a small environment of one toolkit; lists are those it puts its folders into.
func forToolkit(root string, assign map[string]string, lists ...string) Set {
	set := nastySet(map[string]string{"CUDA_HOME": root}, assign)
	for _, name := range lists {
		dirs := []string{root + "/" + strings.ToLower(name), root + "/lib 64/stubs"}
		set.Vars = append(set.Vars, Var{Name: name, Value: strings.Join(dirs, ":"), Dirs: dirs, Kind: Prepend})
	}
	return set
}

// TestSwitching: a shell that goes through environments ends in what Apply says, and after every one of them
// has nothing left of those before; what somebody else had put into a list stays.
func TestSwitching(t *testing.T) {
	a := forToolkit("/opt/11 *8", map[string]string{"NVCC_CCBIN": "/usr/bin/g++-11"}, "PATH", "LIBRARY_PATH", "CUPEL_T_LIST")
	b := forToolkit("/opt/12", nil, "PATH", "LIBRARY_PATH")
	for _, tt := range []struct {
		name  string
		sets  []Set
		start map[string]string
		want  map[string]string // "-": not set
	}{
		{"the same three times", []Set{a, a, a}, nil, map[string]string{"PATH": "/opt/11 *8/path:/opt/11 *8/lib 64/stubs:/usr/bin:/bin"}},
		{"another toolkit", []Set{a, b}, nil, map[string]string{
			"PATH": "/opt/12/path:/opt/12/lib 64/stubs:/usr/bin:/bin", "LIBRARY_PATH": "/opt/12/library_path:/opt/12/lib 64/stubs",
			"NVCC_CCBIN": "-", "CUPEL_T_LIST": "-", RecordedDirs + "CUPEL_T_LIST": "-"}},
		{"there and back", []Set{b, a, b, b}, nil, map[string]string{"PATH": "/opt/12/path:/opt/12/lib 64/stubs:/usr/bin:/bin", "NVCC_CCBIN": "-"}},
		{"a folder that was there before stays", []Set{a, b}, map[string]string{"PATH": "/usr/bin:/opt/11 *8/path:/bin"}, map[string]string{
			"PATH": "/opt/12/path:/opt/12/lib 64/stubs:/opt/11 *8/path:/usr/bin:/bin"}},
		{"a list of somebody else's stays", []Set{a, b}, map[string]string{"CUPEL_T_LIST": "/mine"}, map[string]string{"CUPEL_T_LIST": "/mine"}},
		{"a running program's only adds", []Set{a, running("/opt/11 *8"), running("/opt/11 *8")}, nil, map[string]string{
			"CUDA_HOME": "/opt/11 *8", "NVCC_CCBIN": "/usr/bin/g++-11", "LD_LIBRARY_PATH": "/opt/11 *8/lib64"}},
		{"a running program's notes nothing", []Set{running("/opt/12")}, nil, map[string]string{Recorded: "-", RecordedDirs + "LD_LIBRARY_PATH": "-"}},
	} {
		for _, sh := range shells {
			t.Run(tt.name+"/"+sh.shell, func(t *testing.T) {
				switching(t, sh.shell, sh.format, sh.once, tt.sets, tt.start, tt.want)
			})
		}
	}
}

func running(root string) Set {
	dirs := []string{root + "/lib64"}
	return Set{OS: "linux", Runtime: true, Vars: []Var{{Name: "LD_LIBRARY_PATH", Value: dirs[0], Dirs: dirs, Kind: Prepend}}}
}

func switching(t *testing.T, name, format, once string, sets []Set, start, want map[string]string) {
	shell := program(t, name)
	env := map[string]string{"PATH": "/usr/bin:/bin", "MINE": "1", "HOME": t.TempDir()}
	for k, v := range start {
		env[k] = v
	}
	for _, set := range sets {
		env["F"] = written(t, set, format, env, "env.sh")
		got := readBack(t, env, "", shell, "-c", once+"/usr/bin/env -0")
		for _, k := range []string{"_", "SHLVL", "PWD", "OLDPWD", "USER", "LOGNAME", "LC_CTYPE"} { // the shell's own
			delete(got, k)
		}
		same(t, got, set.Apply(env))
		env = got
	}
	for k, v := range want {
		if have, ok := env[k]; (v == "-") == ok || (ok && have != v) {
			t.Errorf("%s = %q (set: %v), want %q", k, have, ok, v)
		}
	}
}

// same compares whole environments.
func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	compare(t, got, want)
	for name, value := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s = %q is left, want it not set", name, value)
		}
	}
}

func TestMake(t *testing.T) {
	gnu := program(t, "make")
	set := withLists(nastySet(nasty, quotes), nastyDirs)
	env := oldEnv(t)
	file := written(t, set, "make", env, "cupel.mk")
	dir := filepath.Dir(file)
	text := "include cupel.mk\nall:\n\t@/usr/bin/env -0\nagain:\n\t@$(MAKE) -s --no-print-directory all\n"
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"all", "again"} {
		t.Run(target, func(t *testing.T) {
			compare(t, readBack(t, env, dir, gnu, "-s", target), nasty, quotes, wantLists(nastyDirs))
		})
	}
}

func TestDotenv(t *testing.T) {
	set := withLists(nastySet(nasty, map[string]string{"CUPEL_T_SINGLE": "/it's"}), []string{"/first dir/bin", "/third"})
	want := wantLists([]string{"/first dir/bin", "/third"})
	t.Run("sourced by a shell", func(t *testing.T) {
		env := oldEnv(t)
		env["F"] = written(t, set, "dotenv", env, ".env")
		compare(t, readBack(t, env, "", program(t, "bash"), "-c", `set -a; . "$F"; /usr/bin/env -0`), nasty, want)
	})
	t.Run("read by node", func(t *testing.T) {
		node := program(t, "node")
		file := written(t, set, "dotenv", oldEnv(t), ".env")
		out, err := exec.Command(node, "-e", `
const parse = require("util").parseEnv;
if (!parse) process.exit(42);
const got = parse(require("fs").readFileSync(process.argv[1], "utf8"));
process.stdout.write(Object.entries(got).map(([k, v]) => k + "=" + v + "\0").join(""));`, file).Output()
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 42 {
			t.Skip("this node has no util.parseEnv")
		} else if err != nil {
			t.Fatal(err)
		}
		compare(t, parseEnv(out), nasty, want, map[string]string{"CUPEL_T_SINGLE": "/it's"})
	})
}

// TestSystemd: systemd's rules for double quotes are a shell's, without references.
func TestSystemd(t *testing.T) {
	env := oldEnv(t)
	set := withLists(nastySet(nasty, quotes), nastyDirs)
	env["F"] = written(t, set, "systemd", env, "cupel.conf")
	got := readBack(t, env, "", program(t, "bash"), "-c", `set -a; . "$F"; /usr/bin/env -0`)
	front := strings.Join(nastyDirs, ":")
	compare(t, got, nasty, quotes, map[string]string{"PATH": oldEnv(t)["PATH"], "CUPEL_T_LIST_PATH": front, "CUPEL_T_NEW_PATH": front})
}

func TestGitHub(t *testing.T) {
	env := oldEnv(t)
	set := withLists(nastySet(nasty, quotes), nastyDirs)
	env["F"] = written(t, set, "github", env, "step.sh")
	dir := t.TempDir()
	env["GITHUB_ENV"], env["GITHUB_PATH"] = filepath.Join(dir, "env file"), filepath.Join(dir, "path file")
	readBack(t, env, "", program(t, "bash"), "-e", env["F"])
	vars, err := os.ReadFile(env["GITHUB_ENV"])
	if err != nil {
		t.Fatal(err)
	}
	want := wantLists(nastyDirs)
	delete(want, "PATH")
	compare(t, parseEnv(bytes.ReplaceAll(vars, []byte("\n"), []byte{0})), nasty, quotes, want)
	path, err := os.ReadFile(env["GITHUB_PATH"])
	if got := strings.Split(strings.TrimSpace(string(path)), "\n"); err != nil || len(got) != 3 || got[2] != nastyDirs[0] {
		t.Errorf("GITHUB_PATH = %q (%v), want the first folder last", got, err)
	}
}
