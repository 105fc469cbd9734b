package child

import "os"

// peak: Windows tells the memory of a job and not of a process that ended.
func peak(*os.ProcessState) int64 { return 0 }
