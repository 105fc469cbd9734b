package signature

import "testing"

// BenchmarkStart is what every explain pays before it reads a byte.
func BenchmarkStart(b *testing.B) {
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := load(); err != nil {
				b.Fatal(err)
			}
		}
	})
	all := All()
	b.Run("compile", func(b *testing.B) {
		for b.Loop() {
			if _, err := Compile(all); err != nil {
				b.Fatal(err)
			}
		}
	})
}
