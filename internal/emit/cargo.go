package emit

import (
	"fmt"
	"strings"
)

// cargo writes the lines that a build.rs prints. They have one colon, not two: cargo knows the newer form from 1.77 on only,
// and takes the older one still.
func cargo(b Build) []byte {
	var out strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&out, "cargo:%s=%s\n", key, fmt.Sprintf(format, args...))
	}
	for _, f := range b.Inputs {
		line("rerun-if-changed", "%s", f)
	}
	for _, dir := range b.Folders {
		line("rerun-if-changed", "%s", dir) // cargo looks at all that lies below
	}
	for _, name := range b.Variables {
		line("rerun-if-env-changed", "%s", name)
	}
	libs := b.libraries()
	for _, dir := range b.folders(libs) {
		line("rustc-link-search", "native=%s", dir)
	}
	for _, l := range libs {
		line("rustc-link-lib", "%s=%s", linkKind(!l.shared), l.name)
	}
	for _, n := range b.needs(libs) {
		line("rustc-link-lib", "%s=%s", linkKind(n.static), n.name)
	}
	for _, c := range b.constants() {
		line("rustc-env", "%s=%s", c.variable(), c.Path)
	}
	for _, text := range cargoWarnings(b) {
		line("warning", "%s", text)
	}
	return []byte(out.String())
}

func linkKind(static bool) string {
	if static {
		return "static"
	}
	return "dylib"
}

// cargoWarnings are what a person would look for in vain.
func cargoWarnings(b Build) []string {
	var out []string
	for _, k := range b.Kernels {
		switch {
		case k.Failed:
			out = append(out, fmt.Sprintf("kernel %s is not whole, as the contract allows: cupel build shows what failed", k.Name))
		case len(k.files("object")) > 0 && len(b.librariesOf(k)) == 0:
			// rustc puts single objects behind the libraries that they need.
			out = append(out, fmt.Sprintf("kernel %s makes objects, which cargo does not link: add \"static\" to its kinds in cupel.toml", k.Name))
		}
	}
	return append(out, Warnings("cargo", b)...)
}
