package project

import (
	"strings"
	"testing"

	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func FuzzCargoLock(f *testing.F) {
	f.Add(lock)
	f.Add("[[package]]\nname = \"a\"\nversion = \"1\"\ndependencies = [\n \"a\",\n]\n")
	f.Add("[root]\nname = \"a\"\n[metadata]\n\"checksum a\" = \"b\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseLock(text)
		if err == nil && len(all) == 0 && strings.TrimSpace(text) != "" && !strings.Contains(text, "version") {
			t.Errorf("%q is read as an empty lock file", text)
		}
		g := newGraph(all)
		from := g.paths()
		for i := range all {
			if c := g.chain(from, i); c != nil && c[len(c)-1] != i {
				t.Errorf("chain %v does not end in %d", c, i)
			}
			if all[i].line < 1 || all[i].line > strings.Count(text, "\n")+1 {
				t.Errorf("line %d of %q", all[i].line, text)
			}
		}
	})
}

func fuzzed(t *testing.T, file, text string) *survey {
	t.Helper()
	h, err := host.Parse([]byte(head+"-- tree --\n/home/u/ws d\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &survey{At: look.New(oneFile{h, file, text}), root: "/home/u/ws"}
}

// oneFile is a host with one file of any bytes in it.
type oneFile struct {
	host.Host
	path, text string
}

func (o oneFile) Stat(path string) (host.Info, error) {
	if path == o.path {
		return host.Info{Name: "x", Size: int64(len(o.text))}, nil
	}
	return o.Host.Stat(path)
}

func (o oneFile) ReadFile(path string) ([]byte, error) {
	if path == o.path {
		return []byte(o.text), nil
	}
	return o.Host.ReadFile(path)
}

func FuzzCargoConfig(f *testing.F) {
	f.Add("[env]\nCUDA_HOME = \"/x\"\nNVCC = { value = \"a\", force = true, relative = true }\n[build]\ntarget = [\"a\"]\n")
	f.Add("env.CUDA_PATH = 1\nbuild = 3")
	f.Fuzz(func(t *testing.T, text string) {
		const file = "/home/u/ws/.cargo/config.toml"
		s := fuzzed(t, file, text)
		s.cargoConfig(s.root)
		for _, v := range s.out.CargoEnv {
			if !s.matters(v.Name) || v.File != file {
				t.Errorf("%+v from %q", v, text)
			}
		}
	})
}

func FuzzCargoManifest(f *testing.F) {
	f.Add("[package]\nname = \"a\"\n[dependencies]\nb = { package = \"c\", optional = true }\n[features]\nx = [\"dep:b\", \"b/cuda\", \"b?/cuda\"]\n")
	f.Add("[workspace]\nmembers = [\"a/*\", \"../b\", \"[\"]\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := fuzzed(t, "/home/u/ws/Cargo.toml", text)
		for name, m := range s.members(s.root) {
			for key, value := range m.Deps {
				crate := m.crateOf(key, value)
				if m.keys(crate)[key] && key != "" && m.pulls(crate, true) == "" {
					t.Errorf("%s: optional %q has no feature in %q", name, key, text)
				}
			}
		}
	})
}

func FuzzCMakeCache(f *testing.F) {
	f.Add("CMAKE_CACHEFILE_DIR:INTERNAL=/x\nCMAKE_CUDA_COMPILER:FILEPATH=/usr/bin/nvcc")
	f.Add("CMAKE_CUDA_COMPILER:=")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := cacheValues(strings.Split(text, "\n"))
		if err == nil && !strings.Contains(text, "CMAKE_CACHEFILE_DIR") {
			t.Errorf("%q passes for a cache", text)
		}
		for _, v := range values {
			if v.Name == "" || v.Value == "" {
				t.Errorf("%+v from %q", v, text)
			}
		}
	})
}

func FuzzCMakePresets(f *testing.F) {
	f.Add("{\"configurePresets\":[{\"environment\":{\"CUDACXX\":\"x\"},\"cacheVariables\":{\"CUDAToolkit_ROOT\":{\"value\":true}}}]}")
	f.Add("[]")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := presetValues(text)
		if err != nil && len(values) > 0 {
			t.Errorf("%q gives values and an error", text)
		}
		for _, v := range values {
			if v.Line < 0 || v.Line > strings.Count(text, "\n")+1 {
				t.Errorf("line %d of %q", v.Line, text)
			}
		}
	})
}

func FuzzMakefile(f *testing.F) {
	f.Add("export CUDA_HOME ?= /x # y\nA::=b\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range makeValues(text) {
			if v.Name == "" || v.Line < 1 || v.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%+v from %q", v, text)
			}
		}
	})
}
