package apt

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a small one of the real form, and a machine whose sources name it. The real clients of apt read it;
// nothing leaves the machine.
type repository struct {
	t    *testing.T
	root string // the machine's: etc/os-release, etc/apt
	dir  string // …/debian
	text map[string]string
}

// madePackage is a package with made-up contents.
type madePackage struct {
	suite, area, arch, name, version, depends string
	files                                     []string
}

func newRepository(t *testing.T, codename string) *repository {
	t.Helper()
	for _, name := range []string{"apt-get", "apt-cache", "dpkg-deb"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("needs apt and dpkg: " + name + " is not on PATH")
		}
	}
	root := t.TempDir()
	r := &repository{t: t, root: root, dir: filepath.Join(root, "mirror", "debian"), text: map[string]string{}}
	r.write("etc/os-release", "ID=debian\nVERSION_CODENAME="+codename+"\n")
	r.write("etc/apt/sources.list", "")
	r.write("etc/apt/sources.list.d/other.list", "deb https://example.org/tools "+codename+" stable\n")
	r.write("etc/apt/sources.list.d/debian.sources", "Types: deb\nURIs: file:"+r.dir+"\nSuites: "+codename+" "+codename+"-updates\nComponents: main\nTrusted: yes\n")
	r.write("var/lib/dpkg/status", "")
	return r
}

func (r *repository) write(name, text string) string {
	r.t.Helper()
	path := filepath.Join(r.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// add makes a package and writes it down in the suite's list.
func (r *repository) add(p madePackage) {
	r.t.Helper()
	tree := filepath.Join("tree", p.suite, p.arch, p.name)
	control := fmt.Sprintf("Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: nobody <nobody@example.org>\nSection: %s/devel\nDepends: %s\nDescription: made up\n",
		p.name, p.version, p.arch, p.area, p.depends)
	if p.depends == "" {
		control = strings.ReplaceAll(control, "Depends: \n", "")
	}
	r.write(filepath.Join(tree, "DEBIAN/control"), control)
	for _, f := range p.files {
		r.write(filepath.Join(tree, f), p.name+" "+f)
	}
	_, plain, epoch := strings.Cut(p.version, ":")
	if !epoch {
		plain = p.version
	}
	file := fmt.Sprintf("pool/%s/%s_%s_%s.deb", p.area, p.name, plain, p.arch)
	deb := filepath.Join(r.dir, file)
	if err := os.MkdirAll(filepath.Dir(deb), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if out, err := exec.Command("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", filepath.Join(r.root, tree), deb).CombinedOutput(); err != nil {
		r.t.Fatalf("dpkg-deb: %v: %s", err, out)
	}
	body, err := os.ReadFile(deb)
	if err != nil {
		r.t.Fatal(err)
	}
	list := fmt.Sprintf("dists/%s/%s/binary-%s/Packages", p.suite, p.area, p.arch)
	r.text[list] += control + fmt.Sprintf("Installed-Size: 7\nFilename: %s\nSize: %d\nSHA256: %x\n\n", file, len(body), sha256.Sum256(body))
}

// publish writes the lists and what names them.
func (r *repository) publish(suites ...string) {
	r.t.Helper()
	for _, suite := range suites {
		var sums strings.Builder
		for _, area := range []string{"main", "contrib", "non-free"} {
			for _, arch := range []string{"amd64", "arm64"} {
				list := fmt.Sprintf("dists/%s/%s/binary-%s/Packages", suite, area, arch)
				text := r.text[list]
				r.write(filepath.Join("mirror/debian", list), text)
				fmt.Fprintf(&sums, " %x %d %s/binary-%s/Packages\n", sha256.Sum256([]byte(text)), len(text), area, arch)
			}
		}
		r.write("mirror/debian/dists/"+suite+"/Release", "Origin: Debian\nSuite: "+suite+"\nCodename: "+suite+
			"\nDate: Sat, 01 Aug 2026 00:00:00 UTC\nArchitectures: amd64 arm64\nComponents: main contrib non-free\nSHA256:\n"+sums.String())
	}
}

func (r *repository) source() *Source {
	return New(Config{State: filepath.Join(r.root, "state"), Root: r.root})
}

// toolkitFiles are the files of a minimal toolkit, by package.
var toolkitFiles = map[string][]string{
	"nvidia-cuda-toolkit": {"usr/lib/nvidia-cuda-toolkit/bin/nvcc", "usr/lib/nvidia-cuda-toolkit/bin/cicc", "usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc", "usr/bin/nvcc",
		"usr/bin/ptxas", "usr/bin/nvdisasm", "usr/share/doc/nvidia-cuda-toolkit/copyright", "usr/share/doc/nvidia-cuda-toolkit/changelog.gz", "etc/nvcc.profile"},
	"nvidia-cuda-dev": {"usr/include/cuda_runtime.h", "usr/include/crt/host_config.h", "usr/lib/TRIPLET/libcudart_static.a", "usr/lib/TRIPLET/libcudadevrt.a",
		"usr/lib/TRIPLET/libcublas_static.a", "usr/lib/TRIPLET/stubs/libcuda.so", "usr/lib/TRIPLET/stubs/libcublas.so"},
	"libcudart12":   {"usr/lib/TRIPLET/libcudart.so.12.4.127"},
	"libnvvm4":      {"usr/lib/TRIPLET/libnvvm.so.4.0.0"},
	"libthrust-dev": {"usr/include/thrust/version.h"},
	"libcub-dev":    {"usr/include/cub/version.cuh"},
	"libcublas12":   {"usr/lib/TRIPLET/libcublas.so.12.4.5.8"},
}

// withToolkit is a machine of trixie whose mirror has CUDA 12.4.1.
func withToolkit(t *testing.T) *repository {
	t.Helper()
	r := newRepository(t, "trixie")
	for arch, triplet := range map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"} {
		for name, files := range toolkitFiles {
			p := madePackage{suite: "trixie", area: "non-free", arch: arch, name: name, version: "12.4.127~12.4.1-2"}
			if strings.HasPrefix(name, "libthrust") || strings.HasPrefix(name, "libcub-") {
				p.area, p.version = "main", "2.3.2-2"
			}
			for _, f := range files {
				p.files = append(p.files, strings.ReplaceAll(f, "TRIPLET", triplet))
			}
			r.add(p)
		}
	}
	r.publish("trixie", "trixie-updates")
	return r
}
