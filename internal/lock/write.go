package lock

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/contract"
)

// head tells whoever opens the file what it is.
const head = `# What cupel.toml came to, for each platform. Written by "cupel lock": commit it, do not edit it.
cupel = 1
`

// Format is the file. The same lock gives the same bytes on every machine, so that a change in it is a change of
// what is built.
func Format(l Lock) []byte {
	var b strings.Builder
	b.WriteString(head)
	for _, key := range slices.Sorted(maps.Keys(l.Platforms)) {
		writePlatform(&b, "platform."+key, l.Platforms[key])
	}
	return []byte(b.String())
}

func writePlatform(b *strings.Builder, key string, p Platform) {
	table(b, "["+key+"]", pair{"contract", p.Contract})
	table(b, "["+key+".toolkit]", pair{"release", p.Toolkit.Release}, pair{"nvcc", p.Toolkit.Nvcc}, pair{"source", p.Toolkit.Source})
	components := slices.Clone(p.Components)
	slices.SortFunc(components, func(x, y Component) int { return strings.Compare(x.Name, y.Name) })
	for _, c := range components {
		table(b, "[["+key+".component]]", pair{"name", c.Name}, pair{"version", c.Version}, pair{"file", c.File}, pair{"sha256", c.SHA256})
		fmt.Fprintf(b, "size = %d\n", c.Size)
	}
	if p.Host != nil {
		table(b, "["+key+".host]", pair{"family", p.Host.Family}, pair{"version", p.Host.Version})
	}
	if p.Arch != nil {
		table(b, "["+key+".arch]")
		fmt.Fprintf(b, "targets = [%s]\n", strings.Join(quoteAll(p.Arch.Targets), ", "))
		lines(b, pair{"ptx", p.Arch.PTX})
	}
}

type pair struct{ key, value string }

func table(b *strings.Builder, name string, pairs ...pair) {
	fmt.Fprintf(b, "\n%s\n", name)
	lines(b, pairs...)
}

// lines leaves out what is not known.
func lines(b *strings.Builder, pairs ...pair) {
	for _, p := range pairs {
		if p.value != "" {
			fmt.Fprintf(b, "%s = %s\n", p.key, contract.Quote(p.value))
		}
	}
}

func quoteAll(list []string) []string {
	var out []string
	for _, v := range list {
		out = append(out, contract.Quote(v))
	}
	return out
}
