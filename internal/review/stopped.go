package review

import (
	"slices"

	"cupel/internal/call"
	"cupel/internal/pattern"
)

// part takes out the calls that did not fail by themselves: told to end by a signal that asks, or killed with the command
// or after another had failed. One that was killed before anything else failed is a failure of its own: the system's
// memory killer gives no reason. Where the command itself was ended, a call that names no error was ended with it.
func (j *judge) part(works []*work) (real, stopped []*work) {
	over := j.Run.End.TimedOut || slices.Contains(asked, j.Run.End.Signal)
	failed := slices.IndexFunc(works, func(w *work) bool { return !w.told() })
	for i, w := range works {
		killed := w.signal() == "SIGKILL"
		own := killed && w.End.Code == j.Run.End.Code && !over // the command ended as this call did: nobody stopped it for another's sake
		if w.told() && !own && (!killed || over || failed >= 0 && failed < i) || over && !names.Match(w.Text()) {
			stopped = append(stopped, w)
			continue
		}
		real = append(real, w)
	}
	return real, stopped
}

// asked are the signals with which builds stop what still runs.
var asked = []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"}

// byCode are the same as exit codes: nvcc 13.0 gives 143 and 137 for a tool of its own that was ended so, a shell 141.
var byCode = map[int64]string{129: "SIGHUP", 130: "SIGINT", 137: "SIGKILL", 141: "SIGPIPE", 143: "SIGTERM"}

// bare are the outputs of nvcc whose tool was told to end: its front ends catch the signal (12.4, SIGTERM; 13.0, SIGINT;
// exit code 4), nvcc itself says so (11.8 to 13.4, SIGTERM; exit code 255), and older releases name it.
var bare = pattern.New(`^\s*(?:\S*nvcc: Terminated\s*(?:Compilation terminated\.)?|Compilation terminated\.)\s*$|died due to signal (?:1|2|15)\b`)

// controlC is STATUS_CONTROL_C_EXIT.
const controlC = 0xC000013A

// signal is the one that ended the call or a tool of it, as far as its end tells.
func (w *work) signal() string {
	if w.End.Signal == "" && !w.windows {
		return byCode[w.End.Code]
	}
	return w.End.Signal
}

// told says that the call was told to end: it did not fail by itself.
func (w *work) told() bool {
	return slices.Contains(asked, w.signal()) || w.signal() == "SIGPIPE" || w.windows && uint32(w.End.Code) == controlC || bare.Match(w.Text())
}

// piped says that the command was ended because nobody read its output any more: by the signal, or as a shell tells it.
func piped(e *call.RunEnd) bool {
	return e != nil && !e.TimedOut && e.Error == "" && (e.Signal == "SIGPIPE" || e.Signal == "" && e.Status == "" && e.Code == 141)
}

// left says that exec ended the call: the command was done and had left it running.
func (j *judge) leftBehind(w *work) bool {
	return w.End != nil && w.told() && slices.ContainsFunc(leftBy(j.Run), func(p call.Process) bool {
		return j.path.Same(p.Path, w.Begin.Path) || j.shim(p.Path)
	})
}

func leftBy(r call.Run) []call.Process {
	if r.End == nil {
		return nil
	}
	return r.End.Left
}
