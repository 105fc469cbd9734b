package diagnose

import (
	"cmp"
	"strings"
	"testing"
)

// TestAdvice: what is told to type for a line, and what is not.
func TestAdvice(t *testing.T) {
	set := whole(t)
	for _, tt := range []struct{ name, log, says, not string }{
		{"an output elsewhere", "write /mnt/out/k/k.o: write /mnt/out/k/.cupel-b3381aea48635ca0.tmp: no space left on device", "df -h /mnt/out/k\n", "TMPDIR="},
		{"an output below /tmp", "write /tmp/w/o/.cupel-b3381aea48635ca0.tmp: no space left on device", "df -h /tmp/w/o\n", "TMPDIR="},
		{"a copy", "cp: error writing '/mnt/out/k.o': No space left on device", "df -h /mnt/out\n", "TMPDIR="},
		{"of Python", "OSError: [Errno 28] No space left on device: '/mnt/out/wheel/k.so'", "df -h /mnt/out/wheel\n", "TMPDIR="},
		{"an intermediate file of gcc", "fatal error: error writing to /tmp/ccXYZabc.s: No space left on device", "df -h /tmp\nexport TMPDIR=", "df -h ."},
		{"one of nvcc, where TMPDIR says", "<built-in>: fatal error: when writing output to /home/user/tmpxft_00006dc1_00000000-5_a.cpp4.ii: No space left on device", "df -h /home/user\nexport TMPDIR=", "df -h ."},
		{"no path", "/usr/bin/ld: final link failed: No space left on device", "df -h . /tmp\nexport TMPDIR=", ""},
		{"a path with a blank", "write /mnt/my disk/k.o: no space left on device", "df -h . /tmp\n", "df -h disk"},
		{"a path that a shell reads", "write /mnt/$(x)/k.o: no space left on device", "df -h . /tmp\n", "$(x)"},
		{"a device function of another file", "ptxas fatal   : Unresolved extern function '_Z1fi'", "with cupel build: name the file that defines it too, and -- -rdc=true; in cupel.toml: rdc = true in [[kernels]]", ""},
		{"the device runtime", "ptxas fatal   : Unresolved extern function '__cudaCDP2MemcpyAsync'", "cupel build: -- -rdc=true, or rdc = true in [[kernels]]", ""},
		{"a device function that is not linked", "nvlink error   : Undefined reference to '_Z1fi' in 'a.o'", "in cupel.toml: both in sources of one [[kernels]] with rdc = true", ""},
		{"a header of the project", "k.cu:1:10: fatal error: h.cuh: No such file or directory", "name the folder that holds it: -I DIR (cupel build: -I DIR behind the file's name, or includes in [[kernels]] of cupel.toml)\ninstall the library", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := answer(t, set, tt.log, "linux")
			if len(a.Findings) == 0 {
				t.Fatalf("nothing is told of %s", tt.log)
			}
			var lines strings.Builder
			for _, n := range a.Findings[0].Next {
				lines.WriteString(cmp.Or(n.Command, n.Note) + "\n")
			}
			if got := lines.String(); !strings.Contains(got, tt.says) || tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("%s: told\n%swant %q, not %q", tt.log, got, tt.says, tt.not)
			}
		})
	}
}
