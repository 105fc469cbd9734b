package verify

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
)

// As are the words PlatformOf takes.
var As = []string{"ci", "linux", "windows", "wsl2"}

// PlatformOf tells as what a machine is judged: what it is, or what --as says. Linux, WSL2 and Jetson can stand
// for each other; nothing that runs Linux can be judged by what a contract demands of Windows.
func PlatformOf(m fact.Machine, as string) (contract.Platform, error) {
	p := contract.Platform{Name: m.System.Platform, CI: m.System.CI != ""}
	switch {
	case as != "" && !slices.Contains(As, as):
		return p, fmt.Errorf("--as %s: not one of %s", as, strings.Join(As, ", "))
	case m.System.OS != fact.Linux && m.System.OS != fact.Windows:
		return p, fmt.Errorf("judge a machine with %s: CUDA does not exist for it; --snapshot FILE judges another machine", m.System.OS)
	case as == "ci":
		p.CI = true
	case as != "":
		if (as == fact.Windows) != (m.System.OS == fact.Windows) {
			return p, fmt.Errorf("--as %s: this machine runs %s; --snapshot FILE judges another machine", as, m.System.OS)
		}
		p = contract.Platform{Name: as}
	}
	return p, nil
}

// platformText is the platform in the answer.
func platformText(p contract.Platform) string {
	if p.CI {
		return p.Name + " on CI"
	}
	return p.Name
}
