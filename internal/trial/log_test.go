package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cupel/internal/contract"
	"cupel/internal/testbed"
)

// TestLogsApart: runs at the same time have a log each, with their own words and no others.
func TestLogsApart(t *testing.T) {
	dir := t.TempDir()
	logs := filepath.Join(dir, ".cupel", "verify")
	var wait sync.WaitGroup
	paths := make([]string, 8)
	for i := range paths {
		wait.Go(func() {
			own := fmt.Sprintf("mark-%d", i)
			o := Run(context.Background(), act(t, "environment", func(r *Request) { r.Dir, r.LogDir, r.Env["OWN"] = dir, logs, own }))
			paths[i] = o.Log
			b, err := os.ReadFile(o.Log)
			if err != nil || strings.Count(string(b), "OWN=") != 1 || !strings.Contains(string(b), "OWN="+own+"\n") && !strings.Contains(string(b), "OWN="+own+"\r\n") {
				t.Errorf("log %q of run %d: %v\n%s", o.Log, i, err, b)
			}
		})
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, p := range paths {
		if seen[p] {
			t.Errorf("two runs wrote %s", p)
		}
		seen[p] = true
	}
}

// TestLogsTrimmed: the newest stay, and those of other configs.
func TestLogsTrimmed(t *testing.T) {
	logs := t.TempDir()
	others := []string{"a.log", "a.x.log", "a.01.log", "a.2.1.log", "ab.1.log", "a.1.log.old"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(logs, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	req := Request{Config: contract.Config{Name: "a"}, Dir: t.TempDir(), LogDir: logs}
	for range keptLogs + 4 {
		f, err := newLog(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	got := logNumbers(logs, "a")
	if len(got) != keptLogs || got[0] != 5 || got[len(got)-1] != keptLogs+4 {
		t.Errorf("logs %v are left, want the last %d", got, keptLogs)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(logs, name)); err != nil {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
}

// TestLogNotThroughLinks: neither a folder nor a file that is a link is written through.
func TestLogNotThroughLinks(t *testing.T) {
	for _, tt := range []struct{ name, link, logs string }{
		{"the folder of cupel", ".cupel", ".cupel/verify"},
		{"the folder of the logs", ".cupel/verify", ".cupel/verify"},
		{"a name that begins with two dots", "..x", "..x/verify"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, tt.link)), 0o755); err != nil {
				t.Fatal(err)
			}
			testbed.Link(t, outside, filepath.Join(dir, tt.link))
			o := Run(context.Background(), act(t, "fine", func(r *Request) { r.Dir, r.LogDir = dir, filepath.Join(dir, filepath.FromSlash(tt.logs)) }))
			if !strings.Contains(o.Err, "it is a link or a file, not a folder") {
				t.Errorf("outcome = %+v, want a refusal", o)
			}
			if entries, _ := os.ReadDir(outside); len(entries) > 0 {
				t.Errorf("%v was written through the link", entries)
			}
		})
	}
	t.Run("the log", func(t *testing.T) {
		logs, outside := t.TempDir(), filepath.Join(t.TempDir(), "x")
		testbed.Link(t, outside, filepath.Join(logs, "fine.1.log"))
		o := Run(context.Background(), act(t, "fine", func(r *Request) { r.LogDir = logs }))
		if o.Code != 0 || filepath.Base(o.Log) != "fine.2.log" {
			t.Errorf("outcome = %+v, want another name", o)
		}
		if _, err := os.Stat(outside); err == nil {
			t.Error("the log was written through the link")
		}
	})
}
