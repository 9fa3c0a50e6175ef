//go:build unix && !linux && !darwin

package acp

import "os"

// waitForExit leaves it to Wait.
func waitForExit(process *os.Process) { _, _ = process.Wait() }
