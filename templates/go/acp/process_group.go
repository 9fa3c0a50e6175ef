//go:build linux || darwin

package acp

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

func leadGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// signalGroup returns whether the group has members.
func signalGroup(leader *os.Process, how signal) bool {
	number := [...]syscall.Signal{probe: 0, terminate: syscall.SIGTERM, kill: syscall.SIGKILL}[how]
	return syscall.Kill(-leader.Pid, number) == nil
}

// waitForExit waits for the end of a process and leaves its number to it, so that no other
// group can have the number when the group is signalled.
func waitForExit(process *os.Process) {
	const isPid, exited = 1, 4
	noWait := uintptr(0x1000000)
	if runtime.GOOS == "darwin" {
		noWait = 0x20
	}
	var info [128]byte
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, isPid, uintptr(process.Pid), uintptr(unsafe.Pointer(&info)), exited|noWait, 0, 0)
		if err != syscall.EINTR {
			return
		}
	}
}
