package trial

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// keptLogs is how many logs of one config stay: those of runs at the same time, and a few to compare with.
const keptLogs = 10

// newLog makes a log of a name that nothing has: NAME.1.log, NAME.2.log, the highest number the newest. Two runs at
// once have one each. Older ones of the same config are removed.
func newLog(req Request) (*os.File, error) {
	if err := ownFolder(req.LogDir, req.Dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(req.LogDir, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of the log: %w", err)
	}
	name := fileName(req.Config.Name)
	old := logNumbers(req.LogDir, name)
	next := 1
	if len(old) > 0 {
		next = old[len(old)-1] + 1
	}
	for n := next; n < next+1000; n++ {
		// O_EXCL also refuses a link of that name, wherever it leads.
		f, err := os.OpenFile(logPath(req.LogDir, name, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("make the log: %w", err)
		}
		trim(req.LogDir, name)
		return f, nil
	}
	return nil, fmt.Errorf("make the log: every name from %s on is taken", logPath(req.LogDir, name, next))
}

// ownFolder refuses a folder that is a link, and links on the way to it from the project: what a build writes must
// not land in another place.
func ownFolder(dir, project string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("keep the log in %s: it is a link or a file, not a folder", at)
		}
		rel, err := filepath.Rel(project, filepath.Dir(at))
		if err != nil || rel == "." || !filepath.IsLocal(rel) {
			return nil
		}
	}
}

func logPath(dir, name string, n int) string {
	return filepath.Join(dir, name+"."+strconv.Itoa(n)+".log")
}

// logNumbers are those of a config's logs, lowest first.
func logNumbers(dir, name string) []int {
	entries, _ := os.ReadDir(dir)
	var out []int
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), name+".")
		digits, log := strings.CutSuffix(rest, ".log")
		if n, err := strconv.Atoi(digits); ours && log && err == nil && n > 0 && strconv.Itoa(n) == digits {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// trim removes the oldest. One that cannot be removed does no harm.
func trim(dir, name string) {
	all := logNumbers(dir, name)
	for _, n := range all[:max(0, len(all)-keptLogs)] {
		_ = os.Remove(logPath(dir, name, n))
	}
}
