package mirror

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/environ"
	"cupel/internal/fact"
)

func value(set environ.Set, name string) string {
	for _, v := range set.Vars {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// TestRedirect: what leads to nvcc leads to the mirror, what the linker and loader read stays.
func TestRedirect(t *testing.T) {
	m, k, l := madeUpRoot()
	k.Root, k.Real = "/link", "/c"
	set := environ.Set{OS: "linux", Notes: []string{"PATH is left alone: /c/bin is on it", "another"}, Vars: []environ.Var{
		{Name: "CUDA_HOME", Value: "/c", Kind: environ.Assign}, {Name: "NVCC", Value: "/c/bin/nvcc", Kind: environ.Assign, Why: "old"},
		{Name: "MY_INCLUDE", Value: "/c/include/x", Kind: environ.Assign}, {Name: "MY_NVCC", Value: "/link/bin/nvcc", Kind: environ.Assign},
		{Name: "CUDNN_PATH", Value: "/c", Kind: environ.Assign}, {Name: "LIBCLANG_PATH", Value: "/cc/lib", Kind: environ.Assign},
		{Name: "CUDAHOSTCXX", Value: "/usr/bin/g++-12", Kind: environ.Assign}, {Name: "NVCC_PREPEND_FLAGS", Value: "-ccbin=/usr/bin/g++-12", Kind: environ.Assign},
		{Name: "PATH", Value: "/c/bin:/x", Dirs: []string{"/c/bin", "/x"}, Kind: environ.Prepend},
		{Name: "LIBRARY_PATH", Value: "/c/lib64", Dirs: []string{"/c/lib64"}, Kind: environ.Prepend},
	}}
	plain := map[string]string{
		"CUDA_HOME": "$M", "NVCC": "$M/bin/nvcc", "CUDACXX": "$M/bin/nvcc", "PYTORCH_NVCC": "$M/bin/nvcc", "MY_INCLUDE": "$M/include/x", "MY_NVCC": "$M/bin/nvcc",
		"CUDNN_PATH": "/c", "LIBCLANG_PATH": "/cc/lib", "CUDAHOSTCXX": "/usr/bin/g++-12", "NVCC_PREPEND_FLAGS": "-ccbin=/usr/bin/g++-12",
		"PATH": "$M/bin:/x", "LIBRARY_PATH": "/c/lib64",
	}
	hosts := map[string]string{
		"CUDAHOSTCXX": "$M/host/bin/g++-12", "NVCC_PREPEND_FLAGS": "-ccbin=$M/host/bin/g++-12", "PATH": "$M/tools:$M/bin:/x", "LIBRARY_PATH": "/c/lib64",
	}
	for _, tt := range []struct {
		name  string
		user  string // PYTORCH_NVCC
		tools []string
		want  map[string]string
	}{
		{"nvcc alone", "", nil, plain},
		{"with host compilers", "", []string{"g++"}, hosts},
		{"with its own tools", "", []string{"ptxas"}, map[string]string{"PATH": "$M/tools:$M/bin:/x", "CUDAHOSTCXX": "/usr/bin/g++-12"}},
		{"a launcher of the user's stays", "ccache nvcc", nil, map[string]string{"PYTORCH_NVCC": "", "NVCC": "$M/bin/nvcc"}},
		{"another nvcc of the user's does not", "/usr/local/cuda/bin/nvcc", nil, map[string]string{"PYTORCH_NVCC": "$M/bin/nvcc"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m.Env = map[string]string{"PYTORCH_NVCC": tt.user}
			p, err := plan(m, k, "/h", Options{Tools: tt.tools, Set: set}, l)
			if err != nil {
				t.Fatal(err)
			}
			got := p.Redirect(set)
			for name, want := range tt.want {
				if want = strings.ReplaceAll(want, "$M", p.Dir); value(got, name) != want {
					t.Errorf("%s is %q, want %q", name, value(got, name), want)
				}
			}
			for _, v := range got.Vars {
				if v.Kind == environ.Prepend && strings.Join(v.Dirs, ":") != v.Value || v.Why == "old" {
					t.Errorf("%+v does not agree with itself", v)
				}
			}
			if !slices.Equal(got.Notes, []string{"another"}) || value(set, "CUDA_HOME") != "/c" {
				t.Errorf("notes %q; the set itself has CUDA_HOME %q", got.Notes, value(set, "CUDA_HOME"))
			}
		})
	}
}

// TestRedirectOfRecordedHosts: the environment that environ computes, sent through the mirror.
func TestRedirectOfRecordedHosts(t *testing.T) {
	const win = `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.0`
	for _, tt := range []struct {
		host, root, home string
		want             map[string]string // $M is the mirror; a value that ends in … is a beginning
	}{
		// /usr/bin stays where it is on PATH, and no other program of it goes through the mirror.
		{"debian-distribution", "/usr", "/h", map[string]string{"CUDA_HOME": "$M", "CUDACXX": "$M/bin/nvcc", "PATH": "$M/bin", "CUDA_PATH_V12_4": ""}},
		{"conda", "/home/lee/mambaforge/envs/ml", "/h", map[string]string{"CUDA_HOME": "$M", "NVCC": "$M/bin/nvcc", "PATH": "$M/bin…"}},
		{"windows-rtx5060ti", win, `C:\h`, map[string]string{
			"CUDA_PATH": "$M", "CUDACXX": `$M\bin\nvcc.exe`, "PYTORCH_NVCC": `$M\bin\nvcc.exe`, "CUDA_PATH_V13_0": "$M", "PATH": `$M\bin;…`}},
	} {
		t.Run(tt.host, func(t *testing.T) {
			m, l := machine(t, tt.host)
			i := slices.IndexFunc(m.Toolkits, func(k fact.Toolkit) bool { return k.Home() == tt.root })
			if i < 0 {
				t.Fatalf("no toolkit in %s", tt.root)
			}
			set := environ.For(m, m.Toolkits[i], environ.Options{})
			p, err := plan(m, m.Toolkits[i], tt.home, Options{Set: set}, l)
			if err != nil {
				t.Fatal(err)
			}
			got := p.Redirect(set)
			for name, want := range tt.want {
				want, begins := strings.CutSuffix(strings.ReplaceAll(want, "$M", p.Dir), "…")
				if have := value(got, name); have != want && !(begins && strings.HasPrefix(have, want)) {
					t.Errorf("%s is %q, want %q", name, have, want)
				}
			}
			if err := got.Check(); err != nil {
				t.Error(err)
			}
			for _, v := range got.Vars {
				if strings.HasPrefix(v.Name, "LIB") && strings.Contains(v.Value, p.Dir) {
					t.Errorf("%s=%s holds the mirror", v.Name, v.Value)
				}
			}
		})
	}
}
