package role

import (
	"context"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// mostPatience is how long quick handlers may take.
const mostPatience = 5 * time.Millisecond

// updates runs the handlers of notifications, one after the other in each session. The
// next request of the session, and the end of its turn, wait for them. A handler that
// waits for a turn itself holds nothing up.
//
// What is about another session, and calls that are answered, wait for quick handlers
// only, so that a slow one delays its own session alone.
type updates struct {
	limit     int
	isCalling func() bool

	mu    sync.Mutex
	lanes map[string]*lane
	held  int
	// patience shrinks while handlers are slower.
	patience time.Duration
	room     chan struct{} // closed when something has changed for the reader; nil if it does not wait
}

// lane has the handlers of a session that have not ended.
type lane struct {
	queue []*handling // those that have not started
	last  *handling   // the one that was added last
}

// handling is a notification in its handler, or one that waits for it. It is the context of
// the handler, which ends with the connection.
type handling struct {
	context.Context
	session string
	call    Call
	run     func(ctx context.Context, call Call, params any) ([]byte, error) // nil if there is no handler
	decoded any
	turns   []*Turn // which get it afterwards

	updates    *updates
	isReleased bool
	ended      chan struct{} // closed when nobody waits for it any more; nil before somebody does
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
func (h *handling) do() (err error) {
	if h.run != nil {
		_, err = h.run(h, h.call, h.decoded)
	}
	for _, one := range h.turns {
		one.deliver(h.decoded)
	}
	return err
}

// handlingOf returns the handler that a context is of, if it is one of a notification.
func handlingOf(ctx context.Context) *handling {
	found, _ := ctx.Value(handlingKey{}).(*handling)
	return found
}

func newUpdates(limit int, isCalling func() bool) *updates {
	return &updates{limit: limit, isCalling: isCalling, lanes: map[string]*lane{}, patience: mostPatience}
}

// add runs a handler behind those that were added before it.
func (u *updates) add(h *handling) {
	h.updates = u
	u.mu.Lock()
	defer u.mu.Unlock()
	l := u.lanes[h.session]
	if l == nil {
		l = &lane{}
		u.lanes[h.session] = l
		go u.work(l)
	}
	l.queue, l.last = append(l.queue, h), h
	u.held++
}

func (u *updates) work(l *lane) {
	for {
		u.mu.Lock()
		if len(l.queue) == 0 {
			u.mu.Unlock()
			return
		}
		h := l.queue[0]
		l.queue = l.queue[1:]
		u.mu.Unlock()
		if err := rpc.Safely(h.do); err != nil {
			h.call.Conn.role.report(err, h.call.Method)
		}
		if !u.release(h) {
			return
		}
	}
}

// release lets nobody wait for a handler any more. It returns false if it was released before.
func (u *updates) release(h *handling) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if h.isReleased {
		return false
	}
	h.isReleased = true
	u.held--
	if h.ended != nil {
		close(h.ended)
	}
	if u.lanes[h.session].last == h {
		delete(u.lanes, h.session)
	}
	u.wakeReader()
	return true
}

// exempt lets nobody wait for a handler that waits itself, and starts the next one.
func (h *handling) exempt() {
	u := h.updates
	u.mu.Lock()
	l := u.lanes[h.session]
	u.mu.Unlock()
	if u.release(h) {
		go u.work(l)
	}
}

// wait waits for the handlers of all sessions but one, for as long as quick ones take.
func (u *updates) wait(ctx context.Context, except string) {
	var last []<-chan struct{}
	u.mu.Lock()
	for session, l := range u.lanes {
		if session != except {
			last = append(last, l.end())
		}
	}
	patience := u.patience
	u.mu.Unlock()
	if len(last) == 0 {
		return
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	isQuick := true
	for _, one := range last {
		select {
		case <-one:
			continue
		case <-limit.C:
			isQuick = false
		case <-ctx.Done():
		}
		break
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.patience /= 2; isQuick {
		u.patience = mostPatience
	}
}

// end returns a channel that is closed when the handlers of what was received have ended.
func (l *lane) end() <-chan struct{} {
	if l.last.ended == nil {
		l.last.ended = make(chan struct{})
	}
	return l.last.ended
}

// last returns a channel that is closed when the handlers of all that was received for a
// session have ended; nil if they have.
func (u *updates) last(session string) <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	l := u.lanes[session]
	if l == nil {
		return nil
	}
	return l.end()
}

// waitRoom waits while too many handlers wait, unless one may wait for the peer.
func (u *updates) waitRoom(ctx context.Context) {
	for {
		u.mu.Lock()
		if u.held < u.limit || u.isCalling() {
			u.mu.Unlock()
			return
		}
		if u.room == nil {
			u.room = make(chan struct{})
		}
		room := u.room
		u.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return
		}
	}
}

// wake lets the reader look again whether there is room.
func (u *updates) wake() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.wakeReader()
}

func (u *updates) wakeReader() {
	if u.room != nil {
		close(u.room)
		u.room = nil
	}
}
