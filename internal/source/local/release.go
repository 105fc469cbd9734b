package local

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cupel/internal/pattern"
	"cupel/internal/version"
)

// largest bounds what is read of a file; cuda.h has about 1 MB.
const largest = 8 << 20

// release is what a root says of itself: version.json is exact, cuda.h tells X.Y. A version.json of another X.Y than the
// header's was left behind or copied: the header is what gets compiled.
func release(root string) (version.V, error) {
	exact, short := fromJSON(filepath.Join(root, "version.json")), fromHeader(root)
	switch {
	case !exact.IsZero() && (short.IsZero() || exact.Short() == short):
		return exact, nil
	case !short.IsZero():
		return short, nil
	}
	return version.V{}, fmt.Errorf("%s does not tell its release: neither version.json nor include/cuda.h has one", root)
}

// buildDay stands in several version.json where others have the update: 11.8.20220929.
const buildDay = 1_000_000

func fromJSON(path string) version.V {
	var file struct {
		CUDA struct {
			Version string `json:"version"`
		} `json:"cuda"`
	}
	b, err := read(path)
	if err != nil || json.Unmarshal(b, &file) != nil {
		return version.V{}
	}
	v, err := version.Parse(file.CUDA.Version)
	if err != nil || v.Parts() < 2 {
		return version.V{}
	}
	if v.Patch() > buildDay {
		return v.Short()
	}
	return v.Cut(3)
}

var cudaVersion = pattern.New(`#define CUDA_VERSION (\d+)`)

func fromHeader(root string) version.V {
	for _, dir := range includes(root) {
		b, err := read(filepath.Join(dir, "cuda.h"))
		if err != nil {
			continue
		}
		if m := cudaVersion.FindSubmatch(b); m != nil {
			if v, err := version.ParseRelease(string(m[1])); err == nil {
				return v
			}
		}
	}
	return version.V{}
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, largest))
}
