package pages

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// wicked is text that runs in one language or another when it is not quoted well.
const wicked = `'; touch evil; '$(touch evil)\"\n` + "`touch evil`" + `\ntouch evil\n'@\nEND\n#>; ni evil; | <script>alert(1)</script> \u2019; ni evil; -->`

// TestEvilContract: text of a contract is shown, never run. Each place that takes free text holds the same.
func TestEvilContract(t *testing.T) {
	text := strings.ReplaceAll(full4, `name = "demo"`, `name = "`+wicked+`"`)
	for _, r := range [][2]string{
		{`reason = "the kernels use cluster launch"`, `reason = "` + wicked + `", source = "` + wicked + `"`},
		{`reason = "a | b"`, `reason = "` + wicked + `"`},
		{`works = ["fp16"]`, `works = ["` + wicked + `"]`},
		{`BNB_CUDA_VERSION = "{toolkit.short}"`, `BNB_CUDA_VERSION = "` + strings.ReplaceAll(wicked, `\n`, " ") + `{toolkit.short}"`},
		{`only-for = ["bindgen"]`, `only-for = ["` + wicked + `"]`},
		{`linux = "apt-get install libclang-dev"`, `linux = "` + wicked + `"`},
		{`command = "cargo build"`, `command = "` + wicked + `"`},
		{`cause = "the batch is too large"`, `cause = "` + wicked + `"`},
		{`item = "NCCL"`, `item = "` + wicked + `"`},
		{`[pins.cuda]`, "[pins.cuda]\nvalue = \"" + wicked + "\"\nreason = \"" + wicked + "\""},
		{`file = "Dockerfile"`, `file = "a';touch evil;'b"`},
		{`'cuda:([0-9.]+)'`, `"cuda:'\"\\$\\(touch evil\\)/([0-9.]+)"`},
	} {
		if !strings.Contains(text, r[0]) {
			t.Fatalf("the contract of the test has no %q", r[0])
		}
		text = strings.Replace(text, r[0], r[1], 1)
	}
	c := contractOf(t, text)
	for _, f := range All(c, Options{}) {
		if f.Kind != "page" {
			continue
		}
		for i, l := range strings.Split(string(f.Data), "\n")[1:] {
			plain := regexp.MustCompile("``.*?``|`[^`]*`").ReplaceAllString(l, "")
			if strings.Contains(plain, "<script>") || strings.Contains(plain, "-->") {
				t.Errorf("HTML of the contract stands in the page, line %d: %s", i+2, l)
			}
		}
	}
	for _, shell := range []string{"bash", "dash"} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed here", shell)
			}
			dir := scene{files: map[string]string{"a';touch evil;'b": "cuda:'\"$(touch evil)/12.4\n"}}.build(t)
			out, _ := run(t, path, dir, string(All(c, Options{Only: []string{"sh"}})[0].Data))
			if !strings.Contains(out, "pin-cuda: expected") || !strings.Contains(out, "failed, ") {
				t.Errorf("the script did not come to its end:\n%s", out)
			}
			if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
				t.Error("text of the contract was executed")
			}
			if strings.Contains(out, "\x1b") {
				t.Error("a control character came through")
			}
		})
	}
	t.Run("powershell", func(t *testing.T) {
		shape := powerShellShape(t, All(c, Options{Only: []string{"ps1"}})[0].Data)
		tame := powerShellShape(t, All(contractOf(t, strings.ReplaceAll(text, wicked, "tame")), Options{Only: []string{"ps1"}})[0].Data)
		if shape != tame {
			t.Errorf("the script has another shape than with tame text (%d and %d nodes)", strings.Count(shape, "\n"), strings.Count(tame, "\n"))
		}
	})
}

// TestPowerShellParses: nothing in the script is a mistake in its language. It was not run: no registry has
// PowerShell.
func TestPowerShellParses(t *testing.T) {
	for _, text := range []string{small, demands, full4} {
		shape := powerShellShape(t, All(contractOf(t, text), Options{Only: []string{"ps1"}})[0].Data)
		if strings.Count(shape, "function_statement\n") < 40 {
			t.Errorf("only %d functions were read", strings.Count(shape, "function_statement\n"))
		}
	}
	if out, err := parsePowerShell(t, []byte("function a { if ($x { } }\n")); err == nil {
		t.Errorf("a mistake was not seen: %s", out)
	}
}

func powerShellShape(t *testing.T, script []byte) string {
	t.Helper()
	out, err := parsePowerShell(t, script)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

const parser = `import sys, tree_sitter, tree_sitter_powershell
src = open(sys.argv[1], 'rb').read()
src = src[3:] if src.startswith(b'\xef\xbb\xbf') else src
bad = 0
def walk(n):
    global bad
    if n.type == 'ERROR' or n.is_missing:
        bad += 1
        print('line %d: %s %r' % (n.start_point[0] + 1, n.type, src[n.start_byte:n.start_byte + 80]), file=sys.stderr)
    if n.is_named:
        print(n.type)
    for c in n.children:
        walk(c)
walk(tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language())).parse(src).root_node)
sys.exit(bad > 0)
`

func parsePowerShell(t *testing.T, script []byte) (string, error) {
	t.Helper()
	part := testbed.Root(t, "powershell-grammar")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed here")
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"parse.py": []byte(parser), "x.ps1": script} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, filepath.Join(dir, "parse.py"), filepath.Join(dir, "x.ps1"))
	cmd.Env = append(os.Environ(), "PYTHONPATH="+part)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return errs.String(), err
	}
	return string(out), nil
}

// TestMakeTarget runs the fragment where there is no cupel: the script's own code comes through.
func TestMakeTarget(t *testing.T) {
	tool, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed here")
	}
	dir := scene{}.build(t)
	c := contractOf(t, "cupel = 1\n[project]\nname = \"p\"\n[components.git]\n")
	for _, f := range All(c, Options{}) {
		p := filepath.Join(dir, "docs", "cuda", f.Name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte("all:\n\ninclude docs/cuda/cuda.mk\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "check-cuda-env").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "pass component-git:") {
		t.Errorf("make check-cuda-env: %v\n%s", err, out)
	}
}
