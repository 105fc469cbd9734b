package environ

import (
	"maps"
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// Shell formats note what they did, so that the environment of the next toolkit can take back what it does not
// want itself: an NVCC_CCBIN or a lib64 of the last one would stay for ever.
const (
	Recorded     = "CUPEL_ENV_SET"   // the names of the variables that were set
	RecordedDirs = "CUPEL_ENV_DIRS_" // and the name of a list: the folders that were put in and had not been in it
)

// recorded says that a variable has its value from an earlier environment of cupel.
func recorded(env map[string]string, name, os string) bool {
	return slices.Contains(strings.Fields(lookup(env, Recorded, os)), name)
}

// recordedDirs are the folders that an earlier environment put into a list.
func recordedDirs(env map[string]string, name, os string) []string {
	return ospath.For(os).List(lookup(env, RecordedDirs+name, os))
}

// stale lists what an earlier environment set and this one does not. The environment of a running program only
// adds: it leaves that of a build, and its notes, alone.
func (s Set) stale(old map[string]string) []string {
	var names []string
	for _, name := range strings.Fields(lookup(old, Recorded, s.OS)) {
		if !s.Runtime && nameForm.MatchString(name) && !slices.Contains(s.names(Assign), name) {
			names = append(names, name)
		}
	}
	return names
}

// staleLists are the list variables into which an earlier environment put folders and this one puts none.
func (s Set) staleLists(old map[string]string) []string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(old)) {
		name, ok := strings.CutPrefix(key, RecordedDirs)
		if ok && !s.Runtime && nameForm.MatchString(name) && !slices.Contains(s.names(Prepend), name) {
			names = append(names, name)
		}
	}
	return names
}

func (s Set) names(kind Kind) []string {
	var names []string
	for _, v := range s.Vars {
		if v.Kind == kind {
			names = append(names, v.Name)
		}
	}
	return names
}

// record is the value of Recorded.
func (s Set) record() string { return strings.Join(s.names(Assign), " ") }
