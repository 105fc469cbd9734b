//go:build linux

package testbed

import (
	"strings"
	"testing"
)

func TestContainerRuns(t *testing.T) {
	cmd := Container(limit(t), t, "--network=none", "--volume="+Repo(t)+":/src:ro", "sh", "-c", "ls /src/go.mod /run/.containerenv; exit 7")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 7 || !strings.Contains(string(out), "/src/go.mod") || !strings.Contains(string(out), "/run/.containerenv") {
		t.Errorf("container: %v\n%s\nwant both files and exit code 7", cmd.ProcessState, out)
	}
}
