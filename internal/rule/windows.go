package rule

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var onWindows = []string{fact.Windows}

// buildTools installs what nvcc needs of Visual Studio, by component id.
const buildTools = `winget install -e --id Microsoft.VisualStudio.2022.BuildTools --override "--passive --add Microsoft.VisualStudio.Component.VC.Tools.x86.x64 --add Microsoft.VisualStudio.Component.Windows11SDK.22621"`

var windowsRules = []Rule{
	{ID: "visual-studio-missing", Severity: finding.Error, Title: "no Visual Studio or Build Tools were found", Label: "host-compiler-missing", On: onWindows, Check: vsMissing},
	{ID: "vs-without-cpp", Severity: finding.Error, Title: "Visual Studio is installed without its C++ tools", Label: "host-compiler-missing", On: onWindows, Check: vsWithoutCpp},
	{ID: "windows-sdk-missing", Severity: finding.Error, Title: "no Windows SDK with its libraries was found", Label: "host-compiler-missing", On: onWindows, CausedBy: []string{"visual-studio-missing", "vs-without-cpp"}, Check: sdkMissing},
	{ID: "cl-32-bit", Severity: finding.Error, Title: "the first cl.exe makes 32-bit code", Label: "host-compiler-not-accepted", On: onWindows, Check: cl32},
	{ID: "msvc-environment-not-loaded", Severity: finding.Warning, Title: "cl.exe is installed but not on PATH", Label: "host-compiler-missing", On: onWindows,
		CausedBy: []string{"visual-studio-missing", "vs-without-cpp"}, Check: msvcNotLoaded},
	{ID: "msvc-too-new", Severity: finding.Error, Title: "MSVC is newer than the toolkit accepts", On: onWindows, CausedBy: []string{"cl-32-bit"}, Check: msvcTooNew},
	{ID: "msvc-too-old", Severity: finding.Error, Title: "MSVC is older than the toolkit accepts", Label: "host-compiler-not-accepted", On: onWindows, CausedBy: []string{"cl-32-bit"}, Check: msvcTooOld},
	{ID: "link-not-found", Severity: finding.Warning, Title: "cl.exe is on PATH, link.exe is not", Label: "host-compiler-missing", On: onWindows, CausedBy: []string{"cl-32-bit"}, Check: linkMissing},
	{ID: "link-shadowed", Severity: finding.Error, Title: "another link.exe comes before MSVC's", On: onWindows, Check: linkShadowed},
	{ID: "perl-gcc-first", Severity: finding.Warning, Title: "a gcc of a Perl distribution is on PATH", On: onWindows, Check: perlGcc},
	{ID: "cuda-lib-missing", About: AboutToolkit, Severity: finding.Error, Title: "a toolkit has no cuda.lib", Label: "cuda-lib-dir-not-searched", On: onWindows, CausedBy: []string{"toolkit-runtime-only"}, Check: cudaLib},
	{ID: "cudart-dll-missing", About: AboutToolkit, Severity: finding.Warning, Title: "a toolkit has no cudart DLL", Label: "cuda-dll-not-found-windows", On: onWindows, Check: cudartDLL},
	{ID: "cuda-dlls-not-on-path", About: AboutToolkit, Severity: finding.Warning, Title: "the toolkit's DLL folder is not on PATH", Label: "cuda-dll-not-found-windows", On: onWindows, CausedBy: []string{"cudart-dll-missing", "nvcc-not-on-path"}, Check: dllsNotOnPath},
}

func vsMissing(in *Input) []finding.Finding {
	if len(in.Machine.VS) > 0 || anyMSVC(in) {
		return nil
	}
	return one(finding.Finding{
		What: "no Visual Studio or Build Tools were found",
		Why:  "nvcc.exe on Windows works with Microsoft's cl.exe alone",
		Next: []finding.Step{command(buildTools, "the C++ compiler and a Windows SDK, without the editor")},
	})
}

func anyMSVC(in *Input) bool {
	for _, c := range in.Machine.Compilers {
		if c.Family == "msvc" {
			return true
		}
	}
	return false
}

func vsWithoutCpp(in *Input) []finding.Finding {
	for _, vs := range in.Machine.VS {
		if len(vs.Toolsets) > 0 {
			return nil
		}
	}
	if len(in.Machine.VS) == 0 {
		return nil
	}
	vs := in.Machine.VS[0]
	return one(finding.Finding{
		What:  vs.Name + " has no C++ tools",
		Where: vs.Path,
		Why:   "no toolset lies under VC\\Tools\\MSVC: the C++ workload was not chosen",
		Next:  []finding.Step{command(modify(vs.Path, "Microsoft.VisualStudio.Component.VC.Tools.x86.x64", "Microsoft.VisualStudio.Component.Windows11SDK.22621"), "adds the C++ compiler and a Windows SDK")},
	})
}

// modify adds components to an installed Visual Studio, from PowerShell.
func modify(path string, components ...string) string {
	return fmt.Sprintf(`& "${env:ProgramFiles(x86)}\Microsoft Visual Studio\Installer\setup.exe" modify --installPath "%s" --add %s --passive`, path, strings.Join(components, " --add "))
}

func sdkMissing(in *Input) []finding.Finding {
	for _, sdk := range in.Machine.SDKs {
		if sdk.Libs {
			return nil
		}
	}
	f := finding.Finding{
		What: "no Windows SDK with its libraries was found",
		Why:  "cl.exe and link.exe need the SDK's headers and the ucrt and um libraries",
		Next: []finding.Step{advice("add the component Microsoft.VisualStudio.Component.Windows11SDK.22621 in the Visual Studio Installer")},
	}
	if len(in.Machine.VS) > 0 {
		f.Next = []finding.Step{command(modify(in.Machine.VS[0].Path, "Microsoft.VisualStudio.Component.Windows11SDK.22621"), "adds a Windows SDK to "+in.Machine.VS[0].Name)}
	}
	if len(in.Machine.SDKs) > 0 {
		f.Where = in.Machine.SDKs[0].Root
	}
	return one(f)
}

func firstCl(in *Input) *fact.Compiler {
	for i, c := range in.Machine.Compilers {
		if c.Family == "msvc" && c.Default {
			return &in.Machine.Compilers[i]
		}
	}
	return nil
}

func cl32(in *Input) []finding.Finding {
	c := firstCl(in)
	if c == nil || c.Target != "x86" {
		return nil
	}
	return one(finding.Finding{
		What:  "the first cl.exe on PATH makes 32-bit code",
		Where: c.Path,
		Why:   "nvcc starts it all the same, and CUDA's headers then fail (asm operand type size(8) does not match); 32-bit compilation ended with CUDA 12.0",
		Next:  in.load64(c),
	})
}

// load64 leads to the 64-bit environment: of the instance whose compiler is first, when it has one, else of another.
func (in *Input) load64(c *fact.Compiler) []finding.Step {
	s := in.Paths()
	steps := []finding.Step{command(buildTools, "brings the 64-bit compiler")}
	if len(in.Machine.VS) > 0 {
		steps = []finding.Step{command(modify(in.Machine.VS[0].Path, "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"), "adds the 64-bit compiler to "+in.Machine.VS[0].Name)}
	}
	for _, vs := range in.Machine.VS {
		if !slices.ContainsFunc(vs.Toolsets, func(ts fact.Toolset) bool { return clTargets64(ts) }) {
			continue
		}
		bat := s.Join(vs.Path, "VC", "Auxiliary", "Build", "vcvars64.bat")
		steps = []finding.Step{envCommand(in), command(`cmd /k "`+bat+`"`, "or open a shell for x64")}
		if s.Within(c.Path, vs.Path) {
			break
		}
	}
	return steps
}

func clTargets64(ts fact.Toolset) bool {
	return slices.ContainsFunc(ts.Hosts, func(h string) bool { return strings.HasSuffix(strings.ToLower(h), "/x64") })
}

func msvcNotLoaded(in *Input) []finding.Finding {
	if firstCl(in) != nil || len(in.Machine.VS) == 0 {
		return nil
	}
	why := "nvcc.exe looks for cl.exe on PATH and nowhere else; this shell has no Visual Studio environment loaded"
	if in.env("VCINSTALLDIR") != "" {
		why = "nvcc.exe looks for cl.exe on PATH and nowhere else; a Visual Studio environment was loaded here, but PATH lost its folder"
	}
	return one(finding.Finding{
		What:  "cl.exe is installed, but not on PATH",
		Where: in.Machine.VS[0].Path,
		Why:   why,
		Next:  []finding.Step{envCommand(in)},
	})
}

// msvcFor is the compiler nvcc would use: the first cl.exe on PATH, else the newest toolset.
func msvcFor(in *Input) *fact.Compiler {
	if c := firstCl(in); c != nil {
		return c
	}
	for i, c := range in.Machine.Compilers {
		if c.Family == "msvc" && c.Target != "x86" {
			return &in.Machine.Compilers[i]
		}
	}
	return nil
}

func msvcOut(in *Input, fit compat.Fit) []finding.Finding {
	cl := func(fact.Compiler) string { return "cl" }
	return outOfBounds(in, fit, cl, func(fact.Toolkit) *fact.Compiler { return msvcFor(in) })
}

func msvcTooNew(in *Input) []finding.Finding { return msvcOut(in, compat.TooNew) }
func msvcTooOld(in *Input) []finding.Finding { return msvcOut(in, compat.TooOld) }

func linkMissing(in *Input) []finding.Finding {
	c := firstCl(in)
	if c == nil || slices.ContainsFunc(in.Machine.Tools, func(t fact.Tool) bool { return t.Name == "link" }) {
		return nil
	}
	return one(finding.Finding{
		What:  "cl.exe is on PATH, but no link.exe",
		Where: c.Path,
		Why:   "compiling works; whatever links (nvcc through cl.exe, rustc, CMake) needs the linker of the same toolset, which lies in cl.exe's folder when the toolset is whole",
		Next:  []finding.Step{advice("repair the toolset in the Visual Studio Installer (component Microsoft.VisualStudio.Component.VC.Tools.x86.x64)")},
	})
}

func linkShadowed(in *Input) []finding.Finding {
	for _, tool := range in.Machine.Tools {
		lower := strings.ToLower(tool.Path)
		if tool.Name != "link" || strings.Contains(lower, `\vc\tools\msvc\`) {
			continue
		}
		if !strings.Contains(lower, `\git\`) && !strings.Contains(lower, `\msys`) && !strings.Contains(lower, `\cygwin`) {
			continue
		}
		return one(finding.Finding{
			What:  "link.exe on PATH is not Microsoft's linker",
			Where: tool.Path,
			Why:   "Git and MSYS bring a link.exe that makes hard links; what starts link.exe by name gets it in place of the linker (rustc: extra operand)",
			Next:  []finding.Step{advice("take " + in.Paths().Dir(tool.Path) + " out of PATH, or put it behind Visual Studio's folders")},
		})
	}
	return nil
}

func perlGcc(in *Input) []finding.Finding {
	for _, c := range in.Machine.Compilers {
		if c.Origin == "perl" {
			return one(finding.Finding{
				What:  "a gcc of a Perl distribution is on PATH",
				Where: c.Path,
				Why:   "CMake (with Ninja or Makefiles), Meson and configure scripts take it for the compiler; nvcc works with cl.exe alone, and the objects of the two do not link",
				Next:  []finding.Step{advice("take " + in.Paths().Dir(c.Path) + " out of PATH for CUDA builds")},
			})
		}
	}
	return nil
}

func cudaLib(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Has(fact.PartStub) || !t.Has(fact.PartNvcc) {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			Subject:  t.Home(),
			What:     name(t) + " has no cuda.lib",
			Where:    in.Paths().Join(t.Root, "lib", "x64"),
			Why:      "programs that use the driver API cannot be linked (LNK1181 cuda.lib)",
			Next:     in.completeHint(t, []string{"cuda.lib"}),
		})
	}
	return out
}

func cudartDLL(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Has(fact.PartCudartReal) || !t.Has(fact.PartNvcc) {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			Subject:  t.Home(),
			What:     name(t) + " has no cudart DLL",
			Where:    in.Paths().Join(t.Root, "bin") + ` and its x64`,
			Why:      "programs that link or load cudart64_*.dll do not start (0xC0000135) or say that it was not found",
			Next:     in.completeHint(t, []string{"cudart"}),
		})
	}
	return out
}

func dllsNotOnPath(in *Input) []finding.Finding {
	s := in.Paths()
	for _, t := range in.subjects() {
		if len(t.DLLs) == 0 {
			continue
		}
		found := false
		for _, d := range in.Machine.Path {
			for _, dll := range t.DLLs {
				found = found || s.Same(d.Dir, dll) || s.Same(d.Real, dll)
			}
		}
		if found {
			continue
		}
		return one(finding.Finding{
			What:  "the DLLs of " + name(t) + " are not on PATH",
			Where: t.DLLs[0],
			Why:   `programs that use cuBLAS, cuFFT or the shared runtime look for their DLLs on PATH; since CUDA 13 they lie in bin\x64, not in bin`,
			Next:  []finding.Step{command("cupel env --runtime --format powershell | Out-String | Invoke-Expression", "adds them in this shell")},
		})
	}
	return nil
}
