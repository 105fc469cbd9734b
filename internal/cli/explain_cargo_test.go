package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/diagnose"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/signature"
)

// TestLookFurther: what cargo saved of the build script that the log names tells the cause, when it is of this run.
func TestLookFurther(t *testing.T) {
	set, err := signature.Compile(signature.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		age   time.Duration // of the saved words, against the start of the run
		label string
	}{{"of this run", time.Second, "arch-newer-than-toolkit"}, {"of an earlier run", -time.Minute, diagnose.Unknown}} {
		t.Run(tt.name, func(t *testing.T) {
			build := filepath.Join(t.TempDir(), "target", "debug", "build")
			folder := filepath.Join(build, "kernels-0123456789abcdef")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			began := time.Now().Add(-time.Hour)
			write := func(name, text string, at time.Time) {
				path := filepath.Join(folder, name)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			write("invoked.timestamp", "", began)
			write("stderr", "nvcc fatal   : Unsupported gpu architecture 'compute_120'\n", began.Add(tt.age))
			program := filepath.Join(build, "kernels-fedcba9876543210", "build-script-build")
			log := "error: failed to run custom build command for `kernels v0.1.0`\n\nCaused by:\n  process didn't exit successfully: `" + program + "` (exit status: 1)\n"
			seen, err := diagnose.Read(strings.NewReader(log), set)
			if err != nil {
				t.Fatal(err)
			}
			a := lookFurther(look.New(host.Here()), diagnose.Judge(seen, diagnose.Options{}), set, diagnose.Options{})
			if len(a.Findings) == 0 || a.Findings[0].Label != tt.label {
				t.Errorf("got %+v, want %s; looked at %q", a.Findings, tt.label, a.Looked)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"devcie", "device", 2}, {"kitten", "sitting", 3}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
