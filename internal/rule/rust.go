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
		Why:   "nvcc on Windows works with Microsoft's cl.exe alone: what it makes needs Microsoft's runtime and linker, which this target does not use",
		Next:  []finding.Step{command("rustup default stable-"+msvcTriple(in), "installs and selects the MSVC toolchain")},
	}
	switch {
	case in.env("CARGO_BUILD_TARGET") != "":
		f.Next = []finding.Step{setVariable(in, "CARGO_BUILD_TARGET", msvcTriple(in))}
	case !in.Project.Target.IsZero():
		f.Next = []finding.Step{advice("change that line to " + msvcTriple(in)), command("rustup target add "+msvcTriple(in), "")}
	}
	// Without a CUDA crate in the project nothing here stops.
	if len(in.Project.Crates) == 0 {
		f.Severity = finding.Warning
	}
	return one(f)
}

func msvcTriple(in *Input) string {
	if in.Machine.System.Arch == "arm64" {
		return "aarch64-pc-windows-msvc"
	}
	return "x86_64-pc-windows-msvc"
}

// SameToolchain says that a toolchain is the one asked for. A channel (1.80, stable, nightly-2026-01-01) stands for the toolchains whose name goes on with the
// host triple; 1.80 also for its patch releases, but not for 1.8.
func SameToolchain(have, want string) bool {
	rest, ok := strings.CutPrefix(have, want)
	return ok && (rest == "" || rest[0] == '-' || (rest[0] == '.' && strings.Count(want, ".") == 1))
}

func otherToolchain(in *Input) []finding.Finding {
	want, have := in.Project.Toolchain, in.Machine.Rust.Toolchain
	if want.IsZero() || !have.Known() || SameToolchain(have.Value, want.Value) {
		return nil
	}
	f := finding.Finding{
		What:  fmt.Sprintf("the active Rust toolchain is %s, the project asks for %s", have.Value, want.Value),
		Where: position(want),
		Why:   have.Source + " decides before the file",
	}
	switch {
	case in.env("RUSTUP_TOOLCHAIN") != "":
		f.Next = []finding.Step{unset(in, "RUSTUP_TOOLCHAIN", "lets the project's file decide")}
	case in.Paths().Base(have.Source) == "settings.toml": // the default of that file never wins over a toolchain file
		f.Why = "rustup holds an override for this folder, and it decides before the file"
		f.Next = []finding.Step{command("rustup override unset --path "+quote(in.Project.Root), "lets the project's file decide")}
	default:
		f.Next = []finding.Step{command("rustup show active-toolchain", "what rustup takes here, and why")}
	}
	return one(f)
}
