//go:build linux || darwin

package acp

import (
	"os"
	"syscall"
	"unsafe"
)

// waitForExit waits for the end of a process and leaves its number to it, so that no other
// group can have the number when the group is signalled.
func waitForExit(process *os.Process) {
	const isPid, exited, leave = 1, 4, waitidNoWait
	var info [128]byte
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, isPid, uintptr(process.Pid), uintptr(unsafe.Pointer(&info)), exited|leave, 0, 0)
		if err != syscall.EINTR {
			return
		}
	}
}
