package apt

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseSources(t *testing.T) {
	for _, tt := range []struct {
		name, deb822, oneLine string
		want                  string // the entries as stanzas for suite S, component C
	}{
		{
			name:   "deb822",
			deb822: "# the mirror\nTypes: deb deb-src\nURIs: http://example.org/debian\n# and now\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /usr/share/keyrings/k.gpg\n",
			want:   "Types: deb\nURIs: http://example.org/debian\nSuites: S\nComponents: C\nTargets: Packages\nSigned-By: /usr/share/keyrings/k.gpg\n",
		},
		{
			name:   "key within the file",
			deb822: "Types: deb\nURIs: http://example.org/debian\nSuites: trixie\nComponents: main\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINB\n",
			want:   "Types: deb\nURIs: http://example.org/debian\nSuites: S\nComponents: C\nTargets: Packages\nSigned-By: \n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINB\n",
		},
		{name: "switched off", deb822: "Types: deb\nURIs: http://example.org/debian\nSuites: trixie\nComponents: main\nEnabled: no\n"},
		{name: "sources of programs only", deb822: "Types: deb-src\nURIs: http://example.org/debian\nSuites: trixie\nComponents: main\n"},
		{name: "cut off", deb822: "Types: deb\nURIs:"},
		{
			name:    "one line",
			oneLine: "deb [arch=amd64 signed-by=/k.gpg] http://example.org/debian bookworm main contrib # mine\n# deb http://example.org/debian sid main\ndeb-src http://example.org/debian bookworm main\n",
			want:    "Types: deb\nURIs: http://example.org/debian\nSuites: S\nComponents: C\nTargets: Packages\nSigned-By: /k.gpg\n",
		},
		{name: "one line cut off", oneLine: "deb [trusted=yes\ndeb http://example.org/debian\ndeb\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			for _, e := range append(parseDeb822(tt.deb822), parseOneLine(tt.oneLine)...) {
				got += e.with([]string{"S"}, []string{"C"})
			}
			if got != tt.want {
				t.Errorf("%q %q gives\n%s\nwant\n%s", tt.deb822, tt.oneLine, got, tt.want)
			}
		})
	}
}

func TestOurs(t *testing.T) {
	line := func(text string) []entry { return parseOneLine(text) }
	for _, tt := range []struct {
		name, id, codename, sources string
		want                        []string // uri and suite of those that are kept
	}{
		{"debian with others", "debian", "bookworm", "deb https://a.example/node nodistro main\ndeb https://b.example/linux/debian bookworm stable\n" +
			"deb http://c.example/debian-security bookworm-security main\ndeb http://c.example/debian bookworm main\n",
			[]string{"http://c.example/debian bookworm", "http://c.example/debian-security bookworm-security"}},
		{"ubuntu ports", "ubuntu", "noble", "deb http://p.example/ubuntu-ports noble main universe\n", []string{"http://p.example/ubuntu-ports noble"}},
		{"a mirror of another name, by its keys", "debian", "trixie", "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.example/mirror trixie main\n", []string{"http://m.example/mirror trixie"}},
		{"alias", "debian", "trixie", "deb http://m.example/debian stable main\n", []string{"http://m.example/debian stable"}},
		{"another suite alone", "debian", "bookworm", "deb http://m.example/debian trixie main\n", nil},
		{"security alone", "debian", "bookworm", "deb http://m.example/debian-security bookworm-security main\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Machine{Distribution: tt.id, Codenames: []string{tt.codename}}
			var got []string
			for _, e := range m.ours(line(tt.sources)) {
				got = append(got, e.uri()+" "+strings.Join(e.suites, " "))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("ours(%q) = %q, want %q", tt.sources, got, tt.want)
			}
		})
	}
}

func TestDistribution(t *testing.T) {
	for _, tt := range []struct {
		name, text, id string
		codenames      []string
	}{
		{"debian", "ID=debian\nVERSION_CODENAME=bookworm\n", "debian", []string{"bookworm"}},
		{"ubuntu", "ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\nUBUNTU_CODENAME=noble\n", "ubuntu", []string{"noble"}},
		{"mint", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_CODENAME=wilma\nUBUNTU_CODENAME=noble\n", "ubuntu", []string{"wilma", "noble"}},
		{"fedora", "ID=fedora\nVERSION_ID=42\n", "", nil},
		{"nothing", "", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if id, codenames := distribution(tt.text); id != tt.id || !slices.Equal(codenames, tt.codenames) {
				t.Errorf("distribution(%q) = %q, %q, want %q, %q", tt.text, id, codenames, tt.id, tt.codenames)
			}
		})
	}
}

func TestParseSteps(t *testing.T) {
	text := "NOTE: this is only a simulation\nInst libc6 [2.36-9+deb12u10] (2.41-12 Debian:13.7/stable [amd64]) []\n" +
		"Inst libfoo:i386 (1:1.0-2 Debian:13/stable [i386])\nInst gcc-13 (13.3.0-16 Debian:13.7/stable [amd64])\nConf gcc-13 (13.3.0-16 Debian:13.7/stable [amd64])\n"
	want := []Step{{Name: "libc6", Old: "2.36-9+deb12u10", New: "2.41-12"}, {Name: "libfoo", New: "1:1.0-2"}, {Name: "gcc-13", New: "13.3.0-16"}}
	if got := parseSteps(text); !reflect.DeepEqual(got, want) {
		t.Errorf("parseSteps = %v, want %v", got, want)
	}
}

func TestPick(t *testing.T) {
	versions := func(name string, list ...string) (out []Package) {
		for _, v := range list {
			out = append(out, Package{Name: name, Version: v})
		}
		return out
	}
	for _, tt := range []struct {
		name, release string
		versions      []Package
		want          string
	}{
		{"of the release", "12.4.1", versions("libcudart12", "12.5.39~12.5.0-2", "12.4.127~12.4.1-2"), "12.4.127~12.4.1-2"},
		{"the release itself", "11.5.1", versions("nvidia-cuda-dev", "11.5.1-1ubuntu1"), "11.5.1-1ubuntu1"},
		{"another release", "12.4.1", versions("libcudart12", "12.5.39~12.5.0-2"), ""},
		{"a package of its own", "12.4.1", versions("libthrust-dev", "2.5.0-1", "2.3.2-2"), "2.5.0-1"},
		{"a compiler that does not say", "12.4.1", versions(compiler, "13.0-1"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := pick(tt.versions, tt.release); got.Version != tt.want || ok != (tt.want != "") {
				t.Errorf("pick(%v, %s) = %q, %t, want %q", tt.versions, tt.release, got.Version, ok, tt.want)
			}
		})
	}
}

// FuzzLists: what a mirror or an administrator wrote breaks nothing, and a parcel's file is a plain name.
func FuzzLists(f *testing.F) {
	f.Add("Package: a\nVersion: 1\nFilename: pool/a_1.deb\nSize: 3\nInstalled-Size: 1\nSHA256: " + strings.Repeat("a", 64) + "\n")
	f.Add("Types: deb\nURIs: http://example.org/debian\nSuites: trixie\nSigned-By:\n x\n")
	f.Add("deb [trusted=yes] file:/x trixie main\nInst a [1] (2 x)\n :\n: \n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range parsePackages(text) {
			if p.File == "" || strings.ContainsAny(p.File, "/") || p.Size.Download < 0 || p.Size.Installed < 0 {
				t.Errorf("package %+v", p)
			}
		}
		m := Machine{Distribution: "debian", Codenames: []string{"trixie"}}
		for _, e := range m.ours(append(parseDeb822(text), parseOneLine(text)...)) {
			_ = e.with(e.suites, m.all(e.components))
		}
		parseSteps(text)
		distribution(text)
	})
}
