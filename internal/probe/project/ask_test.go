package project

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func parsed(t *testing.T, text string) *contract.Contract {
	t.Helper()
	c, found := contract.Parse("cupel.toml", []byte("cupel = 1\n[project]\nname = \"p\"\n"+text))
	if len(found) > 0 {
		t.Fatalf("%s: %s\n%s", found[0].Where, found[0].What, text)
	}
	return c
}

func asked(t *testing.T, archive, text string) fact.Project {
	t.Helper()
	h, err := host.Parse([]byte(archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	var p fact.Project
	Ask(context.Background(), look.New(h), "/home/u/ws", parsed(t, text), &p)
	return p
}

func TestPins(t *testing.T) {
	const files = head + `-- file /home/u/ws/ci.yml --
cuda: 12.4
  cuda: 12.6
-- file /home/u/ws/sub/Dockerfile --
FROM nvidia/cuda:12.4.1-devel
-- file /home/u/ws/bin --
` + "a\x00b\n" + `-- tree --
/home/u/ws/large f 9000000
/home/u/ws/closed ! permission denied
/home/u/ws/folder d
/home/u/ws/out -> /etc/passwd
/etc/passwd f 10
`
	for _, tt := range []struct {
		name, file, pattern string
		want                []fact.PinValue
	}{
		{"every match with its line", "ci.yml", "cuda: ([0-9.]+)", []fact.PinValue{{File: "ci.yml", Line: 1, Value: "12.4"}, {File: "ci.yml", Line: 2, Value: "12.6"}}},
		{"^ is the start of a line", "ci.yml", "^cuda: ([0-9.]+)$", []fact.PinValue{{File: "ci.yml", Line: 1, Value: "12.4"}}},
		{"below a folder", "sub/Dockerfile", "cuda:([0-9]+\\\\.[0-9]+)", []fact.PinValue{{File: "sub/Dockerfile", Line: 1, Value: "12.4"}}},
		{"no file", "gone.txt", "(a)", []fact.PinValue{{File: "gone.txt", Why: "no such file"}}},
		{"no match", "ci.yml", "rust: (.*)", []fact.PinValue{{File: "ci.yml", Why: "the pattern matches no line"}}},
		{"too large", "large", "(a)", []fact.PinValue{{File: "large", Why: "larger than 4 MiB"}}},
		{"closed", "closed", "(a)", []fact.PinValue{{File: "closed", Why: "permission denied"}}},
		{"a folder", "folder", "(a)", []fact.PinValue{{File: "folder", Why: "it is a folder"}}},
		{"no text", "bin", "(a)", []fact.PinValue{{File: "bin", Why: "not a text file"}}},
		{"a link out of the project", "out", "(root)", []fact.PinValue{{File: "out", Why: "it is a link that leads out of the project"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := asked(t, files, "[pins.cuda]\nfiles = [{ file = \""+tt.file+"\", pattern = \""+tt.pattern+"\" }]\n")
			for i := range tt.want {
				tt.want[i].Pin = "cuda"
			}
			if d := cmp.Diff(tt.want, p.Pins); d != "" {
				t.Errorf("pins of %s by %s:\n%s", tt.file, tt.pattern, d)
			}
		})
	}
}

func TestPinWithoutEnd(t *testing.T) {
	p := asked(t, head+"-- file /home/u/ws/a --\n"+strings.Repeat("v1\n", maxPinMatches+1), "[pins.v]\nfiles = [{ file = \"a\", pattern = \"v([0-9])\" }]\n")
	if len(p.Pins) != 1 || !strings.Contains(p.Pins[0].Why, "more than 200 times") {
		t.Errorf("pins %+v, want one that says it matches too often", p.Pins)
	}
}

func TestKernelSources(t *testing.T) {
	const files = head + `-- tree --
/home/u/ws/src/a.cu f 1
/home/u/ws/src/b.cu f 1
/home/u/ws/src/b.cuh f 1
/home/u/ws/src/deep/c.cu f 1
/home/u/ws/src/deep/er/d.cu f 1
/home/u/ws/src/.hidden/e.cu f 1
/home/u/ws/target/f.cu f 1
/home/u/ws/build/g.cu f 1
/home/u/ws/node_modules/h.cu f 1
/home/u/ws/link.cu -> src/a.cu
/home/u/ws/away.cu -> /tmp/x.cu
/home/u/ws/loop -> .
/tmp/x.cu f 1
`
	for _, tt := range []struct {
		name, sources, exclude string
		files, empty           []string
	}{
		{"one file", `"src/a.cu"`, "", []string{"src/a.cu"}, nil},
		{"a star is one folder", `"src/*.cu"`, "", []string{"src/a.cu", "src/b.cu"}, nil},
		{"two stars are any", `"src/**/*.cu"`, "", []string{"src/a.cu", "src/b.cu", "src/deep/c.cu", "src/deep/er/d.cu"}, nil},
		{"two stars at the end", `"src/deep/**"`, "", []string{"src/deep/c.cu", "src/deep/er/d.cu"}, nil},
		{"outputs and links are passed over", `"**/*.cu"`, "", []string{"link.cu", "src/a.cu", "src/b.cu", "src/deep/c.cu", "src/deep/er/d.cu"}, nil},
		{"outputs that are named", `"build/*.cu"`, "", []string{"build/g.cu"}, nil},
		{"a question mark", `"src/?.cu*"`, "", []string{"src/a.cu", "src/b.cu", "src/b.cuh"}, nil},
		{"taken out", `"src/**/*.cu"`, `"**/d.cu", "src/a*"`, []string{"src/b.cu", "src/deep/c.cu"}, nil},
		{"each once", `"src/a.cu", "src/*.cu"`, "", []string{"src/a.cu", "src/b.cu"}, nil},
		{"nothing", `"src/*.cpp", "src/a.cu"`, "", []string{"src/a.cu"}, []string{"src/*.cpp"}},
		{"a link out of the project", `"away.cu"`, "", nil, []string{"away.cu"}},
		{"a folder is no source", `"src/deep"`, "", nil, []string{"src/deep"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "[[kernels]]\nname = \"k\"\nsources = [" + tt.sources + "]\n"
			if tt.exclude != "" {
				text += "exclude = [" + tt.exclude + "]\n"
			}
			p := asked(t, files, text)
			want := []fact.Sources{{Kernel: "k", Files: tt.files, Empty: tt.empty}}
			if d := cmp.Diff(want, p.Kernels); d != "" {
				t.Errorf("sources %s without %s:\n%s", tt.sources, tt.exclude, d)
			}
			if len(p.Troubles) > 0 {
				t.Errorf("troubles %+v", p.Troubles)
			}
		})
	}
}

// TestKernelSourcesHere: the same on a real file system, with a link in a circle.
func TestKernelSourcesHere(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"src/a.cu", "src/deep/b.cu", "target/c.cu"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("..", filepath.Join(root, "src", "up")); err != nil {
			t.Fatal(err)
		}
	}
	var p fact.Project
	Ask(context.Background(), look.New(host.Here()), root, parsed(t, "[[kernels]]\nname = \"k\"\nsources = [\"**/*.cu\"]\n"), &p)
	if d := cmp.Diff([]fact.Sources{{Kernel: "k", Files: []string{"src/a.cu", "src/deep/b.cu"}}}, p.Kernels); d != "" {
		t.Error(d)
	}
}
