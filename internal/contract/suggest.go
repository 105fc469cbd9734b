package contract

import (
	"strings"
)

// nearest finds the word that was probably meant: the one with the fewest changed letters, when these are few.
func nearest(given string, words []string) (string, bool) {
	given = strings.ToLower(given)
	if len(given) > 64 {
		return "", false
	}
	best, cost := "", slack(given)+1
	for _, w := range words {
		if c := distance(given, strings.ToLower(w)); c < cost && c < len(w) {
			best, cost = w, c
		}
	}
	return best, best != ""
}

// slack is how many letters may differ: in a short word two are half of it.
func slack(word string) int {
	if len(word) < 5 {
		return 1
	}
	return max(2, len(word)/3)
}

// distance counts insertions, deletions, replacements and swaps of neighbours. Underscores and dots for hyphens
// cost nothing: they are habits of other files.
func distance(a, b string) int {
	plain := strings.NewReplacer("_", "-", ".", "-")
	x, y := []rune(plain.Replace(a)), []rune(plain.Replace(b))
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+differ(x[i-1], y[j-1]))
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}

// orList joins words for a sentence.
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
