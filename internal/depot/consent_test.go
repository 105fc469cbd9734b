package depot

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestConsent(t *testing.T) {
	d := newDepot(t)
	if c, err := d.Consented(); c != nil || err != nil {
		t.Errorf("nothing recorded: %v, %v", c, err)
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		accept, how string
		want        Consent
	}{
		{"CUDA EULA", "--yes", Consent{[]string{"CUDA EULA"}, "--yes", "test", when}},
		{"CUDA EULA", "terminal", Consent{[]string{"CUDA EULA"}, "--yes", "test", when}},
		{"CUDA EULA,cuDNN SLA", "terminal", Consent{[]string{"CUDA EULA", "cuDNN SLA"}, "terminal", "test", when}},
	} {
		if err := d.Consent(Consent{Licenses: strings.Split(tt.accept, ","), How: tt.how, Cupel: "test", When: when}); err != nil {
			t.Fatal(err)
		}
		if c, err := d.Consented(); err != nil || !reflect.DeepEqual(*c, tt.want) {
			t.Errorf("after %s by %s: %+v, %v, want %+v", tt.accept, tt.how, c, err, tt.want)
		}
	}
	if err := os.WriteFile(d.consent(), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := d.Consented(); err == nil {
		t.Errorf("a broken record: %v, no error", c)
	}
}

// TestCovers: only what is named was accepted.
func TestCovers(t *testing.T) {
	for _, tt := range []struct{ name, recorded, wanted, missing string }{
		{"no record", "", "A,B", "A,B"},
		{"an empty object", "{}", "A", "A"},
		{"null", "null", "A", "A"},
		{"an empty name", `{"licenses": [""]}`, "A", "A"},
		{"the form before there was a list", `{"license": "A"}`, "A", "A"},
		{"one of two", `{"licenses": ["A"]}`, "A,B", "B"},
		{"both", `{"licenses": ["B", "A"]}`, "A,B,A", ""},
		{"named twice", `{"licenses": ["B"]}`, "A,A", "A"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDepot(t)
			if tt.recorded != "" {
				if err := os.MkdirAll(d.Home, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(d.consent(), []byte(tt.recorded), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c, err := d.Consented()
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(c.Covers(strings.Split(tt.wanted, ",")), ","); got != tt.missing {
				t.Errorf("%s recorded, %s wanted: missing %q, want %q", tt.recorded, tt.wanted, got, tt.missing)
			}
		})
	}
}

func FuzzConsent(f *testing.F) {
	f.Add([]byte(`{"licenses": ["A", ""], "how": "terminal"}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := parseConsent(text); err == nil && c != nil && len(c.Covers([]string{""})) == 0 {
			t.Errorf("%q accepts a licence without a name", text)
		}
	})
}
