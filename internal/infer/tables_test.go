package infer

import (
	"slices"
	"testing"

	"cupel/data"
	"cupel/internal/contract"
)

// TestVariableValues: what the table says that a variable holds is a word of the contract.
func TestVariableValues(t *testing.T) {
	for _, v := range data.Variables() {
		if _, known := contract.Values[v.Value]; v.Value != "" && !known {
			t.Errorf("%s holds %q, which is no word of a template", v.Name, v.Value)
		}
		if v.Value != "" && len(v.Source) == 0 {
			t.Errorf("%s holds %s, and no source says so", v.Name, v.Value)
		}
	}
}

// TestWords: every key of which the drafter checks the words has some.
func TestWords(t *testing.T) {
	for _, key := range []string{"project.build", "toolkit.components", "host.linux.std", "host.linux.unsupported-compiler", "host.windows.unsupported-compiler", "arch.spelling", "kernels.kinds", "link.cuda.how"} {
		words := contract.WordsOf(key)
		if len(words) == 0 {
			t.Errorf("%s takes any text", key)
			continue
		}
		if err := wordOf(key)(words[0]); err != nil {
			t.Errorf("%s refuses its own word: %v", key, err)
		}
		if wordOf(key)("soap") == nil {
			t.Errorf("%s takes soap", key)
		}
	}
}

// TestEnvFromTable: a variable stands under the value that the table gives it, one of a single release under none.
func TestEnvFromTable(t *testing.T) {
	a := drafted(t, "x", "env = NVCC @ a:1", "env = NVCC_CCBIN @ a:2", "env = BNB_CUDA_VERSION @ a:3", "env = CUDA_HOME @ a:4", "env = CUDA_PATH_V12_4 @ a:5", "env = SOAP @ a:6")
	text := squeezed(a.Text)
	for _, want := range []string{`toolkit.root = ["CUDA_HOME"] # from a:4`, `host.cxx = ["NVCC_CCBIN"] # from a:2`, `toolkit.nvcc = ["NVCC"] # from a:1`, `toolkit.short = ["BNB_CUDA_VERSION"] # from a:3`,
		`# CUDA_PATH_V12_4 = "…" # read at a:5; what it must hold is not told`, `# SOAP = "…" # read at a:6; what it must hold is not told`} {
		if !slices.Contains(text, want) {
			t.Errorf("the draft lacks\n%s\nin\n%s", want, a.Text)
		}
	}
}

// TestAlikeNames: names that would be one id do not make a draft that is no contract.
func TestAlikeNames(t *testing.T) {
	drafted(t, "x", "kernels.a_b.sources = a/*.cu @ a:1", "kernels.a-b.sources = b/*.cu @ a:2", "env = CUDA_HOME @ a:3", "arch.env = cuda_home @ a:4", "config = make a_b @ a:5", "config = make a-b @ a:6")
}
