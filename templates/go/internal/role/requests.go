package role

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// longestName is how much of the name of a method an error repeats.
const longestName = 200

// Request implements rpc.Receiver.
func (c *Conn) Request(r *rpc.Request) (rpc.Handler, error) {
	params := orEmpty(r.Params)
	if r.Method == initialize && c.role.side == Agent {
		result, err := c.answerHandshake(params)
		if err == nil {
			r.Answer(result)
		}
		return nil, err
	}
	gates := c.gates.Load()
	if gates == nil {
		text := sentences.InitializeFirst
		if r.Method == initialize {
			text = sentences.InitializeReturned
		}
		return nil, acp.NewError(acp.CodeInvalidRequest, text, nil)
	}
	c.isUsed.Store(true)
	m := c.protocol.find(c.role.side, request, r.Method)
	if m == nil {
		if other := c.protocol.find(c.role.side, notification, r.Method); other != nil {
			return nil, c.refuseID(other, params)
		}
		return c.extension(r)
	}
	h, ok := c.role.handlers[key{c.role.side, request, r.Method}]
	if !ok || gates.missing(m.Gate, nil) != "" {
		return nil, methodNotFound(r.Method)
	}
	decoded, notes, err := h.decode(params)
	if err != nil {
		return nil, invalid(r.Method, "params", err)
	}
	c.role.note(notes, r.Method)
	if path := gates.missing(m.Gate, params); path != "" {
		return nil, invalid(r.Method, "params", &acp.CapabilityError{Capability: path, Pointer: m.Gate.pointer()})
	}
	if place, pointer := gates.unavailable(m, "params", params); place != nil {
		return nil, invalid(r.Method, "params", &acp.CapabilityError{Pointer: pointer})
	}
	if err := checkItems(m, params, c.protocol.Version); err != nil {
		return nil, invalid(r.Method, "params", err)
	}
	c.facts.learn(m, params, nil)
	c.states.request(m, params)
	if c.isOfCancelledTurn(r.Method, params) {
		r.Answer(m.CancelledResult)
		return nil, nil
	}
	call := Call{Conn: c, Method: r.Method, request: r, params: params}
	var earlier []*rpc.Request
	if m.has(startsTurn) {
		if retry := c.findRetry(r, params); retry != nil {
			return c.resumptions.answer(params, retry), nil
		}
		if earlier, err = c.earlierPrompts(r, params); err != nil {
			return nil, err
		}
		if c.protocol.Version > 1 {
			call.turn = c.turns.reserve(sessionOf(params), r)
		}
	}
	waitForTurn := c.follow(sessionOf(params))
	handle := func(ctx context.Context) ([]byte, error) {
		waitForTurn(ctx)
		if c.isClient() && ctx.Err() != nil {
			// The question was answered without asking.
			return nil, context.Cause(ctx)
		}
		for _, one := range earlier {
			if wait(ctx, one.Done()); ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
		if m.has(cancelsTurn) {
			// Closing a session cancels its work; its turns end before the session does.
			for _, ended := range c.cancelPrompts(params, true) {
				wait(ctx, ended)
			}
		}
		result, err := h.run(ctx, call, decoded)
		if err != nil {
			return nil, err
		}
		err = cmp.Or(checkSent(m, "result", result), refusal(m, "result", unfitContent(params, result)))
		if place, pointer := gates.unavailable(m, "result", result); err == nil && place != nil {
			missing := lacking(r.Method, place, pointer)
			missing.Reason += "; " + sentences.LeaveOut(fmt.Sprintf("%s.Supports(%q)", c.role.other, missing.Capability))
			err = missing
		}
		if err != nil {
			c.role.report(err, r.Method)
			return nil, invalid(r.Method, "result of the "+c.role.side, err)
		}
		c.facts.learn(m, params, result)
		return result, nil
	}
	if m.has(startsTurn) {
		return c.resumptions.answer(params, c.keepAnswer(params, handle)), nil
	}
	if c.resumptions != nil && m.has(resumesSession) {
		return c.resumptions.follow(r, params, handle), nil
	}
	return handle, nil
}

// earlierPrompts returns the prompts that a prompt waits for. An error refuses it, because its
// session is busy.
func (c *Conn) earlierPrompts(r *rpc.Request, params []byte) ([]*rpc.Request, error) {
	if c.role.options.WhileBusy == acp.WhileBusyParallel {
		return nil, nil
	}
	session := sessionOf(params)
	earlier := c.rpc.Unanswered(func(method string, given []byte) bool {
		return method == r.Method && sessionOf(given) == session
	})
	earlier = slices.DeleteFunc(earlier, func(one *rpc.Request) bool { return one == r })
	if c.role.options.WhileBusy == acp.WhileBusyRefuse && (len(earlier) > 0 || c.turns.isRunning(session)) {
		return nil, acp.NewError(acp.CodeInvalidRequest, sentences.SessionBusy, nil)
	}
	return earlier, nil
}

// follow returns a function that waits for the earlier steps of a session. The next one begins
// behind it.
func (c *Conn) follow(session string) func(context.Context) {
	reached, begun := make(chan struct{}), make(chan struct{})
	if !c.updates.pass(session, func() { close(reached); <-begun }) {
		return func(context.Context) {}
	}
	return func(ctx context.Context) {
		wait(ctx, reached)
		close(begun)
	}
}

func methodNotFound(method string) *acp.Error {
	return acp.MethodNotFound(sentences.UnknownMethod(method[:min(len(method), longestName)]))
}

func wait(ctx context.Context, done <-chan struct{}) {
	if done != nil {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
}

func orEmpty(params []byte) []byte {
	if codec.IsNull(params) {
		return []byte("{}")
	}
	return params
}

// refuseID refuses a notification that was sent as a request; it takes effect all the same.
func (c *Conn) refuseID(m *Method, params []byte) error {
	if m.has(cancelsTurn) {
		c.Notification(m.Name, params)
	} else if m.Name == rpc.MethodCancelRequest {
		c.rpc.CancelID(codec.Get(params, "requestId"))
	}
	return acp.NewError(acp.CodeInvalidRequest, sentences.SentWithID(m.Name), nil)
}
