package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cupel/internal/call"
)

const windows = runtime.GOOS == "windows"

// target is what a call is passed to.
type target struct {
	tool   string // nvcc
	self   string // the shim's own program
	mirror string // the root it stands in
	real   string // the real program
	args   []string
	again  bool   // called by real itself, which is no compiler but a wrapper; real is what is next on PATH
	others bool   // other tools are recorded too, the host compiler perhaps: what it is cannot be seen through its shim
	temp   string // where nvcc puts its other files: it leaves some when it fails or is killed; empty: where it always does
	alone  bool   // a launcher: cupel-nvcc nvcc …
	onward bool   // real is a shim, which does everything
}

// find reads the map beside the shim's own program.
func find(argv []string) (target, error) {
	self, err := os.Executable()
	if err != nil {
		return target{}, fmt.Errorf("find this program: %w", err)
	}
	t := target{self: self, tool: toolName(self), mirror: filepath.Dir(filepath.Dir(self))}
	if len(argv) > 0 {
		t.args = argv[1:]
	}
	tools, err := readMap(t.mirror)
	if errors.Is(err, os.ErrNotExist) && t.tool == program {
		if len(argv) > 0 && toolName(argv[0]) == "nvcc" {
			return t.named("nvcc")
		}
		return t.launcher()
	}
	if err != nil {
		return target{}, err
	}
	t.others = len(tools) > 1
	real, ok := tools[t.tool]
	if !ok {
		return target{}, fmt.Errorf("find the real %s: %s does not name it", t.tool, filepath.Join(t.mirror, MapFile))
	}
	t.real = real
	if sameFile(real, self) {
		return target{}, fmt.Errorf("find the real %s: %s is this program itself; cupel exec makes the folder %s anew", t.tool, real, t.mirror)
	}
	if nested(t.tool) {
		return t.beyond()
	}
	return t, nil
}

func readMap(mirror string) (map[string]string, error) {
	path := filepath.Join(mirror, MapFile)
	text, err := readSmall(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("this program stands in the place of nvcc where cupel exec puts it, or before it (cupel-nvcc nvcc …): %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("find the real tool: %w", err)
	}
	tools, err := ReadMap(text)
	if err != nil {
		return nil, fmt.Errorf("find the real tool: read %s: %w", path, err)
	}
	return tools, nil
}

// toolName is the tool that a program stands for: its own name, on Windows without .exe and in any case.
func toolName(program string) string {
	name := filepath.Base(program)
	if windows {
		name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	}
	return name
}

// beyond is the target behind a wrapper: the next program of the name on PATH that is neither a shim nor the wrapper.
func (t target) beyond() (target, error) {
	name := filepath.Base(t.self)
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if !filepath.IsAbs(path) || !runs(path) || sameFile(path, t.self) || sameFile(path, t.real) || shimAt(path) {
			continue
		}
		t.real, t.again = path, true
		return t, nil
	}
	return target{}, fmt.Errorf("%s calls %s again, and PATH has no other: it is a script that stands for a compiler; name the compiler itself with cupel exec --toolkit", t.real, name)
}

// runs: path is a file that can be run.
func runs(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (windows || info.Mode()&0o111 != 0)
}

// shimAt: path is a shim, perhaps of another mirror, also behind a link.
func shimAt(path string) bool {
	if full, err := filepath.EvalSymlinks(path); err == nil {
		path = full
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(path)), MapFile))
	return err == nil
}

func sameFile(a, b string) bool {
	x, errx := os.Stat(a)
	y, erry := os.Stat(b)
	return errx == nil && erry == nil && os.SameFile(x, y)
}

// environ is the environment of the real tool: this program's own, and the mark against recursion.
func (t target) environ() []string {
	env := os.Environ()
	if t.onward {
		return env
	}
	mark := call.NestVariable + "=" + strings.Join(append(strings.Fields(os.Getenv(call.NestVariable)), t.tool), " ")
	aside := t.temp != "" && !windows // nvcc.exe does not look at TMPDIR (13.0)
	env = slices.DeleteFunc(env, func(kv string) bool {
		return strings.HasPrefix(kv, call.NestVariable+"=") || aside && strings.HasPrefix(kv, "TMPDIR=")
	})
	if aside {
		env = append(env, "TMPDIR="+t.temp)
	}
	return append(env, mark)
}
