package redist_test

import (
	"runtime"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/redist"
	"cupel/internal/source/sourcetest"
)

var (
	linux   = resolve.Platform{OS: "linux", Arch: "amd64"}
	sbsa    = resolve.Platform{OS: "linux", Arch: "arm64"}
	windows = resolve.Platform{OS: "windows", Arch: "amd64"}
)

// TestConformsSmall: a made-up mirror, from a server and from a folder, of both layouts of the compiler.
func TestConformsSmall(t *testing.T) {
	for _, p := range []resolve.Platform{linux, sbsa, windows} {
		for _, release := range []string{"12.4.1", "13.0.2", "13.4.3"} {
			dir := sourcetest.Small(t, p, release)
			web := sourcetest.Server(t, dir, sourcetest.Fault{})
			for _, base := range []string{dir, web.URL} {
				t.Run(p.String()+"/"+release+"/"+kind(base), func(t *testing.T) {
					sourcetest.Run(t, sourcetest.Harness{
						New:      func(*testing.T) source.Source { return redist.New(redist.Config{Base: base, Version: "test"}) },
						Platform: p, Release: release, Component: "cublas", Lacks: "cudnn",
					})
				})
			}
		}
	}
}

func kind(base string) string {
	if len(base) > 4 && base[:4] == "http" {
		return "server"
	}
	return "folder"
}

// realPlatforms are those whose real mirrors are tried; under wine one is slow enough.
func realPlatforms() []resolve.Platform {
	if runtime.GOOS == "windows" {
		return []resolve.Platform{windows}
	}
	return []resolve.Platform{linux, windows}
}

// TestConformsReal: NVIDIA's own files.
func TestConformsReal(t *testing.T) {
	for _, p := range realPlatforms() {
		t.Run(p.String(), func(t *testing.T) {
			web := sourcetest.Server(t, sourcetest.Mirror(t, p, "13.0.2"), sourcetest.Fault{})
			sourcetest.Run(t, sourcetest.Harness{
				New:      func(*testing.T) source.Source { return redist.New(redist.Config{Base: web.URL, Version: "test"}) },
				Platform: p, Release: "13.0.2", Lacks: "cublas",
			})
		})
	}
}
