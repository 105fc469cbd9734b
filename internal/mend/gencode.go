package mend

import "strings"

// codes are targets as a call writes them: sm_80,sm_90 or [sm_80,sm_90] or "sm_80,sm_90".
type codes struct {
	held  [2]string // what stands around them
	items []string
}

// holders are what may stand around codes. The last are quotes that a build wrote for a shell and no shell took off.
var holders = [][2]string{{"[", "]"}, {`"`, `"`}, {"'", "'"}, {`\"`, `\"`}}

func readCodes(text string) codes {
	var l codes
	for _, h := range holders {
		if len(text) >= len(h[0])+len(h[1]) && strings.HasPrefix(text, h[0]) && strings.HasSuffix(text, h[1]) {
			l.held, text = h, text[len(h[0]):len(text)-len(h[1])]
			break
		}
	}
	for item := range strings.SplitSeq(text, ",") {
		l.items = append(l.items, strings.TrimSpace(item))
	}
	return l
}

func (l codes) text() string {
	if len(l.items) == 1 {
		return l.items[0]
	}
	return l.held[0] + strings.Join(l.items, ",") + l.held[1]
}

// pair is one --generate-code: arch=compute_90,code=[sm_90,compute_90].
type pair struct {
	arch      string
	codes     codes
	codeFirst bool
}

// readPair reads the two words in either order. Anything else is nvcc's to refuse.
func readPair(text string) (p pair, ok bool) {
	first, second, ok := cutPair(text)
	if !ok {
		return pair{}, false
	}
	if strings.HasPrefix(first, "code=") {
		first, second, p.codeFirst = second, first, true
	}
	arch, isArch := strings.CutPrefix(first, "arch=")
	code, isCode := strings.CutPrefix(second, "code=")
	if !isArch || !isCode || arch == "" || code == "" {
		return pair{}, false
	}
	p.arch, p.codes = arch, readCodes(code)
	return p, true
}

// cutPair cuts at the one comma before arch= or code=: the others part codes.
func cutPair(text string) (first, second string, ok bool) {
	for _, key := range []string{"code=", "arch="} {
		if i := strings.Index(text, ","+key); i > 0 {
			return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:]), true
		}
	}
	return "", "", false
}

func (p pair) text() string {
	if p.codeFirst {
		return "code=" + p.codes.text() + ",arch=" + p.arch
	}
	return "arch=" + p.arch + ",code=" + p.codes.text()
}
