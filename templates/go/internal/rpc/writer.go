package rpc

import (
	"context"
	"io"
	"sync"
)

// mostKept is the size of the largest buffer that is kept for further messages.
const mostKept = 1 << 20

// writer writes in a goroutine of its own, so that neither a handler nor the reader waits
// for a peer that does not read.
type writer struct {
	out  io.Writer
	wake chan struct{}
	done chan struct{}

	mu       sync.Mutex
	queued   []byte
	room     chan struct{} // closed when what is queued has been taken
	isClosed bool
	err      error
}

func newWriter(out io.Writer) *writer {
	return &writer{out: out, wake: make(chan struct{}, 1), done: make(chan struct{}), room: make(chan struct{})}
}

// queue writes soon what a function appends. It does not wait.
func (w *writer) queue(appendTo func(out []byte) []byte) {
	w.mu.Lock()
	if !w.isClosed && w.err == nil {
		w.queued = appendTo(w.queued)
	}
	w.mu.Unlock()
	w.signal()
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// wait waits while more than a number of bytes are queued.
func (w *writer) wait(ctx context.Context, limit int) error {
	for {
		w.mu.Lock()
		isFull, room, err := len(w.queued) > limit, w.room, w.err
		w.mu.Unlock()
		if err != nil || !isFull {
			return err
		}
		select {
		case <-room:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.done:
		}
	}
}

// run writes until the writer is closed. It calls a function for an error of the stream.
func (w *writer) run(fail func(error)) {
	defer close(w.done)
	var spare []byte
	for range w.wake {
		for {
			text, isClosed := w.take(spare)
			if len(text) == 0 {
				if isClosed {
					return
				}
				break
			}
			if _, err := w.out.Write(text); err != nil {
				w.mu.Lock()
				w.err, w.queued = err, nil
				w.mu.Unlock()
				fail(err)
				return
			}
			if spare = text; cap(spare) > mostKept {
				spare = nil
			}
		}
	}
}

// take returns what is queued, if anything, and has another buffer collect what follows.
func (w *writer) take(other []byte) (text []byte, isClosed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queued) == 0 {
		return nil, w.isClosed
	}
	text, w.queued = w.queued, other[:0]
	close(w.room)
	w.room = make(chan struct{})
	return text, w.isClosed
}

// close lets the goroutine end when it has written what is queued.
func (w *writer) close() {
	w.mu.Lock()
	w.isClosed = true
	w.mu.Unlock()
	w.signal()
}
