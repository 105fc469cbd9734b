package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/finding"
	"cupel/internal/signature"
)

// foreign are words of steps that do not work on a platform.
var foreign = map[string][]string{
	"windows": {"sudo ", "/dev/", "/proc/", "export ", "eval ", "command -v", " ./", "ldconfig", "rmmod", "modprobe", "apt-get", "dmesg", "systemctl", "LD_LIBRARY_PATH", "ulimit",
		"grep ", "lsmod", "journalctl", "unset ", "/usr/", "/etc/", "free -h", "ls -l", "env -u", "$CUDA", "$HOME", "${"},
	"linux": {"$env:", "where.exe", "PowerShell", "vcvars", "Invoke-Expression", "Get-Command", "Restart-Computer"},
}

// only are signatures whose messages, and labels whose causes, are of one platform by themselves: their fixes need no
// condition, and hold for a log that looks like another platform's too.
var only = map[string]string{
	// messages
	"apt-nvidia-key": "linux", "apt-nvidia-package": "linux", "installer-driver": "linux", "installer-refused": "linux",
	"so-cudart": "linux", "so-cudnn": "linux", "so-glibc": "linux", "so-math-lib": "linux", "so-nccl": "linux", "so-symbol-version": "linux",
	"ld-needed-not-found": "linux", "gcc-cc1plus": "linux", "gcc-intrinsics": "linux", "gcc-libstdcxx": "linux", "glibc-float-types": "linux",
	"host-gcc-too-new": "linux", "host-gcc-too-old": "linux", "host-torch-bounds": "linux", "libcuda-not-found": "linux", "nvml-mismatch": "linux", "xid-event": "linux",
	"jax-backend-unknown": "linux", "jax-component-old": "linux", "jax-libdevice": "linux", "jax-part-missing": "linux", "jax-plugin-mismatch": "linux",
	"mps-pipe-value": "linux", "mps-unreachable": "linux", "torch-ext-cuda-home-list": "linux",
	"dll-dependency": "windows", "dll-missing": "windows", "lnk-lib-not-found": "windows", "msvc-stl-mismatch": "windows", "msvc-stl-unread": "windows",
	"msvc-version-refused": "windows", "host-cl-missing": "windows", "header-msvc": "windows", "host-vcvars": "windows", "host-32bit": "windows",
	"host-link-exe": "windows", "nvcc-crashed": "windows", "nvcc-command-too-long": "windows",
	// causes
	"cmake-stale-rule/libcuda-not-linkable": "linux", "gpu-none-noticed/driver-state-broken": "linux", "gpu-none-visible/driver-state-broken": "linux",
	"torch-abi-symbol/stale-build-artifacts": "linux", "msvc-traditional-preprocessor": "windows", "cutlass-msvc": "windows",
	"wsl-libcuda-not-found": "linux", "fabric-manager-not-running": "linux", "nvidia-package-source": "linux", "glibc-headers-too-new": "linux",
	"libstdcxx-too-new-for-nvcc": "linux", "libc-too-old-for-binary": "linux", "stub-libcuda-at-run": "linux", "forward-compat-unsupported": "linux",
	"msvc-too-new": "windows", "cuda-dll-not-found-windows": "windows", "windows-command-too-long": "windows",
}

// TestFixesOfPlatform: what is told to people on a platform works there, and every cause that can be told there has a
// fix.
func TestFixesOfPlatform(t *testing.T) {
	other := map[string]string{"windows": "linux", "linux": "windows"}
	for _, s := range signature.All() {
		for _, r := range s.Causes {
			for platform, words := range foreign {
				alone := cmp.Or(only[s.ID], only[r.Label], only[s.ID+"/"+r.Label])
				if !on(platform, s.Platform) || !on(platform, r.When.Platform) || alone == other[platform] {
					continue
				}
				var left []string
				for _, f := range r.Fixes {
					if !on(platform, f.When.Platform) {
						continue
					}
					left = append(left, f.Command)
					if word := holdsWord(words, f.Command, f.Note); word != "" {
						t.Errorf("%s, %s: on %s a fix says %q: %s (%s)", s.ID, r.Label, platform, word, f.Command, f.Note)
					}
				}
				if len(left) == 0 {
					t.Errorf("%s, %s: no fix is left on %s", s.ID, r.Label, platform)
				}
			}
		}
	}
}

// on says that something bound to platforms can be on one: Linux has WSL2 and containers too.
func on(platform string, platforms []string) bool {
	return len(platforms) == 0 || slices.ContainsFunc(platforms, func(p string) bool { return slices.Contains(traits(p), platform) })
}

func holdsWord(words []string, texts ...string) string {
	for _, text := range texts {
		for _, word := range words {
			if strings.Contains(" "+text, word) {
				return word
			}
		}
	}
	return ""
}

// TestSharpenPlatforms: the rows of sharpen.toml too.
func TestSharpenPlatforms(t *testing.T) {
	for _, row := range data.Sharpenings() {
		for platform, words := range foreign {
			if word := holdsWord(words, row.Command, row.Note); word != "" && on(platform, row.Platform) {
				t.Errorf("%q: on %s a row says %q: %s", row.Labels, platform, word, row.Command)
			}
		}
	}
}

// TestFixesOfUnknownPlatform: where nothing tells the platform, the fixes of Linux are told.
func TestFixesOfUnknownPlatform(t *testing.T) {
	const log = "nvcc fatal   : Unsupported gpu architecture 'compute_120'"
	for _, tt := range []struct{ platform, want, not string }{
		{"", "command -v nvcc", "Get-Command"},
		{"linux", "command -v nvcc", "Get-Command"},
		{"wsl2", "command -v nvcc", "Get-Command"},
		{"macos", "command -v nvcc", "Get-Command"},
		{"windows", "Get-Command nvcc", "command -v"},
	} {
		f := answer(t, whole(t), log, tt.platform).Findings[0]
		if got := steps(f.Next); !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("platform %q: %q; want %q and not %q", tt.platform, got, tt.want, tt.not)
		}
	}
}

// TestFixesMerge: one toolkit is installed, and the environment of none is not taken over.
func TestFixesMerge(t *testing.T) {
	first := []finding.Step{{Command: "cupel toolkit install 13.4"}}
	then := []finding.Step{{Command: "cupel toolkit install 12.8"}, {Command: `eval "$(cupel env)"`}, {Note: "or name it"}}
	for _, tt := range []struct{ name, host, want string }{
		{"no toolkit", "ubuntu-bare", "cupel toolkit install 13.4\nor name it"},
		{"toolkits", "ubuntu-five-toolkits", "cupel toolkit install 13.4\neval \"$(cupel env)\"\nor name it"},
	} {
		if got := steps(machineOf(t, tt.host).merge(first, then)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := steps(machineOf(t, "ubuntu-bare").merge(nil, then[1:2])); got == "" {
		t.Error("the only step is dropped")
	}
}

func steps(all []finding.Step) string {
	var out []string
	for _, s := range all {
		out = append(out, strings.TrimSpace(s.Command+" "+s.Note))
	}
	return strings.Join(out, "\n")
}
