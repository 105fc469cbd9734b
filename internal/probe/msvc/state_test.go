package msvc

import (
	"context"
	"testing"

	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func TestParseState(t *testing.T) {
	for _, tt := range []struct {
		name, in, title, version string
		complete, bad            bool
	}{
		{"with a catalogue", `{"installationPath":"C:\\VS","installationVersion":"16.5.30011.22","catalogInfo":{"productDisplayVersion":"16.5.4"},"localizedResources":[{"language":"de-de","title":"Anders"},{"language":"en-us","title":"Visual Studio Professional 2019"}],"product":{"id":"Microsoft.VisualStudio.Product.Professional","installed":true}}`,
			"Visual Studio Professional 2019", "16.5.4", true, false},
		{"version by the name", `{"installationPath":"C:\\VS\\","installationName":"VisualStudio/17.10.3+35013.160","product":{"id":"Microsoft.VisualStudio.Product.BuildTools"}}`,
			"Visual Studio BuildTools", "17.10.3", true, false},
		{"byte order mark, build number only", "\xef\xbb\xbf" + `{"installationPath":"C:\\VS","installationVersion":"18.0.11116.177"}`,
			"Visual Studio", "18.0.11116.177", true, false},
		{"not installed to the end", `{"installationPath":"C:\\VS","installationVersion":"17.0","product":{"installed":false}}`,
			"Visual Studio", "17.0", false, false},
		{"no path", `{"installationVersion":"17.0"}`, "", "", false, true},
		{"cut short", `{"installationPath":"C:\\VS`, "", "", false, true},
		{"another shape", `["C:\\VS"]`, "", "", false, true},
		{"empty", ``, "", "", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseState([]byte(tt.in))
			if (err != nil) != tt.bad || got.Name != tt.title || got.Version != tt.version || got.Complete != tt.complete {
				t.Errorf("parseState = %+v, %v, want %q %q complete %v, error %v", got, err, tt.title, tt.version, tt.complete, tt.bad)
			}
			if err == nil && got.Path != `C:\VS` {
				t.Errorf("path = %q", got.Path)
			}
		})
	}
}

func TestBrokenRecordIsTold(t *testing.T) {
	at := machine(t, "-- file C:\\ProgramData\\Microsoft\\VisualStudio\\Packages\\_Instances\\1\\state.json --\n{\"installationPath\"\n",
		"-- tree --\nC:\\Program Files\\Microsoft Visual Studio\\18\\Community\\VC d\n")
	vs := instances(context.Background(), at)
	if len(vs) != 1 || vs[0].Name != "Visual Studio Community 18" || len(at.Troubles()) != 1 {
		t.Errorf("instances = %+v, troubles %v, want the folder and one trouble", vs, at.Troubles())
	}
}

func TestVswhereIsTheLastResort(t *testing.T) {
	const answer = `[{"installationPath":"D:\\VS","installationVersion":"17.14.36915.13","displayName":"Visual Studio Build Tools 2022","isComplete":true,` +
		`"catalog":{"productDisplayVersion":"17.14.25"},"packages":[{"id":"Microsoft.VisualStudio.Workload.VCTools"},{"id":"Microsoft.VisualStudio.Workload.VCTools"}]}]`
	const program = `C:\Program Files (x86)\Microsoft Visual Studio\Installer\vswhere.exe`
	at := machine(t, "-- tree --\n"+program+" x\n", "-- run "+program+" -products * -format json -utf8 -include packages --\n"+answer+"\n")
	vs := instances(context.Background(), at)
	if len(vs) != 1 || vs[0].Path != `D:\VS` || vs[0].Version != "17.14.25" || len(vs[0].Components) != 1 || !vs[0].Complete {
		t.Errorf("instances = %+v, want the one vswhere tells", vs)
	}
}

func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{"installationPath":"C:\\VS","selectedPackages":[{"id":"Microsoft.VisualStudio.Workload.VCTools"}]}`))
	f.Add([]byte(`{"localizedResources":[{}],"product":{"installed":false}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := parseState(b); err == nil && (got.Path == "" || got.Name == "") {
			t.Errorf("parseState(%q) = %+v without an error", b, got)
		}
		all, err := parseVswhere(b)
		if err != nil && all != nil {
			t.Errorf("parseVswhere(%q) = %+v beside an error", b, all)
		}
	})
}

// TestRealMachine reads this machine when it is Windows or wine; the numbers are the test bed's.
func TestRealMachine(t *testing.T) {
	at := look.New(host.Here())
	if !at.Path.Windows() {
		t.Skip("not a Windows machine: run with GOOS=windows and scripts/wine-exec")
	}
	vs, sdks, compilers := Survey(context.Background(), at)
	t.Logf("instances %+v\nSDKs %+v\ncompilers %+v\ntroubles %v", vs, sdks, compilers, at.Troubles())
	if at.Env("CUPEL_TESTBED") == "" || len(vs) == 0 {
		t.Skip("no test bed here: run scripts/testbed fetch wine vs")
	}
	if len(vs[0].Toolsets) != 1 || vs[0].Toolsets[0].Cl.Value != "19.40.33811" || vs[0].Version != "17.10.3" {
		t.Errorf("instance = %+v, want 17.10.3 with cl 19.40.33811", vs[0])
	}
	if len(sdks) != 1 || sdks[0].Version != "10.0.22621.0" || !sdks[0].Libs {
		t.Errorf("SDKs = %+v, want 10.0.22621.0", sdks)
	}
	if len(compilers) != 1 || compilers[0].Target != "x64" {
		t.Errorf("compilers = %+v, want one for x64", compilers)
	}
}
