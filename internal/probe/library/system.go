package library

import (
	"strings"

	"cupel/internal/pattern"
)

// libDirs are the system's own library folders.
func libDirs(at *shelf) []string {
	return []string{"/usr/lib/" + triple(at), "/usr/lib64", "/usr/lib", "/lib/" + triple(at)}
}

func systemPlaces(at *shelf, k kind) []place {
	system := place{include: []string{"/usr/include", "/usr/include/" + triple(at)}, lib: libDirs(at), origin: System}
	if system.library(at, k) != "" || system.header(at, k) != "" {
		system.major = debianMajor(at, k)
	}
	local := place{include: []string{"/usr/local/include"}, lib: []string{"/usr/local/lib", "/usr/local/lib64"}, origin: System}
	return []place{system, local}
}

var debianStatus = pattern.New(`^(Package: lib(cudnn|nccl)\S*|Version: \S*\+cuda\d\S*)$`)

// debianMajor: NVIDIA's package for one CUDA major has it in its name (libcudnn9-cuda-12); the older ones
// have it in their version (2.21.5-1+cuda12.4). The .list file of a package stays when it is removed and its
// configuration kept; the checksums go with it.
func debianMajor(at *shelf, k kind) int {
	name := pattern.New(`^lib` + k.name + `\d+(?:-dev|-headers)?-cuda-(\d+)(?::\w+)?\.md5sums$`)
	names, err := at.Names("/var/lib/dpkg/info", name)
	at.Note("installed packages", "/var/lib/dpkg/info", err)
	var found []string
	for _, n := range names {
		found = append(found, name.FindStringSubmatch(n)[1])
	}
	if len(found) == 0 {
		found = statusMajors(at, k)
	}
	if len(found) == 0 {
		return 0
	}
	for _, f := range found {
		if f != found[0] {
			return 0
		}
	}
	return major(found[0])
}

func statusMajors(at *shelf, k kind) []string {
	const status = "/var/lib/dpkg/status"
	lines, err := at.Lines(status, debianStatus)
	at.Note("package versions", status, err)
	var out []string
	mine := false
	for _, l := range lines {
		if pkg, ok := strings.CutPrefix(l, "Package: lib"); ok {
			mine = strings.HasPrefix(pkg, k.name)
			continue
		}
		if _, cuda, ok := strings.Cut(l, "+cuda"); ok && mine {
			out = append(out, cuda)
		}
		mine = false
	}
	for i, v := range out {
		out[i], _, _ = strings.Cut(v, ".")
	}
	return out
}

var (
	cudnnFolder = pattern.New(`(?i)^v\d+(\.\d+)*$`)
	cudaFolder  = pattern.New(`^\d+\.\d+$`)
)

// programFiles reads NVIDIA's installer layout on Windows, in which one cuDNN has a copy for each CUDA
// release: CUDNN\v9.x\include\12.9, bin\12.9, lib\12.9\x64.
func programFiles(at *shelf, k kind) []place {
	if k.name != "cudnn" {
		return nil
	}
	base := at.Env("ProgramFiles")
	if base == "" {
		base = `C:\Program Files`
	}
	dir := at.Path.Join(base, "NVIDIA", "CUDNN")
	var out []place
	for _, v := range at.List(dir, cudnnFolder) {
		out = append(out, installed(at, v)...)
	}
	return out
}

func installed(at *shelf, root string) []place {
	j := at.Path.Join
	var out []place
	for _, inc := range at.List(j(root, "include"), cudaFolder) {
		cuda := at.Path.Base(inc)
		out = append(out, place{
			include: []string{inc}, origin: Windows, major: major(cuda),
			lib: []string{j(root, "bin", cuda), j(root, "bin", cuda, "x64"), j(root, "lib", cuda, "x64"), j(root, "lib", cuda)},
		})
	}
	if len(out) == 0 {
		out = append(out, rooted(at, root, Windows))
	}
	return out
}
