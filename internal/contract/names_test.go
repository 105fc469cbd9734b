package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestSlug(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"cuda", "cuda"}, {"MY_ROOT", "my-root"}, {"Flash attention (v2)", "flash-attention-v2"}, {"__a..b__", "a-b"}, {"c++", "c"}, {"日本", ""}, {"", ""},
	} {
		if got := Slug(tt.in); got != tt.want {
			t.Errorf("Slug(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	seen := map[string]string{}
	for _, name := range ComponentNames {
		if other, ok := seen[Slug(name)]; ok {
			t.Errorf("components %s and %s have one id", name, other)
		}
		seen[Slug(name)] = name
	}
}

// TestAlike keeps names apart that only look alike: those of different tables, and of platforms that lay over one another.
func TestAlike(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"of two tables", "[pins.a]\nfiles = [{ file = \"f\", pattern = \"(x)\" }]\n[[config]]\nname = \"a\"\ncommand = \"x\"\n"},
		{"off on two platforms", "[scope.linux]\noff = [\"A b\"]\n[scope.wsl2]\noff = [\"a-b\"]\n"},
		{"variables of two platforms", "[env.linux]\nA_B = \"1\"\n[env.windows]\na_b = \"1\"\n"},
		{"libraries of two platforms", "[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nkinds = \"static\"\nexclude-on = \"windows\"\n[[kernels]]\nname = \"b\"\nsources = [\"a.cu\"]\nkinds = \"static\"\nlink-name = \"a\"\nexclude-on = \"linux\"\n"},
		{"a library and PTX", "[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nkinds = \"ptx\"\n[[kernels]]\nname = \"b\"\nsources = [\"a.cu\"]\nkinds = \"static\"\nlink-name = \"a\"\n"},
		{"a variable named twice", "[arch]\nenv = \"A\"\n[env]\n\"arch.list\" = [\"A\"]\n"},
		{"a variable again for a platform", "[env]\nA = \"1\"\n[env.ci]\nA = \"2\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) { must(t, "cupel = 1\n"+tt.text) })
	}
}

func TestQuote(t *testing.T) {
	for _, tt := range []struct{ name, in, basic, short string }{
		{"plain", "12.4", `"12.4"`, `"12.4"`}, {"empty", "", `""`, `""`},
		{"a backslash", `a\b`, `"a\\b"`, `'a\b'`}, {"a quote", `a"b`, `"a\"b"`, `'a"b'`}, {"both quotes", `a"b'c`, `"a\"b'c"`, `"a\"b'c"`},
		{"bell, which Go writes as \\a", "a\ab", `"a\u0007b"`, `"a\u0007b"`}, {"a line break beside a backslash", "a\\\nb", `"a\\\u000Ab"`, `"a\\\u000Ab"`},
		{"no-break space, which Go escapes", "a\u00a0b", "\"a\u00a0b\"", "\"a\u00a0b\""}, {"delete", "\x7f", `"\u007F"`, `"\u007F"`},
		{"no UTF-8", "a\xffb", "\"a\uFFFDb\"", "\"a\uFFFDb\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Quote(tt.in); got != tt.basic {
				t.Errorf("Quote(%q) = %s, want %s", tt.in, got, tt.basic)
			}
			if got := quote(tt.in); got != tt.short {
				t.Errorf("quote(%q) = %s, want %s", tt.in, got, tt.short)
			}
		})
	}
}

// FuzzQuote: what is written reads as it was.
func FuzzQuote(f *testing.F) {
	f.Add("a\"b\\c'\n\x00\u2028\U0001F600")
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ToValidUTF8(s, "\uFFFD")
		for _, text := range []string{Quote(s), quote(want)} {
			var got struct{ A string }
			if err := toml.Unmarshal([]byte("A = "+text), &got); err != nil || got.A != want {
				t.Errorf("%s reads as %q (%v), want %q", text, got.A, err, want)
			}
		}
		if path := split(Key("pins", want)); len(path) != 2 || path[1].name != want {
			t.Errorf("Key(pins, %q) is read as %v", want, path)
		}
	})
}

// TestKeys: a key path leads to the line, however the key is written.
func TestKeys(t *testing.T) {
	c := must(t, `cupel = 1
[pins."a.b"]
files = [{ file = "f", pattern = "(x)" }]
[env]
"toolkit.root" = ["A", "B"]
toolkit.root = ["C"]
toolkit.nvcc = "D"
[env.linux]
"toolkit.nvcc" = "E"
toolkit.nvcc = "F"
[[config]]
name = "one"
command = "x"
[[config]]
name = "two"
command = "x"
`)
	r := c.For(Platform{Name: "wsl2"})
	for _, tt := range []struct{ key, want string }{
		{Key("pins", "a.b"), `pins."a.b" cupel.toml:2:7`},
		{r.EnvKey("A"), `env."toolkit.root" cupel.toml:5:1`}, {r.EnvKey("B"), `env."toolkit.root" cupel.toml:5:1`}, {r.EnvKey("C"), "env.toolkit.root cupel.toml:6:9"},
		{r.EnvKey("D"), "env.toolkit.nvcc cupel.toml:7:9"}, {r.EnvKey("E"), `env.linux."toolkit.nvcc" cupel.toml:9:1`}, {r.EnvKey("F"), "env.linux.toolkit.nvcc cupel.toml:10:9"},
		{c.Configs[1].Key(), "config[1] cupel.toml:14:3"}, {c.Configs[1].Key() + ".command", "config[1].command cupel.toml:16:1"}, {c.Without("config[0]").Configs[0].Key(), "config[0] cupel.toml:11:3"},
		{Config{}.Key(), "config cupel.toml:11:3"},
	} {
		if got := fmt.Sprintf("%s %s", tt.key, c.At(tt.key)); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestWordsOf(t *testing.T) {
	for _, tt := range []struct {
		key  string
		want []string
	}{
		{"project.build", []string{"cargo", "cmake", "meson", "make", "setuptools", "pip", "bazel", "cupel", "other"}},
		{"host.windows.unsupported-compiler", []string{"forbid", "allow"}}, {"components.NAME.severity", []string{"error", "warning", "info"}},
		{"kernels.kinds", []string{"ptx", "cubin", "fatbin", "object", "static", "shared"}}, {"link.cuda.how", []string{"link", "load", "none"}},
		{"project.name", nil}, {"no.such.key", nil}, {"", nil},
	} {
		if got := WordsOf(tt.key); !slices.Equal(got, tt.want) {
			t.Errorf("WordsOf(%q) = %q, want %q", tt.key, got, tt.want)
		}
	}
	WordsOf("project.build")[0] = "changed"
	if got := WordsOf("project.build")[0]; got != "cargo" {
		t.Errorf("the words of a key can be changed: %s", got)
	}
}

func TestAfter(t *testing.T) {
	for _, tt := range []struct{ in, want string }{{"12", "13"}, {"12.5", "12.6"}, {"12.4.1", "12.4.2"}} {
		var v Dotted
		if err := v.UnmarshalText([]byte(tt.in)); err != nil || After(v.V).String() != tt.want {
			t.Errorf("After(%s) = %s (%v), want %s", tt.in, After(v.V), err, tt.want)
		}
	}
}
