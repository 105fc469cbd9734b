package python

import (
	"fmt"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var environmentLine = pattern.New(`^\s*(/|[A-Za-z]:\\)`)

// condaEnv finds an environment by name or prefix and its interpreter.
func condaEnv(at *look.At, name string) candidate {
	prefix := condaPrefix(at, name)
	if prefix == "" {
		return candidate{path: name, kind: Conda, err: fmt.Errorf("no conda environment of this name was found")}
	}
	if p := inPrefix(at, prefix); p != "" {
		return candidate{path: p, kind: Conda}
	}
	return candidate{path: prefix, kind: Conda, err: fmt.Errorf("this conda environment has no python in it")}
}

func condaPrefix(at *look.At, name string) string {
	if strings.ContainsAny(name, `/\`) {
		if !at.Path.Abs(name) {
			name = at.Path.Join(at.System.Cwd, name)
		}
		return existing(at, name)
	}
	if name == "base" || name == "root" {
		return existing(at, condaRoots(at)...)
	}
	var places []string
	for _, dir := range condaEnvFolders(at) {
		places = append(places, at.Path.Join(dir, name))
	}
	for _, p := range condaEnvironments(at) {
		if at.Path.Base(p) == name {
			places = append(places, p)
		}
	}
	return existing(at, places...)
}

func existing(at *look.At, places ...string) string {
	for _, p := range places {
		if p != "" && at.IsDir(p) {
			return p
		}
	}
	return ""
}

// condaRoots are the installations: the one conda itself names first, then the installers' default folders.
func condaRoots(at *look.At) []string {
	var out []string
	if exe := at.Env("CONDA_EXE"); exe != "" {
		out = append(out, at.Path.Dir(at.Path.Dir(exe)))
	}
	out = append(out, at.Env("MAMBA_ROOT_PREFIX"))
	for _, name := range []string{"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba"} {
		if at.System.Home != "" {
			out = append(out, at.Path.Join(at.System.Home, name))
		}
	}
	if at.Path.Windows() {
		return append(out, `C:\ProgramData\miniconda3`, `C:\ProgramData\anaconda3`, `C:\ProgramData\miniforge3`)
	}
	return append(out, "/opt/conda", "/opt/miniconda3", "/opt/anaconda3", "/opt/miniforge3")
}

func condaEnvFolders(at *look.At) []string {
	out := at.Path.List(at.Env("CONDA_ENVS_PATH"))
	out = append(out, at.Path.List(at.Env("CONDA_ENVS_DIRS"))...)
	for _, root := range condaRoots(at) {
		if root != "" {
			out = append(out, at.Path.Join(root, "envs"))
		}
	}
	if at.System.Home != "" {
		out = append(out, at.Path.Join(at.System.Home, ".conda", "envs"))
	}
	return out
}

// condaEnvironments is conda's own list of every environment the user ever made.
func condaEnvironments(at *look.At) []string {
	if at.System.Home == "" {
		return nil
	}
	file := at.Path.Join(at.System.Home, ".conda", "environments.txt")
	lines, err := at.Lines(file, environmentLine)
	at.Note("conda environments", file, err)
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// Package is one conda package as the name of its record in conda-meta tells it.
type Package struct {
	Name, Version, Build, File string
}

// condaRecords keeps the listing to packages that matter for CUDA: an environment has hundreds.
var condaRecords = pattern.New(`^(python|pytorch|cudatoolkit|cuda-version|cuda-toolkit|cuda-nvcc[a-z0-9_-]*|cuda-cudart[a-z-]*|cudnn|libcudnn[a-z-]*|nccl|libcublas[a-z-]*)-([^-]+)-([^-]+)\.json$`)

// CondaPackages lists the CUDA packages of the environment at prefix; nil when it is no conda environment.
func CondaPackages(at *look.At, prefix string) []Package {
	dir := at.Path.Join(prefix, "conda-meta")
	names, err := at.Names(dir, condaRecords)
	at.Note("conda packages", dir, err)
	var out []Package
	for _, n := range names {
		m := condaRecords.FindStringSubmatch(n)
		out = append(out, Package{Name: m[1], Version: m[2], Build: m[3], File: at.Path.Join(dir, n)})
	}
	return out
}
