package verify_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/verify"
)

var surveys sync.Map // name → fact.Machine

// machine is what the probe concludes from a recorded host. Each is surveyed once.
func machine(t testing.TB, name string) fact.Machine {
	t.Helper()
	if m, ok := surveys.Load(name); ok {
		return m.(fact.Machine)
	}
	h, err := host.LoadFile(filepath.Join("../../testdata/hosts", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
	surveys.Store(name, m)
	return m
}

// parse reads a small contract; the head that every one needs is put before it.
func parse(t testing.TB, text string) *contract.Contract {
	t.Helper()
	const head = "cupel = 1\n"
	if !strings.Contains(text, "[project]") {
		text = "[project]\nname = \"demo\"\n" + text
	}
	c, bad := contract.Parse("cupel.toml", []byte(head+text))
	if len(bad) > 0 {
		t.Fatalf("the contract of this case is wrong: %+v\n%s", bad, text)
	}
	return c
}

// input is a recorded host under a small contract.
func input(t testing.TB, hostName, text string) verify.Input {
	t.Helper()
	m := machine(t, hostName)
	p, err := verify.PlatformOf(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return verify.Input{Contract: parse(t, text), Machine: m, Platform: p}
}

func find(all []verify.Check, id string) *verify.Check {
	for i := range all {
		if all[i].ID == id {
			return &all[i]
		}
	}
	return nil
}

// lines is an answer as a failed test shows it.
func lines(all []verify.Check) string {
	var b strings.Builder
	for _, c := range all {
		b.WriteString(string(c.Status) + " " + c.ID + ": expected " + c.Expected + ", found " + c.Found + " | " + c.What + " | " + c.Why)
		if c.CausedBy != "" {
			b.WriteString(" | caused by " + c.CausedBy)
		}
		for _, s := range c.Next {
			b.WriteString("\n    next: " + s.Command + "  " + s.Note)
		}
		b.WriteString("\n")
	}
	return b.String()
}
