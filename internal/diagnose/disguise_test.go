package diagnose

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"cupel/internal/signature"
)

// plainLog is what make and nvcc 13.0.88 print for a target that CUDA 13 no longer has.
const plainLog = `-- The CUDA compiler identification is NVIDIA 13.0.88
[ 50%] Building CUDA object CMakeFiles/a.dir/a.cu.o
/usr/local/cuda-13.0/bin/nvcc -arch=sm_52 -c a.cu -o CMakeFiles/a.dir/a.cu.o
nvcc fatal   : Unsupported gpu architecture 'compute_52'
make[2]: *** [CMakeFiles/a.dir/build.make:76: CMakeFiles/a.dir/a.cu.o] Error 1
make[1]: *** [CMakeFiles/Makefile2:83: CMakeFiles/a.dir/all] Error 2
make: *** [Makefile:91: all] Error 2
`

// each puts every line of the log through f.
func each(f func(i int, line string) string) string {
	var out strings.Builder
	for i, line := range strings.SplitAfter(plainLog, "\n") {
		if line != "" {
			out.WriteString(f(i, line))
		}
	}
	return out.String()
}

func before(prefix string) string {
	return each(func(_ int, line string) string { return prefix + line })
}

func utf16Log(order binary.AppendByteOrder, mark string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(mark + strings.ReplaceAll(plainLog, "\n", "\r\n"))) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// TestDisguises: one log in every dress that files and CI systems give it has the same first finding on the same line.
func TestDisguises(t *testing.T) {
	set := whole(t)
	for _, tt := range []struct{ name, log string }{
		{"plain", plainLog},
		{"no end of the last line", strings.TrimSuffix(plainLog, "\n")},
		{"UTF-8 with a mark", "\ufeff" + plainLog},
		{"UTF-16 LE with a mark", utf16Log(binary.LittleEndian, "\ufeff")},
		{"UTF-16 BE with a mark", utf16Log(binary.BigEndian, "\ufeff")},
		{"UTF-16 LE", utf16Log(binary.LittleEndian, "")},
		{"UTF-16 BE", utf16Log(binary.BigEndian, "")},
		{"Windows line ends", strings.ReplaceAll(plainLog, "\n", "\r\n")},
		{"doubled returns", strings.ReplaceAll(plainLog, "\n", "\r\r\n")},
		{"colour in the words", strings.NewReplacer("fatal", "fa\x1b[1;31mtal\x1b[0m", "gpu arch", "\x1b[Kgpu\x1b[m arch").Replace(plainLog)},
		{"links and titles", strings.ReplaceAll(plainLog, "gpu", "\x1b]8;;https://example.org\x07g\x1b]8;;\x07pu")},
		{"a Windows console", strings.ReplaceAll(plainLog, " gpu ", "\x1b[1Cgpu\x1b[1C")},
		{"a progress bar before it", strings.ReplaceAll(plainLog, "nvcc fatal", " 10%\r 20%\rnvcc fatal")},
		{"GitHub", before("2026-07-29T10:43:38.5119064Z ")},
		{"GitHub with colour", before("2026-07-29T10:43:38.5119064Z \x1b[36;1m")},
		{"Azure", before("2026-07-29T10:43:38.5119064Z ##[error]")},
		{"GitLab", before("2024-12-18T10:30:09.950336Z 01E ")},
		{"Jenkins", before("[2024-01-28T17:37:45.123Z] ")},
		{"TeamCity", before("[17:37:45]W:\t [Step 1/3] ")},
		{"Buildkite", before("\x1b_bk;t=1550440287321\x07")},
		{"BuildKit", each(func(i int, line string) string { return fmt.Sprintf("#12 %d.%02d %s", 30+i, i, line) })},
		{"kubectl", before("2016-10-06T00:17:09.669794202Z ")},
		{"journald", before("Nov 15 14:21:35 gpu01 build[1234]: ")},
		{"ts", before("Nov 15 14:21:35 ")},
		{"docker compose", before("trainer-1  | ")},
		{"MSBuild", before("    12>")},
		{"pip", before("      ")},
		{"a stream's name", before("[stderr] ")},
		{"cargo", before("  cargo:warning=")},
		{"cargo -vv", before("[kernels 0.9.1] ")},
		{"cargo of a build script", before("warning: kernels@0.9.1: ")},
		{"vLLM", before("(EngineCore_DP0 pid=73) ERROR 01-28 17:37:45 [core.py:866] ")},
		{"torchrun", before("[rank0]: ")},
		{"NUL bytes", strings.ReplaceAll(plainLog, "a", "\x00a\x00")},
		{"bytes that are no text", strings.ReplaceAll(plainLog, "compute_52'", "compute_52' \xff\xe9")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := disguised(t, []byte(tt.log), set)
			if first(a) != "arch-dropped-by-toolkit" || a.Findings[0].Line != 4 || a.Log.Lines != 7 {
				t.Errorf("got %s, %d lines; findings %+v", told(a), a.Log.Lines, a.Findings)
			}
		})
	}
	t.Run("interleaved", func(t *testing.T) {
		log := each(func(i int, line string) string {
			return fmt.Sprintf("[ %d%%] Building CXX object b%d.o\n", i, i) + line
		})
		if a := disguised(t, []byte(log), set); first(a) != "arch-dropped-by-toolkit" || a.Findings[0].Line != 8 {
			t.Errorf("got %s", told(a))
		}
	})
}

func disguised(t *testing.T, log []byte, set *signature.Set) Answer {
	t.Helper()
	seen, err := Read(bytes.NewReader(log), set)
	if err != nil {
		t.Fatal(err)
	}
	return Judge(seen, Options{})
}

// TestAppendedUTF16: PowerShell's >> puts UTF-16 behind what is there, whatever that is.
func TestAppendedUTF16(t *testing.T) {
	log := "cmake --build .\r\n" + utf16Log(binary.LittleEndian, "")
	a := disguised(t, []byte(log), whole(t))
	if first(a) != "arch-dropped-by-toolkit" || a.Findings[0].Line != 5 {
		t.Errorf("got %s, %+v", told(a), a.Findings)
	}
}
