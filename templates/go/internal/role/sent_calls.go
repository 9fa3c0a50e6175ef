package role

import (
	"errors"
	"slices"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// Response implements rpc.Receiver.
func (c *Conn) Response(method string, params, result []byte) {
	if method == initialize {
		if version, ok := codec.Int(codec.Get(result, "protocolVersion")); ok && int(version) == c.protocol.Version {
			// What follows in the same bytes is handled already. A capability of a wrong type is absent.
			if repaired, _, err := c.role.initialize[1].Repair(result); err == nil {
				c.agree(params, repaired)
			}
		}
		return
	}
	m := c.protocol.find(c.role.other, request, method)
	if m == nil {
		return
	}
	c.reportUnavailable(m, "result", result)
	c.facts.learn(m, params, result)
	c.states.result(m, params, result)
	for _, one := range c.openTurns(sessionOf(params)) {
		if m.has(endsSession) {
			one.closeSession()
		} else {
			one.answered(params, result)
		}
	}
}

// Answered implements rpc.Receiver.
func (c *Conn) Answered(method string, params []byte, id string, err error) {
	session := sessionOf(params)
	c.sessions.answered(session, id, err == nil)
	if err != nil {
		c.replayFailed(session, id)
	}
	c.Ended(method, params, id)
	end := refused
	isCancelled := func(one *Turn) bool { return one.isOf(params) && one.isStopped.Load() }
	switch {
	case err == nil || errors.As(err, new(*acp.Error)) && slices.ContainsFunc(c.openTurns(session), isCancelled):
		end = kept
	case c.role.options.OnAuthRequired != nil && authRequired(err) != nil:
		end = returning
	}
	c.states.answered(id, end)
}

// Sent implements rpc.Receiver.
func (c *Conn) Sent(method string, params []byte, id string) {
	if !c.isClient() {
		if method == c.update {
			c.sessions.update(params)
		}
		return
	}
	session := sessionOf(params)
	if method == c.prompt {
		c.sessions.prompt(session, id)
		for _, one := range c.openTurns(session) {
			one.isSent = one.isSent || one.isOf(params)
		}
	} else if method == c.cancel {
		for _, one := range c.sessions.cancel(session, time.Now().Add(c.rpc.Limits().CancelGrace)) {
			// A turn that is not on the wire yet begins after the cancellation.
			one.isStopped.Store(one.isSent || one.isStopped.Load())
		}
	}
	if m := c.protocol.find(c.role.other, request, method); m != nil {
		if m.has(resumesSession) && !codec.IsNull(codec.Get(params, "replayFrom")) {
			c.sessions.mu.Lock()
			one := c.sessions.of(session)
			if one.replays == nil {
				one.replays = &replays{calls: map[string]bool{}}
			}
			one.replays.left++
			one.replays.calls[id] = true
			c.sessions.mu.Unlock()
		}
		c.states.sent(m, id, params)
	}
}

// CancelledResult implements rpc.Receiver.
func (c *Conn) CancelledResult(method string, by rpc.CancelledBy) []byte {
	m := c.protocol.find(c.role.side, request, method)
	// Another question is a general request, which ends with an error.
	if m == nil || by == rpc.ByRequest && !m.has(requestsPermission) {
		return nil
	}
	return m.CancelledResult
}

// Ended implements rpc.Receiver: what a call has asked for ends with it.
func (c *Conn) Ended(_ string, params []byte, id string) {
	if c.isClient() {
		c.sessions.mu.Lock()
		one := c.sessions.find(sessionOf(params))
		if one.replays != nil {
			if delete(one.replays.calls, id); len(one.replays.calls) == 0 {
				one.replays = nil
			}
		}
		c.sessions.mu.Unlock()
		c.rpc.EndQuestions(func(method string, params []byte) bool {
			return c.CancelledResult(method, rpc.ByTurn) != nil && string(codec.Get(params, "requestId")) == id
		})
	}
}

// Late implements rpc.Receiver: it releases what nobody has asked for any more.
func (c *Conn) Late(method string, params, result []byte) {
	m := c.protocol.find(c.role.other, request, method)
	if m == nil {
		return
	}
	if session := sessionOf(params); m.has(startsTurn) && c.protocol.Version > 1 {
		c.sessions.mu.Lock()
		own := c.sessions.find(session)
		turns := slices.Concat(own.turns, own.givenUp)
		c.sessions.mu.Unlock()
		for _, one := range turns {
			one.answered(params, result)
		}
	}
	release, given := "", []byte(nil)
	if session := sessionOf(result); session != "" && (m.has(createsSession) || m.has(forksSession)) {
		release, given = c.protocol.closing(), inSession(session)
	} else if terminal := codec.Get(result, "terminalId"); terminal != nil && m.has(createsTerminal) {
		release, given = c.protocol.named(releasesTerminal, request), codec.Set(inSession(sessionOf(params)), terminal, "terminalId")
	}
	if c.protocol.find(c.role.other, request, release) == nil {
		return
	}
	if _, err := c.prepare(request, release, given); err == nil {
		// Nobody waits for the answer.
		c.rpc.Call(c.rpc.Context(), release, given, rpc.CallOptions{Hold: func(rpc.Outcome, func()) {}})
	}
}
