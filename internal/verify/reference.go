package verify

import (
	"cmp"
	"fmt"
	"slices"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

const refID = "reference"

// compare tells where this machine differs from the one that decides. On the machine that decides a difference
// means that the saved snapshot is no longer true.
func (j *judge) compare() {
	r := j.Contract.Reference
	if r.Snapshot == "" {
		return
	}
	name := cmp.Or(r.Name, "the reference machine")
	c := Check{Key: "reference.snapshot", Expected: string(r.Snapshot), Status: Pass,
		Finding: finding.Finding{ID: refID, What: "compared with " + name, Where: j.at("reference.snapshot")}}
	j.titles[refID] = c.What
	save := command("cupel doctor --json > "+j.quote(string(r.Snapshot)), "on "+name+", in the project's folder")
	if j.elsewhere() {
		c.After = platformID
		c.skip(platformID + " failed")
	} else if j.Reference == nil {
		c.Found = "unreadable"
		c.fail(fmt.Sprintf("the snapshot of %s could not be read", name), cmp.Or(j.RefWhy, "it was not given"), save)
	} else {
		j.compared = &Compared{Name: name, Snapshot: string(r.Snapshot), Here: j.decides(), Differences: j.differences()}
		j.judgeDifferences(&c, name, save)
	}
	c.Severity = severities[c.Status]
	j.out = append(j.out, c)
}

func (j *judge) judgeDifferences(c *Check, name string, save finding.Step) {
	n := len(j.compared.Differences)
	c.Found = plural(n, "difference")
	switch {
	case n == 0:
		c.Found = "no difference"
	case j.decides():
		c.fail("the saved snapshot of "+name+" is no longer true", c.Found+": "+named(j.compared.Differences), save)
	default:
		c.Why = "CI decides: " + name + " is what counts where this machine differs"
	}
}

func named(all []Difference) string {
	d := all[0]
	text := fmt.Sprintf("%s is %s here and %s there", d.What, d.Here, d.There)
	if len(all) > 1 {
		text += ", and more"
	}
	return text
}

// decides: this is the machine that decides. A runner of another system or processor is another one, whatever CI it
// belongs to.
func (j *judge) decides() bool {
	here, there := j.Machine.System, j.Reference.System
	return j.Platform.CI && here.Platform == there.Platform && here.Arch == there.Arch
}

// telling are the kinds of variables that change what is built or run. A shell's own (PATH, TERM, HOME) differ between
// two logins on one machine.
var telling = []string{"toolkit-root", "compiler", "flags", "arch", "library-path", "cudnn", "cmake", "runtime"}

func (j *judge) tells(d doctor.Difference) bool {
	if d.About != "variable" {
		return true
	}
	row, ok := data.VariableByName(d.What, j.Machine.System.OS)
	return ok && slices.Contains(telling, row.Kind)
}

// differences are the facts a person would compare, without the groups that may differ.
func (j *judge) differences() []Difference {
	diff := doctor.Compare(j.seen(j.Machine), j.seen(*j.Reference))
	out := []Difference{}
	for _, d := range diff.Differences {
		if !slices.Contains(j.Contract.Reference.Ignore, d.About) && j.tells(d) {
			out = append(out, Difference{About: d.About, What: d.What, Here: d.A, There: d.B})
		}
	}
	return out
}

// seen is a machine with its choice, as the doctor would answer; findings are not compared.
func (j *judge) seen(m fact.Machine) doctor.Answer {
	opt := choice.Options{Recommended: j.Choice.Recommended}
	a := doctor.Answer{Machine: m}
	a.Active, a.Chosen = choice.Toolkit(m, opt)
	return a
}
