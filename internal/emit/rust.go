package emit

import (
	"fmt"
	"strings"
	"unicode"
)

// Rust writes a file of constants for include!: PTX as text, other device code as bytes.
func Rust(b Build) []byte {
	var out strings.Builder
	out.WriteString("// Made by cupel build --emit rust; do not edit.\n")
	for _, c := range b.constants() {
		if c.Kind == "ptx" {
			fmt.Fprintf(&out, "pub const %s: &str = include_str!(%s);\n", c.rust(), rustString(c.Path))
			continue
		}
		fmt.Fprintf(&out, "pub const %s: &[u8] = include_bytes!(%s);\n", c.rust(), rustString(c.Path))
	}
	return []byte(out.String())
}

// rustString is a string literal of Rust.
func rustString(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			fmt.Fprintf(&out, `\u{%x}`, r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
