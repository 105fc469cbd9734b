package vcenv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
)

func TestEnv(t *testing.T) {
	vs := fact.VisualStudio{Path: `C:\Program Files\Microsoft Visual Studio\2022\BuildTools`}
	dir := vs.Path + `\VC\Tools\MSVC\14.44.35207`
	ts := fact.Toolset{
		Version: "14.44.35207", Dir: dir, ClPath: dir + `\bin\Hostx64\x64\cl.exe`,
		Hosts: []string{"Hostx64/x64", "Hostx64/x86", "Hostx86/x64", "Hostx86/x86"},
	}
	old := fact.Toolset{Dir: dir, ClPath: dir + `\bin\Hostx86\x64\cl.exe`, Hosts: []string{"Hostx86/x64", "Hostx86/x86"}}
	kits := `C:\Program Files (x86)\Windows Kits\10`
	sdk := fact.WindowsSDK{Version: "10.0.26100.0", Root: kits + `\`}
	include := []string{
		dir + `\include`, vs.Path + `\VC\Auxiliary\VS\include`,
		kits + `\Include\10.0.26100.0\ucrt`, kits + `\Include\10.0.26100.0\um`, kits + `\Include\10.0.26100.0\shared`,
		kits + `\Include\10.0.26100.0\winrt`, kits + `\Include\10.0.26100.0\cppwinrt`,
	}
	for _, tt := range []struct {
		name               string
		ts                 fact.Toolset
		sdk                fact.WindowsSDK
		arch               string
		include, lib, path []string
	}{
		{"64-bit on 64-bit", ts, sdk, "x64", include,
			[]string{dir + `\lib\x64`, kits + `\Lib\10.0.26100.0\ucrt\x64`, kits + `\Lib\10.0.26100.0\um\x64`},
			[]string{dir + `\bin\Hostx64\x64`, kits + `\bin\10.0.26100.0\x64`, kits + `\bin\x64`}},
		{"cross to 32-bit keeps the native folder", ts, sdk, "x86", include,
			[]string{dir + `\lib\x86`, kits + `\Lib\10.0.26100.0\ucrt\x86`, kits + `\Lib\10.0.26100.0\um\x86`},
			[]string{dir + `\bin\Hostx64\x86`, dir + `\bin\Hostx64\x64`, kits + `\bin\10.0.26100.0\x64`, kits + `\bin\x64`}},
		{"only a 32-bit compiler for 64-bit code", old, sdk, "x64", include,
			[]string{dir + `\lib\x64`, kits + `\Lib\10.0.26100.0\ucrt\x64`, kits + `\Lib\10.0.26100.0\um\x64`},
			[]string{dir + `\bin\Hostx86\x64`, dir + `\bin\Hostx86\x86`, kits + `\bin\10.0.26100.0\x86`, kits + `\bin\x86`}},
		{"no SDK", ts, fact.WindowsSDK{}, "x64", include[:2], []string{dir + `\lib\x64`}, []string{dir + `\bin\Hostx64\x64`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			include, lib, path := Env(vs, tt.ts, tt.sdk, tt.arch)
			for _, d := range []string{cmp.Diff(tt.include, include), cmp.Diff(tt.lib, lib), cmp.Diff(tt.path, path)} {
				if d != "" {
					t.Error(d)
				}
			}
		})
	}
}
