package role

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// A Call is a message in its handler.
type Call struct {
	Conn   *Conn
	Method string

	request *rpc.Request // nil for a notification
	params  []byte
	turn    *agentTurn
}

// AfterResponse calls a function after the response; at once for a notification.
func (c *Call) AfterResponse(call func()) {
	if c.request == nil {
		call()
		return
	}
	c.request.AfterResponse(call)
}

// SessionID returns the id of the session that the params name; empty if there is none.
func (c *Call) SessionID() string { return sessionOf(c.params) }

// HandleRequest adds the handler of a request.
func HandleRequest[C, P, R any](s *Setup, method string, params *codec.Schema[P], result *codec.Schema[R], wrap func(Call) C, handle func(context.Context, C, P) (R, error)) {
	s.role.handlers[key{s.role.side, request, method}] = handler{
		decode: func(data []byte) (any, []acp.Note, error) { return params.Decode(data) },
		run: func(ctx context.Context, call Call, given any) ([]byte, error) {
			value, err := handle(ctx, wrap(call), given.(P))
			if err != nil {
				return nil, err
			}
			text, err := result.EncodeOrEmpty(value)
			if err != nil {
				call.Conn.role.report(err, method)
				return nil, invalid(method, "result of the "+s.role.side, err)
			}
			return text, nil
		},
	}
}

// HandleNotification adds the handler of a notification, which may be nil.
func HandleNotification[C, P any](s *Setup, method string, params *codec.Schema[P], wrap func(Call) C, handle func(context.Context, C, P) error) {
	h := handler{
		decode: func(data []byte) (any, []acp.Note, error) { return params.Decode(data) },
		encode: func(value any) ([]byte, error) { return params.Encode(value.(P)) },
	}
	if handle != nil {
		h.run = func(ctx context.Context, call Call, given any) ([]byte, error) {
			return nil, handle(ctx, wrap(call), given.(P))
		}
	}
	s.role.handlers[key{s.role.side, notification, method}] = h
}

// Invoke calls a method of the protocol.
func Invoke[P, R any](ctx context.Context, c *Conn, method string, params *codec.Schema[P], given P, result *codec.Schema[R]) (value R, err error) {
	text, err := params.Encode(given)
	if err != nil {
		return value, fmt.Errorf("%s: %w", method, err)
	}
	received, proceed, err := c.invoke(ctx, method, text, nil)()
	defer proceed()
	if err != nil {
		return value, err
	}
	if issue := unfitContent(text, received); issue != nil {
		return value, invalidAnswer(method, refusal(c.protocol.find(c.role.other, request, method), "result", issue))
	}
	return decodeResult(c, method, result, received)
}

// invalidAnswer returns the error of a call whose result is invalid.
func invalidAnswer(method string, err error) error {
	refused := invalid(method, "result", err)
	refused.Message = sentences.InvalidAnswer(placeOf(err))
	return refused
}

func decodeResult[R any](c *Conn, method string, schema *codec.Schema[R], received []byte) (R, error) {
	value, notes, err := schema.Decode(received)
	if err != nil {
		if given := orEmpty(received); codec.IsObject(given) {
			// A call that was answered with a result must not fail if a default lets the
			// program continue.
			m := c.protocol.find(c.role.other, request, method)
			codec.Members(m.ImpliedResult, func(name, implied []byte) {
				if codec.Get(given, string(name)) == nil {
					given = codec.Set(given, implied, string(name))
				}
			})
			if repaired, more, again := schema.Decode(given); again == nil {
				note := acp.Note{Rule: "empty-result", Reason: "what the result lacks is implied"}
				value, notes, err = repaired, append([]acp.Note{note}, more...), nil
			}
		}
	}
	if err != nil {
		return value, invalidAnswer(method, err)
	}
	c.role.note(notes, method)
	return value, nil
}

// Notify sends a notification of the protocol.
func Notify[P any](ctx context.Context, c *Conn, method string, params *codec.Schema[P], given P) error {
	return notify(ctx, c, method, params, given, nil)
}

// Update sends an update of a session. With a scope, it is refused when the scope has
// ended.
func Update[P any](ctx context.Context, c *Conn, params *codec.Schema[P], given P, scope *Scope) error {
	return notify(ctx, c, c.update, params, given, scope)
}

// Ask asks the user for permission.
func Ask[P, R any](ctx context.Context, c *Conn, params *codec.Schema[P], given P, result *codec.Schema[R]) (R, error) {
	return Invoke(ctx, c, c.protocol.named(requestsPermission, request), params, given, result)
}

// List asks for a page of the sessions of the agent.
func List[P, R any](ctx context.Context, c *Conn, params *codec.Schema[P], given P, result *codec.Schema[R]) (R, error) {
	return Invoke(ctx, c, c.protocol.named(listsSessions, request), params, given, result)
}

// RepeatedCursor returns the error for a list of sessions without an end.
func (c *Conn) RepeatedCursor() error {
	return errors.New(sentences.RepeatedCursor(c.protocol.named(listsSessions, request)))
}

// CancelTurn asks the agent to stop the work of a session.
func (c *Conn) CancelTurn(ctx context.Context, session string) error {
	return c.notify(ctx, c.cancel, inSession(session), nil)
}

// SetOption sets the option of a category in a session of a client.
func SetOption[R any](ctx context.Context, c *Conn, session, category string, value any, result *codec.Schema[R]) error {
	m := c.protocol.find(c.role.other, request, c.protocol.named(setsConfigOption, request))
	var found [][]byte
	for _, option := range codec.Items(c.states.optionsOf(session)) {
		if own, _ := codec.Text(codec.Get(option, "category")); own == category {
			found = append(found, option)
		}
	}
	if m == nil || len(found) != 1 {
		issue := acp.Issue{Pointer: "/configId", Rule: "offered", Expected: sentences.OneOfCategory(codec.Render(codec.Quote(category))), Found: strconv.Itoa(len(found))}
		return &acp.InvalidError{Definition: "SetSessionConfigOptionRequest", Issues: []acp.Issue{issue}}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	params := codec.Set(inSession(session), codec.Quote(optionID(found[0])), "configId")
	params = codec.Set(params, text, "value")
	if _, isBool := value.(bool); isBool {
		params = codec.Set(params, []byte(`"boolean"`), "type")
	} else if c.protocol.Version > 1 {
		params = codec.Set(params, []byte(`"id"`), "type")
	}
	received, proceed, err := c.invoke(ctx, m.Name, params, nil)()
	defer proceed()
	if err == nil {
		_, err = decodeResult(c, m.Name, result, received)
	}
	return err
}

// WithKey returns the params of a prompt with an idempotencyKey.
func WithKey(params []byte, key string) []byte {
	return codec.Set(params, codec.Quote(key), "idempotencyKey")
}

// inSession returns params that name a session.
func inSession(session string) []byte {
	return codec.Set([]byte("{}"), codec.Quote(session), "sessionId")
}

func notify[P any](ctx context.Context, c *Conn, method string, params *codec.Schema[P], given P, scope *Scope) error {
	var sent error
	err := params.WithText(given, func(text []byte) {
		sent = c.notify(ctx, method, text, func() error { return scope.check(text) })
	})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return sent
}

// notify sends a notification, unless a function that runs at that moment of the wire returns
// an error.
func (c *Conn) notify(ctx context.Context, method string, text []byte, check func() error) error {
	if _, err := c.prepare(notification, method, text); err != nil {
		return err
	}
	if c.resumptions != nil && method == c.update {
		return c.notifyUpdate(ctx, text, check)
	}
	if err := c.post(ctx, method, text, check); err != nil {
		return err
	}
	return c.rpc.Drain(ctx, method)
}

// post sends a notification without waiting. With a cancellation, the questions of the turn
// end, also while the agent does not read it.
func (c *Conn) post(ctx context.Context, method string, text []byte, check func() error) error {
	err := c.rpc.Post(ctx, method, text, check)
	if err == nil && c.isClient() && method == c.cancel {
		c.rpc.EndQuestions(c.isOfCancelledTurn)
	}
	return err
}

// notifyUpdate sends an update of a session of an agent, after version 1.
func (c *Conn) notifyUpdate(ctx context.Context, text []byte, check func() error) error {
	err := c.rpc.Notify(ctx, c.update, text, func() error {
		if check != nil {
			if err := check(); err != nil {
				return err
			}
		}
		return c.resumptions.admit(ctx, text)
	})
	held, ok := err.(taken)
	if !ok {
		return err
	}
	if held.wait != nil {
		select {
		case <-held.wait:
		case <-ctx.Done():
		case <-c.rpc.Context().Done():
		}
	}
	return nil
}

// prepare checks whether the peer takes a message.
func (c *Conn) prepare(kind, method string, params []byte) (*Method, error) {
	m := c.protocol.find(c.role.other, kind, method)
	gates := c.gates.Load()
	if gates == nil {
		return nil, errors.New(sentences.NotInitialized(method))
	}
	refused := cmp.Or(checkSent(m, "params", params), checkItems(m, params, c.protocol.Version))
	if m.has(setsConfigOption) {
		refused = cmp.Or(refused, refusal(m, "params", wrongOption(params, c.states.optionsOf(sessionOf(params)))))
	}
	if refused != nil {
		return nil, fmt.Errorf("%s: %w", method, refused)
	}
	if m.Gate != nil && m.Gate.Strength == "must" {
		if path := gates.missing(m.Gate, params); path != "" {
			return nil, &acp.CapabilityError{Method: method, Capability: path, Pointer: m.Gate.pointer(), Reason: gates.reason(m, path, params)}
		}
	}
	if place, pointer := gates.unavailable(m, "params", params); place != nil {
		return nil, lacking(method, place, pointer)
	}
	if c.isClient() && c.sessions.isRefused(m, params) {
		return nil, &acp.CapabilityError{Method: method, Capability: "capabilities", Pointer: "/sessionId", Reason: sentences.SubagentRefuses}
	}
	if c.isClosed(m, params) {
		return nil, inClosedSession(m, params)
	}
	c.facts.learn(m, params, nil)
	return m, nil
}

// isClosed returns whether a message needs a session that was closed, or that is going to be.
func (c *Conn) isClosed(m *Method, params []byte) bool {
	if !c.isClient() || m.has(loadsSession) || m.has(resumesSession) || m.has(acceptsClosed) {
		return false
	}
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	one := c.sessions.find(sessionOf(params))
	return one.isClosed || m.has(startsTurn) && one.closing > 0
}

func inClosedSession(m *Method, params []byte) error {
	return errors.New(sentences.InClosedSession(m.Name, fmt.Sprintf("%.100q", sessionOf(params)), "Continue of the agent"))
}

// countClosing counts the requests that end a session. Prompts are refused meanwhile: nothing
// could cancel their turns.
func (c *Conn) countClosing(session string, count int) {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	c.sessions.of(session).closing += count
}

// invoke calls a method. It returns a function that waits for the result. Before the caller
// continues, it calls proceed, which lets what follows be handled. Loads and resumes wait for
// the handlers of their updates. A prompt calls ended, in the order of the wire.
func (c *Conn) invoke(ctx context.Context, method string, params []byte, ended func()) func() (result []byte, proceed func(), err error) {
	m, err := c.prepare(request, method, params)
	if err != nil {
		return func() ([]byte, func(), error) { return nil, func() {}, err }
	}
	session, options, reached := sessionOf(params), rpc.CallOptions{}, make(chan struct{})
	isPrompt := m.has(startsTurn)
	if isPrompt {
		options.GiveUp = func() { c.stop(session) }
	}
	followsUpdates := isPrompt || m.has(loadsSession) || m.has(resumesSession)
	if followsUpdates {
		if own := handlingOf(ctx); own != nil {
			own.release()
		}
		options.Hold = func(_ rpc.Outcome, wait func()) {
			if ended != nil {
				ended()
			}
			end := func() { close(reached); wait() }
			if !c.updates.pass(session, end) {
				end()
			}
		}
	}
	if m.has(endsSession) {
		c.countClosing(session, 1)
	}
	answer := c.callSignedIn(ctx, m, params, options)
	return func() ([]byte, func(), error) {
		outcome := answer()
		if m.has(endsSession) {
			c.countClosing(session, -1)
		}
		if followsUpdates && !isPrompt {
			c.waitForHandlers(ctx, reached)
		}
		return outcome.Result, outcome.Continue, outcome.Err
	}
}

// waitForHandlers waits until handlers have ended, for a grace, or a context has.
func (c *Conn) waitForHandlers(ctx context.Context, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	default:
	}
	limit := time.NewTimer(c.rpc.Limits().CancelGrace)
	defer limit.Stop()
	select {
	case <-ended:
	case <-limit.C:
	case <-ctx.Done():
	}
}

// stop asks the agent to end the work of a session, without waiting for anything.
func (c *Conn) stop(session string) {
	params := inSession(session)
	if _, err := c.prepare(notification, c.cancel, params); err == nil {
		// Nobody misses it behind the end of the connection.
		_ = c.post(c.rpc.Context(), c.cancel, params, nil)
	}
}
