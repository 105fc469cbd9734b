package pip

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/resolve"
)

// wheel is one file on an index.
type wheel struct {
	name    string
	version number
	file    string // "": the client named a version only
	sha256  string // "": the index tells none
}

// place is what the client is asked for.
func (w wheel) place() string { return w.name + "==" + w.version.String() }

// glibcs are the C libraries for which wheels are tagged, newest first; a toolkit's own parts say at its proof whether
// this machine's is new enough. NVIDIA's wheels of 13.0 … 13.4 use 2_5, 2_12, 2_17, 2_25 and 2_27.
var glibcs = []string{"_2_39", "_2_35", "_2_34", "_2_31", "_2_28", "_2_27", "_2_26", "_2_25", "_2_24", "_2_17", "2014", "_2_12", "2010", "_2_5", "1"}

// tags are the platform tags of wheels that fit a platform, best first.
func tags(p resolve.Platform) []string {
	if p.Windows() {
		return []string{"win_" + p.Arch}
	}
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.Arch]
	var out []string
	for _, g := range glibcs {
		out = append(out, "manylinux"+g+"_"+machine)
	}
	return append(out, "linux_"+machine)
}

// parseWheel reads the name of a wheel: NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM.whl.
func parseWheel(file string) (w wheel, platforms []string, ok bool) {
	stem, ok := strings.CutSuffix(file, ".whl")
	parts := strings.Split(stem, "-")
	if !ok || len(parts) < 5 || len(parts) > 6 {
		return w, nil, false
	}
	v, ok := parseNumber(parts[1])
	return wheel{name: canonical(parts[0]), version: v, file: file}, strings.Split(parts[len(parts)-1], "."), ok
}

// rank is how well a wheel fits a platform, 0 best; -1: not at all.
func rank(platforms []string, p resolve.Platform) int {
	all := append(tags(p), "any")
	best := -1
	for _, t := range platforms {
		if i := slices.Index(all, t); i >= 0 && (best < 0 || i < best) {
			best = i
		}
	}
	return best
}

// found is how pip says with -vv which files an index has: those it would use, and those for other platforms. It has said
// so since 21.2 and does in 26.3; where a later one does not, its list of versions is left.
var found = pattern.New(`^\s*(?:Found link|Skipping link: none of the wheel's tags .* are compatible.*:) (\S+)`)

// links lists the addresses that pip's words hold.
func links(output string) []string {
	var out []string
	for line := range strings.SplitSeq(output, "\n") {
		if m := found.FindStringSubmatch(line); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// linkFile is the name of the file that a link leads to.
func linkFile(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// available reads the line of versions, newest first.
func available(output string) []number {
	var out []number
	for line := range strings.SplitSeq(output, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "Available versions:")
		if !ok {
			continue
		}
		for f := range strings.SplitSeq(rest, ",") {
			if n, ok := parseNumber(strings.TrimSpace(f)); ok {
				out = append(out, n)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b number) int { return b.compare(a) })
	return out
}

// newest picks the newest version that a pin allows, and of its files the one that fits best.
func newest(all []string, p pin, platform resolve.Platform) (wheel, bool) {
	var best wheel
	bestRank := -1
	for _, link := range all {
		u, err := url.Parse(link)
		if err != nil {
			continue
		}
		w, platforms, ok := parseWheel(path.Base(u.Path))
		r := rank(platforms, platform)
		if !ok || r < 0 || w.name != p.name || !p.spec.allows(w.version) {
			continue
		}
		d := 1
		if bestRank >= 0 {
			d = w.version.compare(best.version)
		}
		if d > 0 || d == 0 && r < bestRank {
			w.sha256 = fragment(u.Fragment)
			best, bestRank = w, r
		}
	}
	return best, bestRank >= 0
}

// fragment takes the checksum out of an address's end: sha256=….
func fragment(s string) string {
	for part := range strings.SplitSeq(s, "&") {
		if sum, ok := strings.CutPrefix(part, "sha256="); ok && isSum(sum) {
			return sum
		}
	}
	return ""
}

func isSum(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
