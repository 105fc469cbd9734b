package environ

import (
	"fmt"
	"strings"
)

// Formats lists the languages, in the order they are shown.
var Formats = []string{"sh", "fish", "powershell", "cmd", "dotenv", "cargo", "cmake-preset", "make", "github", "systemd"}

// Format writes the set in one language. old is the environment at the time; it may be nil.
//
// sh, fish, powershell and make compute list variables when they are run: they take an earlier copy of a
// folder out before they put it in front, so that running them twice, or in another shell, changes nothing.
// cmd, dotenv and github have no safe way to say that: they get the finished list, computed from old. sh, fish,
// powershell and cmd also take out what an earlier environment put in, and note what they put in themselves.
// cargo gets no PATH, and of other lists the folders alone: its file is committed, this shell's list is not.
// cmake-preset refers to its parent's variable, which CMake reads afresh each time. systemd gets the folders
// alone: a service has nothing to do with the shell in which its file was made.
func Format(set Set, format string, old map[string]string) ([]byte, error) {
	write, ok := map[string]func(Set, map[string]string) (string, error){
		"sh": formatSh, "fish": formatFish, "powershell": formatPowerShell, "cmd": formatCmd,
		"dotenv": formatDotenv, "cargo": formatCargo, "cmake-preset": formatCMakePreset, "make": formatMake,
		"github": formatGitHub, "systemd": formatSystemd,
	}[format]
	if !ok {
		return nil, fmt.Errorf("no format %q: it is one of %s", format, strings.Join(Formats, ", "))
	}
	if err := set.Check(); err != nil {
		return nil, fmt.Errorf("write environment as %s: %w", format, err)
	}
	text, err := write(set, old)
	if err != nil {
		return nil, fmt.Errorf("write environment as %s: %w", format, err)
	}
	return []byte(text), nil
}

// lines collects output.
type lines struct{ strings.Builder }

func (l *lines) add(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }
