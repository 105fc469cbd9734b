package profile

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStartFileWorks has real shells read the file cupel wrote, also one whose other lines end as on Windows.
func TestStartFileWorks(t *testing.T) {
	for _, tt := range []struct {
		shell, text string
		kind        Kind
	}{
		{"bash", "A=1\n", Bash}, {"bash", "A=1\r\nB=2\r\n", Bash}, {"zsh", "A=1", Zsh}, {"fish", "set A 1", Fish},
	} {
		t.Run(tt.shell, func(t *testing.T) {
			shell, err := exec.LookPath(tt.shell)
			if err != nil {
				t.Skipf("%s is not installed here", tt.shell)
			}
			target := Target{Kind: tt.kind, Path: filepath.Join(t.TempDir(), "start file")}
			write(t, target.Path, tt.text)
			keep(t, target, testSet("/it's cuda"))
			cmd := exec.Command(shell, "-c", `. "$F"; . "$F"; /usr/bin/printenv CUDA_HOME PATH`)
			cmd.Env = []string{"F=" + target.Path, "PATH=/usr/bin:/bin", "HOME=" + filepath.Dir(target.Path)}
			out, err := cmd.CombinedOutput()
			if want := "/it's cuda\n/it's cuda/bin:/usr/bin:/bin\n"; err != nil || !strings.HasSuffix(string(out), want) {
				t.Errorf("%s printed %q (%v), want %q", tt.shell, out, err, want)
			}
		})
	}
}
