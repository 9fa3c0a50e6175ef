package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

const (
	// drainTime is how long input may follow the failure of the output.
	drainTime = time.Second

	// mostKept is the size of the largest buffer that is kept for further messages.
	mostKept = 1 << 20

	// pieceBytes is how much is written at once, so that a peer that reads slowly is not
	// taken for one that does not read.
	pieceBytes = 64 << 10

	// stallBytes is how much may be unsent before the peer has to read.
	stallBytes = 1 << 20

	// mostAnswerBytes is how much of answers may be unsent, of which the peer reads nothing,
	// before its requests are refused.
	mostAnswerBytes = 64 << 20

	// mostUnsent is how much may be unsent before the connection ends.
	mostUnsent = 256 << 20
)

// writer writes in a goroutine of its own, so that neither a handler nor the reader waits
// for a peer that does not read: two sides that both did would wait for each other for
// ever. Instead, senders wait, a peer that reads none of its answers gets no more of them,
// and the connection to one that reads nothing ends.
type writer struct {
	out   io.Writer
	stall time.Duration // below zero for ever
	fail  func(error)
	wake  chan struct{}
	done  chan struct{}

	mu       sync.Mutex
	queued   []byte
	room     chan struct{} // closed when what is queued has been taken
	isClosed bool
	err      error
	added    int // bytes that were ever queued
	taken    int // bytes of them that the peer has ever taken
	// answers has the bytes of answers that were queued since takenThen.
	answers, takenThen int
	stalled            *time.Timer // nil while little is unsent
}

func newWriter(out io.Writer, stall time.Duration, fail func(error)) *writer {
	return &writer{out: out, stall: stall, fail: fail, wake: make(chan struct{}, 1), done: make(chan struct{}), room: make(chan struct{})}
}

// queue writes soon what a function appends. It does not wait.
func (w *writer) queue(isAnswer bool, appendTo func(out []byte) []byte) {
	w.mu.Lock()
	if !w.isClosed && w.err == nil {
		before := len(w.queued)
		w.queued = appendTo(w.queued)
		w.count(len(w.queued)-before, isAnswer)
	}
	w.mu.Unlock()
	w.signal()
}

// count counts a message that was queued. The caller has locked the writer.
func (w *writer) count(size int, isAnswer bool) {
	w.added += size
	if w.taken != w.takenThen {
		w.answers, w.takenThen = 0, w.taken
	}
	if isAnswer {
		w.answers += size
	}
	switch unsent := w.added - w.taken; {
	case w.stall < 0:
	case unsent > mostUnsent:
		go w.fail(errors.New(sentences.NotRead(shownBytesOf(unsent))))
	case unsent > stallBytes && w.stalled == nil:
		w.watch()
	}
}

// watch ends the connection when the peer takes nothing for too long. The caller has locked
// the writer.
func (w *writer) watch() {
	taken := w.taken
	w.stalled = time.AfterFunc(w.stall, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		unsent := w.added - w.taken
		switch {
		case unsent <= stallBytes || w.isClosed || w.err != nil:
			w.stalled = nil
		case w.taken != taken:
			w.watch()
		default:
			go w.fail(errors.New(sentences.Stalled(fmt.Sprintf("%g s", w.stall.Seconds()), shownBytesOf(unsent))))
		}
	})
}

func shownBytesOf(count int) string { return fmt.Sprintf("%.0f MB", float64(count)/1e6) }

// isFull returns whether the peer reads so little of its answers that it gets no more.
func (w *writer) isFull() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.answers > mostAnswerBytes && w.taken == w.takenThen
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

// run writes until the writer is closed.
func (w *writer) run() {
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
			if err := w.write(text); err != nil {
				w.mu.Lock()
				w.err, w.queued = &acp.ClosedError{Cause: err}, nil
				w.mu.Unlock()
				// A peer that closes also ends the input; what it sent before is read first.
				time.AfterFunc(drainTime, func() { w.fail(err) })
				return
			}
			if spare = text; cap(spare) > mostKept {
				spare = nil
			}
		}
	}
}

func (w *writer) write(text []byte) error {
	for len(text) > 0 {
		written, err := w.out.Write(text[:min(len(text), pieceBytes)])
		if err != nil {
			return err
		}
		text = text[written:]
		w.mu.Lock()
		w.taken += written
		w.mu.Unlock()
	}
	return nil
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
	if w.stalled != nil {
		w.stalled.Stop()
	}
	w.mu.Unlock()
	w.signal()
}
