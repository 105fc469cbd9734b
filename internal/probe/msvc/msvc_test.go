package msvc

import (
	"context"
	"debug/pe"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pefile/pefiletest"
	"cupel/internal/probe/look"
)

// machine makes a recorded Windows host out of sections.
func machine(t *testing.T, sections ...string) *look.At {
	t.Helper()
	text := "-- host --\nos = windows\narch = amd64\nhome = C:\\Users\\dev\n" + strings.Join(sections, "")
	h, err := host.Parse([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

// program is the section of a made-up program with a version resource.
func programSection(path string, machine uint16, version [4]uint16) string {
	return "-- part 0 " + path + " --\n" + base64.StdEncoding.EncodeToString(pefiletest.Make(machine, version)) + "\n"
}

func hostFile(t *testing.T, name string) *look.At {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "hosts", name))
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

// brief is a compiler in one line.
func brief(c fact.Compiler) string {
	text := c.Family + " " + c.Version.Value + " " + c.Target + " " + c.Origin + " " + c.Path
	if c.Default {
		text = "* " + text
	}
	return text
}

func briefs(all []fact.Compiler) []string {
	var out []string
	for _, c := range all {
		out = append(out, brief(c))
	}
	return out
}

func TestSurveyWorkstation(t *testing.T) {
	at := hostFile(t, "windows-rtx5060ti.txtar")
	vs, sdks, compilers := Survey(context.Background(), at)
	if len(vs) != 1 {
		t.Fatalf("instances = %+v, want one", vs)
	}
	root := `C:\Program Files\Microsoft Visual Studio\2022\Community`
	msvc := root + `\VC\Tools\MSVC\`
	hosts := []string{"Hostx64/x64", "Hostx64/x86", "Hostx86/x64", "Hostx86/x86"}
	cl := func(toolset string) string { return msvc + toolset + `\bin\Hostx64\x64\cl.exe` }
	want := fact.VisualStudio{
		Path: root, Name: "Visual Studio Community 2022", Version: "17.14.15", Complete: true,
		Source: `C:\ProgramData\Microsoft\VisualStudio\Packages\_Instances\3f0b6a52\state.json`,
		Components: []string{
			"Microsoft.VisualStudio.Component.VC.14.29.16.11.x86.x64",
			"Microsoft.VisualStudio.Component.VC.Tools.x86.x64",
			"Microsoft.VisualStudio.Component.Windows11SDK.26100",
			"Microsoft.VisualStudio.Workload.NativeDesktop",
		},
		Toolsets: []fact.Toolset{
			{Version: "14.44.35207", Dir: msvc + "14.44.35207", Hosts: hosts, ClPath: cl("14.44.35207"),
				Cl: fact.Of("19.44.35228", cl("14.44.35207")+" (file version 14.44.35228.0)")},
			{Version: "14.29.30133", Dir: msvc + "14.29.30133", Hosts: hosts, ClPath: cl("14.29.30133"),
				Cl: fact.Of("19.29.30159", cl("14.29.30133")+" (file version 14.29.30159.0)")},
		},
	}
	if d := cmp.Diff(want, vs[0]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]fact.WindowsSDK{{Version: "10.0.26100.0", Root: `C:\Program Files (x86)\Windows Kits\10`, Libs: true}}, sdks); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{
		"* msvc 19.44.35228 x64  " + cl("14.44.35207"),
		"msvc 19.29.30159 x64  " + cl("14.29.30133"),
	}, briefs(compilers)); d != "" {
		t.Error(d)
	}
	if at.Processes() != 0 || len(at.Troubles()) != 0 {
		t.Errorf("processes %d, troubles %v, want none", at.Processes(), at.Troubles())
	}
}

func TestSurveyBrokenMachine(t *testing.T) {
	vs, sdks, compilers := Survey(context.Background(), hostFile(t, "windows-broken.txtar"))
	if len(vs) != 2 || len(sdks) != 0 {
		t.Fatalf("instances %+v, SDKs %+v, want two and none", vs, sdks)
	}
	if v := vs[0]; v.Version != "17.9.6" || len(v.Components) != 0 || len(v.Toolsets) != 0 {
		t.Errorf("the recorded instance = %+v, want 17.9.6 without any C++", v)
	}
	if v := vs[1]; v.Version != "" || v.Complete || len(v.Toolsets) != 1 || v.Toolsets[0].Hosts[0] != "Hostx86/x86" {
		t.Errorf("the folder without a record = %+v, want one toolset with a 32-bit compiler", v)
	}
	if d := cmp.Diff([]string{
		`* msvc 19.29.30133 x86  C:\Program Files (x86)\Microsoft Visual Studio\2019\BuildTools\VC\Tools\MSVC\14.29.30133\bin\Hostx86\x86\cl.exe`,
		`gcc 13.2.0 x86_64-w64-mingw32 perl C:\Strawberry\c\bin\g++.exe`,
	}, briefs(compilers)); d != "" {
		t.Error(d)
	}
}

func TestSurveyBareMachine(t *testing.T) {
	at := hostFile(t, "windows-bare.txtar")
	vs, sdks, compilers := Survey(context.Background(), at)
	if vs != nil || sdks != nil || compilers != nil || at.Troubles() != nil {
		t.Errorf("Survey = %v, %v, %v, troubles %v, want nothing", vs, sdks, compilers, at.Troubles())
	}
}

func TestSurveyOnLinux(t *testing.T) {
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n-- tree --\n/usr/bin/g++ x\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	vs, sdks, compilers := Survey(context.Background(), look.New(h))
	if vs != nil || sdks != nil || compilers != nil {
		t.Errorf("Survey = %v, %v, %v, want nothing", vs, sdks, compilers)
	}
}

func TestClVersion(t *testing.T) {
	const dir = `C:\VS\VC\Tools\MSVC\14.40.33807\bin\Hostx64\x64`
	for _, tt := range []struct {
		name, section, path, want string
		state                     fact.State
	}{
		{"the resource is newer than the folder", programSection(dir+`\cl.exe`, pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{14, 40, 33811, 0}), dir + `\cl.exe`, "19.40.33811", fact.Known},
		{"a fourth part is kept", programSection(dir+`\cl.exe`, pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{14, 16, 27045, 2}), dir + `\cl.exe`, "19.16.27045.2", fact.Known},
		{"the resource in the compiler's own form", programSection(dir+`\cl.exe`, pe.IMAGE_FILE_MACHINE_AMD64, [4]uint16{19, 16, 27045, 0}), dir + `\cl.exe`, "19.16.27045", fact.Known},
		{"garbage in a toolset's folder", "-- file " + dir + "\\cl.exe --\nMZ garbage\n", dir + `\cl.exe`, "19.40", fact.Known},
		{"garbage elsewhere", "-- file C:\\tools\\cl.exe --\nMZ garbage\n", `C:\tools\cl.exe`, "", fact.Unreadable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := clVersion(machine(t, tt.section), tt.path)
			if got.Value != tt.want || got.State != tt.state || got.Source == "" {
				t.Errorf("clVersion = %+v, want %s %q", got, tt.state, tt.want)
			}
		})
	}
}

func TestClTarget(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		machine    uint16
		want       string
	}{
		{"cross compiler", `C:\VS\VC\Tools\MSVC\14.40.33807\bin\Hostx64\x86\cl.exe`, pe.IMAGE_FILE_MACHINE_AMD64, "x86"},
		{"Visual Studio 2015, 64-bit", `C:\VS14\VC\bin\amd64\cl.exe`, pe.IMAGE_FILE_MACHINE_AMD64, "x64"},
		{"Visual Studio 2015, plain bin", `C:\VS14\VC\bin\cl.exe`, pe.IMAGE_FILE_MACHINE_I386, "x86"},
		{"a copy somewhere", `C:\tools\cl.exe`, pe.IMAGE_FILE_MACHINE_ARM64, "arm64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := machine(t, programSection(tt.path, tt.machine, [4]uint16{14, 40, 33811, 0}))
			if got := clTarget(at, tt.path); got != tt.want {
				t.Errorf("clTarget(%s) = %q, want %q", tt.path, got, tt.want)
			}
		})
	}
}

func TestDefaultToolsetComesFirst(t *testing.T) {
	const root = `C:\VS`
	at := machine(t, "-- tree --\n",
		`C:\VS\VC\Tools\MSVC\14.38.33130\bin\Hostx64\x64\cl.exe x`+"\n",
		`C:\VS\VC\Tools\MSVC\14.44.35207\bin\Hostx64\x64\cl.exe x`+"\n",
		`C:\VS\VC\Tools\MSVC\14.9.1\bin\Hostx64\x64\cl.exe x`+"\n",
		`C:\VS\VC\Tools\MSVC\14.50.1\include d`+"\n",
		"-- file C:\\VS\\VC\\Auxiliary\\Build\\Microsoft.VCToolsVersion.default.txt --\n14.38.33130 \r\n")
	var got []string
	for _, ts := range toolsets(at, root) {
		got = append(got, ts.Version+" "+ts.Cl.Value)
	}
	if d := cmp.Diff([]string{"14.38.33130 19.38", "14.44.35207 19.44", "14.9.1 19.9"}, got); d != "" {
		t.Error(d)
	}
}

func TestOrigin(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{`C:\Strawberry\c\bin\gcc.exe`, "perl"},
		{`C:\Perl64\site\bin\gcc.exe`, "perl"},
		{`C:\msys64\ucrt64\bin\gcc.exe`, "msys2"},
		{`C:\Program Files\Git\mingw64\bin\gcc.exe`, "git"},
		{`C:\mingw-w64\x86_64-8.1.0\mingw64\bin\gcc.exe`, "mingw"},
		{`C:\Users\dev\miniconda3\envs\a\Library\mingw-w64\bin\gcc.exe`, "conda"},
		{`C:\Program Files\LLVM\bin\clang++.exe`, ""},
	} {
		if got := origin(tt.path); got != tt.want {
			t.Errorf("origin(%s) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestRecordingAnswersTheSame(t *testing.T) {
	at := hostFile(t, "windows-rtx5060ti.txtar")
	recorder := host.Record(at.Host, func(string) bool { return true })
	vs, sdks, compilers := Survey(context.Background(), look.New(recorder))
	archive := recorder.Archive("again", nil)
	h, err := host.Parse(archive, nil)
	if err != nil {
		t.Fatal(err)
	}
	vs2, sdks2, compilers2 := Survey(context.Background(), look.New(h))
	for _, d := range []string{cmp.Diff(vs, vs2), cmp.Diff(sdks, sdks2), cmp.Diff(compilers, compilers2)} {
		if d != "" {
			t.Error(d)
		}
	}
}
