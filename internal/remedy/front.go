package remedy

import (
	"fmt"
	"slices"
	"strings"
)

// most is how many plans are shown: beyond that a person compares numbers, not plans.
const most = 5

// front keeps the goals that are better than every other one in some way, the cheapest first.
func front(goals []*node) []*node {
	var out []*node
	for _, g := range goals {
		if !worse(g, out) && len(out) < most {
			out = append(out, g)
		}
	}
	return out
}

// tradeOffs says what each plan gives up and gains beside the first.
func tradeOffs(all []Route) {
	if len(all) < 2 {
		return
	}
	for i := range all {
		all[i].TradeOff = describe(all[i])
	}
}

func describe(r Route) string {
	var words []string
	if r.Toolkit != "" {
		words = append(words, "CUDA "+r.Toolkit)
	}
	if r.Compiler != "" {
		words = append(words, r.Compiler)
	}
	words = append(words, map[bool]string{true: "needs root", false: "no root"}[r.Cost.Root])
	words = append(words, map[bool]string{true: "a restart", false: "no restart"}[r.Cost.Reboot])
	switch {
	case r.Cost.Installs == 0:
		words = append(words, "nothing is installed")
	case r.Cost.SizeUnknown:
		words = append(words, fmt.Sprintf("%d to install", r.Cost.Installs))
	default:
		words = append(words, fmt.Sprintf("%d to install, about %d MB", r.Cost.Installs, r.Cost.DownloadMB))
	}
	return strings.Join(slices.Compact(words), ", ")
}
