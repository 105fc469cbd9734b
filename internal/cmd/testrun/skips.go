package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// allowance is one line of the list: `[LANE] PACKAGE TEST : REASON`. PACKAGE is a path with or without the module's name in front, TEST
// a name (its subtests go with it) or a prefix ending in *, either may be *; LANE may be left out. The skip's own words must hold
// REASON: a test that begins to skip for another cause is noticed.
type allowance struct{ lane, pkg, test, reason string }

func readSkips(path string) ([]allowance, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []allowance
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		a, ok := parseAllowance(text)
		if !ok {
			return nil, fmt.Errorf("%s:%d: want [LANE] PACKAGE TEST : REASON, have %q", path, n, text)
		}
		list = append(list, a)
	}
	return list, lines.Err()
}

func parseAllowance(text string) (a allowance, ok bool) {
	head, reason, found := strings.Cut(text, " : ")
	words := strings.Fields(head)
	if len(words) == 3 && strings.HasPrefix(words[0], "[") && strings.HasSuffix(words[0], "]") {
		a.lane, words = strings.Trim(words[0], "[]"), words[1:]
	}
	a.reason = strings.TrimSpace(reason)
	if !found || len(words) != 2 || a.reason == "" {
		return allowance{}, false
	}
	a.pkg, a.test = words[0], words[1]
	return a, true
}

func (a allowance) covers(o *outcome) bool {
	return (a.lane == "" || a.lane == o.lane) && a.coversPackage(o.pkg) && a.coversTest(o.test) && strings.Contains(o.output, a.reason)
}

func (a allowance) coversPackage(pkg string) bool {
	return a.pkg == "*" || a.pkg == pkg || strings.HasSuffix(pkg, "/"+a.pkg)
}

func (a allowance) coversTest(test string) bool {
	if prefix, ok := strings.CutSuffix(a.test, "*"); ok {
		return strings.HasPrefix(test, prefix)
	}
	return test == a.test || strings.HasPrefix(test, a.test+"/")
}

func isAllowed(list []allowance, o *outcome) bool {
	for _, a := range list {
		if a.covers(o) {
			return true
		}
	}
	return false
}
