//go:build linux

package environ

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/testbed"
)

// TestRealNvcc: with a default gcc that is too new, a plain nvcc refuses; in the environment the same call
// compiles. It proves the variables that nvcc of each release really reads.
func TestRealNvcc(t *testing.T) {
	for _, tt := range []struct{ part, release, def, fits string }{
		{"cuda-11.8", "11.8.0", "g++-12", "g++-11"},
		{"cuda-12.4", "12.4.1", "g++-12", ""},
		{"cuda-13.0", "13.0.2", "g++-12", ""},
	} {
		t.Run(tt.part, func(t *testing.T) {
			root := testbed.Toolkit(t, tt.part)
			bash := program(t, "bash")
			tk := fact.Toolkit{Root: root, Release: fact.Of(tt.release, "test bed"), Parts: map[string]string{fact.PartNvcc: filepath.Join(root, "bin", "nvcc")}}
			m := fact.Machine{System: fact.System{OS: "linux", Platform: fact.Linux, Arch: "amd64"}, Toolkits: []fact.Toolkit{tk}}
			m.Compilers = append(m.Compilers, gcc("12.2.0", program(t, tt.def), true))
			if tt.fits != "" {
				m.Compilers = append(m.Compilers, gcc("11.3.0", program(t, tt.fits), false))
			}
			dir := t.TempDir()
			put(t, filepath.Join(dir, "k.cu"), "#include <vector>\n__global__ void k(int *p) { *p = 1; }\nvoid f() { k<<<1, 1>>>(0); }\n")
			// gcc of this folder is the default one, whatever the machine's own is.
			for name, of := range map[string]string{"gcc": strings.Replace(tt.def, "g++", "gcc", 1), "g++": tt.def} {
				if err := os.Symlink(program(t, of), filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{"PATH": dir + ":/usr/bin:/bin", "HOME": dir, "F": written(t, For(m, tk, Options{}), "sh", nil, "env.sh")}
			_, fits, _ := choice.FittingCompiler(m, tk)
			if err := runIn(dir, env, tk.Parts[fact.PartNvcc], "-c", "k.cu", "-o", "plain.o"); (err == nil) != fits {
				t.Errorf("plain nvcc: %v, and the default compiler fits: %v", err, fits)
			}
			if err := runIn(dir, env, bash, "-c", `eval "$(cat "$F")" && "$NVCC" -c k.cu -o k.o && [ "$(command -v nvcc)" = "$CUDA_HOME/bin/nvcc" ]`); err != nil {
				t.Errorf("nvcc in the environment: %v", err)
			}
		})
	}
}

type failure struct {
	error
	out string
}

func (f failure) Error() string { return f.error.Error() + "\n" + f.out }

func runIn(dir string, env map[string]string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return failure{err, string(out)}
	}
	return nil
}

// TestCmdUnderWine has a real command interpreter run the batch file twice and print what it has.
func TestCmdUnderWine(t *testing.T) {
	p := testbed.Wine(t)
	ascii := maps.Clone(nasty)
	delete(ascii, "CUPEL_T_UNICODE") // a batch file is read in the console's code page
	dirs := []string{`C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.0\bin`, `C:\100% (x86) & more!`}
	set := nastySet(ascii)
	set.OS = "windows"
	set.Vars = append(set.Vars, Var{Name: "CUPEL_T_LIST", Value: strings.Join(dirs, ";"), Dirs: dirs, Kind: Prepend})
	file := written(t, set, "cmd", map[string]string{"cupel_t_list": `C:\keep;c:\100% (X86) & MORE!`}, "env.cmd")
	dir := filepath.Dir(file)
	put(t, filepath.Join(dir, "show.cmd"), "@call env.cmd\r\n@call env.cmd\r\n@set CUPEL_T_\r\n")
	cmd := p.Command(context.Background(), "cmd.exe", "/c", "show.cmd")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cmd.exe: %v\n%s", err, out)
	}
	got := parseEnv([]byte(strings.ReplaceAll(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n", "\x00")))
	compare(t, got, ascii, map[string]string{"CUPEL_T_LIST": strings.Join(dirs, ";") + `;C:\keep`})
}
