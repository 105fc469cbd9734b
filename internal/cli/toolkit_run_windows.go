package cli

import "os"

// passedOn: Ctrl-C reaches every program of a console by itself, and only has to be outlived here.
var passedOn = []os.Signal{os.Interrupt}

func endOf(p *os.ProcessState) int { return p.ExitCode() }
