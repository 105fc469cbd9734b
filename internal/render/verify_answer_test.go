package render

import (
	"cupel/internal/choice"
	"cupel/internal/finding"
	"cupel/internal/verify"
)

// goodAnswer has every status and reads like a real one.
func goodAnswer() verify.Answer {
	return verify.Answer{
		Format: verify.Format, Cupel: "0.4.0", Contract: "cupel.toml", Project: "vector-add", Platform: "linux",
		Toolkit: "CUDA 12.4.1", Band: verify.Supported,
		Chosen: choice.Pick{Root: "/usr/local/cuda-12.4", By: choice.ByActive, Reason: "first nvcc on PATH", Missed: []string{"12.6, recommended by the contract, is not installed"}},
		Findings: []verify.Check{
			check("toolkit-present", verify.Pass, "a CUDA toolkit with nvcc", "toolkit", "a toolkit", "/usr/local/cuda-12.4"),
			check("toolkit-band", verify.Pass, "the toolkit's release", "toolkit.min", "12.0 or newer; recommended 12.6", "12.4.1, supported"),
			{Finding: finding.Finding{ID: "host-compiler", Severity: finding.Error, What: "gcc 14.2 is newer than CUDA 12.4 accepts", Where: "cupel.toml:14:1",
				Why:  "CUDA 12.4 accepts gcc up to 13.2 (release table); PATH has 14.2",
				Next: []finding.Step{{Command: "cupel env --host-compiler g++-12", Note: "gcc 12.2 is installed as g++-12"}, {Note: "or install gcc 13"}}},
				Status: verify.Fail, Key: "host.linux.gcc", Expected: "gcc >=9, <14", Found: "gcc 14.2.0"},
			{Finding: finding.Finding{ID: "host-compiler-too-new", Severity: finding.Error, What: "gcc 14.2 is newer than CUDA 12.4 accepts", CausedBy: "host-compiler"}, Status: verify.Fail},
			{Finding: finding.Finding{ID: "driver-present", What: "the NVIDIA driver", Why: "no GPU is needed here"}, Status: verify.Skipped},
			{Finding: finding.Finding{ID: "driver-floor", What: "the driver's version", Why: "needs driver-present, which was not made: no GPU is needed here"}, Status: verify.Skipped, After: "driver-present"},
			{Finding: finding.Finding{ID: "gpu-count", What: "how many GPUs"}, Status: verify.Skipped, After: "driver-present"},
			{Finding: finding.Finding{ID: "env-cuda-home", Severity: finding.Warning, What: "CUDA_HOME is not set", Where: "cupel.toml:22:1", Why: "the build reads it",
				Next: []finding.Step{{Command: `eval "$(cupel env)"`}}},
				Status: verify.Warn, Key: "env.toolkit.root", Expected: "CUDA_HOME=/usr/local/cuda-12.4", Found: "not set"},
			{Finding: finding.Finding{ID: "pin-rust", Severity: finding.Error, What: "rust is pinned to two values", Where: "ci/Dockerfile:3:6, rust-toolchain.toml:2:12", Why: "they must agree"},
				Status: verify.Fail, Key: "pins.rust", Expected: "one value", Found: "1.78, 1.80"},
			{Finding: finding.Finding{ID: "toolkit-mixed", Severity: finding.Warning, What: "headers of 12.4 and libraries of 12.6 are mixed", Where: "CPATH and LIBRARY_PATH"}, Status: verify.Warn},
			{Finding: finding.Finding{ID: "toolkit-mixed", Severity: finding.Warning, What: "headers of 12.4 and libraries of 11.8 are mixed", Where: "CPLUS_INCLUDE_PATH"}, Status: verify.Warn},
			check("reference", verify.Pass, "like the machine that decides", "reference", "", ""),
			check("config-no-cuda", verify.Pass, "config no-cuda", "config", "passes", "passed after 1.2 s"),
			{Finding: finding.Finding{ID: "config-broken", What: "config broken", Why: "the contract expects it: needs sm_90"}, Status: verify.ExpectedFail, Key: "config", Expected: "fails", Found: "ended with code 1 after 0.4 s"},
			{Finding: finding.Finding{ID: "config-gpu", Severity: finding.Error, What: "config gpu ended with code 2", Where: "cupel.toml:40:1",
				Next:     []finding.Step{{Command: "make gpu", Note: "what was run"}},
				Evidence: []finding.Evidence{{Source: "its last lines", Text: "nvcc fatal   : Unsupported gpu architecture 'compute_120'\nmake: *** [Makefile:7: gpu] Error 1\n"}}},
				Status: verify.Fail, Key: "config", Expected: "passes", Found: "ended with code 2 after 3.1 s"},
		},
		Reference: &verify.Compared{Name: "gpu-runner-1", Snapshot: "ci/runner.json", Differences: []verify.Difference{
			{About: "driver", What: "kernel module", Here: "-", There: "550.54.14"},
			{About: "toolkit", What: "chosen", Here: "12.4.1", There: "12.6"},
		}},
	}
}

func check(id string, status verify.Status, what, key, expected, found string) verify.Check {
	return verify.Check{Finding: finding.Finding{ID: id, What: what, Where: "cupel.toml:3:1"}, Status: status, Key: key, Expected: expected, Found: found}
}

// evilAnswer holds text that is markup or a command in one of the formats, in every place a stranger can write to.
func evilAnswer() verify.Answer {
	evil := "a|b `c` <script>x</script> &amp; ]]> {0} [l](http://h/) *s* _u_ \x1b[31mred\x00 100%\r\n::error::gotcha\n##[error]gotcha \xff\uFFFE\u2028end"
	f := finding.Finding{ID: "pin-evil", Severity: finding.Error, What: evil, Where: "dir name/ü %2.toml:7:2", Why: evil,
		Next:     []finding.Step{{Command: evil, Note: evil}, {Note: evil}, {Command: evil}},
		Evidence: []finding.Evidence{{Source: evil, Text: "```\n::error::gotcha\n````\n]]>\ttab\r\n</system-out>"}}}
	w := f
	w.Severity, w.Where = finding.Warning, evil
	return verify.Answer{
		Format: verify.Format, Cupel: "0.4.0", Contract: `sub\cupel.toml`, Project: "evil.\"p\" <x>", Platform: "windows on CI", Band: verify.NoToolkit, Strict: true,
		Chosen: choice.Pick{Reason: evil, Missed: []string{evil}},
		Findings: []verify.Check{
			{Finding: f, Status: verify.Fail, Key: evil, Expected: evil, Found: "`tick"},
			{Finding: w, Status: verify.Warn, Key: evil, Expected: `back\|slash`, Found: evil},
			{Finding: w, Status: verify.Skipped, After: evil},
			{Finding: w, Status: verify.ExpectedFail, Expected: evil},
			{Finding: w, Status: verify.Pass},
		},
		Reference: &verify.Compared{Name: evil, Snapshot: evil, Here: true, Differences: []verify.Difference{{About: evil, What: evil, Here: evil}}},
	}
}
