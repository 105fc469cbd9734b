package cli_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/ulikunitz/xz"

	"cupel/internal/version"
)

// The stand-ins of a small mirror: scripts that answer as far as an install asks.
const (
	standInNvcc = `#!/bin/sh
# release <R>, V<R>.88
case "$*" in
*--version*) echo "Cuda compilation tools, release <R>, V<R>.88" ;;
*--dryrun*) echo "#\$ LIBRARIES= \"-L$(dirname "$(dirname "$0")")/lib64\""; echo "#\$ cudafe++ cicc ptxas fatbinary" ;;
*slow.cu*) echo $$ > "$CALLS"; exec sleep 600 ;;
*broken.cu*) echo "broken.cu(1): error: identifier \"missing\" is undefined" >&2; exit 2 ;;
*) [ -z "$CALLS" ] || { echo "$PPID" >> "$CALLS"; sleep 0.3; }; while [ $# -gt 0 ]; do [ "$1" = -o ] && echo made > "$2"; shift; done ;;
esac
`
	standInPtxas = `#!/bin/sh
case "$*" in *--version*) echo "Cuda compilation tools, release <R>, V<R>.88"; exit ;; esac
for last; do :; done
echo cubin > "$last"
`
)

// smallMirror are the components of a made-up release, in the names of NVIDIA's archives.
var smallMirror = map[string]map[string]string{
	"cuda_nvcc": {"LICENSE": "l", "bin/nvcc": standInNvcc, "bin/ptxas": standInPtxas, "bin/fatbinary": "#!/bin/sh\n", "bin/cudafe++": "#!/bin/sh\n", "bin/nvlink": "#!/bin/sh\n", "bin/nvcc.profile": "TOP = $(_HERE_)/..\n"},
	"cuda_crt":  {"LICENSE": "l", "include/crt/host_config.h": "#if __GNUC__ > 15\n#error\n#endif\n"},
	"libnvvm":   {"LICENSE": "l", "nvvm/bin/cicc": "#!/bin/sh\n", "nvvm/libdevice/libdevice.10.bc": "BC"},
	"cuda_cudart": {"LICENSE": "l", "include/cuda.h": "#define CUDA_VERSION <N>\n", "include/cuda_runtime.h": "x", "lib/libcudart.so": "x", "lib/libcudart_static.a": "x",
		"lib/libcudadevrt.a": "x", "lib/stubs/libcuda.so": "x"},
	"cuda_cccl": {"LICENSE": "l", "include/cccl/nv/target": "x", "include/cccl/cub/cub.cuh": "x", "include/cccl/thrust/version.h": "x"},
	"libcublas": {"LICENSE": "l", "include/cublas_v2.h": "x", "include/cublas_api.h": "x", "lib/libcublas.so": "x", "lib/libcublasLt.so": "x"},
}

// mirror makes a folder in the form of NVIDIA's archives: mirror DIR RELEASE…
func mirror(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: mirror DIR RELEASE…")
	}
	for _, release := range args[1:] {
		ts.Check(writeSmallMirror(ts.MkAbs(args[0]), release))
	}
}

func writeSmallMirror(dir, release string) error {
	dot := strings.LastIndex(release, ".")
	short, number := release[:dot], release[:dot]+".8"+release[dot+1:]
	list := map[string]any{"release_date": "2026-01-01"}
	for name, files := range smallRelease(short) {
		file := fmt.Sprintf("%s/linux-x86_64/%s-linux-x86_64-%s-archive.tar.xz", name, name, number)
		b, err := smallArchive(strings.TrimSuffix(filepath.Base(file), ".tar.xz"), short, files)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file), b, 0o644); err != nil {
			return err
		}
		list[name] = map[string]any{"name": name, "license": "CUDA Toolkit", "version": number,
			"linux-x86_64": map[string]any{"relative_path": file, "sha256": fmt.Sprintf("%x", sha256.Sum256(b)), "size": fmt.Sprint(len(b))}}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "redistrib_"+release+".json"), b, 0o644)
}

// smallRelease is what a release consists of: before 13.0 the archive of nvcc held what is apart since then.
func smallRelease(short string) map[string]map[string]string {
	out := maps.Clone(smallMirror)
	if version.MustParse(short).Major() >= 13 {
		return out
	}
	whole := maps.Clone(out["cuda_nvcc"])
	for _, name := range []string{"cuda_crt", "libnvvm"} {
		maps.Copy(whole, out[name])
		delete(out, name)
	}
	out["cuda_nvcc"] = whole
	return out
}

func smallArchive(top, release string, files map[string]string) ([]byte, error) {
	var b bytes.Buffer
	x, err := xz.NewWriter(&b)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(x)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		v := version.MustParse(release)
		text := strings.NewReplacer("<R>", release, "<N>", fmt.Sprint(v.Major()*1000+v.Minor()*10)).Replace(files[name])
		mode := int64(0o644)
		if strings.Contains(name, "bin/") {
			mode = 0o755
		}
		if err := t.WriteHeader(&tar.Header{Name: top + "/" + name, Mode: mode, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			return nil, err
		}
		if _, err := t.Write([]byte(text)); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(t.Close(), x.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// serve puts a folder on loopback; its address is in $MIRROR: serve DIR
func serve(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: serve DIR")
	}
	web := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[0]))))
	ts.Defer(web.Close)
	ts.Setenv("MIRROR", web.URL)
}

// tamper changes the last byte of a file: tamper FILE
func tamper(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: tamper FILE")
	}
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	b[len(b)-1] ^= 1
	ts.Check(os.WriteFile(path, b, 0o755))
}

// stalling serves a mirror whose archives never come.
func stalling(t *testing.T, dir string) string {
	t.Helper()
	over := make(chan struct{})
	files := http.FileServer(http.Dir(dir))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".xz") {
			select {
			case <-over:
			case <-r.Context().Done():
			}
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { close(over); web.Close() })
	return web.URL
}

// slow serves a mirror whose archives come in two halves, half a second apart.
func slow(t *testing.T, dir string) string {
	t.Helper()
	files := http.FileServer(http.Dir(dir))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path)))
		if err != nil || r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, ".xz") {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		_, _ = w.Write(b[:len(b)/2])
		w.(http.Flusher).Flush()
		time.Sleep(500 * time.Millisecond)
		_, _ = w.Write(b[len(b)/2:])
	}))
	t.Cleanup(web.Close)
	return web.URL
}
