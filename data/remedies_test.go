package data

import (
	"slices"
	"strings"
	"testing"
)

func TestRemediesParse(t *testing.T) {
	if err := Read("remedies.toml", new(RemedyTable)); err != nil {
		t.Fatal(err)
	}
}

// TestRemediesAreSourced: a way without a source, or with a key that stands for none, is not shipped.
func TestRemediesAreSourced(t *testing.T) {
	known := func(s string) bool { return strings.Contains(s, "://") || strings.Contains(s, " ") }
	for _, w := range Ways() {
		if len(w.Source) == 0 || w.Checked == "" || !slices.ContainsFunc(w.Source, known) {
			t.Errorf("way %s: source %q, checked %q", w.ID, w.Source, w.Checked)
		}
		for _, s := range w.Source {
			if !known(s) {
				t.Errorf("way %s: %q is no source", w.ID, s)
			}
		}
	}
	for _, s := range AllRemedies().Setups {
		if len(s.Source) == 0 || !slices.ContainsFunc(s.Source, known) {
			t.Errorf("setup %s: source %q", s.ID, s.Source)
		}
	}
	for _, s := range AllRemedies().Systems {
		if len(s.Source) == 0 || s.Checked == "" || !slices.ContainsFunc(s.Source, known) {
			t.Errorf("system %s: source %q, checked %q", s.Repo, s.Source, s.Checked)
		}
	}
}

func TestWaysAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range Ways() {
		if seen[w.ID] {
			t.Errorf("way %s stands twice", w.ID)
		}
		seen[w.ID] = true
		if !slices.Contains(strings.Fields("cupel you root reboot"), w.Who) {
			t.Errorf("way %s: who is %q", w.ID, w.Who)
		}
		if !slices.Contains(strings.Fields("toolkit parts compiler driver forward-compat component"), w.Gives) {
			t.Errorf("way %s gives %q", w.ID, w.Gives)
		}
		if (w.Gives == "parts") != (len(w.Parts) > 0) || w.Setup != "" && SetupOf(w.Setup) == nil {
			t.Errorf("way %s: parts %v, setup %q", w.ID, w.Parts, w.Setup)
		}
		if (w.Gives == "component") != (len(w.Components) > 0) || (w.Gives == "compiler") != (w.Compiler != nil) || (w.Gives == "toolkit") != (w.Root != "") {
			t.Errorf("way %s gives %s and does not say which, or says too much", w.ID, w.Gives)
		}
		if sudo := slices.ContainsFunc(w.Commands, func(c string) bool { return strings.HasPrefix(c, "sudo ") }); sudo && w.Who != "root" && w.Who != "reboot" {
			t.Errorf("way %s uses sudo and is for %s", w.ID, w.Who)
		}
	}
}

// TestNoLinuxDriverUnderWSL2: the driver there is that of Windows; a Linux one breaks it.
func TestNoLinuxDriverUnderWSL2(t *testing.T) {
	for _, w := range Ways() {
		if !slices.Contains(w.On, "wsl2") {
			continue
		}
		commands := w.Commands
		if s := SetupOf(w.Setup); s != nil {
			commands = slices.Concat(s.Commands, commands)
		}
		for _, c := range commands {
			for _, bad := range []string{"cuda-drivers", "nvidia-open", "nvidia-driver", "nvidia-utils", "cuda-compat", "install -y cuda "} {
				if strings.Contains(c, bad) {
					t.Errorf("way %s under WSL2 runs %q", w.ID, c)
				}
			}
			if strings.Contains(c, "/repos/") && !strings.Contains(c, "/repos/wsl-ubuntu/") {
				t.Errorf("way %s under WSL2 uses %q", w.ID, c)
			}
		}
	}
}

// TestWingetAsInTheDistributionTable: both tables list the same versions.
func TestWingetAsInTheDistributionTable(t *testing.T) {
	notes := ""
	for _, d := range Distributions() {
		if d.ID == "winget" {
			notes = strings.Join(d.Notes, " ")
		}
	}
	_, list, _ := strings.Cut(notes, "versions seen: ")
	for _, w := range Ways() {
		if w.ID == "winget" && strings.Join(w.Releases, ", ") != list {
			t.Errorf("winget:\n got %s\nwant %s", strings.Join(w.Releases, ", "), list)
		}
	}
}

// TestModules: the open kernel module drives Turing and newer, the proprietary one what is older, and that has no
// driver after branch 580.
func TestModules(t *testing.T) {
	for _, w := range Ways() {
		switch {
		case w.Gives != "driver" || w.Module == "":
		case w.Module == "open" && (w.CCMin != "7.5" || w.CCBelow != ""), w.Module == "proprietary" && (w.CCBelow != "7.5" || w.CCMin != ""):
			t.Errorf("way %s: module %s for capabilities from %q below %q", w.ID, w.Module, w.CCMin, w.CCBelow)
		case w.Module == "proprietary" && (len(w.Branches) == 0 || slices.Max(w.Branches) > 580):
			t.Errorf("way %s: branches %v", w.ID, w.Branches)
		}
	}
}
