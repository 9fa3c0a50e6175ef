package role

import (
	"context"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// updates takes the steps of each session one after the other, in the order of the wire:
// handlers of notifications, the starts of those of requests, and the ends of turns. A
// handler that prompts lets the next step begin. Sessions do not wait for each other.
type updates struct {
	conn *rpc.Conn

	mu    sync.Mutex
	lanes map[string]*lane
}

// lane has the steps of a session that have not begun.
type lane struct {
	session string
	queue   []step
}

// A step returns false if the next one has begun already.
type step func() bool

// handling is a notification in its handler, or one that waits for it. It is the context of
// the handler, which ends with the connection.
type handling struct {
	context.Context
	session string
	call    Call
	run     func(ctx context.Context, call Call, params any) ([]byte, error) // nil if there is no handler
	decoded any
	turns   []*Turn // whose loops get it afterwards, or when the next step begins
	// isHistory is whether it may be part of a history, which no loop gets.
	isHistory bool

	updates    *updates
	lane       *lane
	isReleased bool
	shown      sync.Once
}

type handlingKey struct{}

// Value implements context.Context.
func (h *handling) Value(key any) any {
	if key == (handlingKey{}) {
		return h
	}
	return h.Context.Value(key)
}

// do runs the handler.
func (h *handling) do() (goesOn bool) {
	hasEnded := false
	defer func() {
		if !hasEnded {
			// The handler has ended this goroutine.
			h.release()
		}
	}()
	if h.run != nil {
		rpc.Run(func() error {
			_, err := h.run(h, h.call, h.decoded)
			return err
		}, h.end)
	} else {
		h.end(nil)
	}
	h.updates.mu.Lock()
	defer h.updates.mu.Unlock()
	hasEnded = true
	return !h.isReleased
}

// end takes the error of the handler.
func (h *handling) end(err error) {
	defer func() {
		h.show()
		for _, one := range h.turns {
			one.handlingEnded()
		}
	}()
	if err != nil {
		h.call.Conn.rpc.ReportUnlessEnded(err, h.call.Method)
	}
}

// show gives the update to the loops over its turns.
func (h *handling) show() {
	h.shown.Do(func() {
		if h.isHistory {
			return
		}
		for _, one := range h.turns {
			one.show(h.decoded)
		}
	})
}

// release lets the next step begin before the handler has ended.
func (h *handling) release() {
	h.updates.mu.Lock()
	isReleased := h.isReleased
	h.isReleased = true
	h.updates.mu.Unlock()
	if !isReleased {
		h.show()
		h.updates.start(h.lane)
	}
}

// handlingOf returns the handler that a context is of, if it is one of a notification.
func handlingOf(ctx context.Context) *handling {
	found, _ := ctx.Value(handlingKey{}).(*handling)
	return found
}

// handle runs a handler behind the steps that were added before it.
func (u *updates) handle(h *handling) {
	h.updates = u
	u.mu.Lock()
	l := u.lanes[h.session]
	isNew := l == nil
	if isNew {
		l = &lane{session: h.session}
		u.lanes[h.session] = l
	}
	h.lane = l
	l.queue = append(l.queue, h.do)
	u.mu.Unlock()
	if isNew {
		u.start(l)
	}
}

// pass adds a step if others of the session have not ended. Otherwise it returns false.
func (u *updates) pass(session string, call func()) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	l := u.lanes[session]
	if l != nil {
		l.queue = append(l.queue, func() bool { call(); return true })
	}
	return l != nil
}

// start takes the steps of a lane in a goroutine, which has begun when start returns: the
// first handler starts before that of the next message.
func (u *updates) start(l *lane) {
	started := make(chan struct{})
	u.conn.Go(func() {
		close(started)
		u.work(l)
	})
	<-started
}

func (u *updates) work(l *lane) {
	for goesOn := true; goesOn; {
		u.mu.Lock()
		if len(l.queue) == 0 {
			delete(u.lanes, l.session)
			u.mu.Unlock()
			return
		}
		next := l.queue[0]
		l.queue = l.queue[1:]
		u.mu.Unlock()
		goesOn = next()
	}
}
