package nvcc

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// TestSpellings: the real nvcc takes and refuses the same spellings.
func TestSpellings(t *testing.T) {
	eachRelease(t, func(t *testing.T, release, nvcc string) {
		dir := sources(t)
		for _, tt := range spellings {
			if o := named("--" + tt.name); o != nil && !o.in(release) {
				continue
			}
			out := run(t, dir, nil, nvcc, append(append([]string{"--dryrun"}, strings.Fields(tt.words)...), "-c", "k.cu")...)
			refused := strings.Contains(out, "Unknown option") || strings.Contains(out, "no argument expected")
			if refused != (tt.name == "") {
				t.Errorf("nvcc %s on %q says:\n%s\nwant it refused: %v", release, tt.words, out, tt.name == "")
			}
			if tt.name == "define-macro" || tt.name == "include-path" {
				for _, v := range tt.values {
					if shown := `"` + strings.ReplaceAll(v, `"`, `\"`) + `"`; !strings.Contains(out, shown) {
						t.Errorf("nvcc %s on %q does not show %s:\n%s", release, tt.words, shown, out)
					}
				}
			}
		}
	})
}

// sources makes the inputs that table writes names.
func sources(t *testing.T) string {
	dir := t.TempDir()
	kernel := "__global__ void k(int *p) { *p = 1; }\n"
	for name, text := range map[string]string{"k.cu": kernel, "a.b.cu": kernel, "sub/s.cu": kernel, "noext": kernel, "m.cpp": "int main() {}\n", "od/.keep": ""} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func files(t *testing.T, dir string) (list []string) {
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRealOutputs: nvcc leaves exactly the files that Outputs names.
func TestRealOutputs(t *testing.T) {
	nvcc := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc")
	for _, tt := range writes {
		if testing.Short() && !tt.quick {
			continue
		}
		t.Run(tt.args, func(t *testing.T) {
			dir := sources(t)
			old := files(t, dir)
			out := run(t, dir, nil, nvcc, append([]string{"-arch=sm_80"}, strings.Fields(tt.args)...)...)
			made := slices.DeleteFunc(files(t, dir), func(f string) bool { return slices.Contains(old, f) })
			if !slices.Equal(made, strings.Fields(tt.linux)) {
				t.Errorf("nvcc %s leaves %q, want %q; it says:\n%.2000s", tt.args, made, tt.linux, out)
			}
		})
	}
}

// archived are the object files that a dry run of --lib shows; nil: nvcc refused.
func archived(dryrun string) []string {
	for line := range strings.Lines(dryrun) {
		if strings.Contains(line, "fatal") {
			return nil
		}
	}
	_, list, ok := strings.Cut(dryrun, ` cr "a.a" "`)
	if !ok {
		return nil
	}
	list, _, _ = strings.Cut(list, "\" \n")
	return strings.Split(list, `" "`)
}

func TestRealResponse(t *testing.T) {
	eachRelease(t, func(t *testing.T, release, nvcc string) {
		dir := t.TempDir()
		for _, tt := range texts {
			if err := os.WriteFile(filepath.Join(dir, "f.rsp"), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			out := run(t, dir, nil, nvcc, "--dryrun", "-lib", "-optf", "f.rsp")
			if got := archived(out); !slices.Equal(got, tt.linux) {
				t.Errorf("nvcc %s reads %q as %q, want %q:\n%s", release, tt.text, got, tt.linux, out)
			}
		}
	})
}

// TestRealQuote: nvcc reads back what Quote wrote.
func TestRealQuote(t *testing.T) {
	nvcc, dir := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"), t.TempDir()
	want := []string{"a b.o", `a\b.o`, `a\ b.o`, "it's.o", "a,b.o", "#.o", "ä.o", `C:\x y\z.o`, "t\tt.o", `q\\.o`}
	if err := os.WriteFile(filepath.Join(dir, "f.rsp"), QuoteFor(want, false), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(t, dir, nil, nvcc, "--dryrun", "-lib", "-optf", "f.rsp"); !slices.Equal(archived(out), want) {
		t.Errorf("nvcc reads %q, want %q:\n%s", archived(out), want, out)
	}
}

func TestRealEnv(t *testing.T) {
	eachRelease(t, func(t *testing.T, release, nvcc string) {
		for _, tt := range envs {
			for name, want := range map[string][]string{"NVCC_APPEND_FLAGS": WithEnv([]string{"z.o"}, "", tt.text), "NVCC_PREPEND_FLAGS": WithEnv([]string{"z.o"}, tt.text, "")} {
				out := run(t, t.TempDir(), []string{name + "=" + tt.text}, nvcc, "--dryrun", "-lib", "z.o")
				// A word with quotes of its own shows as several, from 13.3 on with backslashes: compare what is shown.
				if got := strings.ReplaceAll(strings.Join(archived(out), `" "`), `\"`, `"`); got != strings.Join(want, `" "`) {
					t.Errorf("nvcc %s with %s=%q works with %q, want %q:\n%s", release, name, tt.text, got, want, out)
				}
			}
		}
	})
}

// TestPasteShell: sh gives the words back.
func TestPasteShell(t *testing.T) {
	out, err := exec.Command("sh", "-c", Paste(append([]string{"printf", `%s\n`}, pasted...), false)).Output()
	if got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); err != nil || !slices.Equal(got, pasted) {
		t.Errorf("sh gives %q, want %q (%v)", got, pasted, err)
	}
}
