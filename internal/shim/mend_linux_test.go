package shim_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/mend"
	"cupel/internal/nvcc"
	"cupel/internal/record"
	"cupel/internal/testbed"
)

// allow gives the run a plan of repairs.
func (b *bench) allow(t *testing.T, p mend.Plan) {
	t.Helper()
	text, err := p.Text()
	if err == nil {
		err = os.WriteFile(filepath.Join(b.live.Dir, record.MendFile), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var namesCompiler = mend.Plan{Compilers: &mend.Compilers{Use: "g++-12", Default: "gcc 99 is newer than this toolkit accepts"}}

// TestRepair: the tool gets the repaired arguments, the record has both.
func TestRepair(t *testing.T) {
	b := newBench(t)
	b.pointTo(t, filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"))
	b.allow(t, namesCompiler)
	cmd := b.command(t, b.shim, "", "-ptx", "k.cu", "-o", "k.ptx")
	cmd.Dir = t.TempDir()
	write(t, filepath.Join(cmd.Dir, "k.cu"), kernel)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := b.only(t)
	if len(c.Begin.Changes) != 1 || !slices.Contains(c.Begin.Used, "k.cu") || !strings.Contains(strings.Join(c.Begin.Used, " "), "g++-12") {
		t.Errorf("used %q, changes %+v", c.Begin.Used, c.Begin.Changes)
	}
	if !slices.Equal(c.Begin.Args, []string{"-ptx", "k.cu", "-o", "k.ptx"}) {
		t.Errorf("args = %q", c.Begin.Args)
	}
	if out := c.End.Outputs; len(out) != 1 || out[0].Size <= 0 {
		t.Errorf("outputs = %+v", out)
	}
}

// TestNoRepair: a plan that cannot be read, or a call that it does not know enough of, changes nothing.
func TestNoRepair(t *testing.T) {
	b := newBench(t)
	for _, tt := range []struct {
		name string
		plan string
		args []string
	}{
		{"no plan", "", []string{"-c", "k.cu"}},
		{"a plan that is torn", `{"compilers":{"use":"g++`, []string{"-c", "k.cu"}},
		{"a response file that is gone", `{"compilers":{"use":"g++-12","default":"why"}}`, []string{"-c", "k.cu", "-optf", "gone"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write(t, filepath.Join(b.live.Dir, record.MendFile), tt.plan)
			want, _ := b.command(t, b.real, "args", tt.args...).CombinedOutput()
			cmd := b.command(t, b.shim, "args", tt.args...)
			cmd.Env = append(cmd.Env, "CUPEL_NO_CACHE=1") // the store has arguments of its own
			got, err := cmd.CombinedOutput()
			if err != nil || string(got) != string(want) {
				t.Errorf("%v: %s, want %s", err, got, want)
			}
		})
	}
	for _, c := range b.calls(t) {
		if c.Begin.Used != nil || len(c.Begin.Changes) > 0 {
			t.Errorf("%q: used %q", c.Begin.Args, c.Begin.Used)
		}
	}
}

// TestLongRepair: repaired arguments that the system does not take go through a response file, which is removed.
func TestLongRepair(t *testing.T) {
	b := newBench(t)
	b.allow(t, namesCompiler)
	b.script(t, `test "$1" = --options-file && cat "$2" && echo "$2" >&2`)
	dir := t.TempDir()
	word := "-DX=" + strings.Repeat("x", 140<<10) // more than one argument may have
	write(t, filepath.Join(dir, "args.rsp"), word)
	cmd := b.command(t, b.shim, "", "-c", "k.cu", "--options-file", "args.rsp")
	cmd.Dir = dir
	o := ways["two pipes"](t, cmd)
	c := b.only(t)
	if want := string(nvcc.Quote(c.Begin.Used)); o.out != want || len(want) < 140<<10 || !slices.Contains(c.Begin.Used, word) {
		t.Errorf("the tool got %d bytes, want %d: %s", len(o.out), len(want), o.err)
	}
	if _, err := os.Stat(strings.TrimSpace(o.err)); err == nil || o.err == "" {
		t.Errorf("the response file %q is still there", o.err)
	}
}

// TestSpilled: NVIDIA's compiler understands what was spilled as it understands the words themselves, also next to words
// that no response file can say, and in a folder whose name the option would take apart.
func TestSpilled(t *testing.T) {
	for _, tt := range []struct{ name, temp string }{
		{"a plain folder", "temp"},
		{"a folder with a blank and a comma", "te mp,x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.pointTo(t, filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"))
			b.allow(t, namesCompiler)
			dir := t.TempDir()
			long := strings.Repeat("x", 140<<10) // more than one argument may have
			write(t, filepath.Join(dir, "args.rsp"), long+".o")
			temp := filepath.Join(dir, tt.temp)
			if err := os.Mkdir(temp, 0o755); err != nil {
				t.Fatal(err)
			}
			args := []string{"--dryrun", "--lib", "a b.o", `q"uote.o`, "-optf", "args.rsp", "-o", `o"ut.a`, "c,d.o"}
			run := func(program string, args ...string) outcome {
				cmd := b.command(t, program, "", args...)
				cmd.Dir, cmd.Env = dir, append(cmd.Env, "TMPDIR="+temp)
				return ways["two pipes"](t, cmd)
			}
			got := run(b.shim, args...)
			c := b.only(t)
			if len(c.Begin.Changes) != 1 || len(c.Begin.Lost) > 0 {
				t.Fatalf("changes %+v, lost %q: %.500s", c.Begin.Changes, c.Begin.Lost, got.err)
			}
			want := run(b.real, append(slices.Clone(c.Begin.Changes[0].After), args...)...)
			if got != want || !strings.Contains(want.err, long) {
				t.Errorf("spilled: %s\nplain:   %s", show(got), show(want))
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("%s is still there", left[0].Name())
			}
		})
	}
}

// TestRepairLeftOut: where repaired arguments cannot be said in any way, the call goes on without the repair, and the record
// tells that.
func TestRepairLeftOut(t *testing.T) {
	b := newBench(t)
	b.allow(t, namesCompiler)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "args.rsp"), "-DX="+strings.Repeat("x", 140<<10))
	args := []string{"-c", "k.cu", "--options-file", "args.rsp"}
	run := func(program string) outcome {
		cmd := b.command(t, program, "args", args...)
		cmd.Dir, cmd.Env = dir, append(cmd.Env, `TMPDIR=`+filepath.Join(dir, "gone"))
		return ways["two pipes"](t, cmd)
	}
	want := run(b.real)
	if got := run(b.shim); got != want {
		t.Errorf("through the shim: %s\ndirect:           %s", show(got), show(want))
	}
	if x := b.only(t).Begin; len(x.Lost) != 1 || !strings.HasSuffix(x.Lost[0], "too long for this system") || x.Used != nil || len(x.Changes) > 0 {
		t.Errorf("lost %q, used %d words, changes %+v", x.Lost, len(x.Used), x.Changes)
	}
}
