package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/child"
	"cupel/internal/nvcc"
)

// versions asks the programs of the call for theirs.
func (m *maker) versions(ctx context.Context) {
	in := m.in
	var b strings.Builder
	fmt.Fprintf(&b, "cupel %s\nrecorded with cupel %s on %s/%s, bundled on %s/%s\n", in.Version, told(in.Run.Cupel), in.Run.OS, in.Run.Arch, in.System.OS, in.System.Arch)
	m.version(ctx, &b, in.Call.Begin.Path, in.Call.Begin.Tool, "--version")
	if in.Call.Begin.Tool == "nvcc" {
		m.hostCompiler(ctx, &b)
	}
	m.add("versions.txt", "versions of nvcc, the host compiler and cupel", m.hide.Text([]byte(b.String())))
}

func (m *maker) version(ctx context.Context, b *strings.Builder, program, title string, args ...string) {
	fmt.Fprintf(b, "\n%s: %s\n", title, program)
	err := m.start(ctx, program, args, func(r child.Result) { b.WriteString(r.Stdout + r.Stderr) })
	var failed child.Failed
	if err != nil && !errors.As(err, &failed) { // cl.exe tells its version and ends with an error
		fmt.Fprintf(b, "it does not answer: %v\n", err)
	}
}

// hostCompiler asks the one that nvcc takes: -ccbin, NVCC_CCBIN, else the first on PATH.
func (m *maker) hostCompiler(ctx context.Context, b *strings.Builder) {
	name, arg := "g++", "--version"
	var args []string
	if m.in.Run.OS == "windows" {
		name, arg = "cl.exe", ""
	}
	if arg != "" {
		args = []string{arg}
	}
	said, by := m.value("NVCC_CCBIN"), "NVCC_CCBIN"
	for _, g := range nvcc.Parse(m.in.Call.Argv()).Given {
		if g.Name == "compiler-bindir" && len(g.Values) > 0 {
			said, by = g.Values[len(g.Values)-1], "-ccbin"
		}
	}
	if said == "" {
		said, by = name, "PATH"
	}
	if info, err := os.Stat(m.from(said)); err == nil && info.IsDir() {
		said = filepath.Join(said, name)
	}
	program := m.lookUp(said)
	if program == "" {
		fmt.Fprintf(b, "\nhost compiler: %s (%s) was not found\n", said, by)
		return
	}
	m.version(ctx, b, program, "host compiler by "+by, args...)
}

func (m *maker) value(name string) string {
	for k, v := range m.in.Env.Values {
		if k == name || m.in.Run.OS == "windows" && strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// lookUp finds a program as the call would: by its path, else on the call's own PATH.
func (m *maker) lookUp(name string) string {
	if strings.ContainsAny(name, `/\`) {
		if path := m.from(name); isFile(path) {
			return path
		}
		return ""
	}
	for _, dir := range filepath.SplitList(m.value("PATH")) {
		if path := filepath.Join(m.from(dir), name); dir != "" && isFile(path) {
			return path
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
