package render_test

import (
	"strings"
	"testing"

	"cupel/internal/build"
	"cupel/internal/finding"
	"cupel/internal/remedy"
	"cupel/internal/render"
	"cupel/internal/verify"
)

// TestUp: what was done, what was built with the compiler's own words where it failed, what is left.
func TestUp(t *testing.T) {
	stopped := verify.Check{Finding: finding.Finding{ID: "toolkit-present", Severity: finding.Error, What: "no CUDA toolkit was found"}, Status: verify.Fail}
	for _, tt := range []struct {
		name      string
		up        render.Up
		want, not []string
	}{
		{"built", render.Up{Root: "/p", Passed: true, Toolkit: "CUDA 13.0.2 in /t", Compiler: "gcc 13", Use: "use it", Done: []render.UpStep{{What: "CUDA 13.0.2 from pip"}},
			Build: &build.Result{Outputs: []build.Output{{Kernel: "k", Kind: "static", Path: "/p/build/cupel/k/libk.a", Size: 2048}}, Notes: []string{"a note"}}},
			[]string{"done: CUDA 13.0.2 from pip\n", "note: a note\n", "built: 1 file with CUDA 13.0.2 in /t and gcc 13\n  k  static  build/cupel/k/libk.a  2 kB\n", "in this shell: use it\n"}, []string{"for a person"}},
		{"paths of Windows", render.Up{Root: `C:\p`, Build: &build.Result{Outputs: []build.Output{{Kernel: "k", Kind: "object", Path: `C:\p\build\k.obj`}}}}, []string{"build/k.obj"}, nil},
		{"failed", render.Up{Build: &build.Result{Failed: []build.Call{{Kernel: "k", Argv: []string{"nvcc", "a.cu"}, Code: 2, Output: "a.cu(1): error\r\n\x1b[31mred\n"}, {Kernel: "o", Optional: true}}}},
			[]string{"failed: kernel k, code 2\n  nvcc a.cu\n    a.cu(1): error\n", "failed, and optional: kernel o"}, []string{"\x1b", "built:"}},
		{"no kernels", render.Up{Build: &build.Result{}}, []string{"has no [[kernels]] for this platform"}, nil},
		{"stopped", render.Up{Findings: []verify.Check{stopped}, InTheWay: []string{"toolkit-present"}, Use: "use it"}, []string{"error[toolkit-present]: no CUDA toolkit was found"}, []string{"use it"}},
		{"left", render.Up{Unmet: []string{"driver-present"}, Left: []remedy.Step{{Title: "install a driver", Who: remedy.Reboot, Commands: []string{"sudo x"}, Note: "soon"}}},
			[]string{"not met besides: driver-present; cupel verify says why", "for a person to do:\n- install a driver  [root or administrator, and a restart]\n    sudo x\n    note: soon\n"}, nil},
		{"dry run", render.Up{DryRun: true, Done: []render.UpStep{{What: "x"}}}, []string{"nothing was done (--dry-run)"}, []string{"done:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := render.Style{}.Up(tt.up)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("it does not say %q:\n%s", want, got)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got, not) {
					t.Errorf("it says %q:\n%s", not, got)
				}
			}
		})
	}
}

// TestUpPlan: sources out of reach are a line each, and ways that will not be taken are left out.
func TestUpPlan(t *testing.T) {
	plan := remedy.Answer{Project: "p", Contract: "cupel.toml", Platform: "linux", Plans: []remedy.Route{{Satisfies: true, Steps: []remedy.Step{
		{ID: "cupel-toolkit", Title: "install CUDA", Who: remedy.Cupel, Does: &remedy.Action{Kind: remedy.DoInstall}, Alternatives: []remedy.Alternative{{Title: "another way"}}},
	}}}}
	got := render.Style{}.UpPlan(render.Up{Plan: &plan, Sources: []render.ToolkitSource{{Name: "redist", Why: "no answer"}, {Name: "pip", Reachable: true}}})
	if !strings.HasPrefix(got, "redist: no answer\nplan for p (cupel.toml, linux): 1 step\n") || strings.Contains(got, "another way") || strings.Contains(got, "then:") {
		t.Errorf("the plan of up:\n%s", got)
	}
	if len(plan.Plans[0].Steps[0].Alternatives) != 1 {
		t.Error("showing a plan changed it")
	}
}
