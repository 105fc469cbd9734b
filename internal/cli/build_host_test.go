package cli

import (
	"strings"
	"testing"

	"cupel/internal/environ"
	"cupel/internal/fact"
)

// hostMachine has three compilers, of which CUDA 11.8 takes the last two.
func hostMachine() (fact.Machine, fact.Toolkit) {
	compiler := func(family, name, version string) fact.Compiler {
		return fact.Compiler{Family: family, Command: name, Path: "/usr/bin/" + name, Version: fact.Of(version, "test"), Cxx: true}
	}
	m := fact.Machine{System: fact.System{OS: fact.Linux}, Compilers: []fact.Compiler{compiler("gcc", "g++-12", "12.2.0"), compiler("gcc", "g++-11", "11.3.0"), compiler("clang", "clang++-14", "14.0.6")}}
	m.Compilers[0].Default = true
	return m, fact.Toolkit{Root: "/cuda", Release: fact.Of("11.8.0", "test")}
}

// TestToolsNameOneCompiler: nvcc is told one host compiler, and what else its variables say stays.
func TestToolsNameOneCompiler(t *testing.T) {
	m, toolkit := hostMachine()
	newer := toolkit
	newer.Release = fact.Of("13.0", "test")
	for _, tt := range []struct {
		name            string
		toolkit         fact.Toolkit
		named           *fact.Compiler
		prepend, append string
		compiler, flags string
	}{
		{"nothing is said and the default fits", newer, nil, "", "", "", ""},
		{"nothing is said", toolkit, nil, "", "", "/usr/bin/g++-11", ""},
		{"cupel env said it", toolkit, nil, "-ccbin=/usr/bin/g++-11", "", "/usr/bin/g++-11", ""},
		{"another option behind it", toolkit, nil, "-ccbin=/usr/bin/g++-11 -DFOO=1", "", "/usr/bin/g++-11", "-DFOO=1"},
		{"a blank in front", toolkit, nil, " -ccbin=/usr/bin/g++-11 -DFOO=1", "", "/usr/bin/g++-11", "-DFOO=1"},
		{"one that fits", toolkit, nil, "-ccbin clang++-14 -DFOO=1", "", "", "-ccbin clang++-14 -DFOO=1"},
		{"one of which nothing is known", toolkit, nil, "-DFOO=1", "--compiler-bindir=/opt/g++", "", "-DFOO=1|--compiler-bindir=/opt/g++"},
		{"one that does not fit", toolkit, nil, `-DFOO="a b" -ccbin g++-12 -DBAR`, "", "/usr/bin/g++-11", `-DFOO="a b" -DBAR`},
		{"--host-compiler", newer, &m.Compilers[1], " -ccbin=g++-12 -DFOO=1", "-DBAR -ccbin g++-12", "/usr/bin/g++-11", "-DFOO=1|-DBAR"},
		{"--host-compiler and other options", newer, &m.Compilers[1], " -DFOO=1", "", "/usr/bin/g++-11", " -DFOO=1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(prependFlags, tt.prepend)
			t.Setenv(appendFlags, tt.append)
			m := m
			m.Env = map[string]string{prependFlags: tt.prepend, appendFlags: tt.append}
			tools := toolsOf(m, tt.toolkit, tt.named, environ.For(m, tt.toolkit, environ.Options{Compiler: tt.named}))
			env := asMap(tools.Env)
			if got := strings.TrimSuffix(env[prependFlags]+"|"+env[appendFlags], "|"); tools.Compiler != tt.compiler || got != tt.flags {
				t.Errorf("nvcc gets -ccbin %q and %q, want %q and %q", tools.Compiler, got, tt.compiler, tt.flags)
			}
		})
	}
}
