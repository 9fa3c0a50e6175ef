//go:build unix

package acp

import (
	"os"
	"os/exec"
	"syscall"
)

// A signal is sent to a process group.
type signal = syscall.Signal

const (
	probe     = syscall.Signal(0)
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

func leadGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// signalGroup returns whether the group has members.
func signalGroup(leader *os.Process, how signal) bool {
	return syscall.Kill(-leader.Pid, how) == nil
}
