package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// bare is what a Debian container is given before up is tried in it: as root the packages, then everything else as an
// ordinary user.
const bare = `set -e
apt-get update -qq
apt-get install -y -qq --no-install-recommends g++ ca-certificates $PACKAGES > /tmp/install.log 2>&1 || { cat /tmp/install.log; exit 9; }
for program in $HIDE; do rm -f $(command -v $program); done
mkdir -p /home/u && chown -R 1000:1000 /home/u /cupel /gocache
cd /cupel
as_user() { setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/u "$@"; }
`

// TestUpInContainer: a bare Debian with Go, a C++ compiler and one client of packages comes to a built library by the
// README's command, as an ordinary user; the second time nothing is installed.
func TestUpInContainer(t *testing.T) {
	testbed.Long(t)
	for _, tt := range []struct{ name, packages, hide, want string }{
		{"pip alone", "python3-pip", "apt-get apt-cache apt", "from pip in"},
		{"apt alone", "", "", "from apt in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := inContainer(t, "bookworm", bare+`
as_user go run ./cmd/cupel up examples/vector-add --yes
echo == again
as_user go run ./cmd/cupel up examples/vector-add
echo == made
ls -l examples/vector-add/build/cupel/vector-add
`, "PACKAGES="+tt.packages, "HIDE="+tt.hide)
			first, again, _ := strings.Cut(out, "== again")
			for _, want := range []string{tt.want, "built: 2 files with CUDA", "libvector-add.a"} {
				if !strings.Contains(first, want) {
					t.Errorf("the first run does not say %q", want)
				}
			}
			if !strings.Contains(again, "nothing to install") || strings.Contains(again, "done:") || !strings.Contains(again, "libvector-add.a") {
				t.Error("the second run installed something, or built nothing")
			}
			t.Log(out)
		})
	}
}

// TestUpWithNewerGCC: the only compiler of the machine is newer than the contract's toolkit accepts, and so is its C
// library for the headers as NVIDIA lays them out. Up brings a gcc that fits, and ends with a built library.
func TestUpWithNewerGCC(t *testing.T) {
	testbed.Long(t)
	testbed.Root(t, "container-trixie")
	out := inContainer(t, "trixie", `set -e
mkdir -p /home/maker/p && cp examples/vector-add/vector_add.* /home/maker/p
cat > /home/maker/p/cupel.toml <<'END'
cupel = 1
[project]
name = "older"
[toolkit]
min = "12.4"
recommended = "12.4"
exclude = [{ release = ">=12.5", reason = "not ported yet" }]
[arch]
targets = ["sm_75", "sm_90"]
ptx = "all"
[[kernels]]
name = "vector-add"
sources = ["vector_add.cu"]
kinds = ["ptx", "static"]
END
sed -i '1i #include <cmath>' /home/maker/p/vector_add.cu # what meets the C library
chown -R maker:maker /home/maker /cupel /gocache
g++ --version | head -1
setpriv --reuid=maker --regid=maker --clear-groups env HOME=/home/maker go run ./cmd/cupel up /home/maker/p --yes
`)
	for _, want := range []string{"done: gcc 13", "done: CUDA 12.4.1 from apt", "built: 3 files with CUDA 12.4.1", "libvector-add.a"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	t.Log(out)
}

// inContainer runs a script in a bare Debian that has this machine's Go, the sources of cupel and the settings of the
// package clients, all of them read-only but a copy of the sources.
func inContainer(t *testing.T, image, script string, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	args := containerArgs(t, env)
	if image == "bookworm" {
		args = append(args, settings("/etc/apt")...) // the other image has sources of its own suite
	}
	cmd := testbed.Container(ctx, t, append(args, "--workdir=/cupel", "sh", "-c", script)...)
	cmd.Env = append(os.Environ(), "CUPEL_IMAGE="+image)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func containerArgs(t *testing.T, env []string) []string {
	t.Helper()
	goroot, modules := goEnv(t, "GOROOT"), goEnv(t, "GOMODCACHE")
	compiled := filepath.Join(testbed.Dir(), "go-in-containers") // one for all: to compile Go's own packages takes a minute each time
	if err := os.MkdirAll(compiled, 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--volume=" + sources(t) + ":/cupel", "--volume=" + compiled + ":/gocache", "--volume=" + goroot + ":/usr/local/go:ro", "--volume=" + modules + ":/modules:ro",
		"--env=PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "--env=GOMODCACHE=/modules", "--env=GOCACHE=/gocache", "--env=GOPROXY=off",
		"--env=GOTOOLCHAIN=local", "--env=GOFLAGS=-buildvcs=false", "--env=CGO_ENABLED=0", "--env=DEBIAN_FRONTEND=noninteractive",
	}
	for _, e := range env {
		args = append(args, "--env="+e)
	}
	args = append(args, settings("/etc/pip.conf")...)
	if ca := os.Getenv("SSL_CERT_FILE"); ca != "" {
		args = append(args, "--volume="+ca+":/client/ca.pem:ro", "--env=SSL_CERT_FILE=/client/ca.pem", "--env=PIP_CERT=/client/ca.pem")
	}
	return args
}

// settings mounts files of this machine's package clients, where they are there.
func settings(files ...string) []string {
	var args []string
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			args = append(args, "--volume="+file+":"+file+":ro")
		}
	}
	return args
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// sources copies what git knows or would add: nothing that was built here gets in.
func sources(t *testing.T) string {
	t.Helper()
	repo, dir := testbed.Repo(t), t.TempDir()
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	list.Dir = repo
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		b, err := os.ReadFile(filepath.Join(repo, name))
		if os.IsNotExist(err) {
			continue // deleted, and not yet committed
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
