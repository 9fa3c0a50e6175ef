package role

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// A TurnEnd is the end of a turn.
type TurnEnd struct {
	// Response is the response to the prompt.
	Response []byte

	// Params are those of the update that reports the session as idle, and Update is
	// the same decoded; after version 1.
	Params []byte
	Update any
}

// StopReason returns why the agent stopped, after version 1; empty if it gave no reason.
func (e TurnEnd) StopReason() string {
	reason, _ := codec.Text(codec.Get(e.Params, "update", "stopReason"))
	return reason
}

// Result decodes the response to the prompt of a turn.
func Result[R any](t *Turn, schema *codec.Schema[R], response []byte) (R, error) {
	return decodeResult(t.conn, t.conn.prompt, schema, response)
}

// A Turn is the work on one prompt, as a client follows it. Its end is the response in
// version 1, and later the update that reports the session as idle.
type Turn struct {
	conn    *Conn
	session string
	isFirst bool // of version 1
	ctx     context.Context
	sent    []byte
	isSent  bool // guarded by the wire
	// deadline is the end of the grace of a turn that was given up.
	deadline time.Time
	over     chan struct{} // closed when its end was received
	handled  chan struct{} // closed when the handlers of its updates have ended as well
	// isStopped is whether the agent was asked to stop.
	isStopped atomic.Bool

	mu       sync.Mutex
	changed  *sync.Cond
	isRead   bool  // whether loops read the updates
	last     *link // the last update of them
	pending  int   // updates whose handlers have not ended
	isKnown  bool  // it has its result, or an error
	hasEnded bool  // and the handlers of its updates have ended
	end      TurnEnd
	err      error
	proceed  func()
	stopping sync.Once
	// After version 1: whether the prompt was answered, and work is and was reported.
	isAnswered, isRunning, wasRunning bool
	// message is the id of the message of the user, and reported has those of the messages
	// that were reported since the prompt.
	message  string
	reported []string
	idles    []idle
}

// An idle is a state of a session that may end a turn, after version 1.
type idle struct {
	params   []byte
	decoded  any
	reported int // the number of messages that were reported before
	// others are the messages whose work it ends when that was cancelled, and this turn was not.
	others []string
	// isCertain says that work was reported, or the prompt answered, before.
	isCertain bool
}

// A Loop reads the updates of a turn. Each loop gets all that come after its beginning.
type Loop struct {
	*Turn
	at       *link
	isInside bool // of the handler of an update, which it must not wait for
}

// A link leads from an update to the next one, so that nothing keeps what all loops have read.
type link struct {
	update any
	next   *link
}

// StartTurn sends a prompt. With isRead, its updates are kept for Next.
func (c *Conn) StartTurn(ctx context.Context, session string, params []byte, err error, isRead bool) *Loop {
	t := &Turn{
		conn: c, session: session, isFirst: c.protocol.Version == 1, ctx: ctx, sent: params,
		over: make(chan struct{}), handled: make(chan struct{}), isRead: isRead, last: &link{}, proceed: func() {},
	}
	t.changed = sync.NewCond(&t.mu)
	l := &Loop{Turn: t, at: t.last}
	if err != nil {
		t.lose(err)
		t.finish()
		return l
	}
	c.sessions.mu.Lock()
	one := c.sessions.of(session)
	one.turns = append(one.turns, t)
	c.sessions.mu.Unlock()
	go t.run(c.invoke(ctx, c.prompt, params, func() {
		t.update(func() { t.endIf(t.isFirst) })
	}))
	return l
}

// Follow returns another loop over a turn, which begins with the next update. With the context
// of the handler of an update, it waits for no handler, and the next one begins.
func (l *Loop) Follow(ctx context.Context) *Loop {
	own := handlingOf(ctx)
	if own != nil {
		own.release()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Loop{l.Turn, l.last, own != nil}
}

// run waits for the end of the turn, whose prompt was sent.
func (t *Turn) run(answer func() ([]byte, func(), error)) {
	response, proceed, err := answer()
	if own := (*acp.Error)(nil); t.isStopped.Load() && errors.As(err, &own) {
		// Agents that stop because they were asked to may call it an error.
		t.conn.role.report(err, t.conn.prompt)
		response, err = []byte(`{"stopReason":"cancelled"}`), nil
		if !t.isFirst {
			response = nil
			t.update(t.endCancelled)
		}
	}
	t.update(func() { t.end.Response, t.proceed = response, proceed })
	if !t.isFirst {
		proceed()
	}
	if err != nil {
		t.lose(err)
	} else {
		t.answer(response)
		if !t.isFirst {
			t.waitForIdle()
		}
	}
	t.finish()
}

// waitForIdle waits for the end of a turn whose prompt was answered.
func (t *Turn) waitForIdle() {
	select {
	case <-t.over:
	case <-t.ctx.Done():
		t.Stop()
		t.lose(context.Cause(t.ctx))
	case <-t.conn.rpc.Context().Done():
		t.lose(t.conn.rpc.EndError(t.conn.prompt))
	}
}

// update changes a turn and wakes who waits for it.
func (t *Turn) update(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	t.changed.Broadcast()
}

// answer notes that the prompt was answered.
func (t *Turn) answer(result []byte) {
	t.update(func() { t.message, _ = codec.Text(codec.Get(result, "messageId")) })
	t.change(func() {
		t.isAnswered = true
		t.endIf(t.isFirst)
	})
}

// change changes a turn, which may end with it.
func (t *Turn) change(change func()) {
	var failure error
	t.update(func() {
		if t.isOver() {
			return
		}
		change()
		if t.isFirst || !t.isAnswered {
			return
		}
		if t.end.Params != nil {
			// It was ended as cancelled.
			t.endIf(true)
			return
		}
		end := t.findEnd()
		if end == nil {
			return
		}
		t.end.Params, t.end.Update = end.params, end.decoded
		// An agent that was asked to stop may give no reason, or call it an error.
		switch reason := t.end.StopReason(); {
		case !t.isStopped.Load():
		case reason == "error":
			failure = errors.New(sentences.CancelledWorkFailed(fmt.Sprintf("%.300s", codec.Get(end.params, "update", "error"))))
			t.endCancelled()
		case reason == "":
			t.endCancelled()
		}
		t.endIf(true)
	})
	if failure != nil {
		t.conn.role.report(failure, t.conn.prompt)
	}
}

// findEnd returns, in an update, the end of the work, which follows the report of the message
// if there is one.
func (t *Turn) findEnd() *idle {
	reported := slices.Index(t.reported, t.message)
	var unclear *idle
	for i := range t.idles {
		one := &t.idles[i]
		isOwn := len(one.others) == 0 || slices.Contains(one.others, t.message)
		switch {
		case reported < 0 && one.isCertain && !t.isRunning:
			unclear = one
		case reported < 0 || one.reported <= reported || !isOwn:
		case one.isCertain:
			return one
		case !t.isRunning:
			// The session may have been running when the prompt was sent.
			unclear = one
		}
	}
	return unclear
}

// endIf notes, in an update, that the end was received if it was.
func (t *Turn) endIf(isReceived bool) {
	if isReceived && !t.isOver() {
		close(t.over)
		t.endHandling(0)
	}
}

// endCancelled ends a turn as cancelled, in an update, after version 1.
func (t *Turn) endCancelled() {
	idle := []byte(`{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}`)
	t.end.Params = codec.Set(inSession(t.session), idle, "update")
	t.end.Update, _, _ = t.conn.role.handlers[key{Client, notification, t.conn.update}].decode(t.end.Params)
}

// endHandling notes, in an update, that the handlers of some updates have ended.
func (t *Turn) endHandling(count int) {
	if t.pending -= count; t.pending > 0 || !t.isOver() {
		return
	}
	select {
	case <-t.handled:
	default:
		close(t.handled)
	}
}

// expect counts an update, before its handler is added.
func (t *Turn) expect() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending++
}

func (t *Turn) isOver() bool {
	select {
	case <-t.over:
		return true
	default:
		return false
	}
}

// report takes the report of a message of the user, in the order of the wire.
func (t *Turn) report(message string) {
	t.update(func() { t.reported = append(t.reported, message) })
}

// mayEndWithoutWork returns whether the agent may report no work for the prompt: it was cancelled,
// or perhaps sent before.
func (t *Turn) mayEndWithoutWork() bool {
	return t.isStopped.Load() || codec.Get(t.sent, "idempotencyKey") != nil
}

// changeState takes the state of the session, in the order of the wire. The others are the
// messages of turns that were cancelled before the prompt, whose end it may be.
func (t *Turn) changeState(state string, params []byte, decoded any, others []string) {
	t.change(func() {
		t.isRunning = state != "idle"
		t.wasRunning = t.wasRunning || t.isRunning
		// The end of an earlier turn does not count.
		if !t.isRunning {
			t.idles = append(t.idles, idle{params, decoded, len(t.reported), others, t.isAnswered || t.wasRunning})
		}
	})
}

// show gives an update to the loops over the turn.
func (t *Turn) show(decoded any) {
	t.update(func() {
		if t.isRead {
			t.last.next = &link{update: decoded}
			t.last = t.last.next
		}
	})
}

// handlingEnded takes the end of the handler of an update.
func (t *Turn) handlingEnded() { t.update(func() { t.endHandling(1) }) }

// answered takes the response to a prompt, in the order of the wire.
func (t *Turn) answered(sent, result []byte) {
	if t.isOf(sent) {
		t.answer(result)
	}
}

// isOf returns whether these are the params of the prompt, in the bytes that were sent.
func (t *Turn) isOf(params []byte) bool {
	return len(params) > 0 && len(t.sent) > 0 && &params[0] == &t.sent[0]
}

// closeSession ends a turn whose end cannot come any more.
func (t *Turn) closeSession() {
	t.mu.Lock()
	isWaiting := t.isAnswered && !t.isFirst
	t.mu.Unlock()
	if isWaiting {
		t.lose(errors.New(sentences.ClosedInTurn))
	}
}

// lose gives a turn that has not ended an error.
func (t *Turn) lose(err error) {
	t.update(func() {
		if t.err == nil && (t.isFirst || !t.isOver()) {
			t.err = err
		}
		t.endIf(true)
	})
}

// finish gives a turn its result, after the handlers of its updates.
func (t *Turn) finish() {
	t.update(func() { t.isKnown = true })
	t.conn.waitForHandlers(t.ctx, t.handled)
	isGivenUp := false
	t.update(func() {
		t.hasEnded = true
		isGivenUp = t.isStopped.Load() && !t.isFirst && t.end.Params == nil
	})
	t.conn.sessions.mu.Lock()
	defer t.conn.sessions.mu.Unlock()
	own := t.conn.sessions.of(t.session)
	if isGivenUp {
		t.deadline = time.Now().Add(t.conn.rpc.Limits().CancelGrace)
		own.givenUp = append(own.givenUp, t)
	}
	own.turns = slices.DeleteFunc(slices.Clone(own.turns), func(one *Turn) bool { return one == t })
}

// Next waits for the next update. It returns false when the turn has ended.
func (l *Loop) Next() (update any, ok bool) {
	l.mu.Lock()
	for l.at.next == nil && !l.isAtEnd() {
		l.changed.Wait()
	}
	next := l.at.next
	l.mu.Unlock()
	if next == nil {
		l.continueCaller()
		return nil, false
	}
	l.at = next
	return next.update, true
}

// Wait waits for the end of the turn.
func (l *Loop) Wait() (TurnEnd, error) {
	l.mu.Lock()
	for !l.isAtEnd() {
		l.changed.Wait()
	}
	end, err := l.end, l.err
	l.mu.Unlock()
	l.continueCaller()
	return end, err
}

// isAtEnd returns, under the lock, whether the turn has ended for the loop.
func (l *Loop) isAtEnd() bool { return l.hasEnded || l.isInside && l.isKnown }

// continueCaller lets what follows the turn be handled.
func (l *Loop) continueCaller() {
	if !l.isInside {
		l.mu.Lock()
		proceed := l.proceed
		l.mu.Unlock()
		proceed()
	}
}

// Stop asks the agent to stop, unless the turn has ended.
func (t *Turn) Stop() {
	t.mu.Lock()
	// What was received before the end of the connection may still ask.
	isLost := !t.hasEnded && errors.As(t.err, new(*acp.ClosedError))
	t.mu.Unlock()
	// Another one would cancel the prompts that were sent since.
	if isLost || !t.isOver() && !t.isStopped.Load() {
		t.stopping.Do(func() { t.conn.stop(t.session) })
	}
}
