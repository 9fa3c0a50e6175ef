package rpc

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// A Handler handles a request, and returns its result as JSON text.
type Handler func(context.Context) ([]byte, error)

// CancelledBy says what was cancelled: a request itself, or the turn of its session.
type CancelledBy uint8

const (
	ByRequest CancelledBy = iota
	ByTurn
)

// A Request is a request of the peer. It is answered once.
type Request struct {
	ID, Method string
	Params     []byte

	conn    *Conn
	number  int // in the order of the wire
	cancel  context.CancelCauseFunc
	settled chan struct{}

	// Guarded by the wire of the connection.
	isCancelled     bool
	cancelledResult []byte // nil for the error
	isAnswered      bool
	isSuccess       bool
	later           []func()
	grace           *time.Timer
}

var (
	// errCancelled is the cause of the context of a request that was cancelled.
	errCancelled = fmt.Errorf("the request was cancelled: %w", context.Canceled)

	// errExited is the error of a handler that has ended its goroutine.
	errExited = errors.New("the handler has ended its goroutine")
)

// Done is closed when the request was answered.
func (r *Request) Done() <-chan struct{} { return r.settled }

// Answer answers the request at once, in the order of the wire.
func (r *Request) Answer(result []byte) { r.settle(result, nil) }

// AfterResponse calls a function after the response, unless that is an error.
func (r *Request) AfterResponse(call func()) {
	r.conn.wire.Lock()
	isNow := r.isSuccess
	if !r.isAnswered {
		r.later = append(r.later, call)
	}
	r.conn.wire.Unlock()
	if isNow {
		call()
	}
}

func (c *Conn) serve(m message) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.received++
	r := &Request{ID: m.id, Method: m.method, Params: m.params, conn: c, number: c.received, cancel: cancel, settled: make(chan struct{})}
	c.wire.Lock()
	_, isInUse := c.requests[m.id]
	isFull := len(c.requests) >= c.limits.MaxInFlight || c.out.isFull()
	if !isInUse && !isFull {
		c.requests[m.id] = r
	}
	c.wire.Unlock()
	if isInUse {
		c.refuse(m.id, acp.CodeInvalidRequest, sentences.RequestIDInUse)
		return
	}
	if isFull {
		c.refuse(m.id, acp.CodeTooManyRequests, "Too many requests")
		return
	}
	// A question about a call that was given up is not asked.
	if c.calls.isGivenUp(m.params) {
		if result := c.receiver.CancelledResult(m.method, ByTurn); result != nil {
			r.Answer(result)
			return
		}
	}
	handle, err := c.receiver.Request(r)
	if handle == nil || err != nil {
		r.settle(nil, err)
		return
	}
	// The handler starts before that of the next message.
	started := make(chan struct{})
	c.Go(func() {
		close(started)
		defer cancel(nil)
		var result []byte
		Run(func() (err error) {
			result, err = handle(ctx)
			return err
		}, func(err error) { r.settle(result, err) })
	})
	<-started
}

// Run calls a function of the application, and then another one with its error, even if it
// panics, which is an error with the stack, or ends its goroutine.
func Run(call func() error, ended func(error)) {
	err := errExited
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the handler panicked: %v\n%s", v, debug.Stack())
		}
		ended(err)
	}()
	err = call()
}

// Guard calls a function of the application, and another one with its error if it panics.
func Guard(call func(), failed func(error)) {
	Run(func() error { call(); return nil }, func(err error) {
		if err != nil {
			failed(err)
		}
	})
}

// settle answers the request, unless it was answered already.
func (r *Request) settle(result []byte, err error) {
	var answer *acp.Error
	if err != nil && !errors.As(err, &answer) {
		answer = acp.NewError(acp.CodeInternalError, "Internal error", nil)
	}
	c := r.conn
	c.wire.Lock()
	if r.isAnswered {
		c.wire.Unlock()
		return
	}
	isHidden := r.isCancelled && err != nil
	if isHidden {
		result, answer = r.cancelledResult, nil
		if result == nil {
			answer = acp.NewError(acp.CodeRequestCancelled, "Request cancelled", nil)
		}
	} else if r.isCancelled && err == nil && r.cancelledResult != nil {
		codec.Members(r.cancelledResult, func(name, value []byte) {
			result = codec.Set(result, value, string(name))
		})
	}
	r.isAnswered, r.isSuccess = true, answer == nil
	later := r.later
	r.later = nil
	delete(c.requests, r.ID)
	if answer != nil {
		c.out.queue(true, func(out []byte) []byte { return appendError(out, r.ID, answer) })
	} else {
		c.out.queue(true, func(out []byte) []byte { return appendResult(out, r.ID, result) })
	}
	close(r.settled)
	if r.grace != nil {
		r.grace.Stop()
	}
	c.wire.Unlock()
	if own := (*acp.Error)(nil); err != nil && !isHidden && !errors.As(err, &own) {
		// The text of another error may contain data that the peer must not see.
		c.ReportUnlessEnded(err, r.Method)
	}
	if answer == nil {
		for _, one := range later {
			Guard(one, func(err error) { c.report(err, r.Method) })
		}
	}
}

// cancelBy cancels the context of the handler, and answers for it if it goes on too long.
func (r *Request) cancelBy(by CancelledBy) {
	result := r.conn.receiver.CancelledResult(r.Method, by)
	r.conn.wire.Lock()
	defer r.conn.wire.Unlock()
	if r.isAnswered || r.isCancelled {
		// The cancellation of a turn counts after that of its request as well.
		if by == ByTurn {
			r.cancelledResult = result
		}
		return
	}
	r.isCancelled, r.cancelledResult = true, result
	r.grace = time.AfterFunc(r.conn.limits.CancelGrace, func() { r.settle(nil, errCancelled) })
	r.cancel(errCancelled)
}

// CancelID cancels the request with an id, if there is one.
func (c *Conn) CancelID(id []byte) {
	if key, ok := idOf(id); ok {
		c.wire.Lock()
		r := c.requests[key]
		c.wire.Unlock()
		if r != nil {
			r.cancelBy(ByRequest)
		}
	}
}

// CancelTurn cancels the requests that a predicate selects, the last one first: one that waits
// for an earlier one must not begin.
func (c *Conn) CancelTurn(matches func(method string, params []byte) bool) {
	found := c.Unanswered(matches)
	slices.Reverse(found)
	for _, one := range found {
		one.cancelBy(ByTurn)
	}
}

// EndQuestions answers the requests that a predicate selects as cancelled.
func (c *Conn) EndQuestions(matches func(method string, params []byte) bool) {
	for _, one := range c.Unanswered(matches) {
		one.cancelBy(ByTurn)
		one.settle(nil, errCancelled)
	}
}

// Unanswered returns the requests that a predicate selects, in their order.
func (c *Conn) Unanswered(matches func(method string, params []byte) bool) (found []*Request) {
	c.wire.Lock()
	defer c.wire.Unlock()
	for _, one := range c.requests {
		if matches(one.Method, one.Params) {
			found = append(found, one)
		}
	}
	slices.SortFunc(found, func(one, other *Request) int { return one.number - other.number })
	return found
}
