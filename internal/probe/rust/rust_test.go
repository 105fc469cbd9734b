package rust

import (
	"context"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func at(t *testing.T, archive string) *look.At {
	t.Helper()
	h, err := host.Parse([]byte(archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

const rustup = `
-- host --
os = linux
arch = amd64
home = /home/u
cwd = /home/u/ws/crate
-- tree --
/home/u/.cargo/bin/cargo -> rustup
/home/u/.cargo/bin/rustup x 10
/home/u/.rustup/toolchains/stable-x86_64-unknown-linux-gnu d
/home/u/.rustup/toolchains/nightly-2025-01-01-x86_64-unknown-linux-gnu d
/home/u/.rustup/toolchains/mine/lib/rustlib/aarch64-unknown-linux-gnu d
/home/u/.rustup/toolchains/mine/lib/rustlib/rust-installer-version f 1
/home/u/.rustup/toolchains/mine/lib/rustlib/x86_64-unknown-linux-gnu/bin d
/home/u/ws/crate d
-- file /home/u/.rustup/settings.toml --
version = "12"
default_toolchain = "stable-x86_64-unknown-linux-gnu"
[overrides]
"/home/u/over" = "mine"
-- env --
PATH=/home/u/.cargo/bin
`

func TestSurveyFollowsRustup(t *testing.T) {
	const linux = "x86_64-unknown-linux-gnu"
	for _, tt := range []struct{ name, extra, dir, toolchain, host, source string }{
		{"default", "", "", "stable-" + linux, linux, "/home/u/.rustup/settings.toml"},
		{"variable wins", "-- env --\nRUSTUP_TOOLCHAIN=beta\n-- file /home/u/ws/rust-toolchain --\nnightly\n", "", "beta-" + linux, linux, "RUSTUP_TOOLCHAIN"},
		{"file of a parent", "-- file /home/u/ws/rust-toolchain.toml --\n[toolchain]\nchannel = \"1.80\"\n", "", "1.80-" + linux, linux, "/home/u/ws/rust-toolchain.toml"},
		{"the one without an ending", "-- file /home/u/ws/rust-toolchain.toml --\n[toolchain]\nchannel = \"1.80\"\n-- file /home/u/ws/rust-toolchain --\nnightly-2025-01-01\n", "", "nightly-2025-01-01-" + linux, linux, "/home/u/ws/rust-toolchain"},
		{"override before a file in the same folder", "-- file /home/u/over/rust-toolchain --\nnightly\n", "/home/u/over", "mine", linux, "/home/u/.rustup/settings.toml"},
		{"nearer file before an override", "-- file /home/u/over/sub/rust-toolchain --\nstable-x86_64-pc-windows-gnu\n", "/home/u/over/sub", "stable-x86_64-pc-windows-gnu", "x86_64-pc-windows-gnu", "/home/u/over/sub/rust-toolchain"},
		{"a path", "-- file /home/u/ws/rust-toolchain.toml --\n[toolchain]\npath = \"../.rustup/toolchains/mine\"\n", "", "/home/u/.rustup/toolchains/mine", linux, "/home/u/ws/rust-toolchain.toml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Survey(context.Background(), at(t, rustup+tt.extra), tt.dir)
			if r.Toolchain.Value != tt.toolchain || r.Host.Value != tt.host || r.Toolchain.Source != tt.source {
				t.Errorf("toolchain %+v host %+v\nwant %s, %s from %s", r.Toolchain, r.Host, tt.toolchain, tt.host, tt.source)
			}
			if len(r.Installed) != 3 || !r.Cargo.Known() {
				t.Errorf("installed %q cargo %+v", r.Installed, r.Cargo)
			}
		})
	}
}

func TestSurveyWithoutRustup(t *testing.T) {
	for _, tt := range []struct {
		name, archive        string
		cargo, toolchain     fact.State
		host, why, cargoFrom string
	}{
		{"no cargo", "-- host --\nos = linux\narch = amd64\nhome = /h\n", fact.Absent, "", "", "", "PATH"},
		{"distribution", "-- host --\nos = linux\narch = amd64\nhome = /h\n-- env --\nPATH=/usr/bin\n-- tree --\n/usr/bin/cargo x 1\n/usr/lib/rustlib/x86_64-unknown-linux-gnu d\n", fact.Known, fact.Absent, "x86_64-unknown-linux-gnu", "", "PATH"},
		{"distribution without libraries", "-- host --\nos = linux\narch = amd64\nhome = /h\n-- env --\nPATH=/usr/bin\n-- tree --\n/usr/bin/cargo x 1\n", fact.Known, fact.Absent, "", "not exist", "PATH"},
		{"broken settings", "-- host --\nos = linux\narch = amd64\nhome = /h\n-- tree --\n/h/.cargo/bin/cargo -> rustup\n/h/.cargo/bin/rustup x 1\n-- file /h/.rustup/settings.toml --\n\x00[\n", fact.Known, fact.Unreadable, "", "toml", "/h/.cargo"},
		{"no default", "-- host --\nos = linux\narch = amd64\nhome = /h\n-- tree --\n/h/.cargo/bin/cargo -> rustup\n/h/.cargo/bin/rustup x 1\n", fact.Known, fact.Unreadable, "", "", "/h/.cargo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Survey(context.Background(), at(t, tt.archive), "")
			if r.Cargo.State != tt.cargo || r.Toolchain.State != tt.toolchain || r.Host.Value != tt.host || !strings.Contains(r.Host.Why, tt.why) || r.Cargo.Source != tt.cargoFrom {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestSurveyOnWindows(t *testing.T) {
	r := Survey(context.Background(), at(t, `
-- host --
os = windows
arch = amd64
home = C:\Users\u
cwd = C:\ws
-- env --
PATH=C:\Users\u\.cargo\bin
-- tree --
C:\Users\u\.cargo\bin\cargo.exe x 1
C:\Users\u\.cargo\bin\rustup.exe x 1
C:\Users\u\.rustup\toolchains\stable-x86_64-pc-windows-gnu d
-- file C:\Users\u\.rustup\settings.toml --
default_host_triple = "x86_64-pc-windows-msvc"
default_toolchain = "stable-x86_64-pc-windows-msvc"
[overrides]
'\\?\C:\ws' = "stable-x86_64-pc-windows-gnu"
`), "")
	if r.Toolchain.Value != "stable-x86_64-pc-windows-gnu" || r.Host.Value != "x86_64-pc-windows-gnu" {
		t.Errorf("got %+v", r)
	}
}

func FuzzToolchainFile(f *testing.F) {
	f.Add([]byte("nightly\n"), false)
	f.Add([]byte("[toolchain]\nchannel = \"1.80\"\n"), true)
	f.Add([]byte("[toolchain]\npath = \"x\"\nchannel=\"y\"\n"), false)
	f.Fuzz(func(t *testing.T, b []byte, onlyTOML bool) {
		p, err := parsePin(b, onlyTOML)
		if err == nil && p.Channel == "" && p.Path == "" {
			t.Errorf("%q gives neither a pin nor an error", b)
		}
	})
}

func FuzzRustupSettings(f *testing.F) {
	f.Add([]byte("default_toolchain = \"stable\"\n[overrides]\n\"/a\" = \"b\"\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := parseSettings(b); err != nil && (s.Default != "" || s.Overrides != nil) {
			t.Errorf("%q gives both settings and an error", b)
		}
	})
}
