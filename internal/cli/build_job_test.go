package cli

import (
	"fmt"
	"strings"
	"testing"

	"cupel/internal/build"
	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// TestTargetsWithoutGPU: where no GPU is seen, the contract's fallback is built, whoever asked for the GPUs, and a note says so.
func TestTargetsWithoutGPU(t *testing.T) {
	toolkit := fact.Toolkit{Release: fact.Of("13.0", "test")}
	h100 := fact.Machine{GPUs: []fact.GPU{{CC: fact.Of("9.0", "test")}}}
	for _, tt := range []struct {
		name, arch string
		asked      []string
		m          fact.Machine
		want       string
	}{
		{"native, a fallback", `fallback = "8.9"`, []string{"native"}, fact.Machine{}, "[sm_89] --arch native: no GPU is seen here: sm_89 is built, the fallback of cupel.toml"},
		{"native, none", "", []string{"native"}, fact.Machine{}, "[sm_75] --arch native: no GPU is seen here: sm_75 is built, the default of CUDA 13.0"},
		{"native, a GPU", `fallback = "8.9"`, []string{"native"}, h100, "[sm_90] "},
		{"detect, a fallback", "detect = true\ntargets = [\"8.0\"]\nfallback = \"8.9\"", nil, fact.Machine{}, "[sm_89] arch.detect: no GPU is seen here: sm_89 is built, the fallback of cupel.toml"},
		{"detect, targets", "detect = true\ntargets = [\"8.0\", \"9.0\"]", nil, fact.Machine{}, "[sm_80 sm_90] arch.detect: no GPU is seen here: all targets of cupel.toml are built, which has no fallback"},
		{"detect, nothing", "detect = true", nil, fact.Machine{}, "[sm_75] arch.detect: no GPU is seen here: sm_75 is built, the default of CUDA 13.0"},
		{"detect, a GPU", "detect = true\nfallback = \"8.9\"", nil, h100, "[sm_90] "},
		{"detect, but other targets asked for", "detect = true\nfallback = \"8.9\"", []string{"80"}, fact.Machine{}, "[sm_80] "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, wrong := contract.Parse("cupel.toml", []byte("cupel = 1\n[project]\nname = \"p\"\n[arch]\n"+tt.arch+"\n[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\n"))
			if len(wrong) > 0 {
				t.Fatal(wrong)
			}
			var p planned
			p.choice.machine, p.choice.toolkit = tt.m, toolkit
			p.job = build.Job{Requirements: c.For(contract.Platform{Name: "linux"}), Narrowed: len(tt.asked) > 0, Tools: build.Tools{Release: choice.Release(toolkit)}}
			p.job.Targets = environ.Archs(tt.m, toolkit, p.job.Requirements)
			b := &building{flags: buildFlags{archs: tt.asked}}
			if err := b.targets(&p); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(p.job.Targets, " ", strings.Join(p.plan.Notes, "; ")); got != tt.want {
				t.Errorf("with CUDA %s: %s, want %s", choice.Release(toolkit), got, tt.want)
			}
		})
	}
}

// TestArchsSeparated: other programs separate targets by semicolons or spaces, which is told; one that is none stays one.
func TestArchsSeparated(t *testing.T) {
	for in, want := range map[string]string{
		"80;90":   `--arch "80;90": commas separate targets: --arch 80,90`,
		"8.0 9.0": `--arch "8.0 9.0": commas separate targets: --arch 8.0,9.0`,
		"foo":     `--arch: "foo" is not a GPU architecture: write it as sm_86, compute_86, 86 or 8.6; or native, all-major, all`,
	} {
		if _, _, err := archsOf([]string{in}, fact.Machine{}, version.MustParse("13.0"), contract.Arch{}); err == nil || err.Error() != want {
			t.Errorf("--arch %q: %v, want %s", in, err, want)
		}
	}
}

// TestInstalling: the command that brings a toolkit names the release that was asked for, and is one that runs as it stands.
func TestInstalling(t *testing.T) {
	recommended, wrong := contract.Parse("cupel.toml", []byte("cupel = 1\n[project]\nname = \"p\"\n[toolkit]\nrecommended = \"13.0\"\n"))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for _, tt := range []struct {
		name, asked string
		c           *contract.Contract
		want        string
	}{
		{"a release", "12.4", nil, "cupel toolkit install 12.4"},
		{"a major alone", "12", nil, "cupel toolkit search"},
		{"a folder", "/opt/cuda", nil, "cupel toolkit search"},
		{"nothing", "", nil, "cupel toolkit search"},
		{"the contract's", "", recommended, "cupel toolkit install"},
		{"another than the contract's", "12.4", recommended, "cupel toolkit install 12.4"},
	} {
		c := chosenEnv{workspace: workspace{contract: tt.c}}
		if got := c.installing(tt.asked); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
