package nvcc

import "slices"

// WithEnv are the arguments that nvcc works with when NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are set.
func WithEnv(args []string, prepend, append string) []string {
	if prepend == "" && append == "" {
		return args
	}
	return slices.Concat(flags(prepend), args, flags(append))
}

// flags splits such a variable: blanks and tabs separate, not ends of lines. Double quotes hold a word together and stay in
// it. A backslash is a character; before a quote inside quotes it keeps that from ending them.
func flags(text string) []string {
	var list []string
	begin, quoted := -1, false
	for k := range len(text) {
		c := text[k]
		if !quoted && (c == ' ' || c == '\t') {
			if begin >= 0 {
				list = append(list, text[begin:k])
				begin = -1
			}
			continue
		}
		if begin < 0 {
			begin = k
		}
		if c == '"' {
			quoted = !quoted || text[k-1] == '\\'
		}
	}
	if begin >= 0 {
		list = append(list, text[begin:])
	}
	return list
}
