package diagnose

import "slices"

// triedLines is how far above the line that ends a try its beginning may stand.
const triedLines = 200

// tries is what a log says of failures that do not matter.
type tries struct {
	spans  [][2]int // first and last line of a test that passed, a check of a configure run, a step that may fail
	goesOn []int    // lines that say that the program goes on without what it misses
	failed int      // the last line that says that something failed
}

// tries reads them from the clues.
func (c *Context) tries() (t tries) {
	begun, ended := 0, 0
	for _, at := range c.clues {
		switch at.value {
		case "excused":
			if begun > 0 && at.line-begun <= triedLines {
				t.spans = append(t.spans, [2]int{begun, at.line})
			}
			begun, ended = 0, at.line
		case "begun":
			if at.line != ended { // "Performing Test X - Failed" ends one and begins none
				begun = at.line
			}
		case "goes-on":
			t.goesOn = append(t.goesOn, at.line)
		case "failed", "final":
			t.failed = at.line
		}
	}
	return t
}

// excuse says that the log itself takes back what stands on a line: it belongs to a try that may fail, or the line
// says that the program goes on, and something else failed after it.
func (t tries) excuse(line int) bool {
	at, _ := slices.BinarySearchFunc(t.spans, line, func(s [2]int, line int) int { return s[1] - line })
	if at < len(t.spans) && t.spans[at][0] <= line {
		return true
	}
	_, goesOn := slices.BinarySearch(t.goesOn, line)
	return goesOn && t.failed > line
}
