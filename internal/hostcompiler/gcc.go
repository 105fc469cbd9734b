package hostcompiler

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/child"
	"cupel/internal/pattern"
)

// tree is an unpacked gcc. The driver finds its parts relative to itself, so most of it runs anywhere; what the
// packages leave to other packages of the system is mended here.
type tree struct {
	root    string
	triplet string // x86_64-linux-gnu
	major   string
	lib     string // usr/lib/gcc/TRIPLET/MAJOR: headers, start files, libraries
	exec    string // where cc1plus is: lib, or the same below usr/libexec
}

var driver = pattern.New(`^(.+-linux-gnu)-g\+\+-([0-9]+)$`)

// look finds the parts of a gcc below a folder.
func look(root string) (tree, error) {
	bin, err := os.ReadDir(filepath.Join(root, "usr/bin"))
	if err != nil {
		return tree{}, err
	}
	for _, e := range bin {
		m := driver.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		t := tree{root: root, triplet: m[1], major: m[2]}
		t.lib = filepath.Join(root, "usr/lib/gcc", t.triplet, t.major)
		for _, at := range []string{"usr/libexec/gcc", "usr/lib/gcc"} {
			t.exec = filepath.Join(root, at, t.triplet, t.major)
			if _, err := os.Stat(filepath.Join(t.exec, "cc1plus")); err == nil {
				return t, nil
			}
		}
		return tree{}, errors.New("the packages hold no cc1plus")
	}
	return tree{}, errors.New("the packages hold no g++")
}

// finishGCC makes an unpacked gcc run from its folder. The command is bin/g++-N.
func finishGCC(root string) (string, error) {
	t, err := look(root)
	if err != nil {
		return "", err
	}
	for _, step := range []func() error{t.libraryNames, t.systemHeaders, t.systemScripts, t.binutils, t.privateLibraries} {
		if err := step(); err != nil {
			return "", err
		}
	}
	return filepath.Join("bin", "g++-"+t.major), t.commands()
}

// commands gives the programs the names that are typed.
func (t tree) commands() error {
	if err := os.MkdirAll(filepath.Join(t.root, "bin"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"g++", "gcc", "cpp", "gcc-ar", "gcc-nm", "gcc-ranlib", "gcov"} {
		name += "-" + t.major
		real := filepath.Join("usr/bin", t.triplet+"-"+name)
		if _, err := os.Stat(filepath.Join(t.root, real)); err != nil {
			continue
		}
		if err := os.Symlink(filepath.Join("..", real), filepath.Join(t.root, "bin", name)); err != nil {
			return err
		}
	}
	return nil
}

// shared are the libraries that gcc's own folder names without a version by links into another package.
var shared = []string{"libstdc++", "libgomp", "libatomic", "libquadmath", "libitm", "libasan", "libubsan", "libtsan", "liblsan", "libhwasan"}

// libraryNames: without libstdc++.so the linker would silently take libstdc++.a. A script names the library where a
// link would leave the folder; the linker looks for it in the folder and then in the system.
func (t tree) libraryNames() error {
	for _, name := range shared {
		at := filepath.Join(t.lib, name+".so")
		if _, err := os.Stat(at); err == nil {
			continue
		}
		soname := t.soname(name)
		if soname == "" {
			continue
		}
		_ = os.Remove(at)
		if err := os.WriteFile(at, []byte("/* GNU ld script: the library of the system */\nINPUT ( "+soname+" )\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

var sonameOnly = pattern.New(`\.so\.[0-9]+$`)

// soname is the versioned name of a library in the folder, else in the system; "" when it is none or not clear which.
func (t tree) soname(name string) string {
	for _, dir := range []string{filepath.Join(t.root, "usr/lib", t.triplet), filepath.Join("/usr/lib", t.triplet), filepath.Join("/lib", t.triplet)} {
		found, _ := filepath.Glob(filepath.Join(dir, name+".so.*"))
		found = slices.DeleteFunc(found, func(f string) bool { return !sonameOnly.MatchString(f) })
		if len(found) == 1 {
			return filepath.Base(found[0])
		}
		if len(found) > 1 {
			return ""
		}
	}
	return ""
}

// systemHeaders: a machine without libc's headers got them with the packages. gcc looks for them in usr/TRIPLET/include
// of its own folder, and in the system's /usr/include, but not in its own usr/include.
func (t tree) systemHeaders() error {
	if _, err := os.Stat(filepath.Join(t.root, "usr/include/stdio.h")); err != nil {
		return nil
	}
	to := filepath.Join(t.root, "usr", t.triplet, "include")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, from := range []string{"usr/include", filepath.Join("usr/include", t.triplet)} {
		entries, err := os.ReadDir(filepath.Join(t.root, from))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Name() == "c++" || e.Name() == t.triplet {
				continue
			}
			err := os.Symlink(filepath.Join("../../..", from, e.Name()), filepath.Join(to, e.Name()))
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	return nil
}

// systemScripts: libc.so is a script with whole paths into the system; what came with the packages is found by name.
func (t tree) systemScripts() error {
	dir := filepath.Join(t.root, "usr/lib", t.triplet)
	for _, name := range []string{"libc.so", "libm.so", "libm.a"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) || err == nil && !strings.Contains(string(text), "GROUP") {
			continue
		} else if err != nil {
			return err
		}
		mended := strings.ReplaceAll(string(text), "/usr/lib/"+t.triplet+"/", "")
		if err := os.WriteFile(filepath.Join(dir, name), []byte(mended), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// binutils: as and ld that came with the packages are put where gcc looks for them.
func (t tree) binutils() error {
	for _, name := range []string{"as", "ld"} {
		real := filepath.Join(t.root, "usr/bin", t.triplet+"-"+name)
		if _, err := os.Stat(real); err != nil {
			continue // the system's, by PATH
		}
		if err := t.wrap(filepath.Join(t.exec, name), real); err != nil {
			return err
		}
	}
	return nil
}

// privateLibraries: libraries that the machine lacks came with the packages. Only the compilers proper get to see them:
// a variable for the whole driver would reach whatever it starts.
func (t tree) privateLibraries() error {
	libs, _ := filepath.Glob(filepath.Join(t.root, "usr/lib", t.triplet, "*.so.*"))
	if len(libs) == 0 {
		return nil
	}
	for _, name := range []string{"cc1", "cc1plus", "lto1"} {
		at := filepath.Join(t.exec, name)
		if _, err := os.Stat(at); err != nil {
			continue
		}
		real := filepath.Join(t.exec, "real-"+name)
		if err := os.Rename(at, real); err != nil {
			return err
		}
		if err := t.wrap(at, real); err != nil {
			return err
		}
	}
	return nil
}

// wrap writes a program at a place that starts another one with the folder's libraries.
func (t tree) wrap(at, real string) error {
	libs, err := filepath.Rel(filepath.Dir(at), filepath.Join(t.root, "usr/lib", t.triplet))
	if err != nil {
		return err
	}
	target, err := filepath.Rel(filepath.Dir(at), real)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("#!/bin/sh\n# Made by cupel: the libraries beside the compiler are for this program alone.\nhere=${0%%/*}\n"+
		"LD_LIBRARY_PATH=\"$here/%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\" exec \"$here/%s\" \"$@\"\n", libs, target)
	return os.WriteFile(at, []byte(text), 0o755)
}

// program needs the headers, the library and the unwinder, and prints what it saw.
const program = `#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
static int half(int n) { if (n % 2) throw std::runtime_error("odd"); return n / 2; }
int main() {
	std::optional<std::string> said;
	try { half(3); } catch (const std::exception &e) { said = e.what(); }
	std::cout << "half of 4 is " << half(4) << ", 3 is " << said.value_or("even") << std::endl;
}
`

const wanted = "half of 4 is 2, 3 is odd\n"

// proveGCC compiles, links and runs a program.
func proveGCC(ctx context.Context, command, scratch string) ([]string, error) {
	dir, err := os.MkdirTemp(scratch, ".proof-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, out := filepath.Join(dir, "proof.cc"), filepath.Join(dir, "proof")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		return nil, err
	}
	said, err := child.Run(ctx, child.Command{Path: command, Args: []string{"-dumpfullversion"}})
	if err != nil {
		return nil, err
	}
	if _, err := child.Run(ctx, child.Command{Path: command, Args: []string{"-std=c++17", "-O1", "-pthread", "-o", out, source}}); err != nil {
		return nil, err
	}
	ran, err := child.Run(ctx, child.Command{Path: out})
	if err != nil {
		return nil, err
	}
	if ran.Stdout != wanted {
		return nil, fmt.Errorf("the program printed %q, want %q", ran.Stdout, wanted)
	}
	return []string{"g++ " + strings.TrimSpace(said.Stdout) + " answers", "a C++17 program compiles, links and runs"}, nil
}
