package environ

import (
	"fmt"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/vcenv"
	"cupel/internal/version"
)

// studioArchs names the processors as Visual Studio does.
var studioArchs = map[string]string{"amd64": "x64", "arm64": "arm64"}

// studio adds INCLUDE, LIB and PATH of the Microsoft toolset, unless a prompt has loaded the right one
// already: two of them in one shell mix headers and libraries.
func (w *writer) studio(chosen, best *fact.Compiler) {
	arch := studioArchs[w.m.System.Arch]
	if chosen == nil {
		chosen = best
	}
	vs, ts, ok := w.toolset(chosen)
	if w.loaded(arch) && (!ok || w.path.Same(w.env("VCToolsInstallDir"), ts.Dir)) {
		w.note("the environment of Visual Studio is loaded for " + arch + " already: INCLUDE and LIB are left alone")
		return
	}
	if !ok {
		w.note("no Microsoft toolset is known to fit: INCLUDE and LIB are not set")
		return
	}
	sdk, ok := w.newestSDK()
	if !ok {
		w.note("no Windows SDK with libraries is installed: INCLUDE and LIB hold the toolset's own folders only")
	}
	include, lib, path := vcenv.Env(vs, ts, sdk, arch)
	why := fmt.Sprintf("MSVC toolset %s", ts.Version)
	w.prepend("INCLUDE", include, why)
	w.prepend("LIB", lib, why)
	w.studioPath = path
}

func (w *writer) loaded(arch string) bool {
	return w.env("VCToolsInstallDir") != "" && strings.EqualFold(w.env("VSCMD_ARG_TGT_ARCH"), arch)
}

// toolset finds the one a cl.exe belongs to.
func (w *writer) toolset(c *fact.Compiler) (fact.VisualStudio, fact.Toolset, bool) {
	if c == nil {
		return fact.VisualStudio{}, fact.Toolset{}, false
	}
	for _, vs := range w.m.VS {
		for _, ts := range vs.Toolsets {
			if w.path.Within(c.Path, ts.Dir) || w.path.Same(c.Path, ts.ClPath) {
				return vs, ts, true
			}
		}
	}
	return fact.VisualStudio{}, fact.Toolset{}, false
}

func (w *writer) newestSDK() (best fact.WindowsSDK, ok bool) {
	var top version.V
	for _, s := range w.m.SDKs {
		if v, err := version.Parse(s.Version); err == nil && s.Libs && top.Less(v) {
			best, top, ok = s, v, true
		}
	}
	return best, ok
}
