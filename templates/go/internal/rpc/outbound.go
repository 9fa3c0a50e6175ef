package rpc

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// mostGivenUp is how many ids of calls that were given up are remembered, for late answers.
const mostGivenUp = 1000

// mostHeld is how long the reader waits for the caller of a call to continue. A caller
// may have to wait for handlers first.
const mostHeld = 5 * time.Millisecond

// Outcome is the end of a call.
type Outcome struct {
	Result []byte
	Err    error

	// Continue lets the reader handle what follows the response. It may be called
	// more than once.
	Continue func()
}

type call struct {
	method  string
	params  []byte
	outcome chan Outcome
}

// outbound pairs calls with their responses.
type outbound struct {
	conn *Conn

	mu      sync.Mutex
	next    int64
	open    map[string]*call
	givenUp map[string]bool
	order   []string // of givenUp
	closed  func(method string) error
}

// add returns the id of a new call. When nothing can answer it any more, it fails.
func (o *outbound) add(c *call) (id string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed != nil {
		return "", o.closed(c.method)
	}
	id = strconv.FormatInt(o.next, 10)
	o.next++
	o.open[id] = c
	return id, nil
}

// hasOtherThan returns whether a call of another method is unanswered.
func (o *outbound) hasOtherThan(method string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, one := range o.open {
		if one.method != method {
			return true
		}
	}
	return false
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
	if o.take(id) == nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.givenUp[id] = true
	if o.order = append(o.order, id); len(o.order) > mostGivenUp {
		delete(o.givenUp, o.order[0])
		o.order = o.order[1:]
	}
	return true
}

// fail ends all calls, because nothing can answer them any more.
func (o *outbound) fail(errorOf func(method string) error) {
	o.mu.Lock()
	calls := o.open
	o.open = map[string]*call{}
	o.closed = errorOf
	o.mu.Unlock()
	for _, one := range calls {
		one.outcome <- Outcome{Err: errorOf(one.method), Continue: func() {}}
	}
}

// endBroken fails the call of a response that cannot be used, and returns whether there
// is one.
func (o *outbound) endBroken(id string) bool {
	c := o.take(id)
	if c == nil {
		return false
	}
	o.conn.receiver.Answered(id, false)
	o.finish(c, Outcome{Err: brokenResponse(c.method)})
	return true
}

// endAllBroken fails all calls, since a response does not say which one it answers.
func (o *outbound) endAllBroken() bool {
	o.mu.Lock()
	ids := make([]string, 0, len(o.open))
	for id := range o.open {
		ids = append(ids, id)
	}
	o.mu.Unlock()
	isAny := false
	for _, id := range ids {
		isAny = o.endBroken(id) || isAny
	}
	return isAny
}

// ignore counts and reports a response that no call waits for.
func (o *outbound) ignore(id string) {
	o.mu.Lock()
	isLate := o.givenUp[id]
	delete(o.givenUp, id)
	o.mu.Unlock()
	if isLate {
		o.conn.receiver.Answered(id, true)
		return
	}
	o.conn.noise.count(0, 1)
	o.conn.report(&acp.MessageError{Text: "received a response with the id " + shown([]byte(id)) + ", which no call has"}, "")
}

// settle ends the call of a response.
func (o *outbound) settle(m message) {
	c := o.take(m.id)
	if c == nil {
		o.ignore(m.id)
		return
	}
	if m.failure != nil {
		o.conn.receiver.Answered(m.id, false)
		o.finish(c, Outcome{Err: errorOf(m.failure, c.method)})
		return
	}
	result := m.result
	if result == nil {
		result = []byte("null")
	}
	o.conn.receiver.Response(c.method, c.params, result)
	o.conn.receiver.Answered(m.id, true)
	o.finish(c, Outcome{Result: result})
}

// finish hands an outcome to the caller, and holds the reader until it has continued.
func (o *outbound) finish(c *call, outcome Outcome) {
	continued := make(chan struct{})
	outcome.Continue = sync.OnceFunc(func() { close(continued) })
	c.outcome <- outcome
	limit := time.NewTimer(mostHeld)
	defer limit.Stop()
	select {
	case <-continued:
	case <-limit.C:
	case <-o.conn.ctx.Done():
	}
}

// Call sends a request. It returns the function that waits for its outcome, and asks the
// peer to cancel the request when the context ends.
func (c *Conn) Call(ctx context.Context, method string, params []byte) func() Outcome {
	made := &call{method, params, make(chan Outcome, 1)}
	failed := func(err error) func() Outcome { return func() Outcome { return failedOutcome(err) } }
	if err := context.Cause(ctx); err != nil {
		return failed(&callError{method, err})
	}
	c.wire.Lock()
	id, err := c.calls.add(made)
	if err == nil {
		c.receiver.Sent(method, params, id)
		c.out.queue(func(out []byte) []byte { return appendCall(out, id, method, params) })
	}
	c.wire.Unlock()
	if err != nil {
		return failed(err)
	}
	return func() Outcome { return c.outcomeOf(ctx, made, id) }
}

func failedOutcome(err error) Outcome { return Outcome{Err: err, Continue: func() {}} }

func (c *Conn) outcomeOf(ctx context.Context, made *call, id string) Outcome {
	if err := c.out.wait(ctx, c.limits.MaxQueuedBytes); err == nil {
		select {
		case outcome := <-made.outcome:
			return outcome
		case <-ctx.Done():
		}
	}
	select {
	case outcome := <-made.outcome:
		return outcome
	default:
	}
	if context.Cause(ctx) == nil {
		// The stream has failed, which ends the connection.
		return <-made.outcome
	}
	if c.calls.giveUp(id) {
		params := []byte(`{"requestId":` + id + `}`)
		c.send(func(out []byte) []byte { return appendCall(out, "", MethodCancelRequest, params) })
		return failedOutcome(&callError{made.method, context.Cause(ctx)})
	}
	return <-made.outcome
}

// callError is the error of a call that the context has ended.
type callError struct {
	method string
	cause  error
}

func (e *callError) Error() string { return e.method + ": " + e.cause.Error() }
func (e *callError) Unwrap() error { return e.cause }
