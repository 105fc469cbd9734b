package gpu

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Arch is one target of nvcc: real machine code (sm_90a) or virtual code, which is PTX (compute_90). Suffix
// is "" for a target that later devices of its major run too, "a" for one exact device, "f" for a family.
type Arch struct {
	CC      CC
	Suffix  string
	Virtual bool
}

// ParseArch reads one target in any spelling: sm_90a, compute_90, 90a, 9.0a, 90a-real, 90-virtual, and
// 8.6+PTX, of which it returns the real half (ParseArchList reports both).
func ParseArch(s string) (Arch, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	text = strings.TrimSuffix(text, "+ptx")
	var a Arch
	text, a.Virtual = cutKind(text)
	if n := len(text); n > 0 && (text[n-1] == 'a' || text[n-1] == 'f') {
		text, a.Suffix = text[:n-1], text[n-1:]
	}
	var ok bool
	if a.CC, ok = parseNumber(text); !ok {
		return Arch{}, fmt.Errorf("%q is not a GPU architecture: write it as sm_86, compute_86, 86 or 8.6", s)
	}
	return a, nil
}

// cutKind takes the words off that say real or virtual.
func cutKind(text string) (rest string, virtual bool) {
	for _, w := range []struct {
		prefix, suffix string
		virtual        bool
	}{{"sm_", "", false}, {"compute_", "", true}, {"", "-real", false}, {"", "-virtual", true}} {
		if strings.HasPrefix(text, w.prefix) && strings.HasSuffix(text, w.suffix) && len(text) >= len(w.prefix)+len(w.suffix) {
			return text[len(w.prefix) : len(text)-len(w.suffix)], w.virtual
		}
	}
	return text, false
}

// parseNumber reads 8.6 or 86: without a dot the last digit is the minor, as in every toolkit so far.
func parseNumber(text string) (CC, bool) {
	major, minor, dotted := strings.Cut(text, ".")
	if !dotted && len(text) >= 2 {
		major, minor = text[:len(text)-1], text[len(text)-1:]
	}
	if !isNumber(major, 2) || !isNumber(minor, 1) {
		return CC{}, false
	}
	c := CC{}
	c.Major, _ = strconv.Atoi(major)
	c.Minor, _ = strconv.Atoi(minor)
	return c, true
}

// isNumber accepts up to max digits without a leading zero, save for 0 itself as a minor.
func isNumber(s string, max int) bool {
	if s == "" || len(s) > max || (max > 1 && s[0] == '0') {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// MustArch is ParseArch for constants in tests.
func MustArch(s string) Arch {
	a, err := ParseArch(s)
	if err != nil {
		panic(err)
	}
	return a
}

// String is nvcc's spelling: sm_90a or compute_90.
func (a Arch) String() string {
	if a.CC.IsZero() {
		return ""
	}
	if a.Virtual {
		return "compute_" + a.Digits()
	}
	return "sm_" + a.Digits()
}

// Digits is the number with its suffix, 90a.
func (a Arch) Digits() string { return a.CC.Digits() + a.Suffix }

// PTX is the virtual target of the same number.
func (a Arch) PTX() Arch { return Arch{CC: a.CC, Suffix: a.Suffix, Virtual: true} }

// IsZero says that there is no target.
func (a Arch) IsZero() bool { return a == Arch{} }

// Compare orders by number, then suffix, real before virtual.
func (a Arch) Compare(b Arch) int {
	return cmp.Or(a.CC.Compare(b.CC), cmp.Compare(a.Suffix, b.Suffix), cmp.Compare(kind(a), kind(b)))
}

func kind(a Arch) int {
	if a.Virtual {
		return 1
	}
	return 0
}

// MarshalText writes nvcc's spelling.
func (a Arch) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads any spelling; empty text is no target.
func (a *Arch) UnmarshalText(text []byte) (err error) {
	*a = Arch{}
	if len(text) > 0 {
		*a, err = ParseArch(string(text))
	}
	return err
}
