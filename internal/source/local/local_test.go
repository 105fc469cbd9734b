package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/sourcetest"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// here is the platform of a root whose nvcc is a script.
var here = resolve.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}

// root makes a folder with files; those of a toolkit's minimal set are there already.
func root(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{
		"bin/nvcc": "#!/bin/sh\n", "nvvm/bin/cicc": "x", "include/crt/host_config.h": "x", "include/cuda_runtime.h": "x",
		"include/nv/target": "x", "include/cuda.h": "#define CUDA_VERSION 13000\n",
	}
	for path, text := range files {
		all[path] = text
	}
	for path, text := range all {
		if text == "" {
			continue
		}
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRelease(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		given string
		want  string
	}{
		{"header", nil, "", "13.0"},
		{"version.json", map[string]string{"version.json": `{"cuda": {"name": "CUDA SDK", "version": "13.0.2"}}`}, "", "13.0.2"},
		{"version.json of another release", map[string]string{"version.json": `{"cuda": {"version": "12.4.1"}}`}, "", "13.0"},
		{"day of the build", map[string]string{"version.json": `{"cuda": {"version": "13.0.20250929"}}`}, "", "13.0"},
		{"garbage in version.json", map[string]string{"version.json": "\xff\xfe"}, "", "13.0"},
		{"header below targets", map[string]string{"include/cuda.h": "", "targets/sbsa-linux/include/cuda.h": "#define CUDA_VERSION 12090\n"}, "", "12.9"},
		{"version.json alone", map[string]string{"include/cuda.h": "", "version.json": `{"cuda": {"version": "11.8.0"}}`}, "", "11.8.0"},
		{"the caller knows", map[string]string{"include/cuda.h": ""}, "12.4.1", "12.4.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := root(t, tt.files)
			offers, err := New(dir, tt.given).Offers(context.Background(), here)
			if err != nil || len(offers) != 1 || offers[0].Release != tt.want {
				t.Errorf("offers of a root with %v: %+v, %v, want release %s", tt.files, offers, err, tt.want)
			}
		})
	}
}

func TestConformance(t *testing.T) {
	dir := root(t, map[string]string{"include/cublas_v2.h": "x", "version.json": `{"cuda": {"version": "13.0.2"}}`})
	sourcetest.Run(t, sourcetest.Harness{
		New:      func(t *testing.T) source.Source { return New(dir, "") },
		Platform: here, Release: "13.0.2", Component: "cublas", Lacks: "cufft",
	})
}

func TestNoRoot(t *testing.T) {
	for _, tt := range []struct {
		name  string
		dir   string
		given string
		want  string
	}{
		{"no folder", "", "", "no folder was named"},
		{"nothing there", filepath.Join(t.TempDir(), "none"), "", "no bin/nvcc in it"},
		{"a folder without nvcc", root(t, map[string]string{"bin/nvcc": ""}), "", "no bin/nvcc in it"},
		{"no release", root(t, map[string]string{"include/cuda.h": ""}), "", "does not tell its release"},
		{"a release that is none", root(t, nil), "new", `"new" is no release`},
		{"a major alone", root(t, nil), "13", `"13" is no release`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var unreachable source.Unreachable
			err := New(tt.dir, tt.given).Reach(context.Background())
			if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), tt.want) || unreachable.Next == "" {
				t.Errorf("Reach of %s: %v, want Unreachable with %q and a next step", tt.dir, err, tt.want)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	dir := root(t, map[string]string{"include/cublas_v2.h": "x", "version.json": `{"cuda": {"version": "13.0.2"}}`})
	s := New(dir, "")
	for _, tt := range []struct {
		name, release string
		platform      resolve.Platform
		with          []string
		want          string // "" or the error
	}{
		{"short", "13.0", here, nil, ""},
		{"exact", "13.0.2", here, []string{"cublas"}, ""},
		{"whatever it is", "", here, nil, ""},
		{"another release", "12.4", here, nil, "local has no CUDA 12.4 for " + here.String() + ": it has 13.0.2"},
		{"another update", "13.0.1", here, nil, "it has 13.0.2"},
		{"another platform", "13.0", resolve.Platform{OS: "windows", Arch: "arm64"}, nil, "local has no CUDA 13.0 for windows-arm64"},
		{"not in it", "13.0", here, []string{"cufft"}, "local has no cufft for CUDA 13.0.2"},
		{"no such word", "13.0", here, []string{"kublas"}, `no component named "kublas"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := resolve.Request{Platform: tt.platform, With: tt.with}
			if tt.release != "" {
				req.Release = version.MustParse(tt.release)
			}
			plan, err := s.Resolve(context.Background(), req)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				return
			}
			want := []string{"nvcc", "crt", "nvvm", "cudart", "cccl", "cublas"}
			if err != nil || plan.Root != dir || plan.Release != "13.0.2" || len(plan.Parcels) > 0 || !slices.Equal(plan.Components, want) {
				t.Errorf("plan %+v, %v, want root %s, release 13.0.2, no parcels, components %v", plan, err, dir, want)
			}
		})
	}
}

// TestMarks: every word of components.toml can be found in a root.
func TestMarks(t *testing.T) {
	var got []string
	for _, m := range marks {
		got = append(got, m.word)
	}
	var want []string
	for _, c := range data.AllComponents().Components {
		want = append(want, c.Word)
	}
	if !slices.Equal(got, want) {
		t.Errorf("marks are for %v, components are %v", got, want)
	}
}

// TestRealRoots looks at the toolkits of the test bed, one of Windows among them.
func TestRealRoots(t *testing.T) {
	minimal := []string{"nvcc", "crt", "nvvm", "cudart", "cccl"}
	for _, tt := range []struct{ part, release, platform string }{
		{"cuda-13.0", "13.0", "linux-x86_64"},
		{"cuda-12.4", "12.4", "linux-x86_64"},
		{"win-cuda-13.0", "13.0", "windows-x86_64"},
	} {
		t.Run(tt.part, func(t *testing.T) {
			f, err := New(testbed.Toolkit(t, tt.part), "").look()
			if err != nil || f.release.String() != tt.release || f.platform.String() != tt.platform {
				t.Errorf("%+v, %v, want %s for %s", f, err, tt.release, tt.platform)
			}
			for _, w := range minimal {
				if !slices.Contains(f.words, w) {
					t.Errorf("%s is not seen in %v", w, f.words)
				}
			}
		})
	}
}
