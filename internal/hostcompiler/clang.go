package hostcompiler

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cupel/internal/child"
	"cupel/internal/depot"
	"cupel/internal/pattern"
	"cupel/internal/progress"
	"cupel/internal/source"
	"cupel/internal/source/apt"
)

// PlanClang finds libclang in the machine's own suites: of a major, or with 0 the newest.
func (i Installer) PlanClang(ctx context.Context, major int) (Plan, error) {
	what := Unavailable{What: "libclang"}
	if major > 0 {
		what.What += " " + strconv.Itoa(major)
	}
	if i.Here.OS != "linux" {
		what.Why = []string{"packages of Debian and Ubuntu are for Linux only"}
		return Plan{}, what
	}
	src := i.packages()
	m, err := src.Machine()
	var gone source.Unreachable
	if errors.As(err, &gone) {
		what.Why = []string{gone.Error()}
		return Plan{}, what
	} else if err != nil {
		return Plan{}, err
	}
	i.Report.Say(progress.Resolve, "looking for libclang in the distribution's packages")
	if major == 0 {
		if major, err = newestClang(ctx, src, m); err != nil {
			return Plan{}, err
		}
	}
	p, err := i.planIn(ctx, src, m, "", fmt.Sprintf("libclang-%d", major), fmt.Sprintf("libclang1-%d", major), fmt.Sprintf("libclang-common-%d-dev", major))
	if err != nil && ctx.Err() == nil {
		what.Why = []string{err.Error()}
		return Plan{}, what
	}
	return p, err
}

var clangPackage = pattern.New(`^libclang1-([0-9]+)$`)

func newestClang(ctx context.Context, src *apt.Source, m apt.Machine) (int, error) {
	_, state, err := src.Beside(m, "")
	if err != nil {
		return 0, err
	}
	if err := state.Update(ctx); err != nil {
		return 0, err
	}
	names, err := state.Names(ctx, "libclang1-")
	if err != nil {
		return 0, err
	}
	newest := 0
	for _, n := range names {
		if m := clangPackage.FindStringSubmatch(n); m != nil {
			major, _ := strconv.Atoi(m[1])
			newest = max(newest, major)
		}
	}
	if newest == 0 {
		return 0, Unavailable{What: "libclang", Why: []string{"there is no package libclang1-N"}}
	}
	return newest, nil
}

// InstallClang brings it; Command is the folder for LIBCLANG_PATH.
func (i Installer) InstallClang(ctx context.Context, p Plan) (Outcome, error) {
	out, err := i.install(ctx, p, kind{
		folder: depot.Libraries, name: "libclang-" + p.Version + "-" + p.Source + "-" + i.Here.String(),
		finish: finishClang, prove: proveClang,
	})
	if err == nil {
		out.Variables = map[string]string{"LIBCLANG_PATH": out.Command, "BINDGEN_EXTRA_CLANG_ARGS": resourceArgument(out.Command)}
	}
	return out, err
}

// resourceArgument tells clang where its own headers are: Debian's libclang looks for them in the system's folder alone.
func resourceArgument(folder string) string {
	found, _ := filepath.Glob(filepath.Join(folder, "clang", "*", "include"))
	if len(found) == 0 {
		return "-DCUPEL_NO_HEADERS"
	}
	return "-resource-dir=" + filepath.Dir(found[0])
}

// inner is the folder of the libraries themselves: who looks for a libclang must find the door alone.
const inner = "inner"

// finishClang gathers the libraries and clang's own headers in one folder.
func finishClang(root string) (string, error) {
	lib := filepath.Join(root, "lib")
	if err := os.MkdirAll(filepath.Join(lib, inner), 0o755); err != nil {
		return "", err
	}
	names, machine, err := gatherLibraries(root, filepath.Join(lib, inner))
	if err != nil {
		return "", err
	}
	headers, _ := filepath.Glob(filepath.Join(root, "usr/lib/llvm-*/lib/clang"))
	if len(headers) == 1 {
		if err := os.Rename(headers[0], filepath.Join(lib, "clang")); err != nil {
			return "", err
		}
	}
	clang := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, "libclang-") || strings.HasPrefix(n, "libclang.so") })
	if clang < 0 {
		return "", errors.New("the packages hold no libclang")
	}
	var needed []string
	for _, n := range append(slices.Delete(slices.Clone(names), clang, clang+1), names[clang]) {
		needed = append(needed, "$ORIGIN/"+inner+"/"+n)
	}
	body, err := door(machine, needed)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(lib, "libclang.so"), body, 0o644); err != nil {
		return "", err
	}
	return "lib", os.RemoveAll(filepath.Join(root, "usr"))
}

// gatherLibraries moves every shared library into a folder, under the name by which others ask for it.
func gatherLibraries(root, to string) (names []string, machine elf.Machine, err error) {
	err = filepath.WalkDir(filepath.Join(root, "usr/lib"), func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.Contains(e.Name(), ".so") || strings.Contains(path, "/lib/clang/") {
			return err
		}
		f, err := elf.Open(path)
		if err != nil {
			return nil // a linker script
		}
		defer f.Close()
		soname, _ := f.DynString(elf.DT_SONAME)
		if len(soname) != 1 || filepath.Base(soname[0]) != soname[0] || slices.Contains(names, soname[0]) {
			return nil
		}
		names, machine = append(names, soname[0]), f.Machine
		return os.Rename(path, filepath.Join(to, soname[0]))
	})
	return names, machine, err
}

// proveClang has the system's loader find everything that libclang needs; where there is a Python, it asks libclang
// itself.
func proveClang(ctx context.Context, folder, _ string) ([]string, error) {
	path := filepath.Join(folder, "libclang.so")
	loader, err := interpreter()
	if err != nil {
		return nil, err
	}
	r, err := child.Run(ctx, child.Command{Path: loader, Args: []string{"--list", path}})
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(r.Stdout) {
		if strings.Contains(line, "not found") {
			return nil, fmt.Errorf("the loader says %s", strings.TrimSpace(line))
		}
	}
	proof := []string{"the loader finds every library of libclang"}
	python, err := exec.LookPath("python3")
	if err != nil {
		return proof, nil
	}
	r, err = child.Run(ctx, child.Command{Path: python, Args: []string{"-c", askClang, path, resourceArgument(folder)}})
	if err != nil {
		return nil, err
	}
	return append(proof, "libclang answers: "+strings.TrimSpace(r.Stdout)), nil
}

// askClang has libclang tell its version and parse a file with one of clang's own headers.
const askClang = `import ctypes, sys, tempfile, os
c = ctypes.CDLL(sys.argv[1])
class S(ctypes.Structure): _fields_ = [("d", ctypes.c_void_p), ("f", ctypes.c_uint)]
c.clang_getClangVersion.restype = S
c.clang_getCString.restype = ctypes.c_char_p
c.clang_getCString.argtypes = [S]
c.clang_createIndex.restype = c.clang_parseTranslationUnit.restype = ctypes.c_void_p
c.clang_parseTranslationUnit.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
args = (ctypes.c_char_p * 1)(sys.argv[2].encode())
c.clang_getNumDiagnostics.argtypes = [ctypes.c_void_p]
with tempfile.TemporaryDirectory() as d:
    f = os.path.join(d, "a.c")
    open(f, "w").write("#include <stddef.h>\nsize_t n;\n")
    t = c.clang_parseTranslationUnit(c.clang_createIndex(0, 0), f.encode(), args, 1, None, 0, 0)
    n = c.clang_getNumDiagnostics(t)
print(c.clang_getCString(c.clang_getClangVersion()).decode())
sys.exit("stddef.h: %d diagnostics" % n if n else 0)
`

// interpreter is the system's loader: the one that /bin/sh runs with.
func interpreter() (string, error) {
	f, err := elf.Open("/bin/sh")
	if err != nil {
		return "", fmt.Errorf("find the loader: %w", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name := make([]byte, min(p.Filesz, 4096))
			if _, err := p.ReadAt(name, 0); err != nil {
				return "", fmt.Errorf("find the loader: %w", err)
			}
			return strings.TrimRight(string(name), "\x00"), nil
		}
	}
	return "", errors.New("find the loader: /bin/sh names none")
}
