package toolkit

import (
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var (
	hpcSDK  = pattern.New(`(?i)hpc_sdk`)
	pipRoot = pattern.New(`/nvidia/cu\d+$`)
)

// origin tells how a root came to the machine, by what lies beside it.
func origin(a *look.At, t fact.Toolkit) string {
	home := t.Home()
	slashed := strings.ReplaceAll(home, `\`, "/")
	switch {
	case a.IsFile(a.Path.Join(home, "cupel-manifest.json")):
		return "cupel"
	case pipRoot.MatchString(slashed) || strings.Contains(slashed, "/site-packages/nvidia/") || strings.Contains(slashed, "/dist-packages/nvidia/"):
		return "pip"
	case a.IsDir(a.Path.Join(home, "conda-meta")):
		return "conda"
	case home == "/usr" || strings.HasPrefix(home, "/usr/lib/"):
		return "distribution"
	case hpcSDK.MatchString(home):
		return "hpc-sdk"
	case strings.HasPrefix(home, "/usr/local/cuda"), strings.Contains(slashed, "NVIDIA GPU Computing Toolkit"):
		return "installer"
	case home == "/opt/cuda":
		return "distribution"
	}
	return "unknown"
}
