package review

import (
	"fmt"

	"cupel/internal/finding"
)

// left: programs that the command left behind.
func (j *judge) left() []finding.Finding {
	all := j.Run.End.Left
	if len(all) == 0 {
		return nil
	}
	f := finding.Finding{ID: LeftRunning, Severity: finding.Info, What: fmt.Sprintf("%s that the command left running %s ended", amount(len(all), "program"), was(len(all))), Where: processes(all)}
	f.Why = "cupel exec leaves nothing behind: a program that should outlive the build is started outside of it"
	return []finding.Finding{f}
}

// cleaned: calls whose environment no longer named the run.
func (j *judge) cleaned() []finding.Finding {
	var ids, callers []string
	for _, w := range j.works {
		if w.Begin.Outside {
			ids = append(ids, w.id())
			callers = append(callers, w.Begin.Caller)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	f := finding.Finding{ID: EnvironmentCleaned, Severity: finding.Info, What: fmt.Sprintf("%s got an environment that was cleaned on the way", amount(len(ids), "call")), Where: list(ids)}
	f.Why = "a program between the command and the compiler starts others with variables of its own choice"
	if by := list(each(callers)); by != "" {
		f.Why += " (" + by + ")"
	}
	f.Why += "; the shim found the run by its processes, so the calls are recorded, but values that exec set may be missing in them"
	f.Next = []finding.Step{{Command: "cupel replay " + ids[0] + " --diff-env", Note: "what the call had other than this shell"}}
	return []finding.Finding{f}
}

// unfinished: calls of whose end nothing is known.
func (j *judge) unfinished() []finding.Finding {
	var ids []string
	for _, w := range j.works {
		if w.End == nil {
			ids = append(ids, w.id())
		}
	}
	if len(ids) == 0 {
		return nil
	}
	f := finding.Finding{ID: CallUnfinished, Severity: finding.Info, What: fmt.Sprintf("the record of %s has no end", amount(len(ids), "call")), Where: list(ids)}
	f.Why = "the shim itself was killed, the disk with the record was full, or the machine went down, before the compiler ended; what was written until then is kept"
	if j.failed() && !j.ended() {
		f.Severity = finding.Warning
		f.Why += "; the call may have been the one that failed"
	}
	f.Next = []finding.Step{{Command: "cupel runs show " + ids[0]}, {Command: "cupel replay " + ids[0], Note: "runs it again"}}
	return []finding.Finding{f}
}

// incomplete: records that could not be read or kept whole.
func (j *judge) incomplete() []finding.Finding {
	var ids []string
	var why []string
	var dropped int64
	for _, w := range j.works {
		if w.Torn == "" && (w.End == nil || w.End.Dropped == 0) {
			continue
		}
		ids = append(ids, w.id())
		if w.Torn != "" {
			why = append(why, w.Torn)
		}
		if w.End != nil {
			dropped += w.End.Dropped
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if dropped > 0 {
		why = append(why, fmt.Sprintf("%d bytes from the middle of a long output were passed on and not kept", dropped))
	}
	f := finding.Finding{ID: RecordIncomplete, Severity: finding.Info, What: fmt.Sprintf("the record of %s is not whole", amount(len(ids), "call")), Where: list(ids), Why: list(each(why))}
	f.Next = []finding.Step{{Command: "cupel runs show " + ids[0]}}
	return []finding.Finding{f}
}
