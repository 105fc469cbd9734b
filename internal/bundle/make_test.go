package bundle

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/host"
)

// standIn answers as a compiler that tells everything it is given.
const standIn = `#!/bin/sh
echo "$0 of $USER on $HOSTNAME in $PWD with $*"
while [ $# -gt 0 ]; do [ "$1" = -o ] && { env; echo "const char *p = \"wilhelmina\"; const char *t = zebra77zebra; x = badger11;"; } > "$2"; shift; done
`

// everywhere is a call with names and secrets in every place that can hold one.
func everywhere(t *testing.T) Input {
	t.Helper()
	home := filepath.Join(t.TempDir(), "people", "wilhelmina")
	dir := filepath.Join(home, "project of wilhelmina")
	for name, text := range map[string]string{
		"src/k_wilhelmina.cu": "// wilhelmina@aquarius\n#define API_TOKEN \"lion55lion\"\nauto x = \"zebra77zebra\"; // https://wilhelmina:otter33otter@h/x\n",
		"opt wilhelmina.txt":  "-DMY_TOKEN=tiger44tiger -I" + home + "/inc",
		"nvcc":                standIn,
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	secrets := []string{"--token", "panther", "DB_PASSWORD=falcon22", "https://wilhelmina:otter33otter@h/x", "-DMY_TOKEN=tiger44tiger", "-I" + home, "-DU=wilhelmina"}
	process := []call.Process{{Path: home + "/x", Args: secrets, Dir: home, Parent: home}}
	file := []call.File{{Path: "src/k_wilhelmina.cu", Size: 9}, {Path: home + "/lost.cu", Size: 9}}
	values := map[string]string{
		"PATH": home + "/bin:/usr/bin:/bin", "HOME": home, "USER": "wilhelmina", "HOSTNAME": "aquarius", "CUDA_HOME": home + "/cuda", "EDITOR": "falcon22",
		"NVCC_APPEND_FLAGS": "-DMY_TOKEN=tiger44tiger -DFLAG_TOKEN=badger11", "PIP_INDEX_URL": "https://wilhelmina:otter33otter@h/simple", "CXX": home + "/g++ --user wilhelmina",
	}
	base := call.Env{Values: values, Hidden: []string{"API_KEY"}}
	now := time.Now()
	return Input{
		Version: "devel", ID: "1.1", Base: base, Env: base, Environ: []string{"API_KEY=zebra77zebra"},
		System:   host.System{OS: runtime.GOOS, Arch: runtime.GOARCH, Home: home, User: "wilhelmina", Name: "aquarius"},
		Snapshot: []byte(`{"home": "` + home + `", "user": "wilhelmina", "word": "zebra77zebra"}`),
		Run: call.Run{
			ID: "1", Name: "of wilhelmina", Command: secrets, Dir: dir, Project: dir, OS: runtime.GOOS, Compiler: home + "/g++", Tools: map[string]string{"nvcc": home + "/nvcc"}, Set: values,
			Toolkit: call.Toolkit{Release: "13.0", Root: home + "/cuda", Mirror: home + "/shims"},
			End:     &call.RunEnd{Error: "of wilhelmina: DB_PASSWORD=falcon22", Left: process, PassedBy: process},
		},
		Call: call.Call{
			Number: 1,
			Begin: call.Begin{
				Tool: "nvcc", Path: dir + "/nvcc", Dir: dir, Caller: home + "/make", At: now, Inputs: file, Env: call.Diff{Set: values},
				Args: append(slices.Clone(secrets), "--options-file", "opt wilhelmina.txt"), Expanded: append(slices.Clone(secrets), "-DMY_TOKEN=tiger44tiger"),
				Used: secrets, Lost: []string{home + "/x.txt: gone"}, Changes: []call.Change{{Fix: "x", Before: secrets, After: secrets, Why: "for wilhelmina"}},
			},
			Output: []call.Chunk{{Stream: call.Stdout, Bytes: []byte("zebra77zebra of wilhelmina\n")}, {Stream: call.Stderr, Bytes: []byte("panther: DB_PASSWORD=falcon22 in " + dir + "\n")}},
			End:    &call.End{At: now, Code: 2, Error: "of wilhelmina", Outputs: file},
		},
	}
}

// TestNothingGetsOut: none of the names and secrets is in the archive, in no file and no name of one.
func TestNothingGetsOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	parts, err := Make(t.Context(), everywhere(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
		for _, planted := range []string{"wilhelmina", "aquarius", "zebra77", "lion55", "otter33", "tiger44", "panther", "falcon22", "badger11"} {
			for _, text := range []string{p.Name, p.What, string(p.Text)} {
				if at := strings.Index(strings.ToLower(text), planted); at >= 0 {
					t.Errorf("%s tells %q: %q", p.Name, planted, text[max(0, at-60):min(len(text), at+40)])
				}
			}
		}
		if len(p.Text) == 0 {
			t.Errorf("%s is empty: nothing was looked at", p.Name)
		}
	}
	want := "README.md call.json command.txt stdout.txt stderr.txt environment.txt versions.txt snapshot.json sources/k_user.cu sources/2-lost.cu.missing.txt response/opt user.txt " +
		"preprocessed/k_user.cu.ii preprocessed/2-lost.cu.ii"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the parts are\n%s\nwant\n%s", got, want)
	}
}

// TestMakeTells: what a reader needs is there.
func TestMakeTells(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	parts, err := Make(t.Context(), everywhere(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"call.json": `"format": "cupel.bundle/1"`, "command.txt": "ended:   could not be started: of user", "environment.txt": "# 4 others, and 1 whose names look like secrets",
		"versions.txt": "host compiler by PATH", "README.md": "cupel replay 1.1", "sources/k_user.cu": `#define API_TOKEN "***"`, "preprocessed/k_user.cu.ii": `"user"`,
	} {
		at := slices.IndexFunc(parts, func(p Part) bool { return p.Name == name })
		if at < 0 || !bytes.Contains(parts[at].Text, []byte(want)) {
			t.Errorf("%s has no %q:\n%s", name, want, parts[max(at, 0)].Text)
		}
	}
}

func TestMakeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Make(ctx, everywhere(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("Make = %v", err)
	}
}

// TestPreprocessed: what would write a file into the project, or do more than to preprocess, is left out.
func TestPreprocessed(t *testing.T) {
	for _, tt := range []struct{ name, in, want, left string }{
		{"plain", "-c k.cu -o k.o -I inc -DX=1 -std=c++17", "-I inc -DX=1 -std=c++17", "-c -o k.o"},
		{"dependencies", "-MD -MF k.d -MT k.o -Iinc k.cu", "-Iinc", "-MD -MF k.d -MT k.o"},
		{"what is kept", "--keep --keep-dir tmp --time t.csv k.cu", "", "--keep --keep-dir tmp --time t.csv"},
		{"architectures", "-gencode arch=compute_80,code=sm_80 -arch=sm_90 k.cu", "-gencode arch=compute_80,code=sm_80 -arch=sm_90", ""},
		{"host options", "-Xcompiler -fPIC,-MD,-save-temps=obj -Xcompiler=-fopenmp k.cu", "-Xcompiler -fPIC -Xcompiler -fopenmp", "-Xcompiler -fPIC,-MD,-save-temps=obj"},
		{"handed on", "-forward-unknown-to-host-compiler -march=native -ftime-trace=x.json k.cu", "-forward-unknown-to-host-compiler -march=native", "-ftime-trace=x.json"},
		{"cl", "-Xcompiler /EHsc,/MD,-FIx.h,/Fdk.pdb,-Zi,/showIncludes k.cu", "-Xcompiler /EHsc,/MD,-FIx.h,-Zi,/showIncludes", "-Xcompiler /EHsc,/MD,-FIx.h,/Fdk.pdb,-Zi,/showIncludes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			options, left := preprocessed(strings.Fields(tt.in), tt.name == "cl")
			if got := strings.Join(options, " "); got != tt.want || strings.Join(left, " ") != tt.left {
				t.Errorf("preprocessed(%s) = %q without %q, want %q without %q", tt.in, got, strings.Join(left, " "), tt.want, tt.left)
			}
		})
	}
}
