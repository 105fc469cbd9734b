package toolkit

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"debug/pe"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cupel/internal/depot"
	"cupel/internal/pefile/pefiletest"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/stub"
)

var ctx = context.Background()

// here is the platform that the tests' stand-ins run on.
var here = resolve.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}

// TestMain lets the test binary stand in for nvcc and ptxas under their names on Windows, and be an install that is killed.
func TestMain(m *testing.M) {
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "nvcc", "ptxas", "refused":
		standIn(os.Args[1:])
		return
	}
	if len(os.Args) == 5 && os.Args[1] == "install-for-test" {
		installForTest(os.Args[2], os.Args[3], os.Args[4])
		return
	}
	if len(os.Args) == 4 && os.Args[1] == "client-for-test" {
		clientForTest(os.Args[2], os.Args[3])
		return
	}
	code := m.Run()
	if dir, err := shelves(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// standIn answers as far as a proof asks.
func standIn(args []string) {
	switch {
	case slices.Contains(args, "--version"):
		fmt.Println("Cuda compilation tools, release 13.0, V13.0.88")
	case slices.Contains(args, "--dryrun") && slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(strings.TrimSuffix(a, ".exe"), "refused") }):
		fmt.Fprintln(os.Stderr, "nvcc fatal   : Failed to preprocess host compiler properties.")
		os.Exit(1)
	case slices.Contains(args, "--dryrun"):
		top := filepath.Dir(filepath.Dir(os.Args[0]))
		fmt.Fprintf(os.Stderr, "#$ LIBRARIES=  \"/LIBPATH:%s\"\n#$ cicc\n#$ ptxas\n#$ fatbinary\n#$ cudafe++\n", filepath.Join(top, "lib", "x64"))
	}
	if i := slices.Index(args, "-o"); i >= 0 && !slices.Contains(args, "--dryrun") {
		_ = os.WriteFile(args[i+1], []byte("cubin"), 0o644)
	}
}

// planName is a file of a shop with real wheels: the plan they were fetched for.
const planName = "plan.json"

// shop is a source of small wheels with NVIDIA's names and layout.
type shop struct {
	dir     string
	fetched atomic.Int64
	spoil   func(path string) error // what happens to a file on its way
}

func (s *shop) Name() string                { return "pip" }
func (s *shop) Reach(context.Context) error { return nil }

func (s *shop) Offers(context.Context, resolve.Platform) ([]resolve.Offer, error) { return nil, nil }

func (s *shop) Resolve(_ context.Context, req resolve.Request) (resolve.Plan, error) {
	if text, err := os.ReadFile(filepath.Join(s.dir, planName)); err == nil {
		var plan resolve.Plan
		return plan, json.Unmarshal(text, &plan)
	}
	words, err := resolve.Closure("pip", req)
	if err != nil {
		return resolve.Plan{}, err
	}
	plan := resolve.Plan{Source: "pip", Release: "13.0.2", Platform: req.Platform, Components: words, Asked: req.With, Full: req.Full}
	for _, n := range resolve.Names("pip", words, req.Release, req.Platform) {
		file := n.Name + ".whl"
		info, err := os.Stat(filepath.Join(s.dir, file))
		if err != nil {
			return plan, err
		}
		sum, err := depot.Sum(filepath.Join(s.dir, file))
		if err != nil {
			return plan, err
		}
		plan.Parcels = append(plan.Parcels, resolve.Parcel{
			Component: n.Brings[0], Brings: n.Brings[1:], Name: n.Name, Version: "13.0.88", File: file, SHA256: sum,
			Size: resolve.Size{Download: info.Size(), Installed: info.Size()}, Format: resolve.Wheel,
		})
	}
	return plan, nil
}

func (s *shop) Fetch(ctx context.Context, _ resolve.Plan, p resolve.Parcel, dir string, _ progress.Report) (string, error) {
	s.fetched.Add(1)
	path := filepath.Join(dir, p.File)
	in, err := os.Open(filepath.Join(s.dir, p.File))
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return "", err
	}
	if s.spoil != nil {
		return path, s.spoil(path)
	}
	return path, ctx.Err()
}

// wheels are the files of the shop below nvidia/cu13, by package. @ is a program, ! one for Windows that
// cannot run, # a library of that soname, = a profile as NVIDIA's is.
var wheels = map[string]map[bool][]string{
	"nvidia-cuda-nvcc": {
		false: {"@bin/nvcc", "@bin/ptxas", "bin/fatbinary", "bin/cudafe++", "bin/nvlink", "bin/nvcc.profile"},
		true:  {"@bin/nvcc.exe", "@bin/ptxas.exe", "!bin/fatbinary.exe", "!bin/cudafe++.exe", "!bin/nvlink.exe", "bin/nvcc.profile"},
	},
	"nvidia-cuda-crt": {false: {"include/crt/host_config.h"}, true: {"include/crt/host_config.h"}},
	"nvidia-nvvm": {
		false: {"nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc", "#lib/libnvvm.so.4"},
		true:  {"!nvvm/bin/cicc.exe", "nvvm/libdevice/libdevice.10.bc"},
	},
	"nvidia-cuda-runtime": {
		false: {"include/cuda.h", "include/cuda_runtime.h", "#lib/libcudart.so.13", "lib/libcudart_static.a", "lib/libcudadevrt.a"},
		true:  {"include/cuda.h", "include/cuda_runtime.h", "lib/x64/cudart.lib", "lib/x64/cudart_static.lib", "lib/x64/cudadevrt.lib", "lib/x64/cuda.lib"},
	},
	"nvidia-cuda-cccl": {false: {"include/cccl/thrust/version.h"}, true: {"include/cccl/thrust/version.h"}},
	"nvidia-nvtx":      {false: {"include/nvtx3/nvToolsExt.h"}, true: {"include/nvtx3/nvToolsExt.h"}},
	"nvidia-cublas": {
		false: {"#lib/libcublas.so.13", "#lib/libcublasLt.so.13"},
		true:  {}, // not offered
	},
}

// newShop has the wheels for a platform, which the test may replace but not write into: they are made once.
func newShop(t testing.TB, p resolve.Platform) *shop {
	t.Helper()
	from, err := stocked[p.Windows()]()
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{dir: t.TempDir()}
	for name := range wheels {
		if err := os.Link(filepath.Join(from, name+".whl"), filepath.Join(s.dir, name+".whl")); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// stocked are the folders of wheels for Linux and Windows.
var stocked = map[bool]func() (string, error){
	false: sync.OnceValues(func() (string, error) { return stockUp(false) }),
	true:  sync.OnceValues(func() (string, error) { return stockUp(true) }),
}

// shelves is where they lie; TestMain removes it.
var shelves = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "cupel-shop-") })

func stockUp(windows bool) (string, error) {
	dir, err := shelves()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, map[bool]string{true: "windows", false: "linux"}[windows])
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	for name, files := range wheels {
		if err := writeWheel(filepath.Join(dir, name+".whl"), files[windows]...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// writeWheel puts a new wheel in the place of an old one.
func writeWheel(path string, files ...string) error {
	_ = os.Remove(path)
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	z := zip.NewWriter(out)
	for _, f := range files {
		if err := addFile(z, f); err != nil {
			return errors.Join(err, out.Close())
		}
	}
	return errors.Join(z.Close(), out.Close())
}

// script stands in for nvcc, ptxas and g++ on Unix.
const script = `#!/bin/sh
case "$*" in
*--version*) echo "Cuda compilation tools, release 13.0, V13.0.88" ;;
*--dryrun*refused*) echo "nvcc fatal   : Failed to preprocess host compiler properties." >&2; exit 1 ;;
*--dryrun*) printf '#$ LIBRARIES=  "-L%s"\n#$ cicc\n#$ ptxas\n#$ fatbinary\n#$ cudafe++\n' "${0%/*}/../lib64" >&2 ;;
*) while [ $# -gt 1 ]; do if [ "$1" = -o ]; then echo cubin > "$2"; fi; shift; done ;;
esac
`

func addFile(z *zip.Writer, file string) error {
	head := &zip.FileHeader{Name: "nvidia/cu13/" + strings.TrimLeft(file, "@!#="), Method: zip.Store}
	head.SetMode(0o644)
	if file[0] == '@' {
		head.SetMode(0o755)
	}
	data, err := contents(file)
	if err != nil {
		return err
	}
	w, err := z.CreateHeader(head)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func contents(file string) ([]byte, error) {
	switch {
	case file[0] == '=':
		return []byte("# as NVIDIA writes it\nTOP = $(_HERE_)/..\nINCLUDES += \"-I$(TOP)/include\" $(_SPACE_)\n"), nil
	case strings.HasSuffix(file, "nvcc.profile"):
		return []byte("TOP = $(_HERE_)/..\n"), nil
	case strings.HasSuffix(file, ".bc"):
		return bytes.Repeat([]byte("some weight\n"), weight/12), nil
	case file[0] == '!', file[0] == '@' && strings.HasSuffix(file, ".exe") && !here.Windows():
		return pefiletest.Make(pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{13}), nil
	case file[0] == '@':
		return runnable()
	case file[0] == '#':
		return stub.ELF(stub.Library{Machine: "amd64", Soname: filepath.Base(file), Symbols: []string{"f"}})
	}
	return []byte("stand-in for " + file + "\n"), nil
}

// weight is the size of the one file that weighs something.
const weight = 4 << 20

// runnable is a program for this system that stands in for any other.
func runnable() ([]byte, error) {
	if !here.Windows() {
		return []byte(script), nil
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(exe)
}

func (s *shop) plan(t testing.TB, p resolve.Platform, with ...string) resolve.Plan {
	t.Helper()
	plan, err := s.Resolve(ctx, request(p, with...))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func newInstaller(t testing.TB) Installer {
	t.Helper()
	dir := t.TempDir()
	return Installer{Depot: depot.Depot{Home: filepath.Join(dir, "home"), Cache: filepath.Join(dir, "cache")}, Cupel: "test", Here: here}
}

// visible lists what is installed; each must be whole.
func visible(t testing.TB, i Installer) []string {
	t.Helper()
	all, err := i.Depot.List(depot.Toolkits)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, got := range all {
		if got.Broken != nil {
			t.Errorf("%s: %v", got.Dir, got.Broken)
			continue
		}
		faults, err := depot.Check(ctx, got, nil)
		if err != nil || len(faults) > 0 {
			t.Errorf("%s is visible and not whole: %v %v", got.Manifest.Name, faults, err)
		}
		out = append(out, got.Manifest.Name)
	}
	return out
}

// left are the hidden names in the folder of the toolkits.
func left(t testing.TB, i Installer) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(i.Depot.Home, depot.Toolkits))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
