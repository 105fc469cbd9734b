package shim

import (
	"os"
	"path/filepath"

	"cupel/internal/call"
	"cupel/internal/mend"
	"cupel/internal/record"
)

// repairs is the run's plan, where it has one.
func repairs(run string) (plan mend.Plan, ok bool) {
	text, err := readSmall(filepath.Join(run, record.MendFile))
	if err != nil {
		return plan, false
	}
	plan, err = mend.Parse(text)
	return plan, err == nil && !plan.Empty()
}

// repair makes the repairs that the run allows. With any trouble the arguments stay as they are.
func repair(plan mend.Plan, b *call.Begin) {
	defer func() {
		if recover() != nil {
			b.Used, b.Changes = nil, nil
		}
	}()
	if len(b.Lost) > 0 {
		return // what they say is not known, so nothing can be judged
	}
	args := b.Args
	if b.Expanded != nil {
		args = b.Expanded
	}
	out, changes := plan.Under(os.Getenv).Apply(b.Tool, args)
	if len(changes) > 0 {
		b.Used, b.Changes = out, changes
	}
}

// leftOut tells of repairs that could not be made: with them the arguments were too long for the system.
func leftOut(b *call.Begin) {
	for _, c := range b.Changes {
		b.Lost = append(b.Lost, c.Fix+": it is left out here: "+errTooLong.Error())
	}
	b.Used, b.Changes = nil, nil
}
