package cli

import (
	"strings"

	"cupel/data"
)

// alike suggests the CUDA error whose name is at most two letters away from what was typed.
func alike(text string) string {
	best, near := "", 3
	for _, c := range data.Codes() {
		for _, name := range []string{c.Driver, c.Runtime} {
			if d := distance(strings.ToLower(text), strings.ToLower(name)); name != "" && d < near {
				best, near = name, d
			}
		}
	}
	if best == "" {
		return ""
	}
	return ": did you mean " + best + "?"
}

// distance counts the letters to change, add or take away between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
