// Package system tells which operating system a host runs and what it runs in: WSL2, a container, an image
// build, CI, a Jetson. It reads a few small files, the environment and, on Windows, one registry key.
package system

import (
	"strconv"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Survey gathers the system.
func Survey(a *look.At) fact.System {
	s := fact.System{OS: a.System.OS, Platform: a.System.OS, Arch: a.System.Arch, Home: a.System.Home, Cwd: a.System.Cwd, CI: ci(a)}
	switch a.System.OS {
	case "linux":
		linux(a, &s)
	case "windows":
		s.Distro = windowsEdition(a)
	}
	return s
}

func linux(a *look.At, s *fact.System) {
	s.Distro = distro(a)
	s.Kernel = firstLine(a, "/proc/sys/kernel/osrelease")
	s.Glibc = glibc(a)
	s.Container, s.ImageBuild = container(a)
	s.Board, s.L4T = board(a)
	switch {
	case isWSL2(s.Kernel.Value):
		s.Platform = fact.WSL2
	case !s.L4T.IsAbsent():
		s.Platform = fact.Jetson
	}
}

func firstLine(a *look.At, path string) fact.Fact[string] {
	b, err := a.ReadFile(path)
	if err != nil {
		a.Note("first line of "+path, path, err)
		return fact.None[string](path)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return fact.Of(strings.Trim(strings.TrimSpace(line), "\x00"), path)
}

// wsl1 is what WSL 1 says of itself, which has no kernel of its own and no GPU: 4.4.0-22621-Microsoft.
var wsl1 = pattern.New(`(?i)^\d+\.\d+\.\d+-\d+-microsoft$`)

// isWSL2: Microsoft's kernels carry its name (5.15.153.1-microsoft-standard-WSL2; the first ones ended in
// -microsoft-standard).
func isWSL2(kernel string) bool {
	k := strings.ToLower(kernel)
	return strings.Contains(k, "wsl2") || strings.Contains(k, "microsoft") && !wsl1.MatchString(k)
}

var osReleaseLine = pattern.New(`^(ID|VERSION_ID|PRETTY_NAME)=`)

func distro(a *look.At) fact.Fact[fact.Distro] {
	const path = "/etc/os-release"
	lines, err := a.Lines(path, osReleaseLine)
	if err != nil {
		a.Note("the distribution", path, err)
		return fact.None[fact.Distro](path)
	}
	var d fact.Distro
	for _, l := range lines {
		key, value, _ := strings.Cut(l, "=")
		value = strings.Trim(value, `"'`)
		switch key {
		case "ID":
			d.ID = value
		case "VERSION_ID":
			d.Version = value
		case "PRETTY_NAME":
			d.Name = value
		}
	}
	return fact.Of(d, path)
}

var (
	glibcText    = pattern.New(`^GNU C Library .* version \d+\.\d+`)
	glibcVersion = pattern.New(`version (\d+\.\d+)`)
)

func glibc(a *look.At) fact.Fact[string] {
	for _, p := range []string{"/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/usr/lib/libc.so.6"} {
		text, err := a.Search(p, glibcText)
		if err != nil {
			a.Note("the C library", p, err)
			continue
		}
		if m := glibcVersion.FindStringSubmatch(text); m != nil {
			return fact.Of(m[1], p)
		}
	}
	return fact.None[string]("libc.so.6")
}

// ciNames are the variables CI systems set about themselves.
var ciNames = []struct{ variable, name string }{
	{"GITHUB_ACTIONS", "GitHub Actions"}, {"GITLAB_CI", "GitLab CI"}, {"BUILDKITE", "Buildkite"},
	{"CIRCLECI", "CircleCI"}, {"TF_BUILD", "Azure Pipelines"}, {"JENKINS_URL", "Jenkins"}, {"CI", "CI"},
}

func ci(a *look.At) string {
	for _, c := range ciNames {
		if v := a.Env(c.variable); v != "" && v != "false" && v != "0" {
			return c.name
		}
	}
	return ""
}

func board(a *look.At) (model, l4t fact.Fact[string]) {
	model = fact.None[string]("/proc/device-tree/model")
	l4t = fact.None[string]("/etc/nv_tegra_release")
	if a.System.Arch != "arm64" {
		return model, l4t
	}
	if m := firstLine(a, "/proc/device-tree/model"); m.Known() {
		model = m
	}
	if line := firstLine(a, "/etc/nv_tegra_release"); line.Known() {
		l4t = fact.Of(tegraRelease(line.Value), line.Source)
	}
	return model, l4t
}

var tegra = pattern.New(`# R(\d+) \(release\), REVISION: ([\d.]+)`)

// tegraRelease turns "# R36 (release), REVISION: 4.3, …" into 36.4.3.
func tegraRelease(line string) string {
	if m := tegra.FindStringSubmatch(line); m != nil {
		return m[1] + "." + m[2]
	}
	return line
}

// firstWindows11: Windows 11 keeps "Windows 10" in ProductName; its first build number tells it (Microsoft,
// Windows 11 release information).
const firstWindows11 = 22000

func windowsEdition(a *look.At) fact.Fact[fact.Distro] {
	const key = `HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion`
	v, err := a.RegistryValues(key)
	if err != nil {
		a.Note("the Windows version", key, err)
		return fact.None[fact.Distro](key)
	}
	d := fact.Distro{ID: "windows", Version: v["CurrentBuild"], Name: v["ProductName"]}
	if build, err := strconv.Atoi(d.Version); err == nil && build >= firstWindows11 {
		d.Name = strings.Replace(d.Name, "Windows 10", "Windows 11", 1)
	}
	if v["DisplayVersion"] != "" {
		d.Name += " " + v["DisplayVersion"]
	}
	return fact.Of(d, key)
}
