package pip

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/child"
	"cupel/internal/resolve"
)

func TestSpec(t *testing.T) {
	for _, tt := range []struct {
		spec     string
		yes, no  string
		narrowed string
	}{
		{"==13.0.88.*", "13.0.88 13.0.88.1", "13.0.8 13.0.880 13.0.87", "==13.0.88.*"},
		{"<14,>=13.0.88", "13.0.88 13.4.92", "14 13.0.87", "<14,>=13.0.88,==13.0.*"},
		{"==9.1", "9.1 9.1.0", "9.1.1", "==9.1"},
		{"!=2.0.*,>1", "1.1 3", "2.0.1 1", "!=2.0.*,>1"},
		{"~=1.4.2", "1.4.2 1.4.9", "1.5 1.4.1", "~=1.4.2"},
		{"<=3", "3.0 2.9", "3.0.1", "<=3"},
		{"", "0 99.1", "", ""},
	} {
		s, err := parseSpec(tt.spec)
		if err != nil || s.narrow().String() != tt.narrowed {
			t.Errorf("parseSpec(%q) = %v, %v; narrowed %q, want %q", tt.spec, s, err, s.narrow(), tt.narrowed)
		}
		for _, list := range []struct {
			versions string
			want     bool
		}{{tt.yes, true}, {tt.no, false}} {
			for v := range strings.FieldsSeq(list.versions) {
				if n, ok := parseNumber(v); !ok || s.allows(n) != list.want {
					t.Errorf("%q allows %s: %t, want %t", tt.spec, v, !list.want, list.want)
				}
			}
		}
	}
	for _, bad := range []string{"13", "==x", "=>1", "==1.0rc1", "@ https://host/x.whl"} {
		if s, err := parseSpec(bad); err == nil {
			t.Errorf("parseSpec(%q) = %v, want an error", bad, s)
		}
	}
}

func TestMarker(t *testing.T) {
	for _, tt := range []struct {
		marker string
		on     string // platforms, with the extra nvcc
	}{
		{platforms + " and extra == 'nvcc'", "linux-x86_64 linux-arm64 windows-x86_64"},
		{`sys_platform == "win32" and platform_machine == 'ARM64' and extra == 'nvcc'`, "windows-arm64"},
		{"extra == 'cublas'", ""},
		{"platform_system in 'Linux Darwin' and python_version >= '3.9'", "linux-x86_64 linux-arm64"},
		{"os_name not in 'nt' or platform_machine != 'AMD64'", "linux-x86_64 linux-arm64 windows-arm64"},
		{"python_version < '3.9'", ""},
		{"((extra=='nvcc'))", "linux-x86_64 linux-arm64 windows-x86_64 windows-arm64"},
	} {
		m, err := parseMarker(tt.marker)
		if err != nil {
			t.Errorf("parseMarker(%q): %v", tt.marker, err)
			continue
		}
		var got []string
		for _, p := range resolve.Platforms {
			if ok, err := m.holds(variables(p, "nvcc")); err != nil {
				t.Errorf("%q on %s: %v", tt.marker, p, err)
			} else if ok {
				got = append(got, p.String())
			}
		}
		if strings.Join(got, " ") != tt.on {
			t.Errorf("%q holds on %v, want %s", tt.marker, got, tt.on)
		}
	}
	for _, bad := range []string{"", "extra", "extra ==", "extra == 'x", "(extra == 'x'", "extra == 'x')", "extra == 'x' and", "extra = 'x'", "and or not", "extra not 'x'", strings.Repeat("(", 200)} {
		if m, err := parseMarker(bad); err == nil {
			t.Errorf("parseMarker(%q) = %v, want an error", bad, m)
		}
	}
	m, _ := parseMarker("colour == 'red'")
	if ok, err := m.holds(variables(linux, "")); err == nil {
		t.Errorf("a variable that is not known holds: %t", ok)
	}
}

func FuzzMarker(f *testing.F) {
	for _, s := range []string{platforms + " and extra == 'nvcc'", "(a in 'b' or c not in \"d\") and e >= '3'", "((((", "'' == ''", "not in"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := parseMarker(s)
		if err != nil {
			return
		}
		for _, p := range resolve.Platforms {
			m.holds(variables(p, "nvcc"))
		}
	})
}

func FuzzCore(f *testing.F) {
	f.Add("Metadata-Version: 2.4\nName: cuda-toolkit\nVersion: 13.0.3.0\nRequires-Dist: nvidia-nvjitlink<14,>=13.0.88; extra == 'nvcc'\n\n# text\nRequires-Dist: x\n")
	f.Add("Version: 1\nRequires-Dist: A.b_C [x] (==1.*) ; 'a' == 'a'")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := parseCore(s)
		if err != nil {
			return
		}
		for _, p := range resolve.Platforms {
			pins, err := c.extra("nvcc", p)
			if err != nil {
				return
			}
			for _, p := range pins {
				if again, err := parseSpec(p.spec.String()); err != nil || again.String() != p.spec.String() {
					t.Errorf("%s reads back as %v, %v", p, again, err)
				}
			}
		}
	})
}

func FuzzLinks(f *testing.F) {
	f.Add("  Found link https://host/p/nvidia_nvvm-13.0.88-py3-none-win_amd64.whl#sha256=" + strings.Repeat("a", 64) + " (from https://host/simple/) (requires-python:>=3), version: 13.0.88")
	f.Add("  Skipping link: none of the wheel's tags (py3-none-win_amd64) are compatible (run pip debug --verbose to show compatible tags): file:///x/a-1-py3-none-any.whl (from x)")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range resolve.Platforms {
			if w, ok := newest(links(s), pin{name: "nvidia-nvvm"}, p); ok && (w.name != "nvidia-nvvm" || w.sha256 != "" && len(w.sha256) != 64) {
				t.Errorf("newest(%q) = %+v", s, w)
			}
		}
		_, _ = parseLock(s)
	})
}

func TestNewest(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	output := `  Found link https://u:****@host/x/nvidia_nvvm-13.0.88-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl#sha256=` + sum + ` (from https://host/simple/nvidia-nvvm/) (requires-python:>=3), version: 13.0.88
  Skipping link: none of the wheel's tags (py3-none-win_amd64) are compatible (run pip debug --verbose to show compatible tags): https://host/x/nvidia_nvvm-13.0.88-py3-none-win_amd64.whl#sha256=` + sum + ` (from x)
  Skipping link: yanked for reason: broken: https://host/x/nvidia_nvvm-13.0.99-py3-none-win_amd64.whl#sha256=` + sum + ` (from x)
  Found link file:///x/nvidia_nvvm-13.0.87-py3-none-any.whl (from x), version: 13.0.87
  Found link https://host/x/nvidia_nvvm-13.0.88-py3-none-manylinux_2_28_x86_64.whl (from x), version: 13.0.88
  Found link https://host/x/nvidia_nvvm-13.4.92-py3-none-manylinux_2_28_x86_64.whl (from x), version: 13.4.92
  Found link https://host/x/nvidia-nvvm-13.0.90.tar.gz (from x), version: 13.0.90`
	for _, tt := range []struct {
		platform resolve.Platform
		want     string
		sum      string
	}{
		{linux, "nvidia_nvvm-13.0.88-py3-none-manylinux_2_28_x86_64.whl", ""},
		{windows, "nvidia_nvvm-13.0.88-py3-none-win_amd64.whl", sum},
		{arm, "nvidia_nvvm-13.0.87-py3-none-any.whl", ""},
	} {
		s, _ := parseSpec("==13.0.*")
		if w, _ := newest(links(output), pin{"nvidia-nvvm", s}, tt.platform); w.file != tt.want || w.sha256 != tt.sum {
			t.Errorf("newest for %s = %s %q, want %s %q", tt.platform, w.file, w.sha256, tt.want, tt.sum)
		}
	}
}

func TestReason(t *testing.T) {
	for _, tt := range []struct{ name, out, err, want string }{
		{"refused, old pip", "Could not fetch URL http://127.0.0.1:9/simple/cuda-toolkit/: connection error: HTTPConnectionPool(host='127.0.0.1', port=9): Max retries exceeded with url: /simple/cuda-toolkit/ (Caused by NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7f11bc1ce4d0>: Failed to establish a new connection: [Errno 111] Connection refused')) - skipping\nSkipping link: not a file", "ERROR: No matching distribution found for cuda-toolkit\n", "Connection refused"},
		{"refused, new pip", "Could not fetch URL http://127.0.0.1:9/simple/cuda-toolkit/: connection error: [Errno 111] Connection refused - skipping", "ERROR: No matching distribution found for cuda-toolkit\n", "Connection refused"},
		{"no such host", "Could not fetch URL https://h.invalid/simple/cuda-toolkit/: connection error: Failed to resolve IP address for 'h.invalid' ([Errno -2] Name or service not known) - skipping", "", "Failed to resolve IP address for 'h.invalid' ([Errno -2] Name or service not known)"},
		{"retries", "", "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7f>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/x/\nERROR: No matching distribution found for x", "Connection refused"},
		{"not allowed", "Could not fetch URL https://host/simple/x/: 403 Client Error: Forbidden for url: https://host/simple/x/ - skipping", "", "403 Client Error: Forbidden"},
		{"no pip", "", "/usr/bin/python3: No module named pip\n", "/usr/bin/python3: No module named pip"},
		{"too old", "", "ERROR: unknown command \"index\"\n", `unknown command "index"`},
		{"uv", "", "error: Request failed after 3 retries in 7.6s\n  cause: Failed to fetch\n  cause: dns error\n", "dns error"},
		{"disk full", "", "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n\n", "Could not install packages due to an OSError: [Errno 28] No space left on device"},
		{"wrong checksum", "", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If …\n    x from y:\n        Expected sha256 aa\n             Got        bb\n", "what came is not what the index promised: its sha256 differs"},
		{"silent", "", "", "it said nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := child.Failed{Command: child.Command{Path: "python3"}, Result: child.Result{Stdout: tt.out, Stderr: tt.err, Code: 1}}
			if got := reason(err); got != tt.want {
				t.Errorf("reason = %q, want %q", got, tt.want)
			}
			var failed child.Failed
			if !errors.As(short(err), &failed) {
				t.Error("short loses what the client said")
			}
		})
	}
}

// TestCandidates: how the clients are started, on Windows too.
func TestCandidates(t *testing.T) {
	venv := filepath.Join("v", "env")
	for _, tt := range []struct {
		name, os, env string
		there         string
		files         []string
		want          string
	}{
		{"linux", "linux", "", "python3 pip3 pip uv", nil, "python3 -m pip; pip3; pip; uv"},
		{"linux in an environment", "linux", "VIRTUAL_ENV=" + venv, "python3", []string{filepath.Join(venv, "bin", "python")}, filepath.Join(venv, "bin", "python") + " -m pip; python3 -m pip"},
		{"an environment that is gone", "linux", "VIRTUAL_ENV=" + venv, "uv", nil, "uv"},
		{"windows", "windows", "", "py python pip uv", nil, "py -m pip; python -m pip; pip; uv"},
		{"windows in an environment", "windows", "VIRTUAL_ENV=" + venv, "python", []string{filepath.Join(venv, "Scripts", "python.exe")}, filepath.Join(venv, "Scripts", "python.exe") + " -m pip; python -m pip"},
		{"nothing", "windows", "", "", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := New(Config{OS: tt.os, Env: []string{tt.env}, Look: func(name string) (string, error) {
				if slices.Contains(strings.Fields(tt.there), name) {
					return name, nil
				}
				return "", exec.ErrNotFound
			}, Stat: func(name string) (os.FileInfo, error) {
				if slices.Contains(tt.files, name) {
					return nil, nil
				}
				return nil, fs.ErrNotExist
			}}).cfg.candidates()
			var got []string
			for _, w := range c {
				got = append(got, strings.Join(w.words, " "))
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("candidates = %s, want %s", s, tt.want)
			}
		})
	}
}

func TestPlatformArgs(t *testing.T) {
	for _, tt := range []struct {
		platform resolve.Platform
		has, not string
	}{
		{linux, "manylinux_2_17_x86_64 manylinux2014_x86_64 manylinux_2_27_x86_64", "win_amd64 manylinux_2_17_aarch64"},
		{arm, "manylinux_2_17_aarch64", "manylinux_2_17_x86_64"},
		{windows, "win_amd64", "win_arm64 any"},
		{winARM, "win_arm64", "win_amd64"},
	} {
		args := platformArgs(tt.platform)
		for w := range strings.FieldsSeq(tt.has) {
			if !slices.Contains(args, w) {
				t.Errorf("%s: no %s in %v", tt.platform, w, args)
			}
		}
		for w := range strings.FieldsSeq(tt.not) {
			if slices.Contains(args, w) {
				t.Errorf("%s: %s in %v", tt.platform, w, args)
			}
		}
		if triples[tt.platform.String()] == "" {
			t.Errorf("uv has no name for %s", tt.platform)
		}
	}
}

// TestSizes: the table knows the newest update of every release whole, for every platform that has it.
func TestSizes(t *testing.T) {
	for _, p := range resolve.Platforms {
		for _, n := range known(p) {
			o := offer(n.release(), p, "")
			all := int64(900e6)
			if p.Windows() {
				all = 180e6 // without the math libraries
			}
			if o.Minimal.Download < 80e6 || o.Minimal.Installed < 2*o.Minimal.Download || o.Full.Download < all || o.Full.Installed < o.Full.Download {
				t.Errorf("%s on %s: minimal %+v, full %+v", o.Release, p, o.Minimal, o.Full)
			}
		}
	}
	for _, r := range data.SourceOf(sourceName).Releases {
		p, err := resolve.ParsePlatform(r.Platform)
		n, ok := parseNumber(r.Release)
		if err != nil || !ok {
			t.Fatalf("%s %s: %v", r.Release, r.Platform, err)
		}
		for _, word := range resolve.Offered(sourceName, n.release(), p) {
			if !slices.ContainsFunc(r.Sizes, func(s data.SourceSize) bool { return s.Word == word && s.Download > 0 && s.Installed > 0 }) {
				t.Errorf("%s on %s: no size of %s", r.Release, p, word)
			}
		}
	}
}
