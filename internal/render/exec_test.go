package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/diagnose"
	"cupel/internal/fact"
	"cupel/internal/review"
	"cupel/internal/signature"
)

// golden compares a text with the file that holds it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs (go test ./internal/render -update, then read it)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// execRun is a run of cargo with calls of nvcc; those whose output is not empty failed.
func execRun(t *testing.T, code int64, outputs ...string) review.Input {
	t.Helper()
	set, err := signature.Compile(signature.All())
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	in := review.Input{Version: "devel", Set: set, Run: call.Run{ID: "261115-120000-abc", Command: []string{"cargo", "build", "--features", "cuda"}, Dir: "/w/app", OS: "linux", Arch: "amd64",
		Toolkit: call.Toolkit{Release: "13.0.2", Nvcc: "13.0.88", Root: "/opt/cuda-13.0", Mirror: "/h/shims/13.0.2"}, Set: map[string]string{"CUDA_HOME": "/h/shims/13.0.2"}, End: &call.RunEnd{Code: code, Seconds: 28.4}}}
	for i, output := range outputs {
		file := "src/" + string(rune('a'+i)) + ".cu"
		c := call.Call{Run: in.Run.ID, Number: i + 1, Begin: call.Begin{Tool: "nvcc", Path: "/opt/cuda-13.0/bin/nvcc", Args: []string{"--gpu-architecture=sm_80", "-c", "-o", "/o/" + file + ".o", file}, Dir: "/c/candle-kernels-0.9.1", At: at,
			Env: call.Diff{Set: map[string]string{"CARGO_PKG_NAME": "candle-kernels", "CARGO_PKG_VERSION": "0.9.1"}}}, End: &call.End{At: at.Add(time.Duration(i+1) * time.Second), Seconds: 2.15}}
		if output != "" {
			c.End.Code, c.Output = 2, []call.Chunk{{Stream: call.Stderr, Bytes: []byte(output)}}
		}
		in.Calls = append(in.Calls, c)
	}
	return in
}

// As nvcc 13.0.88 wrote them.
const (
	nvccMistake = "src/b.cu(3): error: expected a \";\"\n  }\n  ^\n\n1 error detected in the compilation of \"src/b.cu\".\n"
	nvccArch    = "nvcc fatal   : Unsupported gpu architecture 'compute_60'\n"
)

// TestExec: one line for a build that went well, everything about one that did not.
func TestExec(t *testing.T) {
	repaired := execRun(t, 0, "", "")
	for i := range repaired.Calls {
		repaired.Calls[i].Begin.Changes = []call.Change{{Fix: "arch", Before: []string{"-arch=sm_130"}, After: []string{"-arch=compute_121"}, Why: "CUDA 13.0 knows no sm_130"}}
	}
	passed := execRun(t, 0, "")
	passed.Project.CargoEnv = []fact.FileValue{{Name: "CUDA_HOME", Value: "/opt/x", File: "/w/app/.cargo/config.toml", Line: 3, Force: true}}
	passed.Calls[0].Begin.Env.Set["CUDA_HOME"] = "/opt/x"
	passed.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc", Parent: "/w/app/target/debug/build/mlx-0123456789abcdef/build-script-build"}}
	passed.Run.End.Left = []call.Process{{Path: "/usr/bin/sccache"}}
	stopped := execRun(t, 101, "", nvccMistake, "", nvccArch, nvccArch)
	stopped.Calls[2].End.Code, stopped.Calls[2].End.Signal = 143, "SIGTERM"
	stopped.Calls[2].End.At = stopped.Calls[4].End.At
	stopped.Calls[1].Begin.Env.Set["NVCC_CCBIN"] = "g++-12"
	elsewhere := execRun(t, 101, "")
	linker := execRun(t, 101, "")
	linker.Kept, linker.Log = true, []byte("   Compiling app v0.1.0\n/usr/bin/ld: cannot find -lcudart: No such file or directory\ncollect2: error: ld returned 1 exit status\nerror: could not compile `app`\n")
	nothing := execRun(t, 0)
	nothing.Project.Crates = []fact.Crate{{Name: "bindgen_cuda", Version: "0.1.6", File: "/w/app/Cargo.lock", Line: 22, Chain: []string{"app", "candle-kernels", "bindgen_cuda"}, Feature: "cuda"}}
	interrupted := execRun(t, 130, "")
	interrupted.Run.End.Signal = "SIGINT"
	ignored := execRun(t, 2, nvccArch, "")
	ignored.Calls[1].Begin.At = ignored.Calls[0].End.At
	ignored.Kept, ignored.Log = true, []byte(nvccArch+"make: [Makefile:2: all] Error 2 (ignored)\nfalse\nmake: *** [Makefile:4: all] Error 1\n")
	wentOn := execRun(t, 2, nvccArch, "")
	wentOn.Calls[1].Begin.At = wentOn.Calls[0].End.At
	wentOn.Calls[0].Begin.Env.Set["NVCC_APPEND_FLAGS"] = "-lineinfo"
	pipe := execRun(t, 141, "")
	pipe.Run.End.Signal, pipe.Calls[0].Begin.Args = "SIGPIPE", []string{"--help"}
	folder := execRun(t, 0, "", "")
	for i := range folder.Calls {
		folder.Calls[i].Begin.Env.Set, folder.Calls[i].Begin.Dir, folder.Calls[i].Begin.Args = nil, "/w/app", []string{"-c", "a.cu"}
	}
	for _, tt := range []struct {
		name string
		in   review.Input
	}{
		{"ignored", ignored}, {"went-on", wentOn}, {"pipe", pipe}, {"folder", folder},
		{"well", execRun(t, 0, "", "", "")}, {"repaired", repaired}, {"passed", passed}, {"failed", execRun(t, 101, "", nvccMistake)}, {"stopped", stopped},
		{"elsewhere", elsewhere}, {"linker", linker}, {"nothing", nothing}, {"interrupted", interrupted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := review.Judge(tt.in)
			for i := range a.Changes {
				a.Changes[i].Permanent, a.Changes[i].Paste = "name an architecture that the toolkit knows", "export CUDA_COMPUTE_CAP=121"
			}
			golden(t, "exec-"+tt.name+".txt", Style{Width: 100}.Exec(a, false))
			golden(t, "exec-"+tt.name+".md", ExecMarkdown(a))
			if verbose := (Style{}).Exec(a, true); len(verbose) == 0 {
				t.Error("nothing is told with --verbose")
			}
		})
	}
}

// TestExecHostile: what compilers and projects write cannot move the cursor, begin a command of a CI system or end a fence.
func TestExecHostile(t *testing.T) {
	evil := "\x1b]0;x\x07a.cu(1): error: `|<b>\u202e\r\n::error::boo\n```\nend\n"
	in := execRun(t, 2, evil)
	in.Run.Command = []string{"make\x1b[2J", "a`b|c"}
	in.Calls[0].Begin.Env.Set["CARGO_PKG_NAME"] = "k\x07<i>"
	in.Calls[0].Begin.Dir = "/w/\x1b[31m"
	in.Run.End.PassedBy = []call.Process{{Path: "/x\n::error::y/nvcc", Parent: "/z\x1b"}}
	a := review.Judge(in)
	for name, text := range map[string]string{"text": Style{}.Exec(a, true), "md": ExecMarkdown(a)} {
		if strings.ContainsAny(text, "\x1b\x07\u202e\r") {
			t.Errorf("%s has control characters: %q", name, text)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "::") && name == "text" {
				t.Errorf("a line of a stranger's own: %q", line)
			}
		}
	}
	if md := ExecMarkdown(a); !strings.Contains(md, "``````\n") {
		t.Errorf("the fence can be ended from inside:\n%s", md)
	}
}

// TestTry: the table as text and as Markdown.
func TestTry(t *testing.T) {
	judge := func(in review.Input) *review.Answer { a := review.Judge(in); return &a }
	table := review.TableOf("devel", []review.Tried{
		{Try: review.Try{Name: "CPU only"}, Answer: judge(execRun(t, 0))},
		{Try: review.Try{Name: "CUDA | release", Env: map[string]string{"CUDA_COMPUTE_CAP": "80"}, Unset: []string{"RUSTC_WRAPPER"}}, Answer: judge(execRun(t, 0, "", ""))},
		{Try: review.Try{Name: "sm_60"}, Answer: judge(execRun(t, 101, "", nvccArch))},
		{Try: review.Try{Name: "both backends"}, Answer: judge(execRun(t, 101, nvccMistake)), Expect: true, Reason: "the features exclude each other"},
		{Try: review.Try{Name: "unexpected"}, Answer: judge(execRun(t, 0, "")), Expect: true},
		{Try: review.Try{Name: "on a GPU", Toolkit: "12.4", Command: []string{"cargo", "test"}}, Reason: "no GPU here"},
	})
	golden(t, "try.txt", Style{}.Try(table))
	golden(t, "try.md", TryMarkdown(table))
	if table.Rows[2].Cause == diagnose.Unknown {
		t.Error("the cause is missing")
	}
}
