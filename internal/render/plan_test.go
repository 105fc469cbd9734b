package render

import (
	"strings"
	"testing"

	"cupel/internal/remedy"
)

func samplePlan() remedy.Answer {
	step := remedy.Step{
		ID: "apt-gcc", Title: "install g++-12", Who: remedy.Root, Commands: []string{"sudo apt-get install -y g++-12"}, Note: "beside \x1b[31mothers",
		Fixes: []string{"host-compiler"}, Why: "gcc 14 is too new", Cost: remedy.Cost{Root: true, Installs: 1, SizeUnknown: true},
		Alternatives: []remedy.Alternative{{ID: "other", Title: "another way", Who: remedy.You, Commands: []string{"other"}}},
	}
	return remedy.Answer{Contract: "cupel.toml", Project: "demo", Platform: "linux", Plans: []remedy.Route{{Steps: []remedy.Step{step}, Cost: step.Cost, Satisfies: true}}}
}

func TestPlanText(t *testing.T) {
	conflict := samplePlan()
	conflict.Conflict = []remedy.Clash{{Set: 1, Key: "toolkit.min", Where: "cupel.toml:5:1", Text: `min = "13.0"`}, {Set: 1, Key: "arch.targets[0]", Where: "cupel.toml:8:1", Text: "sm_70"}}
	conflict.Facts = []remedy.Fact{{Text: "no GPU"}, {Check: "arch-toolkit", Text: "does not know sm_70"}}
	conflict.Plans[0].Satisfies, conflict.Plans[0].Stays = false, []string{"arch-toolkit"}
	elsewhere := remedy.Answer{Contract: "cupel.toml", Platform: "windows", Conflict: conflict.Conflict[:1], Facts: conflict.Facts[:1], Next: []string{"build it under WSL2"}}
	for _, tt := range []struct {
		name string
		a    remedy.Answer
		want []string
		not  string
	}{
		{"nothing to do", remedy.Answer{Contract: "cupel.toml", Platform: "linux", Already: true}, []string{"nothing to do: cupel.toml on this machine (linux) is met\n"}, "cost:"},
		{"steps", samplePlan(), []string{"1. install g++-12  [root or administrator]\n     sudo apt-get install -y g++-12\n", "exactly one of:\n   - another way  [you, without root]\n       other\n", "cost: root, no restart, 1 to install, how much is loaded is not known\n", "then: cupel verify"}, "\x1b"},
		{"conflict", conflict, []string{"no way is known to meet these lines together here", "  cupel.toml:5:1  min = \"13.0\"\n", "  no GPU\n  arch-toolkit: does not know sm_70\n", "still failing: arch-toolkit"}, "then:"},
		{"another platform", elsewhere, []string{"no way is known to meet this line here", "because:\n  no GPU\n\nnext: build it under WSL2\n"}, "cost:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Style{}.Plan(tt.a)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is not in:\n%s", w, got)
				}
			}
			if strings.Contains(got, tt.not) {
				t.Errorf("%q is in:\n%s", tt.not, got)
			}
		})
	}
}

func TestPlanMarkdown(t *testing.T) {
	got := PlanMarkdown(samplePlan())
	for _, want := range []string{"- [ ] install g++-12 (root or administrator; fixes host-compiler)\n", "  ```\n  sudo apt-get install -y g++-12\n  ```\n", "Instead, exactly one: another way"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Errorf("a control character came through:\n%q", got)
	}
}
