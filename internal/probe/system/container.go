package system

import (
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var cgroupLine = pattern.New(`docker|kubepods|containerd|/lxc/|libpod`)

// container names the engine and says whether an image is being built, where a GPU is never passed through.
func container(a *look.At) (fact.Fact[string], bool) {
	build := imageBuild(a)
	if b, err := a.ReadFile("/run/.containerenv"); err == nil {
		engine := "podman"
		if strings.Contains(string(b), `engine="buildah`) {
			engine, build = "buildah", true
		}
		return fact.Of(engine, "/run/.containerenv"), build
	}
	switch {
	case a.Env("KUBERNETES_SERVICE_HOST") != "":
		return fact.Of("kubernetes", "KUBERNETES_SERVICE_HOST"), build
	case a.Exists("/.dockerenv"):
		return fact.Of("docker", "/.dockerenv"), build
	case a.Env("container") != "":
		return fact.Of(a.Env("container"), "variable container"), build
	case a.IsDir("/kaniko"):
		return fact.Of("kaniko", "/kaniko"), true
	case build:
		return fact.Of("buildkit", "/proc/sys/kernel/hostname"), true
	}
	const path = "/proc/1/cgroup"
	lines, err := a.Lines(path, cgroupLine)
	if err != nil {
		a.Note("the container", path, err)
	}
	if len(lines) > 0 {
		return fact.Of(engineOf(lines[0]), path), build
	}
	return fact.None[string](path), build
}

func engineOf(line string) string {
	switch {
	case strings.Contains(line, "kubepods"):
		return "kubernetes"
	case strings.Contains(line, "/lxc/"):
		return "lxc"
	case strings.Contains(line, "libpod"):
		return "podman"
	}
	return "docker"
}

// imageBuild: BuildKit makes no /.dockerenv, but names its sandbox.
func imageBuild(a *look.At) bool {
	name := firstLine(a, "/proc/sys/kernel/hostname")
	return name.Value == "buildkitsandbox"
}
