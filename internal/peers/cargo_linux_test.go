package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/testbed"
)

// BenchmarkCargo: candle-kernels 0.9.1 built by cargo as published, cargo clean between. The first build fills each cache.
func BenchmarkCargo(b *testing.B) {
	eachToolkit(b, func(b *testing.B, tk toolkit) {
		c := newCrate(b, tk)
		variants := []variant{c.build("cargo build", false, launcher{})}
		for _, l := range launchers(b) {
			if !l.ours { // cupel stands in front of cargo, not of nvcc
				variants = append(variants, c.build("cargo build with "+l.name, false, l))
			}
		}
		variants = append(variants, cupelCargo(b, tk, c)...)
		first := measure(b, 1, variants)
		again := measure(b, *coldRounds, variants)
		fmt.Print(table("candle-kernels 0.9.1 by cargo, first build, CUDA "+tk.release, "cargo build", first))
		fmt.Print(table("the same again after cargo clean", "cargo build", again))
	})
}

// crate is candle-kernels 0.9.1 with the crates that it is built with, compiled before.
type crate struct {
	t   testing.TB
	dir string
	tk  toolkit
	env []string
}

func newCrate(t testing.TB, tk toolkit) crate {
	t.Helper()
	testbed.Root(t, "rust")
	bed := testbed.Root(t, "candle-0.9")
	base := t.TempDir()
	c := crate{t, filepath.Join(base, "project"), tk, nil}
	if err := os.CopyFS(c.dir, os.DirFS(filepath.Join(bed, "candle-kernels-0.9.1"))); err != nil {
		t.Fatal(err)
	}
	removeAll(t, filepath.Join(c.dir, "Cargo.lock")) // it names versions that the vendor folder need not have
	age(t, c.dir)
	write(t, filepath.Join(base, ".cargo", "config.toml"), fmt.Sprintf("[source.crates-io]\nreplace-with = \"vendored\"\n\n[source.vendored]\ndirectory = %q\n\n[net]\noffline = true\n", filepath.Join(bed, "vendor")))
	c.env = []string{"CUDA_COMPUTE_CAP=80", "CARGO_TARGET_DIR=" + filepath.Join(base, "target"), "NVCC_CCBIN=" + hostCompiler}
	run(t, c.dir, c.with(launcher{}), "cargo", "build")
	return c
}

// with is the environment in which builders find the toolkit, with a launcher's nvcc first on PATH: bindgen_cuda knows no launchers.
func (c crate) with(l launcher) []string {
	c.t.Helper()
	bin := filepath.Dir(c.tk.nvcc)
	path := bin
	if len(l.argv) > 0 {
		dir := c.t.TempDir()
		write(c.t, filepath.Join(dir, "nvcc"), fmt.Sprintf("#!/bin/sh\nexec %s %s \"$@\"\n", l.argv[0], c.tk.nvcc))
		if err := os.Chmod(filepath.Join(dir, "nvcc"), 0o755); err != nil {
			c.t.Fatal(err)
		}
		path = dir + ":" + bin
	}
	return append(append(append([]string(nil), c.env...), l.env...), "CUDA_PATH="+c.tk.root, "PATH="+path+":"+os.Getenv("PATH"))
}

func (c crate) build(name string, ours bool, l launcher) variant {
	c.t.Helper()
	env := c.with(l)
	var before tally
	return variant{name: name, ours: ours,
		before: func() { c.clean(); before = count(l) },
		run:    func() error { _, err := try(c.t, c.dir, env, "cargo", "build"); return err },
		note: func() string {
			if len(l.argv) == 0 {
				return ""
			}
			return "the last: " + hitNote(l, before)
		},
	}
}

// clean makes cargo forget the kernels and leaves what they are built with.
func (c crate) clean() {
	c.t.Helper()
	run(c.t, c.dir, c.with(launcher{}), "cargo", "clean", "-p", "candle-kernels")
}
