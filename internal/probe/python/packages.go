package python

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var (
	// distInfo keeps the listing of site-packages to the packages that matter here.
	distInfo  = pattern.New(`(?i)^(torch|bitsandbytes|cuda_toolkit|nvidia[-_][a-z0-9_.-]+?)-([0-9][^-]*)\.dist-info$`)
	bnbFile   = pattern.New(`^libbitsandbytes_cuda(\d+)(_nocublaslt)?\.(so|dll)$`)
	torchLine = pattern.New(`^(__version__|cuda)\s*(:[^=]*)?=`)
)

// readPackages fills in what the first site folder that has a package says of it, as an import would.
func readPackages(at *look.At, p *fact.Python) {
	if len(p.Site) == 0 {
		return
	}
	all := strings.Join(p.Site, at.Path.ListSeparator())
	p.Torch, p.Bitsandbytes = fact.None[string](all), fact.None[string](all)
	for _, site := range p.Site {
		names, err := at.Names(site, distInfo)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			closed := fact.Bad[string](site, errors.New(look.Reason(err)))
			p.Torch, p.Bitsandbytes = closed.Or(p.Torch), closed.Or(p.Bitsandbytes)
			if p.Torch.State == fact.Unreadable {
				at.Note("Python packages", site, err)
			}
			continue
		}
		installed := packageVersions(names)
		addWheels(p, installed)
		readTorch(at, p, site, installed["torch"])
		readBitsandbytes(at, p, site, installed["bitsandbytes"])
	}
}

// packageVersions maps names as pip writes them (nvidia-cudnn-cu12) to versions.
func packageVersions(names []string) map[string]string {
	out := map[string]string{}
	for _, n := range names {
		m := distInfo.FindStringSubmatch(n)
		out[strings.ReplaceAll(strings.ToLower(m[1]), "_", "-")] = m[2]
	}
	return out
}

func addWheels(p *fact.Python, installed map[string]string) {
	for name, version := range installed {
		if name == "torch" || name == "bitsandbytes" || p.Wheels[name] != "" {
			continue
		}
		if p.Wheels == nil {
			p.Wheels = map[string]string{}
		}
		p.Wheels[name] = version
	}
}

// readTorch trusts torch's own version.py; the name of its dist-info does not tell the CUDA version of a
// wheel from PyPI.
func readTorch(at *look.At, p *fact.Python, site, installed string) {
	dir := at.Path.Join(site, "torch")
	// The first torch on the way is the one that is imported, also when it is broken.
	if p.TorchCUDA.State != "" || (installed == "" && !at.There(dir)) {
		return
	}
	file := at.Path.Join(dir, "version.py")
	lines, err := at.Lines(file, torchLine)
	if errors.Is(err, fs.ErrNotExist) && installed == "" {
		return // a folder named torch that is something else
	}
	if err != nil {
		why := errors.New(look.Reason(err))
		p.Torch = fact.Bad[string](file, why)
		p.TorchCUDA = fact.Bad[string](file, why)
		if installed != "" && errors.Is(err, fs.ErrNotExist) {
			p.Torch = fact.Of(installed, at.Path.Join(site, "torch-"+installed+".dist-info"))
		}
		return
	}
	p.Torch, p.TorchCUDA = torchVersion(lines, file)
}

// torchVersion reads the two lines of version.py that count. Both forms are in real wheels:
//
//	cuda = '10.2'                     older wheels
//	cuda: Optional[str] = '13.0'      newer ones; None in a CPU build
func torchVersion(lines []string, source string) (version, cuda fact.Fact[string]) {
	version = fact.Bad[string](source, errors.New("no __version__ line in it"))
	cuda = fact.Bad[string](source, errors.New("no line in it names the CUDA version"))
	for _, l := range lines {
		m := torchLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		text, none, ok := literal(l[len(m[0]):])
		switch {
		case !ok:
		case m[1] == "cuda" && none:
			cuda = fact.None[string](source)
		case m[1] == "cuda" && text != "":
			cuda = fact.Of(text, source)
		case m[1] == "__version__" && text != "":
			version = fact.Of(text, source)
		}
	}
	return version, cuda
}

var pythonString = pattern.New(`^\s*(?:'([ -&(-~]{0,80})'|"([ -!#-~]{0,80})"|(None))\s*(#.*)?$`)

// literal reads a short Python string or None.
func literal(text string) (value string, none, ok bool) {
	m := pythonString.FindStringSubmatch(text)
	if m == nil {
		return "", false, false
	}
	return m[1] + m[2], m[3] != "", true
}

func readBitsandbytes(at *look.At, p *fact.Python, site, installed string) {
	if p.Bitsandbytes.Known() || p.Bitsandbytes.Source == at.Path.Join(site, "bitsandbytes") || installed == "" {
		return
	}
	p.Bitsandbytes = fact.Of(installed, at.Path.Join(site, "bitsandbytes-"+installed+".dist-info"))
	dir := at.Path.Join(site, "bitsandbytes")
	names, err := at.Names(dir, bnbFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.Bitsandbytes = fact.Bad[string](dir, errors.New(look.Reason(err)))
	}
	for _, n := range names {
		if cuda := bnbFile.FindStringSubmatch(n)[1]; !slices.Contains(p.BnbCUDA, cuda) {
			p.BnbCUDA = append(p.BnbCUDA, cuda)
		}
	}
}
