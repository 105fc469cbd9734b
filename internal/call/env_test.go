package call

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func env(hidden []string, kv ...string) Env {
	e := Env{Values: map[string]string{}, Hidden: hidden}
	for i := 0; i < len(kv); i += 2 {
		e.Values[kv[i]] = kv[i+1]
	}
	return e
}

func TestKeep(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []string
		want Env
	}{
		{"none", nil, env(nil)},
		{"plain", []string{"A=1", "B="}, env(nil, "A", "1", "B", "")},
		{"= in the value", []string{"FLAGS=-DX=1"}, env(nil, "FLAGS", "-DX=1")},
		{"drive folders of Windows", []string{`=C:=C:\src`, `=ExitCode=00000000`}, env(nil, "=C:", `C:\src`, "=ExitCode", "00000000")},
		{"names of Windows keep their spelling", []string{`Path=C:\bin`, "ProgramFiles(x86)=C:\\P"}, env(nil, "Path", `C:\bin`, "ProgramFiles(x86)", "C:\\P")},
		{"no entry at all", []string{"", "A", "=", "=x"}, env(nil)},
		{"secrets, sorted", []string{"Z_TOKEN=x", "A_KEY=y", "B=1"}, env([]string{"A_KEY", "Z_TOKEN"}, "B", "1")},
		{"twice: the last holds", []string{"A=1", "A=2"}, env(nil, "A", "2")},
		{"twice, the last a secret", []string{"A=1", "A=ghp_x"}, env([]string{"A"})},
		{"twice, the first a secret", []string{"A=ghp_x", "A=1"}, env(nil, "A", "1")},
		{"a secret twice", []string{"T_TOKEN=1", "T_TOKEN=2"}, env([]string{"T_TOKEN"})},
		{"bytes that are no text", []string{"A=\xff\xfe"}, env(nil, "A", "\xff\xfe")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Keep(tt.in), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Keep(%q):\n%s", tt.in, diff)
			}
		})
	}
}

// TestSinceWith: the difference is the smallest, and base with it is the environment again.
func TestSinceWith(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, here Env
		want       Diff
	}{
		{"equal", env([]string{"T_TOKEN"}, "A", "1"), env([]string{"T_TOKEN"}, "A", "1"), Diff{}},
		{"added", env(nil, "A", "1"), env(nil, "A", "1", "B", ""), Diff{Set: map[string]string{"B": ""}}},
		{"changed", env(nil, "A", "1"), env(nil, "A", "2"), Diff{Set: map[string]string{"A": "2"}}},
		{"gone", env(nil, "B", "1", "A", "1"), env(nil), Diff{Unset: []string{"A", "B"}}},
		{"a secret came", env(nil), env([]string{"T_TOKEN"}), Diff{Hidden: []string{"T_TOKEN"}}},
		{"a secret went", env([]string{"T_TOKEN"}), env(nil), Diff{Unset: []string{"T_TOKEN"}}},
		{"a value became a secret", env(nil, "A", "1"), env([]string{"A"}), Diff{Hidden: []string{"A"}}},
		{"a secret became a value", env([]string{"A"}), env(nil, "A", "1"), Diff{Set: map[string]string{"A": "1"}}},
		{"respelt on Windows", env(nil, "Path", "x"), env(nil, "PATH", "x"), Diff{Set: map[string]string{"PATH": "x"}, Unset: []string{"Path"}}},
		{"another folder on Windows", env(nil, "=C:", "a"), env(nil, "=C:", "b"), Diff{Set: map[string]string{"=C:": "b"}}},
		{"from nothing", Env{}, env([]string{"T_TOKEN"}, "A", "1"), Diff{Set: map[string]string{"A": "1"}, Hidden: []string{"T_TOKEN"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.here.Since(tt.base)
			if diff := cmp.Diff(tt.want, d, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Since:\n%s", diff)
			}
			before := env(append([]string(nil), tt.base.Hidden...))
			for k, v := range tt.base.Values {
				before.Values[k] = v
			}
			if diff := cmp.Diff(tt.here, tt.base.With(d), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("With of that is another environment:\n%s", diff)
			}
			if diff := cmp.Diff(before, tt.base, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("With changed its own:\n%s", diff)
			}
		})
	}
}

func TestSecret(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"PATH", "/bin", false},
		{"GITHUB_TOKEN", "x", true},
		{"github_token", "x", true},
		{"CARGO_REGISTRIES_MINE_TOKEN", "x", true},
		{"HF_TOKEN", "", true},
		{"MYTOKEN", "x", true},
		{"TOKENIZERS_PARALLELISM", "false", false},
		{"AWS_SECRET_ACCESS_KEY", "x", true},
		{"AWSACCESSKEY", "x", true},
		{"SSH_PRIVATEKEY", "x", true},
		{"MONKEY", "x", false},
		{"KEYBOARD", "x", false},
		{"PGPASSWORD", "x", true},
		{"MYSQL_PWD", "x", true},
		{"PWD", "/src", false},
		{"OLDPWD", "/src", false},
		{"COMPASS", "n", false},
		{"PATHEXT", ".EXE", false},
		{"SENTRY_DSN", "x", true},
		{"npm_config_//host/:_authToken", "x", true},
		{"ConnectionStrings.Password", "x", true},
		{"CUDA_HOME", "/usr/local/cuda", false},
		{"NVCC_APPEND_FLAGS", "-O3", false},
		{"EXTRA", "ghp_abc", true},
		{"EXTRA", "a ghp_abc", true},
		{"EXTRA", "eyJhbGciOiJIUzI1NiJ9.e30.x", true},
		{"EXTRA", "-----BEGIN PRIVATE KEY-----", true},
		{"PIP_INDEX_URL", "https://host/simple", false},
		{"PIP_INDEX_URL", "https://user:word@host/simple", true},
		{"PIP_EXTRA_INDEX_URL", "https://a/simple https://word@host/simple", true},
		{"REPO", "ssh://git@host/x", false},
		{"REPO", "https://host/x@v1", false},
		{"HTTPS_PROXY", "http://u:p@proxy:8080", true},
		{"=C:", `C:\src`, false},
		{"", "", false},
	} {
		if got := Secret(tt.name, tt.value); got != tt.want {
			t.Errorf("Secret(%q, %q) = %t, want %t", tt.name, tt.value, got, tt.want)
		}
	}
}
