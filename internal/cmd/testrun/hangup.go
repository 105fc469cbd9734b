package main

import (
	"os"
	"os/signal"
	"syscall"
)

// heedHangUps: under nohup children would ignore a hang-up, and tests that send one would wait for ever.
func heedHangUps() { signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) }
