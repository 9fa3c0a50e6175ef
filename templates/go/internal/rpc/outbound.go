package rpc

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// mostGivenUp is how many ids of calls that were given up are remembered, for late answers.
const mostGivenUp = 1000

// mostHeld is how long what follows an answer waits for the caller to continue.
const mostHeld = 5 * time.Millisecond

// Outcome is the end of a call.
type Outcome struct {
	Result []byte
	Err    error

	// Continue lets what follows the response be handled. It may be called more than once.
	Continue func()
}

// CallOptions are what some calls do in another way.
type CallOptions struct {
	// Hold takes the end of the call in the order of the wire, with the function that waits for the
	// caller to continue. By default, the reader calls it.
	Hold func(outcome Outcome, wait func())

	// GiveUp asks the peer to stop when the context ends. By default, a notification does.
	GiveUp func()
}

type call struct {
	method  string
	params  []byte
	options CallOptions
	outcome chan Outcome
}

// outbound pairs calls with their responses.
type outbound struct {
	conn *Conn

	mu      sync.Mutex
	next    int64
	open    map[string]*call
	givenUp map[string]*call
	order   []string         // of givenUp
	end     *acp.ClosedError // nil while calls can be answered
}

// add returns the id of a new call. When nothing can answer it any more, it fails.
func (o *outbound) add(c *call) (id string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end != nil {
		return "", &acp.ClosedError{Method: c.method, Cause: o.end.Cause}
	}
	id = strconv.FormatInt(o.next, 10)
	o.next++
	o.open[id] = c
	return id, nil
}

func (o *outbound) take(id string) *call {
	o.mu.Lock()
	defer o.mu.Unlock()
	c := o.open[id]
	delete(o.open, id)
	return c
}

// giveUp forgets a call that nobody waits for any more, and returns whether it was open.
func (o *outbound) giveUp(id string) bool {
	c := o.take(id)
	if c == nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.givenUp[id] = c
	if o.order = append(o.order, id); len(o.order) > mostGivenUp {
		delete(o.givenUp, o.order[0])
		o.order = o.order[1:]
	}
	return true
}

// isGivenUp returns whether the params of a request name a call that was given up, and whose
// response has not arrived.
func (o *outbound) isGivenUp(params []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.givenUp) > 0 && o.givenUp[string(codec.Get(params, "requestId"))] != nil
}

// endError returns the error of a method that nothing can answer any more.
func (o *outbound) endError(method string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return &acp.ClosedError{Method: method, Cause: o.end.Cause}
}

// fail ends all calls, because nothing can answer them any more.
func (o *outbound) fail(cause error) {
	o.mu.Lock()
	calls := o.open
	o.open = map[string]*call{}
	if o.end == nil {
		o.end = &acp.ClosedError{Cause: cause}
	}
	o.mu.Unlock()
	for _, one := range calls {
		outcome := failedOutcome(o.endError(one.method))
		one.outcome <- outcome
		if one.options.Hold != nil {
			one.options.Hold(outcome, func() {})
		}
	}
}

// endBroken fails the call of a response that cannot be used, and returns whether there
// is one.
func (o *outbound) endBroken(id, problem string) bool {
	c := o.take(id)
	if c == nil {
		return false
	}
	err := &acp.Error{Code: acp.CodeInternalError, Message: sentences.InvalidResponse(problem), Method: c.method}
	o.conn.receiver.Answered(c.method, c.params, id, err)
	o.finish(c, Outcome{Err: err})
	return true
}

// endAllBroken fails all calls, since a response does not say which one it answers.
func (o *outbound) endAllBroken(problem string) bool {
	o.mu.Lock()
	ids := make([]string, 0, len(o.open))
	for id := range o.open {
		ids = append(ids, id)
	}
	o.mu.Unlock()
	isAny := false
	for _, id := range ids {
		isAny = o.endBroken(id, problem) || isAny
	}
	return isAny
}

// ignore takes a response that no call waits for.
func (o *outbound) ignore(m message) {
	o.mu.Lock()
	late := o.givenUp[m.id]
	delete(o.givenUp, m.id)
	o.mu.Unlock()
	if late != nil {
		if m.kind == kindResponse && m.failure == nil {
			o.conn.receiver.Late(late.method, late.params, m.result)
		}
		o.conn.receiver.Answered(late.method, late.params, m.id, nil)
		return
	}
	if o.conn.ctx.Err() != nil {
		// Its call has failed with the connection.
		return
	}
	o.conn.noise.count(0, 1)
	what := m.problem
	if m.kind == kindResponse && m.failure != nil {
		e := errorOf(m.failure, "")
		what = fmt.Sprintf("%d %.200s", e.Code, e.Message)
	}
	o.conn.report(&acp.MessageError{Text: sentences.UnexpectedResponse(m.id[:min(len(m.id), shownBytes)], what)}, "")
}

// settle ends the call of a response.
func (o *outbound) settle(m message) {
	c := o.take(m.id)
	if c == nil {
		o.ignore(m)
		return
	}
	if m.failure != nil {
		err := errorOf(m.failure, c.method)
		o.conn.receiver.Answered(c.method, c.params, m.id, err)
		o.finish(c, Outcome{Err: err})
		return
	}
	result := m.result
	if result == nil {
		result = []byte("null")
	}
	o.conn.receiver.Response(c.method, c.params, result)
	o.conn.receiver.Answered(c.method, c.params, m.id, nil)
	o.finish(c, Outcome{Result: result})
}

// finish hands an outcome to the caller. What follows is handled when it has continued.
func (o *outbound) finish(c *call, outcome Outcome) {
	continued := make(chan struct{})
	outcome.Continue = sync.OnceFunc(func() { close(continued) })
	wait := func() {
		limit := time.NewTimer(mostHeld)
		defer limit.Stop()
		select {
		case <-continued:
		case <-limit.C:
		case <-o.conn.ctx.Done():
		}
	}
	c.outcome <- outcome
	if c.options.Hold != nil {
		c.options.Hold(outcome, wait)
		return
	}
	wait()
}

// Call sends a request. It returns the function that waits for its outcome, and asks the
// peer to cancel the request when the context ends.
func (c *Conn) Call(ctx context.Context, method string, params []byte, options CallOptions) func() Outcome {
	made := &call{method, params, options, make(chan Outcome, 1)}
	failed := func(err error) func() Outcome {
		outcome := failedOutcome(err)
		if options.Hold != nil {
			options.Hold(outcome, func() {})
		}
		return func() Outcome { return outcome }
	}
	if err := context.Cause(ctx); err != nil {
		return failed(&callError{method, err})
	}
	c.wire.Lock()
	id, err := c.calls.add(made)
	if err == nil {
		c.receiver.Sent(method, params, id)
		c.out.queue(false, func(out []byte) []byte { return appendCall(out, id, method, params) })
	}
	c.wire.Unlock()
	if err != nil {
		return failed(err)
	}
	return func() Outcome { return c.outcomeOf(ctx, made, id) }
}

func failedOutcome(err error) Outcome { return Outcome{Err: err, Continue: func() {}} }

func (c *Conn) outcomeOf(ctx context.Context, made *call, id string) Outcome {
	select {
	case outcome := <-made.outcome:
		return outcome
	case <-ctx.Done():
	}
	if !c.calls.giveUp(id) {
		return <-made.outcome
	}
	c.receiver.Ended(made.method, made.params, id)
	if made.options.GiveUp != nil {
		made.options.GiveUp()
	} else {
		// Nobody misses it behind the end of the connection.
		_ = c.Post(c.ctx, MethodCancelRequest, []byte(`{"requestId":`+id+`}`), nil)
	}
	return failedOutcome(&callError{made.method, context.Cause(ctx)})
}

// Withdraw ends calls with results of this side, and asks the peer to cancel them. A call for
// which resultOf returns nil continues.
func (c *Conn) Withdraw(resultOf func(method string, params []byte) []byte) {
	c.calls.mu.Lock()
	open := maps.Clone(c.calls.open)
	c.calls.mu.Unlock()
	for id, one := range open {
		if result := resultOf(one.method, one.params); result != nil && c.calls.giveUp(id) {
			// Nobody misses it behind the end of the connection.
			_ = c.Post(c.ctx, MethodCancelRequest, []byte(`{"requestId":`+id+`}`), nil)
			one.outcome <- Outcome{Result: result, Continue: func() {}}
		}
	}
}

// callError is the error of a call that the context has ended.
type callError struct {
	method string
	cause  error
}

func (e *callError) Error() string { return e.method + ": " + e.cause.Error() }
func (e *callError) Unwrap() error { return e.cause }
