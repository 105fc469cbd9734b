package testbed

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Places in the prefix, as the Windows side names them. The parts vs, win-cuda-13.0 and win-cuda-13.4 must be fetched too.
const (
	VisualStudio = `C:\Program Files\Microsoft Visual Studio\2022\BuildTools`
	VCVars64     = VisualStudio + `\VC\Auxiliary\Build\vcvars64.bat`
	HostX64      = VisualStudio + `\VC\Tools\MSVC\14.40.33807\bin\Hostx64\x64`
	CUDAFolder   = `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA` // v13.0, v13.4: pip's layout at the installer's place
)

// Prefix is a wine prefix: a Windows machine in a folder.
type Prefix struct {
	Path string // WINEPREFIX
}

// Wine is the test bed's prefix; the test is skipped when it is not fetched.
func Wine(t testing.TB) Prefix {
	t.Helper()
	return Prefix{Path: filepath.Join(Root(t, "wine"), "prefix")}
}

// Env is all the environment a program in the prefix gets. This machine's own variables stay out, so that no CUDA_PATH or INCLUDE of
// the Linux side is seen by a Windows program. GODEBUG as in scripts/wine-exec.
func (p Prefix) Env() []string {
	return []string{
		"HOME=" + os.Getenv("HOME"), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"WINEPREFIX=" + p.Path, "WINEDEBUG=-all", "CUPEL_TESTBED=" + p.Windows(Dir()), "GODEBUG=asyncpreemptoff=1",
	}
}

// Command runs a Windows program given by a path of either side. WINEPATH in its Env puts folders in front of the Windows PATH.
func (p Prefix) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "wine", append([]string{program}, args...)...)
	cmd.Env = p.Env()
	return cmd
}

// Windows spells a Linux path as the prefix sees it.
func (p Prefix) Windows(path string) string {
	drive := "Z:"
	if rest, ok := strings.CutPrefix(path, filepath.Join(p.Path, "drive_c")); ok && (rest == "" || rest[0] == '/') {
		drive, path = "C:", rest
	}
	return drive + strings.ReplaceAll(path, "/", `\`)
}

// Linux spells a Windows path of drive C or Z as this machine sees it; any other path comes back as it is.
func (p Prefix) Linux(path string) string {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if len(slashed) < 2 || slashed[1] != ':' {
		return path
	}
	switch slashed[0] {
	case 'C', 'c':
		return filepath.Join(p.Path, "drive_c", slashed[2:])
	case 'Z', 'z':
		return slashed[2:]
	}
	return path
}
