package acp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func leadGroup(*exec.Cmd) {}

func waitForExit(*os.Process) {}

// signalGroup ends a process and what it has started. When the process has ended, Windows
// does not know its descendants any more.
func signalGroup(leader *os.Process, how signal) bool {
	if how != kill {
		return false
	}
	program := filepath.Join(os.Getenv("SystemRoot"), "System32", "taskkill.exe")
	return exec.Command(program, "/pid", strconv.Itoa(leader.Pid), "/T", "/F").Run() == nil
}
