package role

import (
	"context"
	"errors"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// A resumption is a request to resume a session that is not answered.
type resumption struct{ session string }

// resumptions report the state of a session that is resumed when its handler has not. Since
// version 2, the agent must send it before its answer, with or without a replay.
type resumptions struct {
	conn *Conn
	// withoutState are those since which no state was sent. Guarded by the wire.
	withoutState map[*resumption]bool
}

// follow returns the handler of a request that resumes a session, followed by the report.
func (r *resumptions) follow(session string, handle rpc.Handler) rpc.Handler {
	return func(ctx context.Context) ([]byte, error) {
		one := &resumption{session}
		r.conn.rpc.Locked(func() { r.withoutState[one] = true })
		defer r.conn.rpc.Locked(func() { delete(r.withoutState, one) })
		result, err := handle(ctx)
		if err == nil {
			r.report(one)
		}
		return result, err
	}
}

// sent takes a notification that is sent. The caller has locked the wire.
func (r *resumptions) sent(params []byte) {
	if len(r.withoutState) == 0 {
		return
	}
	if tag, _ := codec.Text(codec.Get(params, "update", "sessionUpdate")); tag != "state_update" {
		return
	}
	session := sessionOf(params)
	for one := range r.withoutState {
		if one.session == session {
			delete(r.withoutState, one)
		}
	}
}

var (
	errReported = errors.New("the state was reported")
	errChanged  = errors.New("the state has changed")
)

// report sends the state that the session has at that moment of the wire.
func (r *resumptions) report(one *resumption) {
	turns := r.conn.turns
	for err := errChanged; errors.Is(err, errChanged); {
		isRunning, state := turns.isRunning(one.session), `"idle"`
		if isRunning {
			state = `"running"`
		}
		err = turns.report(one.session, state, func() error {
			if !r.withoutState[one] {
				return errReported
			}
			if turns.isRunning(one.session) != isRunning {
				return errChanged
			}
			return nil
		})
	}
}
