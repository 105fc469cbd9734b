// Package rust tells which Rust toolchain cargo would use in a folder. It follows rustup's own order by
// reading rustup's files through the host; it starts no program, for rustup would install a missing toolchain
// when asked. Whether the toolchain suits the project is not decided here.
package rust

import (
	"context"
	"errors"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var toolchainName = pattern.New(`^[^.]`)

// Survey looks from projectRoot, or from the current folder when that is "".
func Survey(_ context.Context, at *look.At, projectRoot string) fact.Rust {
	cargo := cargoPath(at)
	r := fact.Rust{Cargo: fact.None[string]("PATH"), Installed: installed(at)}
	if cargo == "" {
		return r
	}
	r.Cargo = fact.Of(cargo, "PATH")
	if at.Which("cargo") == "" {
		r.Cargo.Source = Home(at)
	}
	if !isProxy(at, cargo) {
		r.Toolchain = fact.None[string](cargo)
		r.Host = hostOf(at, at.Path.Dir(at.Path.Dir(at.Real(cargo))))
		return r
	}
	if projectRoot == "" {
		projectRoot = at.System.Cwd
	}
	r.Toolchain, r.Host = activeToolchain(at, projectRoot, r.Installed)
	return r
}

// Home is cargo's own folder, "" when it cannot be told.
func Home(at *look.At) string { return homeOr(at, "CARGO_HOME", ".cargo") }

func rustupHome(at *look.At) string { return homeOr(at, "RUSTUP_HOME", ".rustup") }

func homeOr(at *look.At, variable, name string) string {
	if dir := at.Env(variable); dir != "" {
		return dir
	}
	if at.System.Home == "" {
		return ""
	}
	return at.Path.Join(at.System.Home, name)
}

func cargoPath(at *look.At) string {
	if p := at.Which("cargo"); p != "" {
		return p
	}
	if Home(at) == "" {
		return ""
	}
	return at.FirstFile(at.Path.Join(Home(at), "bin", at.Path.Program("cargo")))
}

// isProxy: rustup puts itself beside cargo, whether cargo is a link to it, a hard link or a copy.
func isProxy(at *look.At, cargo string) bool {
	rustup := at.Path.Program("rustup")
	return at.Path.Base(at.Real(cargo)) == rustup || at.IsFile(at.Path.Join(at.Path.Dir(cargo), rustup))
}

func installed(at *look.At) []string {
	if rustupHome(at) == "" {
		return nil
	}
	dir := at.Path.Join(rustupHome(at), "toolchains")
	names, err := at.Names(dir, toolchainName)
	at.Note("Rust toolchains", dir, err)
	return names
}

func activeToolchain(at *look.At, dir string, installed []string) (toolchain, host fact.Fact[string]) {
	set, err := readSettings(at)
	if err != nil {
		bad := fact.Bad[string](settingsFile(at), err)
		return bad, bad
	}
	name, source, err := choose(at, set, dir)
	switch {
	case err != nil:
		bad := fact.Bad[string](source, err)
		return bad, bad
	case name == "":
		why := errors.New("no default toolchain is set, and nothing else names one")
		return fact.Bad[string](settingsFile(at), why), fact.None[string](settingsFile(at))
	}
	if at.Path.Abs(name) { // a path in a toolchain file
		return fact.Of(name, source), hostOf(at, name)
	}
	full := complete(at, name, set, installed)
	if m := distributed.FindStringSubmatch(full); m != nil && m[2] != "" {
		return fact.Of(full, source), fact.Of(m[2], source)
	}
	return fact.Of(full, source), hostOf(at, at.Path.Join(rustupHome(at), "toolchains", full))
}
