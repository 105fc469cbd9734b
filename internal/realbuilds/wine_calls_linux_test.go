package realbuilds

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// winCall is one call of testdata/projects/windows/calls.
type winCall struct {
	Name   string
	Args   []string
	Env    []string `json:",omitempty"`
	Dir    string   `json:",omitempty"`
	Merged bool     `json:",omitempty"`
	Leave  string   `json:",omitempty"`

	direct []string // for NVIDIA's program itself, where it cannot be given Args
	long   bool     // not in the quick lane
	loose  bool     // how it ends is not known: the stand-in for cl.exe has letters of one code page alone
	code   uint32   // that NVIDIA's program ends with
	says   string   // in what it prints
	makes  []string // files, compared byte for byte
	whole  int      // bytes that the record's expanded arguments have at least
}

type winResult struct {
	Name           string
	Code           uint32
	Stdout, Stderr []byte
}

const quotedName = `a & 'quoted' $name%.cu`

func sameCalls() []winCall {
	defines := func(n int) []string { // of some 20 bytes
		var out []string
		for i := range n {
			out = append(out, "-DNAME_OF_A_MACRO_"+strings.Repeat("x", i%7)+string(rune('a'+i%26)))
		}
		return out
	}
	noCompiler := []string{`PATH=C:\windows\system32;C:\windows`}
	nearLimit := append([]string{"-ptx", "-o", "near.ptx"}, defines(1600)...)
	// nvcc and these are what CreateProcess just takes; with the real program's whole path it takes them no more.
	for len(strings.Join(nearLimit, " ")) > 32766-len("nvcc  scale.cu") {
		nearLimit = nearLimit[:len(nearLimit)-1]
	}
	return []winCall{
		{Name: "ptx", Args: []string{"-ptx", "-arch=sm_80", "-o", "scale.ptx", "scale.cu"}, makes: []string{"scale.ptx"}},
		{Name: "error of cudafe++", Args: []string{"-c", "-o", "broken.obj", "broken.cu"}, code: 2, says: "broken.cu(2): error: expected an expression"},
		{Name: "no cl.exe", Args: []string{"-ptx", "-o", "none.ptx", "scale.cu"}, Env: noCompiler, code: 1, says: "Cannot find compiler 'cl.exe' in PATH"},
		{Name: "spaces and quotes", Args: []string{"-ptx", "-o", `out folder\a 'quoted' name.ptx`, "-DTEXT=1 + 2", "-DEMPTY=", "-I", "inc dir", quotedName}, makes: []string{"out folder/a 'quoted' name.ptx"}},
		{Name: "other letters", Args: []string{"-ptx", "-o", "Größe.ptx", "Größe.cu"}, makes: []string{"Größe.ptx"}},
		{Name: "a folder of other letters", Args: []string{"-ptx", "-o", `Büro ü\Größe.ptx`, `Büro ü\Größe.cu`}, makes: []string{"Büro ü/Größe.ptx"}, long: true},
		{Name: "in a folder of other letters", Args: []string{"-ptx", "-o", "Größe.ptx", "Größe.cu"}, Dir: "Büro ü", makes: []string{"Büro ü/Größe.ptx"}, long: true},
		{Name: "letters of another code page", Args: []string{"-ptx", "-o", "大.ptx", "大.cu"}, makes: []string{"大.ptx"}, loose: true, long: true},
		{Name: "cubin", Args: []string{"-cubin", "-arch=sm_90", "-o", "scale.cubin", "scale.cu"}, makes: []string{"scale.cubin"}, long: true},
		{Name: "fatbin", Args: []string{"-fatbin", "-gencode", "arch=compute_80,code=[sm_80,compute_80]", "-o", "scale.fatbin", "scale.cu"}, makes: []string{"scale.fatbin"}, long: true},
		{Name: "both streams in one pipe", Args: []string{"-ptx", "broken.cu"}, Merged: true, code: 1, says: "expected an expression", long: true},
		{Name: "no such file", Args: []string{"-ptx", "nowhere.cu"}, code: 1, says: "nowhere.cu", long: true},
		{Name: "unknown option", Args: []string{`--no-such-option=a "b" c\`, "scale.cu"}, code: 1, says: "Unknown option", long: true},
		{Name: "version", Args: []string{"--version"}, says: "release 13.0", long: true},
		{Name: "100 kB in a response file", Args: []string{"--options-file", "long.rsp", "-ptx", "-o", "long.ptx", "scale.cu"}, makes: []string{"long.ptx"}, whole: 100_000, long: true},
		{Name: "a line that the real path makes too long", Args: append(nearLimit, "scale.cu"), direct: []string{"-ptx", "-o", "near.ptx", "scale.cu"}, makes: []string{"near.ptx"}, whole: 32_700, long: true},
		{Name: "another folder", Args: []string{"-ptx", "-o", "over.ptx", `..\scale.cu`}, Dir: `inc dir`, makes: []string{"inc dir/over.ptx"}, long: true},
	}
}

func sameProject(t *testing.T, dir string, calls []winCall) {
	t.Helper()
	copyTree(t, winProject(t, "kernels"), dir)
	write(t, filepath.Join(dir, quotedName), "#include \"text.h\"\n__global__ void k(int *p) { *p = TEXT THREE; }\n")
	for _, name := range []string{"Größe.cu", "大.cu", "Büro ü/Größe.cu"} {
		write(t, filepath.Join(dir, name), "__global__ void k(int *p) { *p = 1; }\n")
	}
	write(t, filepath.Join(dir, "inc dir", "text.h"), "#define THREE + 3\n")
	write(t, filepath.Join(dir, "out folder", "keep"), "")
	var long strings.Builder
	for long.Len() < 115_000 {
		long.WriteString("-DANOTHER_MACRO_" + strconv.Itoa(long.Len()) + "=\"a b\"\n")
	}
	write(t, filepath.Join(dir, "long.rsp"), long.String())
	list, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "list.json"), string(list))
}
