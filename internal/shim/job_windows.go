package shim

import (
	"unsafe"

	win "golang.org/x/sys/windows"

	"cupel/internal/call"
)

// job counts what the tool and all it starts use, and ends them when this program is killed; 0: there is none, because the
// system does not put a process into a second job.
type job win.Handle

// enter puts this program into a job of its own, into which the tool is born: a suspended start would cost a walk over all
// threads of the machine. Its own part is taken off the account again.
//
// While the tool runs, the job ends with this program, so that a kill of the shim is a kill of the tool. Afterwards it does
// not: cl.exe may have left mspdbsrv.exe, which other calls of cl.exe use. A process that asks to leave the job may.
func enter() job {
	h, err := win.CreateJobObject(nil, nil)
	if err != nil {
		return 0
	}
	j := job(h)
	if !j.limit(win.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE|win.JOB_OBJECT_LIMIT_BREAKAWAY_OK) || win.AssignProcessToJobObject(h, win.CurrentProcess()) != nil {
		_ = win.CloseHandle(h)
		return 0
	}
	return j
}

func (j job) limit(flags uint32) bool {
	info := win.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = flags
	_, err := win.SetInformationJobObject(win.Handle(j), win.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return err == nil
}

// leave reads the account and lets go of what the tool left. p is the tool, which is asked itself where the job does not
// tell (wine).
func (j job) leave(p win.Handle, e *call.End) {
	e.User, e.System = processTimes(p)
	e.Peak = peakOf(p)
	if j == 0 {
		return
	}
	j.limit(win.JOB_OBJECT_LIMIT_BREAKAWAY_OK)
	var times struct { // JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, winnt.h
		User, Kernel, PeriodUser, PeriodKernel int64
		Faults, Processes, Active, Terminated  uint32
	}
	if win.QueryInformationJobObject(win.Handle(j), win.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&times)), uint32(unsafe.Sizeof(times)), nil) == nil {
		user, system := processTimes(win.CurrentProcess())
		e.User = max(e.User, float64(times.User)/1e7-user)
		e.System = max(e.System, float64(times.Kernel)/1e7-system)
	}
	var info win.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	if win.QueryInformationJobObject(win.Handle(j), win.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil) == nil {
		e.Peak = max(e.Peak, int64(info.PeakJobMemoryUsed)-peakOf(win.CurrentProcess()))
	}
}

func processTimes(p win.Handle) (user, system float64) {
	var created, exited, k, u win.Filetime
	if win.GetProcessTimes(p, &created, &exited, &k, &u) != nil {
		return 0, 0
	}
	seconds := func(t win.Filetime) float64 {
		return float64(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) / 1e7
	}
	return seconds(u), seconds(k)
}

// memoryCounters is PROCESS_MEMORY_COUNTERS (psapi.h).
type memoryCounters struct {
	size, faults                                     uint32
	peakWorkingSet, workingSet                       uintptr
	peakPagedPool, pagedPool, peakNonPaged, nonPaged uintptr
	pagefile, peakPagefile                           uintptr
}

// peakOf is the most memory that a process had committed.
func peakOf(p win.Handle) int64 {
	c := memoryCounters{}
	c.size = uint32(unsafe.Sizeof(c))
	ask := win.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo") // Windows 7 and later
	if ask.Find() != nil {
		return 0
	}
	if ok, _, _ := ask.Call(uintptr(p), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); ok == 0 {
		return 0
	}
	return int64(c.peakPagefile)
}
