package jobserver

import (
	"fmt"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		want string
	}{
		{"no variable", []string{"HOME=/root"}, ""},
		{"make without -j", []string{"MAKEFLAGS=", "MFLAGS="}, ""},
		{"make -j without a number", []string{"MAKEFLAGS= -j"}, ""},
		{"make 4.3", []string{"MAKEFLAGS= -j3 --jobserver-auth=3,4", "MFLAGS=-j3 --jobserver-auth=3,4"}, "MAKEFLAGS 3,4"},
		{"make 4.4", []string{"MAKEFLAGS= -j3 --jobserver-auth=fifo:/tmp/GMfifo2834"}, "MAKEFLAGS fifo:/tmp/GMfifo2834"},
		{"make 4.4 in a folder with a space", []string{`MAKEFLAGS=k -j3 --jobserver-auth=fifo:/tmp/a\ b\\$$/GMfifo1 -- X=1`}, `MAKEFLAGS fifo:/tmp/a b\$/GMfifo1`},
		{"make before 4.2", []string{"MAKEFLAGS= --jobserver-fds=5,6 -j"}, "MAKEFLAGS 5,6"},
		{"make on Windows", []string{"MAKEFLAGS= -j4 --jobserver-auth=gmake_semaphore_3316"}, "MAKEFLAGS gmake_semaphore_3316"},
		{"the last one counts", []string{"MAKEFLAGS= -j --jobserver-auth=3,4 --jobserver-auth=5,6"}, "MAKEFLAGS 5,6"},
		{"a variable of the command line", []string{`MAKEFLAGS= -- FLAGS=x\ --jobserver-auth=3,4 --jobserver-auth=5,6`}, ""},
		{"cargo", []string{"CARGO_MAKEFLAGS=-j --jobserver-fds=8,9 --jobserver-auth=8,9"}, "CARGO_MAKEFLAGS 8,9"},
		{"make above cargo", []string{"CARGO_MAKEFLAGS=-j --jobserver-fds=8,9 --jobserver-auth=8,9", "MAKEFLAGS= -j3 --jobserver-auth=3,4"}, "MAKEFLAGS 3,4; CARGO_MAKEFLAGS 8,9"},
		{"the last of two settings", []string{"MAKEFLAGS=--jobserver-auth=1,2", "MAKEFLAGS=--jobserver-auth=3,4"}, "MAKEFLAGS 3,4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, n := range names(tt.env) {
				got = append(got, n.variable+" "+n.server)
			}
			if all := strings.Join(got, "; "); all != tt.want {
				t.Errorf("names(%q) = %q, want %q", tt.env, all, tt.want)
			}
		})
	}
}

func FuzzWords(f *testing.F) {
	f.Add(`k -j3 --jobserver-auth=fifo:/tmp/a\ b$$ -- X=1`)
	f.Add(`\`)
	f.Fuzz(func(t *testing.T, flags string) {
		// Written as make writes them, the words come back.
		var quoted []string
		list := words(flags)
		for _, w := range list {
			quoted = append(quoted, strings.NewReplacer(`\`, `\\`, " ", `\ `, "\t", "\\\t", "\n", "\\\n", "$", "$$").Replace(w))
		}
		if again := words(strings.Join(quoted, " ")); fmt.Sprintf("%q", again) != fmt.Sprintf("%q", list) {
			t.Errorf("%q gives %q, again %q", flags, list, again)
		}
	})
}
