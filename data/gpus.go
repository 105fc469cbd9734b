package data

// GPU is one product. PCI holds device ids of four hex digits, in upper case.
type GPU struct {
	Name   string   `toml:"name"`
	CC     string   `toml:"cc"`
	Class  string   `toml:"class"` // consumer | professional | data-centre | jetson
	PCI    []string `toml:"pci"`
	Note   string   `toml:"note"`
	Source []string `toml:"source"`
}

// Family is a pattern for product names that have no row of their own; the first that matches wins.
type Family struct {
	Pattern string   `toml:"pattern"`
	CC      string   `toml:"cc"`
	Source  []string `toml:"source"`
}

// GPUTable is the whole of gpus.toml.
type GPUTable struct {
	Checked  string   `toml:"checked"`
	Sources  Sources  `toml:"sources"`
	Families []Family `toml:"family"`
	GPUs     []GPU    `toml:"gpu"`
}

// AllGPUs is gpus.toml, parsed once.
var AllGPUs = once("gpus.toml", func(t *GPUTable) {
	for _, r := range t.GPUs {
		t.Sources.resolve(r.Source)
	}
	for _, r := range t.Families {
		t.Sources.resolve(r.Source)
	}
})

// GPUs lists the products.
func GPUs() []GPU { return AllGPUs().GPUs }

// Families lists the name patterns in their order.
func Families() []Family { return AllGPUs().Families }
