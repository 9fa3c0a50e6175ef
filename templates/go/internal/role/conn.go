package role

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// longestName is how much of the name of a method an error repeats.
const longestName = 200

// A Conn is a role that is connected: it checks and dispatches what the peer sends.
type Conn struct {
	role     *Role
	protocol *Protocol
	rpc      *rpc.Conn
	facts    *facts
	gates    atomic.Pointer[Gates] // nil before the handshake
	isUsed   atomic.Bool
	updates  *updates
	prompt   string
	cancel   string
	update   string
	sessions *sessions
	// states are nil for agents, and for clients that disable them.
	states *states
	// turns are those that an agent runs, after version 1.
	turns *agentTurns
	// resumptions are nil for clients, and in version 1.
	resumptions *resumptions

	notified codec.Cache // the ids of sessions, for the reader

	mu      sync.Mutex
	signIn  *signIn // nil while none is running
	signIns int     // those that have succeeded
}

// NewConn returns a connection that has not started.
func (r *Role) NewConn(stream io.ReadWriteCloser) *Conn {
	p := r.protocol
	known := &sessions{version: p.Version}
	c := &Conn{
		role: r, protocol: p, sessions: known, facts: newFacts(p, known),
		prompt: p.named(startsTurn, request), cancel: p.named(cancelsTurn, notification), update: p.named(updatesSession, notification),
	}
	// A client does not answer the log of an agent that writes to its output.
	c.rpc = rpc.NewConn(stream, c, r.options.Limits, p.Version == 1, r.side == Agent)
	c.updates = &updates{conn: c.rpc, lanes: map[string]*lane{}}
	if c.isClient() && !r.options.DisableStates {
		c.states = newStates(p.states, p.Version)
	}
	c.turns = &agentTurns{conn: c, sessions: known}
	if r.side == Agent && p.Version > 1 {
		c.resumptions = &resumptions{conn: c, open: map[*resumption]bool{}, held: map[string]*heldUpdates{}}
	}
	return c
}

func (c *Conn) isClient() bool { return c.role.side == Client }

// Start starts to read and to write.
func (c *Conn) Start() { c.rpc.Start() }

// Close ends the connection, and waits for its end and that of its handlers.
func (c *Conn) Close() error {
	c.rpc.Close(nil)
	<-c.rpc.Done()
	return c.rpc.Err()
}

// Done is closed when the connection and its handlers have ended, or a grace is over.
func (c *Conn) Done() <-chan struct{} { return c.rpc.Done() }

// Err returns why the connection has ended; nil if it has in the regular way.
func (c *Conn) Err() error { return c.rpc.Err() }

// Stats returns what was received and could not be used.
func (c *Conn) Stats() acp.Stats { return c.rpc.Stats() }

// Serve starts the connection and waits for its end, or for that of a context.
func (c *Conn) Serve(ctx context.Context) error {
	c.Start()
	select {
	case <-c.rpc.Done():
	case <-ctx.Done():
		c.rpc.Close(context.Cause(ctx))
		<-c.rpc.Done()
	}
	return c.rpc.Err()
}

// Supports returns whether the peer advertised a capability.
func (c *Conn) Supports(capability acp.Capability) bool {
	gates := c.gates.Load()
	return gates != nil && gates.supports(capability, c.role.other)
}

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

// extension returns the handler of a request that the protocol does not have.
func (c *Conn) extension(r *rpc.Request) (rpc.Handler, error) {
	found, ok := c.role.extensions[r.Method]
	if !ok || !found.IsRequest {
		return nil, methodNotFound(r.Method)
	}
	return func(ctx context.Context) ([]byte, error) {
		result, err := found.Handle(ctx, c.role.peer(c), r.Params)
		if err == nil && result == nil {
			result = []byte("null")
		}
		return result, err
	}, nil
}

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
	if tag, _ := codec.Text(codec.Get(update, "sessionUpdate")); tag == "user_message" {
		// It may have been sent before a history began.
		message, _ := codec.Text(codec.Get(update, "messageId"))
		for _, one := range found.turns {
			one.report(message)
		}
	} else if !found.isHistory {
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
	if (TurnEnd{Params: params}).StopReason() == "cancelled" {
		// The end of cancelled work precedes new work.
		for _, one := range turns {
			if one.isStopped.Load() {
				one.update(func() { stopped = append(stopped, one.message) })
			}
		}
		if len(stopped) == 0 {
			if one := c.takeGivenUp(sessionOf(params)); one != nil {
				one.update(func() { stopped = append(stopped, one.message) })
			}
		}
	}
	for _, one := range turns {
		others := stopped
		if one.isStopped.Load() {
			others = nil
		}
		one.changeState(state, params, decoded, others)
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

// isHistory returns whether an update is part of a history, and of no turn. The end of a
// history is as well.
func (c *Conn) isHistory(session string, params []byte, decoded any) bool {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	known := c.sessions.find(session).replays
	if known == nil || known.left == 0 {
		return false
	}
	if tag, _ := codec.Text(codec.Get(params, "update", "sessionUpdate")); tag == replayEnd {
		known.left--
	} else if tag == "state_update" {
		known.state, known.decoded = slices.Clone(params), decoded
	}
	return true
}

// replays are the histories of a session that are received.
type replays struct {
	calls map[string]bool // the ids of the requests that are not answered
	left  int             // the histories whose end was not received
	// state is the last one that was received meanwhile.
	state   []byte
	decoded any
}

// replayFailed takes the end of a history that was not sent as a whole.
func (c *Conn) replayFailed(session, id string) {
	c.sessions.mu.Lock()
	known := c.sessions.find(session).replays
	isReplay := known != nil && known.calls[id]
	if isReplay {
		known.left = max(0, known.left-1)
	}
	c.sessions.mu.Unlock()
	if isReplay && known.state != nil {
		// It may have been that of a turn, and nothing repeats it.
		c.passOn(c.runningTurns(session), known.state, known.decoded)
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

// Report implements rpc.Receiver.
func (c *Conn) Report(err error, method string) { c.role.report(err, method) }

// openTurns returns the turns of a session, in a list that nobody changes.
func (c *Conn) openTurns(session string) []*Turn {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	return c.sessions.find(session).turns
}

// runningTurns returns the turns that updates of a session are part of.
func (c *Conn) runningTurns(session string) []*Turn {
	turns := c.openTurns(session)
	if slices.ContainsFunc(turns, (*Turn).isOver) {
		turns = slices.DeleteFunc(slices.Clone(turns), (*Turn).isOver)
	}
	return turns
}

// cancelPrompts ends the prompts of a session in version 1, and its turns in later
// versions, with those of its subagents. The questions of the agent are withdrawn, except for
// those of listed background work if the session stays open. It returns channels that are
// closed when these turns have ended.
func (c *Conn) cancelPrompts(params []byte, isClosing bool) []<-chan struct{} {
	session := sessionOf(params)
	isReached := func(other string) bool { return c.sessions.reaches(session, other, isClosing) }
	c.rpc.Withdraw(func(method string, given []byte) []byte {
		other := sessionOf(given)
		question := c.protocol.find(c.role.other, request, method)
		if question == nil || !isReached(other) || !isClosing && c.sessions.backgroundOf(other) != nil {
			return nil
		}
		return question.CancelledResult
	})
	c.rpc.CancelTurn(func(method string, given []byte) bool {
		return isReached(sessionOf(given)) && c.CancelledResult(method, rpc.ByTurn) != nil
	})
	return c.turns.cancel(session, isClosing)
}

// CallExtension implements acp.Peer.
func (c *Conn) CallExtension(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if err := c.checkExtension(method); err != nil {
		return nil, err
	}
	outcome := c.rpc.Call(ctx, method, params, rpc.CallOptions{})()
	defer outcome.Continue()
	return outcome.Result, outcome.Err
}

// NotifyExtension implements acp.Peer.
func (c *Conn) NotifyExtension(ctx context.Context, method string, params json.RawMessage) error {
	if err := c.checkExtension(method); err != nil {
		return err
	}
	return c.rpc.Notify(ctx, method, params, nil)
}

func (c *Conn) checkExtension(method string) error {
	if c.protocol.has(method) {
		return notAnExtension(method)
	}
	return nil
}

func notAnExtension(method string) error {
	return fmt.Errorf("%s is not an extension, but a method of the protocol", method)
}
