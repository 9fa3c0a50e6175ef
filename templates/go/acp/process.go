package acp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// The time that a process has to end by itself, after its input was closed, and after a
// signal; and that for what it has started.
const (
	processGrace = 2 * time.Second
	exitWait     = 500 * time.Millisecond
	groupWait    = time.Second
	groupPoll    = 10 * time.Millisecond
)

// mostShown is how much of a line of standard error explains the end of a process.
const mostShown = 200

// A signal is sent to a process and what it has started.
type signal int

const (
	probe signal = iota
	terminate
	kill
)

// A Process is a child process, with the processes that it has started. It is the stream
// of its standard input and output.
type Process struct {
	cmd       *exec.Cmd
	in, out   *os.File
	exited    chan struct{}
	err       error // why it has not ended with success
	mu        sync.Mutex
	isOver    bool // nothing is left to be signalled
	active    time.Time
	lastError string // the last line of standard error, if the program has given a writer for it
	closeOnce sync.Once
}

// An exitError says how a process has ended.
type exitError struct {
	text  string
	cause error // of os/exec
}

func (e *exitError) Error() string { return e.text }

func (e *exitError) Unwrap() error { return e.cause }

// StartProcess starts a command. Its standard error goes to that of this process unless
// the command has another one; of a writer that is not a file, the last line explains the end of
// the process. On Linux and macOS it leads a process group of its own;
// when it ends, the rest of the group ends as well.
func StartProcess(cmd *exec.Cmd) (*Process, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	cmd.Stdin, cmd.Stdout = theirIn, theirOut
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = groupWait
	}
	p := &Process{cmd: cmd, in: in, out: out, exited: make(chan struct{})}
	if _, isFile := cmd.Stderr.(*os.File); !isFile {
		cmd.Stderr = &errorLines{Writer: cmd.Stderr, process: p}
	}
	leadGroup(cmd)
	err = cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go p.watch()
	return p, nil
}

// watch ends what the process has started when it has ended itself.
func (p *Process) watch() {
	waitForExit(p.cmd.Process)
	p.signal(terminate)
	p.err = p.cmd.Wait()
	close(p.exited)
	for start := time.Now(); p.signal(probe); time.Sleep(groupPoll) {
		if time.Since(start) > groupWait {
			p.signal(kill)
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isOver = true
}

// signal signals the process and what it has started. It returns whether there was any.
func (p *Process) signal(how signal) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.isOver && signalGroup(p.cmd.Process, how)
}

// Pid returns the id of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.exited }

// Read reads from the standard output.
func (p *Process) Read(data []byte) (int, error) {
	n, err := p.out.Read(data)
	p.wrote("")
	return n, err
}

// wrote takes note of what the process has written: a line of standard error, if there is one.
func (p *Process) wrote(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active = time.Now()
	if line != "" {
		p.lastError = line
	}
}

// Silence returns a context for one call, such as the handshake or a new session, which ends with
// a [*SilentError] when the process has written nothing for a time: neither messages nor, if the
// command has a writer for it that is not a file, standard error. A program that installs itself,
// and says so, thus gets the time that it needs. A limit that is not positive ends the context with
// an error that says so.
func (p *Process) Silence(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if limit <= 0 {
		cancel(fmt.Errorf("silence needs a positive time, not %s: process.Silence(ctx, 10*time.Second)", limit))
	}
	p.wrote("")
	go func() {
		for {
			p.mu.Lock()
			left, last := time.Until(p.active.Add(limit)), p.lastError
			p.mu.Unlock()
			if left <= 0 {
				cancel(&SilentError{limit, last})
				return
			}
			select {
			case <-time.After(left):
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// A SilentError says that a process has written nothing for a time.
type SilentError struct {
	Limit time.Duration

	// LastError is the last line of its standard error, if the command has a writer for it that
	// is not a file.
	LastError string
}

func (e *SilentError) Error() string {
	return sentences.AgentSilent(strconv.FormatFloat(e.Limit.Seconds(), 'g', -1, 64), e.LastError)
}

// trace is what Node.js prints behind an error: the trace, the properties of the error, its own version.
var trace = regexp.MustCompile(`^(\s+(at |\w+:)|\}|Node\.js v)`)

// errorLines are the standard error of a process.
type errorLines struct {
	io.Writer
	process *Process
}

func (e *errorLines) Write(data []byte) (int, error) {
	last := ""
	for _, line := range bytes.FieldsFunc(data, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if !trace.Match(line) {
			last = strings.TrimSpace(string(line[:min(len(line), mostShown)]))
		}
	}
	e.process.wrote(last)
	return e.Writer.Write(data)
}

// Write writes to the standard input.
func (p *Process) Write(data []byte) (int, error) { return p.in.Write(data) }

// EndReason returns how the process has ended, and whether that was with success.
func (p *Process) EndReason() (reason error, isRegular bool) {
	select {
	case <-p.exited:
		p.mu.Lock()
		last := p.lastError
		p.mu.Unlock()
		how := "was ended by " + p.cmd.ProcessState.String()
		if code := p.cmd.ProcessState.ExitCode(); code >= 0 {
			how = sentences.Exited(strconv.Itoa(code))
		}
		return &exitError{sentences.AgentEnded(how, last), p.err}, p.err == nil
	case <-time.After(exitWait):
		return nil, true
	}
}

// Close closes the standard input and waits for the end of the process, which it enforces
// if it takes too long.
func (p *Process) Close() error {
	p.closeOnce.Do(func() {
		_ = p.in.Close()
		for _, how := range []signal{terminate, kill} {
			select {
			case <-p.exited:
			case <-time.After(processGrace):
				p.signal(how)
			}
		}
		<-p.exited
		_ = p.out.Close()
	})
	return nil
}
