//go:build !linux && !darwin && !windows

package acp

import (
	"os"
	"os/exec"
)

func leadGroup(*exec.Cmd) {}

func waitForExit(*os.Process) {}

// signalGroup ends the process alone: what it has started cannot be waited for here.
func signalGroup(leader *os.Process, how signal) bool { return how == kill && leader.Kill() == nil }
