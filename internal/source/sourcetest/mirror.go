package sourcetest

import (
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// recipe is raised when mirrors are made in another way, so that old ones are not used.
const recipe = "2"

// wheels says which of NVIDIA's archives the files of a wheel belong to. The first row of a wheel that holds counts.
var wheels = []struct {
	wheel, component string
	first            string // release X.Y; empty: no bound
	moves            [][2]string
}{
	{wheel: "nvidia_cuda_nvcc", component: "cuda_nvcc"},
	{wheel: "nvidia_cuda_crt", component: "cuda_crt"},
	{wheel: "nvidia_nvvm", component: "libnvvm", moves: [][2]string{{"lib/", "nvvm/lib64/"}, {"include/", "nvvm/include/"}, {"bin/x86_64/", "nvvm/bin/x64/"}, {"bin/arm64/", "nvvm/bin/arm64/"}}},
	{wheel: "nvidia_cuda_runtime", component: "cuda_cudart", moves: [][2]string{{"bin/x86_64/", "bin/x64/"}}},
	{wheel: "nvidia_cuda_cccl", component: "cccl", first: "13.3"},
	{wheel: "nvidia_cuda_cccl", component: "cuda_cccl"},
	{wheel: "nvidia_cuda_cuobjdump", component: "cuda_cuobjdump"},
	{wheel: "nvidia_cuda_nvdisasm", component: "cuda_nvdisasm"},
}

// Mirror is a folder in the form of NVIDIA's redistributable archives with the real files of a release, made of the test
// bed's wheels: cuda-13.0 for 13.0.2 on linux-x86_64, win-cuda-13.0 on windows-x86_64. The test is skipped when those are
// not fetched. It is made once and must not be changed; what NVIDIA's archives hold besides (the stub of libcuda, pkg-config)
// the wheels do not have.
func Mirror(t testing.TB, p resolve.Platform, release string) string {
	t.Helper()
	short := version.MustParse(release).Short()
	part := "cuda-" + short.String()
	switch p.String() {
	case "windows-x86_64":
		part = "win-" + part
	case "linux-x86_64":
	default:
		t.Skipf("the test bed has no toolkit for %s", p)
	}
	site := testbed.Root(t, part)
	dir := filepath.Join(testbed.Dir(), "mirror-"+release+"-"+p.String()+"-"+recipe)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	parts, err := fromWheels(site, short)
	if err != nil {
		t.Fatalf("read the wheels of %s: %v", part, err)
	}
	once(t, dir, func(dir string) error { return writeMirror(dir, p, release, parts) })
	return dir
}

// once makes a folder whole or not at all; of two that make it at once, one wins.
func once(t testing.TB, dir string, fill func(dir string) error) {
	t.Helper()
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".new-"+filepath.Base(dir)+".")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	if err := fill(fresh); err != nil {
		t.Fatalf("make %s: %v", filepath.Base(dir), err)
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			t.Fatal(err)
		}
	}
}

// fromWheels sorts the files of unpacked wheels into components.
func fromWheels(site string, release version.V) ([]component, error) {
	infos, err := filepath.Glob(filepath.Join(site, "*.dist-info"))
	if err != nil {
		return nil, err
	}
	var out []component
	for _, info := range infos {
		name, number, _ := strings.Cut(strings.TrimSuffix(filepath.Base(info), ".dist-info"), "-")
		for _, row := range wheels {
			if row.wheel != name || row.first != "" && release.Less(version.MustParse(row.first)) {
				continue
			}
			files, err := wheelFiles(site, info, row.moves)
			if err != nil {
				return nil, err
			}
			out = append(out, component{name: row.component, version: number, files: versioned(files, number)})
			break
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there are none")
	}
	return out, nil
}

// wheelFiles reads a wheel's own list of what it brought.
func wheelFiles(site, info string, moves [][2]string) ([]file, error) {
	f, err := os.Open(filepath.Join(info, "RECORD"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := csv.NewReader(f)
	lines.FieldsPerRecord = -1
	var out []file
	for {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if to, ok := moved(row[0], moves); ok {
			out = append(out, file{path: to, from: filepath.Join(site, filepath.FromSlash(row[0]))})
		}
	}
}

// moved is where NVIDIA's archive has a file of a wheel.
func moved(name string, moves [][2]string) (string, bool) {
	if strings.HasSuffix(name, ".dist-info/licenses/License.txt") {
		return "LICENSE", true
	}
	rest, ok := strings.CutPrefix(name, "nvidia/cu13/")
	if !ok || strings.HasPrefix(rest, ".") {
		return "", false
	}
	for _, m := range moves {
		if tail, ok := strings.CutPrefix(rest, m[0]); ok {
			return m[1] + tail, true
		}
	}
	return rest, true
}

// versioned gives shared libraries the three names they have in NVIDIA's archives: the file carries the whole version, and
// links lead to it. A wheel has the middle one alone.
func versioned(files []file, number string) []file {
	var out []file
	for _, f := range files {
		stem, major, ok := strings.Cut(f.path, ".so.")
		if !ok || strings.Contains(major, ".") {
			out = append(out, f)
			continue
		}
		full := filepath.Base(stem) + ".so." + number
		if !strings.HasPrefix(number, major+".") {
			full = filepath.Base(stem) + ".so." + major + ".0.0" // libnvvm.so.4 has a number of its own
		}
		f.path = strings.TrimSuffix(stem, filepath.Base(stem)) + full
		out = append(out, f, file{path: stem + ".so." + major, link: full}, file{path: stem + ".so", link: filepath.Base(stem) + ".so." + major})
	}
	return out
}

// mode of a file, which a Windows file system does not know.
func mode(path string) fs.FileMode {
	inBin := strings.HasPrefix(path, "bin/") || strings.HasPrefix(path, "nvvm/bin/")
	if inBin && !strings.HasSuffix(path, ".profile") && !strings.HasSuffix(path, ".stub") {
		return 0o755
	}
	return 0o644
}
