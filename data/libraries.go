package data

// CuDNN is one cuDNN release and the CUDA majors it is built for.
type CuDNN struct {
	Version   string   `toml:"version"` // 9.13.0
	Full      string   `toml:"full"`    // 9.13.0.50
	Date      string   `toml:"date"`
	Majors    []int    `toml:"cuda"`
	Platforms []string `toml:"platforms"`
	MinCC     string   `toml:"min-cc"`
	Notes     []string `toml:"notes"`
	Source    []string `toml:"source"`
}

// CuDNNSupport is one row of NVIDIA's support matrix.
type CuDNNSupport struct {
	CuDNN   string   `toml:"cudnn"`
	CUDA    string   `toml:"cuda"`
	MinCC   string   `toml:"min-cc"`
	Linux   string   `toml:"driver-linux"`
	Windows string   `toml:"driver-windows"`
	Notes   []string `toml:"notes"`
	Source  []string `toml:"source"`
}

// CuDNNTable is the whole of cudnn.toml.
type CuDNNTable struct {
	Checked string         `toml:"checked"`
	Sources Sources        `toml:"sources"`
	CuDNN   []CuDNN        `toml:"cudnn"`
	Support []CuDNNSupport `toml:"support"`
}

// AllCuDNN is cudnn.toml, parsed once.
var AllCuDNN = once("cudnn.toml", func(t *CuDNNTable) {
	for _, r := range t.CuDNN {
		t.Sources.resolve(r.Source)
	}
	for _, r := range t.Support {
		t.Sources.resolve(r.Source)
	}
})

// CuDNNs lists the releases, oldest first.
func CuDNNs() []CuDNN { return AllCuDNN().CuDNN }

// Distribution is one way to get the toolkit, and where it puts files.
type Distribution struct {
	ID         string            `toml:"id"`
	Kind       string            `toml:"kind"`
	OS         []string          `toml:"os"`
	Root       string            `toml:"root"`
	Links      []string          `toml:"links"`
	Layout     []string          `toml:"layout"`
	Setup      []string          `toml:"setup"`
	Packages   map[string]string `toml:"packages"`
	SideBySide string            `toml:"side-by-side"` // yes | no | what it depends on
	Driver     string            `toml:"driver"`       // whether a driver comes with it
	Notes      []string          `toml:"notes"`
	Checked    string            `toml:"checked"`
	Source     []string          `toml:"source"`
}

// DistributionTable is the whole of distributions.toml.
type DistributionTable struct {
	Checked       string         `toml:"checked"`
	Sources       Sources        `toml:"sources"`
	Distributions []Distribution `toml:"distribution"`
}

// AllDistributions is distributions.toml, parsed once.
var AllDistributions = once("distributions.toml", func(t *DistributionTable) {
	for _, r := range t.Distributions {
		t.Sources.resolve(r.Source)
	}
})

// Distributions lists the ways to get a toolkit.
func Distributions() []Distribution { return AllDistributions().Distributions }
