package child_test

import (
	"strings"
	"testing"

	"cupel/internal/child"
)

func TestMask(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"no address", "E: no such package user@host ?", "E: no such package user@host ?"},
		{"a plain address", "get https://example.org/debian/x.deb: 404", "get https://example.org/debian/x.deb: 404"},
		{"name and password", "https://me:pass@example.org/simple", "https://***@example.org/simple"},
		{"an @ in the password", "http://me:p@ss@example.org/x", "http://***@example.org/x"},
		{"a token for a name", "git+https://ghp_1@example.org", "git+https://***@example.org"},
		{"in quotes", `"https://me:pass@example.org/a b" 'http://u:p@h/'`, `"https://***@example.org/a b" 'http://***@h/'`},
		{"conda's token", "https://conda.example.org/t/ab-12-cd/nvidia/linux-64", "https://conda.example.org/t/***/nvidia/linux-64"},
		{"both", "https://me:pw@h/t/ab-12/x", "https://***@h/t/***/x"},
		{"shortened by urllib3", "Max retries exceeded with url: /t/ab-12/x?sig=1 (Caused", "Max retries exceeded with url: /t/***/x?*** (Caused"},
		{"a query", "https://h/x.whl?sig=abc#sha256=12", "https://h/x.whl?***#sha256=12"},
		{"a folder named t", "/home/t/project/x", "/home/t/project/x"},
		{"an address after a host with @ in its path", "https://h/a@1.2/x", "https://h/a@1.2/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := child.Mask(tt.in); got != tt.want {
				t.Errorf("Mask(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestFailedMasked: neither the arguments nor what the child said shows a secret.
func TestFailedMasked(t *testing.T) {
	err := child.Failed{
		Command: child.Command{Path: "apt-helper", Args: []string{"download-file", "https://me:word@h/x", "--index-url=https://me:word@h/y"}},
		Result:  child.Result{Code: 1, Stderr: "E: https://me:word@h/t/tok-en/x?key=word failed"},
	}
	got := err.Error()
	want := "apt-helper download-file https://***@h/x --index-url=https://***@h/y ended with code 1: E: https://***@h/t/***/x?*** failed"
	if got != want || strings.Contains(got, "word") {
		t.Errorf("Failed.Error() = %q, want %q", got, want)
	}
}
