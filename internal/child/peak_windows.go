package child

import (
	"os"
	"time"
)

// peak: Windows tells the memory of a job and not of a process that ended.
func peak(*os.ProcessState) int64 { return 0 }

// computed: a process counts for itself alone there.
func computed(*os.ProcessState) time.Duration { return 0 }
