package trial

// job is what the supervising child is told, report and result are what it answers.
type job struct {
	Argv []string
	Gone []string // files and folders to take away; empty: no mounts are made
	Kept []string // what is written to: no folder around it may become a passing copy
	User bool     // in a user namespace
}

type report struct {
	Refused   string   // why nothing could be hidden: the command was not started
	Hidden    []string // paths
	NotHidden []string // paths with why
}

type result struct {
	Code   int
	Signal string
	Err    string
}
