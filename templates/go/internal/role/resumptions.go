package role

import (
	"context"
	"errors"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// replayEnd is the update that ends a history.
const replayEnd = "replay_complete"

// mostHeldUpdates is how many live updates of a session can be held before their senders wait.
const mostHeldUpdates = 1000

// A resumption is a request to resume a session that is not answered. It is guarded by the wire.
type resumption struct {
	session string
	// isReplay is whether the client has asked for the history, and its end was not sent.
	isReplay bool
	// state is the last one that the handler has sent in its replay.
	state []byte
	// needsState is whether no state was sent since the history.
	needsState bool
}

type resumptionKey struct{}

// resumptions complete what the handlers of resumed sessions send, after version 1. With
// replayFrom, the updates with the context of the handler are the history. The end of the
// history and the current state are sent before the response when the handler has not sent
// them. Until the history has ended, updates with another context are held.
type resumptions struct {
	conn *Conn
	// Guarded by the wire.
	open map[*resumption]bool
	held map[string]*heldUpdates
}

// heldUpdates are the updates of a session that are held.
type heldUpdates struct {
	params   [][]byte
	released chan struct{}
}

// follow returns the handler of a request that was received, with what it has to send.
func (r *resumptions) follow(request *rpc.Request, params []byte, handle rpc.Handler) rpc.Handler {
	one := &resumption{session: sessionOf(params), isReplay: !codec.IsNull(codec.Get(params, "replayFrom")), needsState: true}
	wire := r.conn.rpc
	wire.Locked(func() { r.open[one] = true })
	wire.Go(func() {
		wait(wire.Context(), request.Done())
		// What is still held, since the history has failed, is not part of it.
		wire.Locked(func() {
			delete(r.open, one)
			r.release(one.session)
		})
	})
	return func(ctx context.Context) ([]byte, error) {
		ctx = context.WithValue(ctx, resumptionKey{}, one)
		result, err := handle(ctx)
		if err == nil {
			err = r.complete(ctx, one)
		}
		return result, err
	}
}

// answer returns the handler of a prompt, whose answer waits for its message while that is held.
func (r *resumptions) answer(params []byte, handle rpc.Handler) rpc.Handler {
	if r == nil {
		return handle
	}
	return func(ctx context.Context) ([]byte, error) {
		result, err := handle(ctx)
		var held *heldUpdates
		r.conn.rpc.Locked(func() { held = r.held[sessionOf(params)] })
		if held != nil {
			wait(ctx, held.released)
		}
		return result, err
	}
}

var errReported = errors.New("the state was reported")

// complete sends what the handler has not sent: the end of the history, and the state.
func (r *resumptions) complete(ctx context.Context, one *resumption) error {
	var needsEnd bool
	r.conn.rpc.Locked(func() { needsEnd = one.isReplay })
	turns := r.conn.turns
	if needsEnd {
		if err := turns.send(ctx, one.session, []byte(`{"sessionUpdate":"`+replayEnd+`"}`), nil); err != nil {
			return err
		}
	}
	isNeeded := func() error {
		if !one.needsState {
			return errReported
		}
		return nil
	}
	if one.state != nil {
		_ = turns.send(ctx, one.session, one.state, isNeeded)
	}
	turns.reportState(ctx, one.session, isNeeded)
	return nil
}

// taken is the error of an update that is sent later, or was sent with others.
type taken struct{ wait <-chan struct{} }

func (taken) Error() string { return "the update is not sent now" }

// admit takes an update that is about to be sent. The caller has locked the wire.
func (r *resumptions) admit(ctx context.Context, params []byte) error {
	session, tag := sessionOf(params), ""
	if update := codec.Get(params, "update", "sessionUpdate"); update != nil {
		tag, _ = codec.Text(update)
	}
	own, _ := ctx.Value(resumptionKey{}).(*resumption)
	if own != nil && (!r.open[own] || own.session != session) {
		own = nil
	}
	switch {
	case tag == replayEnd:
		if own == nil || !own.isReplay {
			return errors.New(sentences.UnrequestedEnd(replayEnd))
		}
		own.isReplay = false
		r.conn.rpc.Queue(r.conn.update, params)
		r.release(session)
		return taken{}
	case own == nil && r.isReplaying(session):
		return r.hold(session, params)
	}
	r.sent(session, tag, params, own)
	return nil
}

func (r *resumptions) isReplaying(session string) bool {
	for one := range r.open {
		if one.session == session && one.isReplay {
			return true
		}
	}
	return false
}

// hold keeps an update. Senders do not wait, since the handler may wait for them, unless too
// much is held.
func (r *resumptions) hold(session string, params []byte) error {
	held := r.held[session]
	if held == nil {
		held = &heldUpdates{released: make(chan struct{})}
		r.held[session] = held
	}
	held.params = append(held.params, slices.Clone(params))
	if len(held.params) <= mostHeldUpdates {
		return taken{}
	}
	return taken{held.released}
}

// release sends what is held, unless another history is sent.
func (r *resumptions) release(session string) {
	held := r.held[session]
	if held == nil || r.isReplaying(session) {
		return
	}
	delete(r.held, session)
	for _, params := range held.params {
		tag, _ := codec.Text(codec.Get(params, "update", "sessionUpdate"))
		r.sent(session, tag, params, nil)
		r.conn.rpc.Queue(r.conn.update, params)
	}
	close(held.released)
}

// sent notes a state. One before the end of the history is part of it, and is sent again
// behind it.
func (r *resumptions) sent(session, tag string, params []byte, own *resumption) {
	switch {
	case tag != "state_update":
	case own != nil && own.isReplay:
		own.state = slices.Clone(codec.Get(params, "update"))
	default:
		for one := range r.open {
			if one.session == session && !one.isReplay {
				one.needsState = false
			}
		}
	}
}
