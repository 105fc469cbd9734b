package rule

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
)

var rustRules = []Rule{
	{ID: "rust-windows-gnu", Severity: finding.Error, Title: "Rust builds for *-windows-gnu, which CUDA does not support", On: onWindows, Check: windowsGnu},
	{ID: "rust-toolchain-other", Severity: finding.Warning, Title: "the active Rust toolchain is not the project's", Check: otherToolchain},
}

func windowsGnu(in *Input) []finding.Finding {
	target, where := in.Machine.Rust.Host.Value, "host triple of "+in.Machine.Rust.Toolchain.Value
	if v := in.env("CARGO_BUILD_TARGET"); v != "" {
		target, where = v, "CARGO_BUILD_TARGET"
	} else if v := in.Project.Target; !v.IsZero() {
		target, where = v.Value, position(v)
	}
	if !strings.Contains(target, "windows-gnu") {
		return nil
	}
	f := finding.Finding{
		What:  "Rust builds for " + target,
		Where: where,
		Why:   "CUDA's Windows libraries are made for Microsoft's tools; GNU objects do not link with what nvcc makes",
		Next:  []finding.Step{command("rustup default stable-x86_64-pc-windows-msvc", "installs and selects the MSVC toolchain")},
	}
	if len(in.Project.Crates) == 0 && len(in.Machine.Toolkits) == 0 {
		f.Severity = finding.Warning
	}
	return one(f)
}

func otherToolchain(in *Input) []finding.Finding {
	want, have := in.Project.Toolchain, in.Machine.Rust.Toolchain
	if want.IsZero() || !have.Known() || strings.HasPrefix(have.Value, want.Value) {
		return nil
	}
	f := finding.Finding{
		What:  fmt.Sprintf("the active Rust toolchain is %s, the project asks for %s", have.Value, want.Value),
		Where: position(want),
		Why:   have.Source + " decides before the file",
	}
	if in.env("RUSTUP_TOOLCHAIN") != "" {
		f.Next = []finding.Step{unset(in, "RUSTUP_TOOLCHAIN", "lets the project's file decide")}
	} else {
		f.Next = []finding.Step{command("rustup toolchain install "+want.Value, "")}
	}
	return one(f)
}
