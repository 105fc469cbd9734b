package logtext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestClean: samples as the tools print them; the message is what stays.
func TestClean(t *testing.T) {
	const nvcc = "nvcc fatal   : Unsupported gpu architecture 'compute_30'"
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to do", nvcc, nvcc},
		{"trailing blanks", "error: x \t\r", "error: x"},
		{"indentation stays", "      error: x", "      error: x"},
		{"GitHub Actions", "2026-07-29T10:43:38.5119064Z " + nvcc, nvcc},
		{"GitHub Actions, indented", "2026-07-29T10:43:38.5119064Z     " + nvcc, "    " + nvcc},
		{"GitHub Actions, an error", "2026-07-29T10:43:38.5119064Z ##[error]" + nvcc, nvcc},
		{"Azure", "2024-05-14T08:21:10.1234567Z ##[error]LINK : fatal error LNK1181", "LINK : fatal error LNK1181"},
		{"GitLab", "2024-12-18T10:30:09.950336Z 01E " + nvcc, nvcc},
		{"GitLab, went on", "2024-12-18T10:30:09.950336Z 00O+" + nvcc, nvcc},
		{"GitLab, an empty line", "2024-12-18T10:30:09.950336Z 00O", ""},
		{"kubectl", "2016-10-06T00:17:09.669794202Z " + nvcc, nvcc},
		{"kubectl, a zone", "2020-01-26T03:17:29.346494690+00:00 " + nvcc, nvcc},
		{"kubectl, the pod", "[pod/build-7d4/main] " + nvcc, nvcc},
		{"a container's log file", "2020-01-26T03:17:29.346494690+00:00 stderr F " + nvcc, nvcc},
		{"a container's log file, in part", "2016-10-06T00:17:09.669794202Z stdout P " + nvcc, nvcc},
		{"Jenkins", "[2024-01-28T17:37:45.123Z] " + nvcc, nvcc},
		{"Jenkins, the time of day", "17:37:45  " + nvcc, nvcc},
		{"TeamCity", "[17:37:45]W:\t [Step 1/3] " + nvcc, nvcc},
		{"TeamCity, no step", "[17:37:45] :\t " + nvcc, nvcc},
		{"time in brackets", "[07:10:17] Error: Command", "Error: Command"},
		{"Buildkite", "\x1b_bk;t=1550440287321\x07" + nvcc, nvcc},
		{"BuildKit", "#12 34.56 " + nvcc, nvcc},
		{"BuildKit, its own error", "#12 ERROR: process \"/bin/sh -c make\" did not complete", "ERROR: process \"/bin/sh -c make\" did not complete"},
		{"BuildKit, repeated at the end", "13.48   nvcc error while executing compiling", "  nvcc error while executing compiling"},
		{"BuildKit, repeated at the end, early", "5.172 INFO - creating /kaolin/build", "INFO - creating /kaolin/build"},
		{"BuildKit, repeated at the end, late", "164.8 error: failed to run custom build command", "error: failed to run custom build command"},
		{"a version at the start", "12.4 is older than 12.8", "12.4 is older than 12.8"},
		{"a frame of gdb", "#12 0x00007ffff7a3d9e5 in main ()", "#12 0x00007ffff7a3d9e5 in main ()"},
		{"docker compose", "trainer-1  | " + nvcc, nvcc},
		{"journald", "Nov 15 14:21:35 gpu01 ollama[1234]: CUDA error: out of memory", "CUDA error: out of memory"},
		{"the kernel's log", "Nov  5 14:21:35 gpu01 kernel: [   12.345678] NVRM: API mismatch", "NVRM: API mismatch"},
		{"ts", "Nov 15 14:21:35 " + nvcc, nvcc},
		{"ts with a date", "2024-01-28 17:37:45 " + nvcc, nvcc},
		{"a program's log", "2024-01-28 17:37:45.123456: E external/local_xla/stream_executor.cc:9", "E external/local_xla/stream_executor.cc:9"},
		{"glog", "E1112 23:08:51.304719 32634 common.cpp:91] Cannot create Cublas handle", "Cannot create Cublas handle"},
		{"glog without a thread", "W0605 10:21:14.214 device_context.cc:269] device: 1", "device: 1"},
		{"vLLM", "(EngineCore_DP0 pid=73) ERROR 01-28 17:37:45 [core.py:866] ptxas fatal   : Value", "ptxas fatal   : Value"},
		{"vLLM, indented", "ERROR 04-22 21:41:28 [worker_base.py:598]     self.get_backend(device)", "    self.get_backend(device)"},
		{"vLLM, older", "(RayWorkerVllm pid=486309) ERROR 04-02 10:16:23 ray_utils.py:44] Traceback (most recent call last):", "Traceback (most recent call last):"},
		{"ray", "(train_fn pid=1234, ip=10.0.0.1) " + nvcc, nvcc},
		{"torchrun", "[rank0]: RuntimeError: CUDA error: no kernel image", "RuntimeError: CUDA error: no kernel image"},
		{"mpirun", "[1,0]<stderr>:" + nvcc, nvcc},
		{"a stream's name", "[stderr] " + nvcc, nvcc},
		{"MSBuild", "     1>" + nvcc, nvcc},
		{"MSBuild, a node's node", "17:37:45.123    12:7>" + nvcc, nvcc},
		{"a redirection", "2>&1 | tee log", "2>&1 | tee log"},
		{"ninja's count stays", "[3/10] Building CUDA object a.cu.o", "[3/10] Building CUDA object a.cu.o"},
		{"cargo -vv", "[candle-kernels 0.9.1] cargo:rerun-if-changed=build.rs", "cargo:rerun-if-changed=build.rs"},
		{"cargo:warning", "  cargo:warning=" + nvcc, nvcc},
		{"cargo's own warning for a build script", "warning: kernels@0.5.6: " + nvcc, nvcc},
		{"a warning of rustc stays", "warning: unused variable: `x`", "warning: unused variable: `x`"},
		{"pip's box", "  \u2502 exit code: 1", "exit code: 1"},
		{"a group of exceptions", "  | RuntimeError: CUDA error", "RuntimeError: CUDA error"},
		{"gcc's source line stays", "   12 | #error no", "   12 | #error no"},
		{"gcc's mark stays", "      |  ^~~~~", "      |  ^~~~~"},
		{"uv's chain", "  \u251c\u2500\u25b6 The build backend returned an error", "The build backend returned an error"},
		{"nvidia-smi's table stays", "|   0  NVIDIA GeForce GTX 1650        Off |", "|   0  NVIDIA GeForce GTX 1650        Off |"},
		{"several", "2026-07-29T10:43:38.5119064Z #12 34.56      1>\x1b[31m" + nvcc + "\x1b[0m", nvcc},
		{"a BOM in the middle", "\ufeff" + nvcc, nvcc},
		{"colour in a word", "er\x1b[1;31mr\x1b[0mor: x", "error: x"},
		{"a link", "see \x1b]8;;https://example.org\x1b\\the page\x1b]8;;\x1b\\.", "see the page."},
		{"tput sgr0", "error\x1b(B\x1b[m: x", "error: x"},
		{"blanks of a Windows console", "error\x1b[1CLNK1181:\x1b[2Cx", "error LNK1181:  x"},
		{"a cut sequence", "error: x\x1b[3", "error: x"},
		{"NUL bytes", "e\x00r\x00r\x00o\x00r\x00", "error"},
		{"backspaces of a spinner", "|\b/\berror", "error"},
		{"not UTF-8", "erreur \xe9", "erreur \ufffd"},
		{"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestStripMoves: what moves over the screen begins a new piece of the same line.
func TestStripMoves(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"up and erase", "10%\x1b[1A\x1b[2Kerror: x\n", "10%\rerror: x\n"},
		{"to a place", "a\x1b[12;1Hb", "a\rb"},
		{"to a column", "a\x1b[0Gb", "a\rb"},
		{"erase only", "a\x1b[Kb", "ab"},
		{"no end of a title", "a\x1b]0;title\nb", "a\nb"},
		{"backspace stops at the line", "a\n\b\bb", "a\nb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Strip(nil, []byte(tt.in))); got != tt.want {
				t.Errorf("Strip(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// FuzzClean: a cleaned line is text without an escape, cleaning it again is cheap to understand: it never grows
// but by the blanks that a console left out, and lines stay lines.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"2026-07-29T10:43:38.5119064Z #12 34.56 x", "\x1b[31mx\x1b]8;;u\x07", "(a pid=1) ERROR 01-28 17:37:45 [c.py:1] ", "\xff\x1b", "a\b\x00\x1b[999C"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got := Clean(line)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\x00\b") {
			t.Errorf("Clean(%q) = %q", line, got)
		}
		text := append([]byte("before"), Strip(nil, []byte(line))...)
		if strings.Count(string(text), "\n") != strings.Count(line, "\n") {
			t.Errorf("Strip(%q) = %q: the number of lines is another", line, text)
		}
	})
}
