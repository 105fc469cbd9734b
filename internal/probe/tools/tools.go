// Package tools finds the other programs CUDA builds stumble over (cmake, ninja, git, caches, link.exe) and
// what is left of an MPS daemon. It reads PATH, a few files and /proc, and starts nothing.
package tools

import (
	"errors"
	"io/fs"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var (
	names        = []string{"cmake", "ninja", "git", "sccache", "ccache", "make", "gcc", "ptxas"}
	windowsNames = []string{"cmake", "ninja", "git", "sccache", "ccache", "link", "cl", "ptxas"}
)

// Survey lists the tools found on PATH.
func Survey(a *look.At) []fact.Tool {
	wanted := names
	if a.Path.Windows() {
		wanted = windowsNames
	}
	var out []fact.Tool
	for _, n := range wanted {
		all := a.WhichAll(n)
		if len(all) == 0 {
			continue
		}
		t := fact.Tool{Name: n, Path: all[0], Others: all[1:], Version: version(a, n, all[0])}
		out = append(out, t)
	}
	return out
}

var cmakeShare = pattern.New(`^cmake-(\d+\.\d+)$`)

// version is told for cmake alone, by the name of its module folder: the consumer table depends on it.
func version(a *look.At, name, path string) fact.Fact[string] {
	if name != "cmake" {
		return fact.Fact[string]{}
	}
	share := a.Path.Join(a.Path.Dir(a.Path.Dir(a.Real(path))), "share")
	found, err := a.Names(share, cmakeShare)
	if err != nil || len(found) == 0 {
		return fact.None[string](share)
	}
	last := found[len(found)-1]
	return fact.Of(cmakeShare.FindStringSubmatch(last)[1], a.Path.Join(share, last))
}

// MPS looks for the control daemon's folder and whether the daemon still runs.
func MPS(a *look.At) fact.MPS {
	if a.Path.Windows() {
		return fact.MPS{}
	}
	dir := a.Env("CUDA_MPS_PIPE_DIRECTORY")
	if dir == "" {
		dir = "/tmp/nvidia-mps"
	}
	m := fact.MPS{PipeDir: dir, Pipes: a.Exists(a.Path.Join(dir, "control"))}
	if !m.Pipes && !a.IsDir(dir) {
		return fact.MPS{}
	}
	m.Daemon = daemon(a, a.Path.Join(dir, "nvidia-cuda-mps-control.pid"))
	return m
}

// daemon reads the pid file and asks /proc whether that process is still the daemon.
func daemon(a *look.At, pidFile string) fact.Fact[string] {
	b, err := a.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fact.None[string](pidFile)
	}
	if err != nil {
		return fact.Bad[string](pidFile, errors.New(look.Reason(err)))
	}
	pid := strings.TrimSpace(string(b))
	comm, err := a.ReadFile("/proc/" + pid + "/comm")
	if err != nil || !strings.HasPrefix(string(comm), "nvidia-cuda-mps") {
		return fact.None[string]("/proc/" + pid)
	}
	return fact.Of(pid, pidFile)
}
