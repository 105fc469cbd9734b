package pages

import "testing"

func TestQuotes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		quote func(string) string
		in    string
		want  string
	}{
		{"shell, a quote", sh, "it's $(x) `y`", `'it'\''s $(x) ` + "`y`'"},
		{"shell, a line break and an escape", sh, "a\nb\x1b[31m\tc", "'a b[31m c'"},
		{"shell, raw keeps blanks", shRaw, "a  b\\", `'a  b\'`},
		{"PowerShell, every quote", ps, "a'b\u2019c$(x)", "'a''b\u2019\u2019c$(x)'"},
		{"Markdown and HTML", md, "a <script>*x* -->", `a &lt;script>\*x\* --&gt;`},
		{"Markdown, names and bounds", md, "CUDA_PATH >= 12, _x_", `CUDA_PATH >= 12, \_x\_`},
		{"Markdown, the sign of a quotation", md, "> x", `&gt; x`},
		{"an address", link, "https://x.y/a_b", "<https://x.y/a_b>"},
		{"no address", link, "https://x> <script>", "https://x> &lt;script>"},
		{"code span with backticks", tick, "a``b", "```a``b```"},
		{"code span that begins with a backtick", tick, "`a", "`` `a ``"},
		{"an empty code span", tick, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.quote(tt.in); got != tt.want {
				t.Errorf("%q → %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
