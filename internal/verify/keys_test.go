package verify_test

import (
	"slices"
	"testing"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
)

const keyed = `[toolkit]
min = "12.0"
[pins."a.b"]
files = [{ file = "f", pattern = "(x)" }]
[env]
"toolkit.root" = ["CUDA_HOME"]
[env.wsl2]
"toolkit.root" = ["CUDA_PATH"]
MAX_JOBS = "4"
[arch]
targets = ["8.9"]
env = "CUDAARCHS"
[[scope.linux.off]]
item = "Flash attention"
reason = "of Linux"
[[scope.linux.off]]
item = "NCCL"
[[scope.wsl2.off]]
item = "MPS"
[[scope.wsl2.off]]
item = "flash-attention"
reason = "of WSL2"
`

// TestKeysLead: the key of a check is a key path, and Where is the line it stands on.
func TestKeysLead(t *testing.T) {
	in := input(t, wsl, keyed)
	in.Project = fact.Project{Root: "/p", Pins: []fact.PinValue{{Pin: "a.b", File: "f", Why: "no such file"}}}
	a := verify.Judge(in)
	for _, tt := range []struct{ id, key, where string }{
		{"pin-a-b", `pins."a.b"`, "cupel.toml:6:7"},
		{"env-cuda-home", `env."toolkit.root"`, "cupel.toml:9:1"},
		{"env-cuda-path", `env.wsl2."toolkit.root"`, "cupel.toml:11:1"},
		{"env-max-jobs", "env.wsl2.MAX_JOBS", "cupel.toml:12:1"},
		{"env-cudaarchs", "arch.env", "cupel.toml:15:1"},
		{"scope-flash-attention", "scope.wsl2.off[1]", "cupel.toml:23:14"},
		{"scope-nccl", "scope.linux.off[1]", "cupel.toml:19:15"},
	} {
		c := find(a.Findings, tt.id)
		if c == nil {
			t.Errorf("no check %s in\n%s", tt.id, lines(a.Findings))
		} else if c.Key != tt.key || c.Where != tt.where {
			t.Errorf("%s: key %s at %s, want %s at %s", tt.id, c.Key, c.Where, tt.key, tt.where)
		}
	}
}

// TestScopeOnce: what two platforms leave out is told once, in the words of the nearer, and always in the same order.
func TestScopeOnce(t *testing.T) {
	for _, tt := range []struct {
		name, host string
		as         string
		want       []string
	}{
		{"under WSL2", wsl, "", []string{"scope-flash-attention: the contract leaves it out on this platform: of WSL2", "scope-nccl: the contract leaves it out on this platform", "scope-mps: the contract leaves it out on this platform"}},
		{"on Linux", five, "linux", []string{"scope-flash-attention: the contract leaves it out on this platform: of Linux", "scope-nccl: the contract leaves it out on this platform"}},
		{"on Windows", win, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 20 {
				in := input(t, tt.host, keyed)
				if tt.as != "" {
					as(tt.as)(&in)
				}
				var got []string
				for _, c := range verify.Judge(in).Findings {
					if len(c.ID) > 6 && c.ID[:6] == "scope-" {
						got = append(got, c.ID+": "+c.Why)
					}
				}
				if !slices.Equal(got, tt.want) {
					t.Fatalf("got  %q\nwant %q", got, tt.want)
				}
			}
		})
	}
}

// TestConfigKey: a config is found by its number.
func TestConfigKey(t *testing.T) {
	c, found := contract.Parse("cupel.toml", []byte("cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\n[[config]]\nname = \"b\"\ncommand = \"x\"\n"))
	if len(found) > 0 {
		t.Fatal(found)
	}
	cfg := c.Configs[1]
	got := verify.ConfigCheck(cfg, verify.Outcome{Name: "b"}, c.At(cfg.Key()+".command"))
	if got.Key != "config[1]" || got.Where != "cupel.toml:7:1" || got.ID != "config-b" {
		t.Errorf("%s: key %s at %s, want config-b: key config[1] at cupel.toml:7:1", got.ID, got.Key, got.Where)
	}
}
