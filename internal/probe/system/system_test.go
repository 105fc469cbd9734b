package system

import (
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func survey(t *testing.T, head, archive string) fact.System {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\n"+head+"\n"+archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return Survey(look.New(h))
}

const amd64, arm64 = "os = linux\narch = amd64", "os = linux\narch = arm64"

func TestPlatform(t *testing.T) {
	for _, tt := range []struct{ name, head, archive, want string }{
		{"plain Linux", amd64, "-- file /proc/sys/kernel/osrelease --\n6.8.0-31-generic\n", fact.Linux},
		{"WSL2", amd64, "-- file /proc/sys/kernel/osrelease --\n5.15.153.1-microsoft-standard-WSL2\n", fact.WSL2},
		{"a kernel of one's own under WSL2", amd64, "-- file /proc/sys/kernel/osrelease --\n6.6.36-mine-WSL2\n", fact.WSL2},
		{"the first kernels of WSL2", amd64, "-- file /proc/sys/kernel/osrelease --\n4.19.104-microsoft-standard\n", fact.WSL2},
		{"WSL 1 has no GPU", amd64, "-- file /proc/sys/kernel/osrelease --\n4.4.0-22621-Microsoft\n", fact.Linux},
		{"Jetson", arm64, "-- file /etc/nv_tegra_release --\n# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic\n", fact.Jetson},
		{"another arm64 machine", arm64, "-- part 0 /proc/device-tree/model --\nUmFzcGJlcnJ5IFBpAA==\n", fact.Linux},
		{"Windows", "os = windows\narch = amd64", "", fact.Windows},
		{"macOS", "os = darwin\narch = arm64", "", fact.Darwin},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := survey(t, tt.head, tt.archive).Platform; got != tt.want {
				t.Errorf("platform = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestContainer(t *testing.T) {
	for _, tt := range []struct {
		name, archive, want string
		build               bool
	}{
		{"none", "-- file /proc/1/cgroup --\n0::/init.scope\n", "", false},
		{"docker", "-- tree --\n/.dockerenv f 0\n", "docker", false},
		{"podman", "-- file /run/.containerenv --\nengine=\"podman-4.3.1\"\n", "podman", false},
		{"buildah's build", "-- file /run/.containerenv --\nengine=\"buildah-1.28.2\"\n", "buildah", true},
		{"BuildKit's build", "-- file /proc/sys/kernel/hostname --\nbuildkitsandbox\n", "buildkit", true},
		{"Kubernetes", "-- env --\nKUBERNETES_SERVICE_HOST=10.0.0.1\n", "kubernetes", false},
		{"kaniko", "-- tree --\n/kaniko d\n", "kaniko", true},
		{"systemd-nspawn says so itself", "-- env --\ncontainer=systemd-nspawn\n", "systemd-nspawn", false},
		{"cgroup v1 of docker", "-- file /proc/1/cgroup --\n12:cpuset:/docker/0123456789ab\n", "docker", false},
		{"LXC", "-- file /proc/1/cgroup --\n1:name=systemd:/lxc/web\n", "lxc", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := survey(t, amd64, tt.archive)
			if s.Container.Value != tt.want || s.ImageBuild != tt.build {
				t.Errorf("container %q, image build %v, want %q, %v", s.Container.Value, s.ImageBuild, tt.want, tt.build)
			}
		})
	}
}

func TestWindowsEdition(t *testing.T) {
	for _, tt := range []struct{ name, build, want string }{
		{"Windows 11 calls itself 10", "26100", "Windows 11 Pro 24H2"},
		{"Windows 10", "19045", "Windows 10 Pro 24H2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := survey(t, "os = windows\narch = amd64", "-- registry --\n[HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion]\nProductName=Windows 10 Pro\nDisplayVersion=24H2\nCurrentBuild="+tt.build+"\n")
			if s.Distro.Value.Name != tt.want {
				t.Errorf("name = %q, want %q", s.Distro.Value.Name, tt.want)
			}
		})
	}
}

func TestDetails(t *testing.T) {
	s := survey(t, arm64, `-- env --
GITHUB_ACTIONS=true
CI=true
-- file /etc/os-release --
PRETTY_NAME="Ubuntu 22.04.5 LTS"
VERSION_ID="22.04"
ID=ubuntu
-- file /etc/nv_tegra_release --
# R36 (release), REVISION: 4.3, GCID: 38968081
-- text /lib/aarch64-linux-gnu/libc.so.6 --
GNU C Library (Ubuntu GLIBC 2.35-0ubuntu3.8) stable release version 2.35.
`)
	if s.Distro.Value != (fact.Distro{ID: "ubuntu", Version: "22.04", Name: "Ubuntu 22.04.5 LTS"}) || s.L4T.Value != "36.4.3" || s.Glibc.Value != "2.35" || s.CI != "GitHub Actions" {
		t.Errorf("system = %+v", s)
	}
}

func TestClosedLibc(t *testing.T) {
	h, err := host.Parse([]byte("-- host --\n"+amd64+"\n-- tree --\n/lib64/libc.so.6 f ! permission denied\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	a := look.New(h)
	if s := Survey(a); s.Glibc.Known() || len(a.Troubles()) != 1 || a.Troubles()[0].Source != "/lib64/libc.so.6" {
		t.Errorf("glibc %+v, troubles %+v, want one about the closed library", s.Glibc, a.Troubles())
	}
}
