// Package toolchain tells which programs a call of nvcc runs and reads: nvcc's own and the host compiler's, each by its
// content. What needs a process to find out (where gcc keeps cc1plus, where it looks for headers) is asked once for each
// compiler and remembered in the store. The shim uses it, so it leans on little.
//
// How nvcc finds what it starts was read off its dry runs and system calls (11.8, 12.4, 13.0 … 13.4); the tests hold it
// against the dry runs of every toolkit. Left out on purpose: the C library and other shared libraries below the programs,
// but for clang's own (a patched libc does not change what a compiler writes).
package toolchain

import (
	"path/filepath"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// Tools are the programs and files behind a call.
type Tools struct {
	Nvcc      string          // the real nvcc, links resolved
	Host      string          // the host compiler as it is found: the driver (g++, cl.exe)
	Files     []File          // every program and file, in a fixed order
	Variables []string        // NAME=value of what nvcc reads, as nvcc.profile leaves it
	Search    []recipe.Folder // the folders that nvcc adds: its -I stand behind the call's own -I, its -isystem behind the call's -isystem
	Libraries string          // words that nvcc adds to what it gives to linkers: see LibraryFolders
	Path      string          // the PATH under which nvcc starts programs, as nvcc.profile leaves it
	Programs  []string        // folders where the host compiler looks for assembler and linker, before PATH
	Watched   []string        // what makes the host compiler find others when it comes or changes, whole
	Includes  []string        // folders that nvcc and the host compiler look for headers in by themselves: Search, then the host compiler's, those that are not there too
}

// File is one program or file by its content.
type File struct {
	Role   string // nvcc, cicc, ptxas, cudafe++, fatbinary, host, cc1plus …
	Path   string
	Digest digest.Digest
}

// Find finds them. nvcc is the path (or name on PATH) by which it will be started: it reads the nvcc.profile beside that
// name, not the one beside the file that a link leads to. dir is the working folder, env the environment of the call. A
// refusal says why they cannot be told (nvcc is a script; the host compiler is not found).
func Find(nvcc, ccbin, dir string, env []string, files *stamp.Files, store cas.Store) (Tools, *recipe.Refusal, error) {
	vars, twice := newEnviron(env)
	if twice != "" {
		return Tools{}, &recipe.Refusal{Reason: "variable-set-twice", Detail: twice}, nil
	}
	f := finder{dir: dir, env: vars, files: files, store: store}
	err := f.find(nvcc, ccbin)
	if r, ok := err.(*recipe.Refusal); ok {
		return Tools{}, r, nil
	}
	return f.tools, nil, err
}

// finder is one search.
type finder struct {
	dir   string
	env   environ
	files *stamp.Files
	store cas.Store
	tools Tools

	started int // programs, to be asked
}

func (f *finder) find(nvcc, ccbin string) error {
	called, err := f.nvcc(nvcc)
	if err != nil {
		return err
	}
	vars, err := f.profile(called)
	if err != nil {
		return err
	}
	know, err := f.ownPrograms(called, vars)
	if err != nil {
		return err
	}
	return f.host(ccbin, know.readsCcbin, vars)
}

// add takes a file in that is there.
func (f *finder) add(role, path string) (stamp.Known, error) {
	k, err := f.files.Known(f.abs(path))
	if err == nil && k.Stamp.Exists() && !k.Stamp.Dir {
		f.tools.Files = append(f.tools.Files, File{Role: role, Path: path, Digest: k.Digest})
	}
	return k, err
}

func (f *finder) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	// Not cleaned: a/../b is not b where a is a link.
	return f.dir + string(filepath.Separator) + path
}

// Walk tells what they are.
func (t Tools) Walk(w digest.Writer) {
	w.Field("nvcc", t.Nvcc)
	w.Field("host", t.Host)
	for _, f := range t.Files {
		w.Field("tool", f.Role, f.Path, f.Digest.String())
	}
	w.Field("tool variables", t.Variables...)
	w.Field("tool folders", t.Includes...)
}

func refuse(reason, detail string) error { return &recipe.Refusal{Reason: reason, Detail: detail} }
