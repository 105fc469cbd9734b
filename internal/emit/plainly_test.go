package emit

import (
	"slices"
	"testing"
)

func TestPlainly(t *testing.T) {
	got := plainly([]string{"nvcc", `-I"in,c"`, "-Iinc", `-DPAIR=a\,b`, `-DTEXT="a\,b"`, "-c", `k"q".cu`})
	if want := []string{"nvcc", "-Iin,c", "-Iinc", "-DPAIR=a,b", `-DTEXT="a\,b"`, "-c", `k"q".cu`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
