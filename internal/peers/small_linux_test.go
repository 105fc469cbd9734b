package peers

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smallShared = `#pragma once
__device__ inline float twice(float x) { return x + x; }
`

func smallKernel(name string) string {
	return fmt.Sprintf("#include %q\n\n// kernel %s\n__global__ void %s(float *p, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) p[i] = twice(p[i]);\n}\n\nvoid launch_%[2]s(float *p, int n) { %[2]s<<<(n + 255) / 256, 256>>>(p, n); }\n", smallHeader, name, name)
}

// small is n generated kernels as objects for one arch: the set on which the cost of a file, not of its compilation, is seen.
func small(t testing.TB, n int) set {
	t.Helper()
	s := set{name: fmt.Sprintf("%d small kernels, object for sm_80", n), kind: "object", archs: []string{"80"}, dir: t.TempDir()}
	write(t, filepath.Join(s.dir, smallHeader), smallShared)
	for i := range n {
		name := fmt.Sprintf("k_%05d", i)
		s.sources = append(s.sources, name+".cu")
		write(t, filepath.Join(s.dir, name+".cu"), smallKernel(name))
	}
	age(t, s.dir)
	s.clean(t)
	return s
}

// standIn is a toolkit whose nvcc gives out a recording of the real one; all else in it is the real toolkit's, by links.
func standIn(t testing.TB, tk toolkit) toolkit {
	t.Helper()
	root := t.TempDir()
	link(t, tk.root, root, "bin")
	link(t, filepath.Join(tk.root, "bin"), filepath.Join(root, "bin"), "nvcc")
	dir := t.TempDir()
	record(t, tk, dir)
	self, err := os.Executable()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "replay"), read(t, self), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := toolkit{tk.release, root, filepath.Join(root, "bin", "nvcc")}
	write(t, filepath.Join(dir, "nvcc.cc"), fmt.Sprintf(nvccSource, run(t, dir, nil, tk.nvcc, "--version"), filepath.Join(dir, "replay")))
	run(t, dir, nil, hostCompiler, "-O1", "-o", out.nvcc, "nvcc.cc")
	age(t, dir)
	return out
}

// nvccSource is the program at nvcc's place. It holds the text of nvcc --version and its profile's name as nvcc does, where cupel
// reads them, and hands over.
const nvccSource = `#include <unistd.h>
extern const char profile[] = "nvcc.profile";
extern const char version[] = R"text(%s)text";
int main(int n, char **argv) { return execv("%s", argv) && version[0]; }
`

// link fills a folder with links to what another holds, but for one name.
func link(t testing.TB, from, to, without string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == without {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// record keeps what the real nvcc makes of the kernel named k_00000.
func record(t testing.TB, tk toolkit, dir string) {
	t.Helper()
	s := small(t, 1)
	if err := os.MkdirAll(filepath.Join(dir, "keep"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	call := s.call(s.sources[0])
	run(t, s.dir, nil, append([]string{tk.nvcc, "--keep", "--keep-dir", at("keep"), "-MD", "-MF", at("depfile")}, call...)...)
	compile := strings.Join(call, " ")
	compile = strings.Replace(compile, "-c -o "+s.output(s.sources[0]), "-E -o "+at("preprocessed"), 1)
	run(t, s.dir, nil, append([]string{tk.nvcc}, strings.Fields(compile)...)...)
	if err := os.Rename(filepath.Join(s.dir, s.output(s.sources[0])), at("object")); err != nil {
		t.Fatal(err)
	}
	write(t, at("real"), tk.nvcc)
}

// TestStandIn: what the stand-in gives for another kernel is what nvcc itself would give, but for the names that nvcc makes up.
func TestStandIn(t *testing.T) {
	tk := newToolkit(t, "12.4")
	fake, s := standIn(t, tk), small(t, 2)
	source := s.sources[1]
	made := map[string]map[string][]byte{}
	for who, nvcc := range map[string]string{"real": tk.nvcc, "stand-in": fake.nvcc} {
		s.clean(t)
		keep := filepath.Join(s.dir, "out", "keep")
		if err := os.Mkdir(keep, 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, s.dir, nil, append([]string{nvcc, "--keep", "--keep-dir", keep, "-MD", "-MF", "out/d"}, s.call(source)...)...)
		made[who] = map[string][]byte{
			"dependencies": read(t, filepath.Join(s.dir, "out", "d")),
			"device text":  read(t, filepath.Join(keep, "k_00001.cpp1.ii")),
			"host text":    read(t, filepath.Join(keep, "k_00001.cpp4.ii")),
			"stdout of -E": []byte(run(t, s.dir, nil, nvcc, "-ccbin", hostCompiler, "-arch=sm_80", "-E", source)),
		}
		if object := read(t, filepath.Join(s.dir, s.output(source))); !bytes.Contains(object, []byte("k_00001")) {
			t.Errorf("the object of the %s does not name its kernel", who)
		}
	}
	for what, want := range made["real"] {
		if got := made["stand-in"][what]; !bytes.Equal(got, want) {
			t.Errorf("%s: the stand-in gave %d bytes that are not nvcc's %d", what, len(got), len(want))
		}
	}
	if version := run(t, s.dir, nil, fake.nvcc, "--version"); !strings.Contains(version, "release 12.4") {
		t.Errorf("a call that compiles nothing is not the real nvcc's:\n%s", version)
	}
}
