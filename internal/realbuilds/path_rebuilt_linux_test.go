package realbuilds

import (
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// Commands that make PATH or the whole environment anew on their way to the compiler. The call is recorded, or exec says that
// it was passed by; it never stays silent, and it does not blame what did no harm.
func TestPathRebuilt(t *testing.T) {
	t.Parallel()
	p := newProject(t, "make", testbed.Toolkit(t, "cuda-13.0"))
	conda := filepath.Join(filepath.Dir(p.dir), "conda")
	write(t, filepath.Join(conda, "run"), "# As conda run: a script that activates an environment and runs the rest.\nexport PATH=\"$1:$PATH\"\nshift\nexec \"$@\"\n")
	const (
		cleaned    = "note[exec-environment-cleaned]"
		overridden = "warning[exec-value-overridden]"
		passedBy   = "warning[exec-shim-passed-by]: ROOT/bin/nvcc was started without the shim"
	)
	for _, tt := range []struct {
		name     string
		argv     []string // ROOT, SHIMS and CONDA stand for folders
		recorded bool
		want     []string
		silent   []string
	}{
		{"PATH without CUDA", []string{"sh", "-c", "PATH=/usr/bin:/bin; export PATH; make -B k1.o"}, true, nil, []string{passedBy, overridden}},
		{"a login shell", []string{"bash", "-lc", "make -B k1.o"}, true, nil, []string{passedBy, overridden}},
		{"the real toolkit first, NVCC kept", []string{"sh", "-c", "PATH=ROOT/bin:$PATH; export PATH; make -B k1.o"}, true, nil, []string{passedBy}},
		{"the real toolkit first, NVCC lost", []string{"sh", "-c", "PATH=ROOT/bin:$PATH; export PATH; unset NVCC; make -B k1.o"}, false, []string{passedBy}, nil},
		{"an environment of conda", []string{"sh", "CONDA/run", "CONDA/bin", "make", "-B", "k1.o"}, true, nil, []string{passedBy, overridden}},
		{"one with a toolkit, NVCC lost", []string{"env", "-u", "NVCC", "sh", "CONDA/run", "ROOT/bin", "make", "-B", "k1.o"}, false, []string{passedBy}, nil},
		{"all cleaned, the shim on PATH", []string{"env", "-i", "PATH=SHIMS/bin:/usr/bin:/bin", "make", "-B", "k1.o"}, true, []string{cleaned}, []string{passedBy, overridden}},
		{"all cleaned, the real toolkit on PATH", []string{"env", "-i", "PATH=ROOT/bin:/usr/bin:/bin", "make", "-B", "k1.o"}, false, []string{passedBy}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			places := strings.NewReplacer("ROOT", p.root, "SHIMS", p.shims(t), "CONDA", conda)
			var argv []string
			for _, arg := range tt.argv {
				argv = append(argv, places.Replace(arg))
			}
			r := p.exec(t, argv...)
			if r.code != 0 {
				t.Fatalf("exit code %d\n%s", r.code, r.all)
			}
			if _, calls := lastRun(t); tt.recorded != (len(calls) == 1) {
				t.Errorf("recorded: %+v, want a call: %t\n%s", calls, tt.recorded, r.all)
			}
			end := strings.ReplaceAll(ending(t, r), p.root, "ROOT")
			contains(t, "the ending", end, tt.want...)
			for _, no := range tt.silent {
				if strings.Contains(end, no) {
					t.Errorf("the ending has %q, which is not so:\n%s", no, end)
				}
			}
		})
	}
}

// shims is the folder that stands in the toolkit's place, known after a first run.
func (p project) shims(t *testing.T) string {
	t.Helper()
	p.exec(t, "true")
	r, _ := lastRun(t)
	return r.Toolkit.Mirror
}
