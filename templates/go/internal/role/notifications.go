package role

import (
	"context"
	"strings"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// isOfCancelledTurn returns whether a request is a question of a turn that was cancelled.
func (c *Conn) isOfCancelledTurn(method string, params []byte) bool {
	return c.isClient() && c.CancelledResult(method, rpc.ByTurn) != nil && c.sessions.isCancelled(sessionOf(params))
}

// Notification implements rpc.Receiver.
func (c *Conn) Notification(method string, params []byte) {
	gates := c.gates.Load()
	if gates == nil {
		c.role.report(&acp.MessageError{Text: sentences.BeforeInitialize(method)}, method)
		return
	}
	m := c.protocol.find(c.role.side, notification, method)
	if m == nil {
		c.otherNotification(method, params)
		return
	}
	params = orEmpty(params)
	h := c.role.handlers[key{c.role.side, notification, method}]
	decoded, notes, err := h.decode(params)
	if err != nil {
		c.role.report(invalid(method, "params", err), method)
		return
	}
	c.role.note(notes, method)
	c.reportUnavailable(m, "params", params)
	c.facts.learn(m, params, nil)
	session, _ := c.notified.Text(codec.Get(params, "sessionId"))
	call := Call{Conn: c, Method: method, params: params}
	found := &handling{Context: c.rpc.Context(), session: session, call: call, run: h.run, decoded: decoded}
	switch {
	case m.has(cancelsTurn):
		c.cancelPrompts(params, false)
	case m.has(updatesSession):
		c.sessions.update(params)
		if c.states != nil && len(notes) > 0 {
			// What was repaired is part of the state.
			if repaired, err := h.encode(decoded); err == nil {
				params = repaired
			}
		}
		c.states.update(session, params)
		found.isHistory = c.isHistory(session, params, decoded)
		found.turns = c.runningTurns(session)
		for _, one := range found.turns {
			one.expect()
		}
	}
	if c.protocol.Version > 1 {
		c.deliver(found, params)
	}
	// Its handler may stop a turn, which has no part in what was received before.
	c.updates.handle(found)
}

// deliver gives an update to the turns that it belongs to, after version 1.
func (c *Conn) deliver(found *handling, params []byte) {
	update := codec.Get(params, "update")
	switch tag, _ := codec.Text(codec.Get(update, "sessionUpdate")); {
	case tag == "user_message":
		// It may have been sent before a history began.
		message, _ := codec.Text(codec.Get(update, "messageId"))
		for _, one := range found.turns {
			one.report(message)
		}
	case found.isHistory:
	case strings.HasPrefix(tag, "agent_") || strings.HasPrefix(tag, "tool_call_"):
		// Only work makes them, also of agents that do not report it as running.
		c.sessions.work(found.session)
	default:
		c.passOn(found.turns, params, found.decoded)
	}
}

// passOn gives turns the state that an update reports, which may be their end.
func (c *Conn) passOn(turns []*Turn, params []byte, decoded any) {
	state, ok := stateOf(params)
	if !ok {
		return
	}
	var stopped []string
	reason := (TurnEnd{Params: params}).StopReason()
	session := sessionOf(params)
	last, rest := c.sessions.takeRest(session, state, reason)
	if reason == "cancelled" {
		// The end of cancelled work precedes new work.
		for _, one := range turns {
			if one.isStopped.Load() {
				one.update(func() { stopped = append(stopped, one.message) })
			}
		}
		if len(stopped) == 0 {
			if one := c.takeGivenUp(session); one != nil {
				one.update(func() { stopped = append(stopped, one.message) })
			}
		}
	}
	for _, one := range turns {
		others := stopped
		if one.isStopped.Load() {
			others = nil
		}
		if rest == nil || rest != last || one.mayEndWithoutWork() {
			one.changeState(state, params, decoded, others)
			continue
		}
		time.AfterFunc(quietTime, func() {
			if c.sessions.restOf(session) == rest {
				one.changeState(state, params, decoded, others)
			}
		})
	}
}

// takeGivenUp returns, once each, the turns of a session that were given up, within a grace;
// nil if there is none.
func (c *Conn) takeGivenUp(session string) *Turn {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	one := c.sessions.find(session)
	for len(one.givenUp) > 0 {
		first := one.givenUp[0]
		one.givenUp = one.givenUp[1:]
		if time.Now().Before(first.deadline) {
			return first
		}
	}
	return nil
}

func (c *Conn) otherNotification(method string, params []byte) {
	if c.protocol.find(c.role.side, request, method) != nil {
		c.rpc.CountMalformed()
		c.role.report(&acp.MessageError{Text: sentences.SentWithoutID(method)}, method)
	} else if found, ok := c.role.extensions[method]; ok && !found.IsRequest {
		run := func(ctx context.Context, _ Call, _ any) ([]byte, error) {
			return found.Handle(ctx, c.role.peer(c), params)
		}
		call := Call{Conn: c, Method: method}
		c.updates.handle(&handling{Context: c.rpc.Context(), session: sessionOf(params), call: call, run: run})
	}
}

// reportUnavailable reports a received value that needs what this side has not advertised.
func (c *Conn) reportUnavailable(m *Method, part string, message []byte) {
	place, pointer := c.gates.Load().unavailable(m, part, message)
	if place != nil && place.Gate.Side == c.role.side {
		sent := m.Name
		if part == "result" {
			sent = sentences.ResultOf(m.Name)
		}
		text := sentences.ReceivedUnadvertised(c.role.other, sent, pointer, string(pathText(place.Gate.Path)), c.role.side)
		c.role.report(&acp.MessageError{Text: text}, m.Name)
	}
}
