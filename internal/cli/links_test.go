package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: a link from one page to another leads to something.
func TestLinks(t *testing.T) {
	checked := 0
	for _, path := range markdown(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(string(b), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			checked++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
	}
	if checked == 0 {
		t.Error("no link was found: nothing was checked")
	}
}
