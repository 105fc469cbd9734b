package child

import "syscall"

// attr: a killed cupel takes the client along. What the client itself started is not reached by this; pip, uv and conda
// start nothing that goes on alone, and apt's methods end with their input.
func attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
