package remote

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// await waits until a condition holds, whose lock is held. It returns false when a time is
// over, or a context ends, before.
func await(ctx context.Context, cond *sync.Cond, most time.Duration, holds func() bool) bool {
	if holds() {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		cond.L.Lock()
		defer cond.L.Unlock()
		cond.Broadcast()
	})()
	for !holds() && ctx.Err() == nil {
		cond.Wait()
	}
	return holds()
}

// An inbox has the messages that were received and not read, one in each line.
type inbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	limit   int
	text    []byte
	err     error // why there are no more
}

func newInbox(limit int) *inbox {
	in := &inbox{limit: limit}
	in.changed = sync.NewCond(&in.mu)
	return in
}

// put adds a message, and does not wait.
func (in *inbox) put(message []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.text = appendLine(in.text, message)
	in.changed.Broadcast()
}

// end ends the messages behind those that were not read.
func (in *inbox) end(err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err == nil {
		in.err = err
		in.changed.Broadcast()
	}
}

// Read implements io.Reader.
func (in *inbox) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.text) == 0 {
		if in.err != nil {
			return 0, in.err
		}
		in.changed.Wait()
	}
	n := copy(p, in.text)
	if in.text = in.text[n:]; len(in.text) == 0 {
		in.text = nil
	}
	in.changed.Broadcast()
	return n, nil
}

// hasRoom waits while too much is unread, for some time, and returns whether it is not.
func (in *inbox) hasRoom(ctx context.Context, most time.Duration) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return await(ctx, in.changed, most, func() bool { return len(in.text) <= in.limit || in.err != nil })
}

// appendLine appends a message as a line. A line break in JSON is a space between tokens.
func appendLine(text, message []byte) []byte {
	start := len(text)
	text = append(text, message...)
	for at := start; ; at++ {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return append(text, '\n')
		}
		at += next
		text[at] = ' '
	}
}

// A splitter splits what is written into lines.
type splitter struct{ begun []byte }

// split calls a function for each line that is complete. The line is valid during the call.
func (s *splitter) split(p []byte, each func(line []byte) error) error {
	for {
		line, rest, isComplete := bytes.Cut(p, []byte{'\n'})
		if !isComplete {
			s.begun = append(s.begun, line...)
			return nil
		}
		if len(s.begun) > 0 {
			line, s.begun = append(s.begun, line...), nil
		}
		if len(line) > 0 {
			if err := each(line); err != nil {
				return err
			}
		}
		p = rest
	}
}
