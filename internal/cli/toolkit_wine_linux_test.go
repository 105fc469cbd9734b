package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/source/sourcetest"
	"cupel/internal/testbed"
)

// TestWindowsInstall: cupel.exe under wine installs NVIDIA's real Windows toolkit from a mirror on loopback, its nvcc.exe
// answers, and list, verify, use, which, run and remove work with it.
func TestWindowsInstall(t *testing.T) {
	testbed.Long(t)
	windows := resolve.Platform{OS: "windows", Arch: "amd64"}
	mirror := sourcetest.Mirror(t, windows, "13.0.2")
	wine := testbed.Wine(t)
	exe := windowsProgram(t)
	address := sourcetest.Server(t, mirror, sourcetest.Fault{}).URL
	home := t.TempDir()
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	cupel := func(want int, args ...string) string {
		t.Helper()
		cmd := wine.Command(ctx, exe, args...)
		cmd.Dir = project
		cmd.Env = append(cmd.Env, "CUPEL_HOME="+wine.Windows(filepath.Join(home, "cupel")), "CUPEL_CACHE="+wine.Windows(filepath.Join(home, "cache")))
		var errs strings.Builder
		cmd.Stderr = &errs
		out, code := run(t, cmd)
		if code != want {
			t.Fatalf("%q ends with %d, want %d\n%s\n%s", args, code, want, out, errs.String())
		}
		return out
	}
	cupel(2, "toolkit", "install", "13.0", "--from", "redist", "--mirror", address)
	var a render.ToolkitInstall
	out := cupel(0, "toolkit", "install", "13.0", "--from", "redist", "--mirror", address, "--accept-license", "--json")
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if a.Name != "13.0.2-redist-windows-x86_64" || len(a.Parcels) == 0 || !strings.Contains(strings.Join(a.Proof, "; "), "nvcc 13.0.88 answers") {
		t.Errorf("name %q, %d components, proof %q", a.Name, len(a.Parcels), a.Proof)
	}
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"13.0.2-redist-windows-x86_64: ", []string{"toolkit", "verify", "13.0"}},
		{`\toolkits\13.0.2-redist-windows-x86_64`, []string{"toolkit", "list"}},
		{`13.0.2-redist-windows-x86_64`, []string{"toolkit", "use", "13.0.2-redist-windows-x86_64"}},
		{`13.0.2-redist-windows-x86_64\bin\nvcc.exe`, []string{"toolkit", "which", "nvcc"}},
		{"release 13.0, V13.0.88", []string{"toolkit", "run", "13.0.2-redist-windows-x86_64", "--", "nvcc", "--version"}},
		{"removed ", []string{"toolkit", "remove", "13.0.2-redist-windows-x86_64", "--yes"}},
	} {
		if out := cupel(0, tt.args...); !strings.Contains(out, tt.want) {
			t.Errorf("%q prints\n%s\nwant %q in it", tt.args, out, tt.want)
		}
	}
}
