package msvc

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// state is the part of an instance's state.json that is read; vswhere prints most of it under the same
// names. The shape was read in a real file: JetBrains/teamcity-dotnet-plugin, vs2019_state.json.
type state struct {
	InstallationName    string   `json:"installationName"` // VisualStudio/17.10.3+35013.160
	InstallationPath    string   `json:"installationPath"`
	InstallationVersion string   `json:"installationVersion"` // 17.10.35013.160
	DisplayName         string   `json:"displayName"`         // vswhere only
	IsComplete          *bool    `json:"isComplete"`          // vswhere only
	CatalogInfo         catalog  `json:"catalogInfo"`
	Catalog             catalog  `json:"catalog"` // vswhere's name for it
	Titles              []title  `json:"localizedResources"`
	Product             product  `json:"product"`
	Selected            []packet `json:"selectedPackages"`
	Packages            []packet `json:"packages"` // vswhere only
}

type catalog struct {
	DisplayVersion string `json:"productDisplayVersion"` // 17.10.3
}

type title struct {
	Language string `json:"language"`
	Title    string `json:"title"`
}

type product struct {
	ID        string `json:"id"`
	Installed *bool  `json:"installed"`
}

type packet struct {
	ID string `json:"id"`
}

// matters are the component ids a CUDA build depends on. The lists of ids:
// learn.microsoft.com/visualstudio/install/workload-component-id-vs-build-tools.
var matters = pattern.New(`(?i)^Microsoft\.VisualStudio\.(` +
	`Workload\.(VCTools|NativeDesktop)|` +
	`Component\.VC\.Tools\.[\w.]+|Component\.VC\.[\w.]+\.(x86\.x64|ARM64)|Component\.VC\.CMake\.Project|` +
	`Component\.Windows1[01]SDK(\.\d+)?|ComponentGroup\.NativeDesktop\.Core)$`)

func parseState(text []byte) (fact.VisualStudio, error) {
	var s state
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &s); err != nil {
		return fact.VisualStudio{}, look.Plain(err)
	}
	if strings.TrimRight(s.InstallationPath, `\`) == "" {
		return fact.VisualStudio{}, errors.New("no installationPath in it")
	}
	return s.fact(), nil
}

func parseVswhere(text []byte) ([]fact.VisualStudio, error) {
	var all []state
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &all); err != nil {
		return nil, look.Plain(err)
	}
	var out []fact.VisualStudio
	for _, s := range all {
		if s.InstallationPath != "" {
			out = append(out, s.fact())
		}
	}
	return out, nil
}

func (s state) fact() fact.VisualStudio {
	return fact.VisualStudio{
		Path: strings.TrimRight(s.InstallationPath, `\`), Name: s.name(), Version: s.version(),
		Components: components(slices.Concat(s.Selected, s.Packages)),
		Complete:   !isFalse(s.Product.Installed) && !isFalse(s.IsComplete),
	}
}

func isFalse(b *bool) bool { return b != nil && !*b }

// name is the English title: the others repeat it in the machine's language.
func (s state) name() string {
	if s.DisplayName != "" {
		return s.DisplayName
	}
	for _, t := range s.Titles {
		if strings.EqualFold(t.Language, "en-us") && t.Title != "" {
			return t.Title
		}
	}
	if len(s.Titles) > 0 && s.Titles[0].Title != "" {
		return s.Titles[0].Title
	}
	return strings.TrimSpace("Visual Studio " + strings.TrimPrefix(s.Product.ID, "Microsoft.VisualStudio.Product."))
}

// version prefers the number people know (17.10.3) over the build number (17.10.35013.160).
func (s state) version() string {
	for _, v := range []string{s.CatalogInfo.DisplayVersion, s.Catalog.DisplayVersion} {
		if v != "" {
			return v
		}
	}
	if _, rest, ok := strings.Cut(s.InstallationName, "/"); ok {
		v, _, _ := strings.Cut(rest, "+")
		return v
	}
	return s.InstallationVersion
}

func components(all []packet) []string {
	var out []string
	for _, p := range all {
		if matters.MatchString(p.ID) {
			out = append(out, p.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
