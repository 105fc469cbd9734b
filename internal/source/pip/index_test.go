package pip

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync/atomic"
	"testing"
)

// index is a package index on loopback with made-up wheels in the shape of NVIDIA's.
type index struct {
	*httptest.Server
	pages map[string][]string // package -> files
	files map[string][]byte
	spoil func(file string, content []byte) []byte // what is sent instead
	stall chan struct{}                            // not nil: pages wait for it
	asked atomic.Int64                             // requests
}

func newIndex(t *testing.T) *index {
	x := &index{pages: map[string][]string{}, files: map[string][]byte{}}
	x.Server = httptest.NewServer(http.HandlerFunc(x.serve))
	t.Cleanup(x.Close)
	return x
}

func (x *index) serve(w http.ResponseWriter, r *http.Request) {
	x.asked.Add(1)
	if x.stall != nil {
		select {
		case <-x.stall:
		case <-r.Context().Done():
		}
	}
	file := path.Base(r.URL.Path)
	if content, ok := x.files[file]; ok {
		if x.spoil != nil {
			content = x.spoil(file, content)
		}
		w.Write(content)
		return
	}
	names, ok := x.pages[file]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<!DOCTYPE html><html><body>\n")
	for _, n := range names {
		sum := sha256.Sum256(x.files[n])
		fmt.Fprintf(w, "<a href=\"%s/files/%s#sha256=%s\">%s</a>\n", x.URL, n, hex.EncodeToString(sum[:]), n)
	}
	fmt.Fprintf(w, "</body></html>\n")
}

// add puts a wheel with small files into the index.
func (x *index) add(pkg, version, tag, metadata string, names ...string) {
	stem := strings.ReplaceAll(pkg, "-", "_") + "-" + version
	info := stem + ".dist-info/"
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	record := ""
	put := func(name, content string) {
		f, _ := z.Create(name)
		f.Write([]byte(content))
		record += name + ",,\n"
	}
	for _, n := range names {
		put(n, "content of "+n+" for "+tag+"\n")
	}
	put(info+"METADATA", "Metadata-Version: 2.4\nName: "+pkg+"\nVersion: "+version+"\n"+metadata)
	put(info+"WHEEL", "Wheel-Version: 1.0\nGenerator: cupel test\nRoot-Is-Purelib: true\nTag: py3-none-"+tag+"\n")
	put(info+"licenses/License.txt", "none\n")
	put(info+"RECORD", record)
	z.Close()
	file := stem + "-py3-none-" + tag + ".whl"
	x.files[file] = out.Bytes()
	x.pages[pkg] = append(x.pages[pkg], file)
}

const (
	linuxTag = "manylinux2014_x86_64.manylinux_2_17_x86_64"
	winTag   = "win_amd64"
)

// wheels of a small release: package, version, extras that pin it, files on Linux and on Windows.
var smallRelease = []struct {
	pkg, version string
	extras       string
	spec         string
	linux, win   string
}{
	{"nvidia-cuda-nvcc", "13.0.777", "nvcc", "==13.0.777.*", "bin/nvcc bin/ptxas bin/nvcc.profile", "bin/nvcc.exe bin/ptxas.exe"},
	{"nvidia-cuda-crt", "13.0.777", "nvcc crt", "==13.0.777.*", "include/crt/host_config.h", "include/crt/host_config.h"},
	{"nvidia-nvvm", "13.0.777", "nvcc nvvm", "==13.0.777.*", "nvvm/bin/cicc nvvm/libdevice/libdevice.10.bc lib/libnvvm.so.4 include/nvvm.h", "nvvm/bin/cicc.exe nvvm/libdevice/libdevice.10.bc bin/x86_64/nvvm64_40_0.dll"},
	{"nvidia-cuda-runtime", "13.0.778", "nvcc cudart", "==13.0.778.*", "include/cuda_runtime.h lib/libcudart.so.13 lib/libcudart_static.a lib/libcudadevrt.a", "include/cuda_runtime.h lib/x64/cudart.lib lib/x64/cudart_static.lib lib/x64/cudadevrt.lib"},
	{"nvidia-cuda-cccl", "13.0.777.1.2", "cccl", "==13.0.777.1.2.*", "include/cccl/cub/cub.cuh", "include/cccl/cub/cub.cuh"},
	{"nvidia-cublas", "13.1.777.3", "cublas", "==13.1.777.3.*", "include/cublas.h lib/libcublas.so.13", "include/cublas.h bin/x86_64/cublas64_13.dll"},
	{"nvidia-cuda-nvrtc", "13.0.777", "cublas nvrtc", "==13.0.777.*", "include/nvrtc.h lib/libnvrtc.so.13", "include/nvrtc.h bin/x86_64/nvrtc64_130_0.dll"},
	{"nvidia-nvjitlink", "13.0.779", "nvjitlink", "<14,>=13.0.777", "include/nvJitLink.h lib/libnvJitLink.so.13", "include/nvJitLink.h"},
}

const platforms = "(sys_platform == 'linux' and platform_machine == 'aarch64' or sys_platform == 'linux' and platform_machine == 'x86_64' or sys_platform == 'win32' and platform_machine == 'AMD64')"

// small fills an index with one release, an older one of the metapackage, and newer packages of other releases.
func small(t *testing.T) *index {
	x := newIndex(t)
	var meta strings.Builder
	for _, w := range smallRelease {
		for e := range strings.FieldsSeq(w.extras) {
			fmt.Fprintf(&meta, "Requires-Dist: %s%s; %s and extra == '%s'\n", w.pkg, w.spec, platforms, e)
		}
		x.add(w.pkg, w.version, linuxTag, "", under("nvidia/cu13/", w.linux)...)
		x.add(w.pkg, w.version, winTag, "", under("nvidia/cu13/", w.win)...)
	}
	x.add("nvidia-nvjitlink", "13.4.1", linuxTag, "", "nvidia/cu13/lib/libnvJitLink.so.13")
	x.add("nvidia-cudnn-cu13", "9.77.0.1", linuxTag, "", "nvidia/cudnn/include/cudnn.h", "nvidia/cudnn/lib/libcudnn.so.9")
	x.add(metapackage, "12.4.1", "any", "")
	x.add(metapackage, "13.0.6", "any", "")
	x.add(metapackage, "13.0.7.0", "any", meta.String()+"\nRequires-Dist: not-a-requirement==1; extra == 'nvcc'\n")
	return x
}

func under(dir, names string) []string {
	var out []string
	for n := range strings.FieldsSeq(names) {
		out = append(out, dir+n)
	}
	return out
}

// env is this program's own environment with the index and nothing else of the user's settings.
func (x *index) env() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PIP_") && !strings.HasPrefix(v, "UV_") && !strings.HasPrefix(strings.ToLower(v), "http_proxy=") {
			out = append(out, v)
		}
	}
	return append(out, "PIP_CONFIG_FILE="+os.DevNull, "PIP_RETRIES=0", "PIP_INDEX_URL="+x.URL+"/simple/", "UV_NO_CONFIG=1", "UV_DEFAULT_INDEX="+x.URL+"/simple/", "NO_PROXY=127.0.0.1")
}

// source is the real pip of this machine before the index.
func (x *index) source(t *testing.T) *Source {
	t.Helper()
	s := New(Config{Env: x.env(), Look: noUV})
	if _, err := s.client(t.Context()); err != nil {
		t.Skip("no pip here")
	}
	return s
}

func noUV(name string) (string, error) {
	if name == "uv" {
		return "", exec.ErrNotFound
	}
	return exec.LookPath(name)
}
