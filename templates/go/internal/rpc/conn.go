package rpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// MethodCancelRequest is the notification that cancels a request.
const MethodCancelRequest = "$/cancel_request"

// messageStart is how most messages start, and objectStart how all do.
var (
	messageStart = []byte(`{"jsonrpc"`)
	objectStart  = []byte(`{"`)
)

// mostTried is how many objects in a line are tried, since each costs reading the rest of the line.
const mostTried = 8

// flushGrace is how long what is queued may take to be written when the connection ends.
const flushGrace = time.Second

// A Receiver handles what a connection receives. All methods but Report and Sent are
// called in the order of the wire.
type Receiver interface {
	// Request checks a request, and returns its handler; nil if it has answered it. An
	// error refuses it.
	Request(*Request) (Handler, error)

	// Notification takes a notification.
	Notification(method string, params []byte)

	// Response takes the result of a call, before its caller continues.
	Response(method string, params, result []byte)

	// Answered takes the answer to a call, behind its result, and even if it comes too late.
	Answered(method string, params []byte, id string, err error)

	// Ended takes a call that was given up.
	Ended(method string, params []byte, id string)

	// Late takes the result of a call that was given up.
	Late(method string, params, result []byte)

	// Sent takes a message of this side; the id of a notification is empty.
	Sent(method string, params []byte, id string)

	// CancelledResult returns the result of a cancelled request; nil for an error.
	CancelledResult(method string, by CancelledBy) []byte

	// Report takes an error that cannot be answered.
	Report(err error, method string)
}

// A Conn sends and receives messages, and pairs calls with their responses.
type Conn struct {
	stream       io.ReadWriteCloser
	receiver     Receiver
	limits       acp.Limits
	nullIDs      bool
	answersNoise bool

	ctx    context.Context // of all handlers
	cancel context.CancelCauseFunc
	out    *writer
	noise  *noise
	calls  *outbound

	methods codec.Cache // of the reader

	running tasks

	// wire orders what is sent and the state that depends on it.
	wire     sync.Mutex
	requests map[string]*Request // those that are unanswered
	received int                 // requests; of the reader

	end  sync.Once
	done chan struct{}
	err  error
}

// NewConn returns a connection that does not read yet. An agent answers noise: lines that
// are not messages.
func NewConn(stream io.ReadWriteCloser, receiver Receiver, limits acp.Limits, nullIDs, answersNoise bool) *Conn {
	c := &Conn{
		stream: stream, receiver: receiver, limits: limits.WithDefaults(), nullIDs: nullIDs, answersNoise: answersNoise,
		requests: map[string]*Request{}, done: make(chan struct{}),
	}
	c.out = newWriter(stream, c.limits.Stall, c.Close)
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.noise = &noise{conn: c}
	c.calls = &outbound{conn: c, open: map[string]*call{}, givenUp: map[string]*call{}}
	return c
}

// Start starts to read and to write.
func (c *Conn) Start() {
	go c.out.run()
	go c.read()
}

// Context returns the context of everything on the connection. It ends with it.
func (c *Conn) Context() context.Context { return c.ctx }

// Limits returns the limits of the connection.
func (c *Conn) Limits() acp.Limits { return c.limits }

// Done is closed when the connection and its handlers have ended, or a grace is over.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection has ended; nil while it has not, or when one side has
// ended it in the regular way.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Stats returns what was received and could not be used.
func (c *Conn) Stats() acp.Stats {
	c.noise.mu.Lock()
	defer c.noise.mu.Unlock()
	return c.noise.stats
}

// CountMalformed counts a message that is malformed for the protocol.
func (c *Conn) CountMalformed() { c.noise.count(1, 0) }

// Notify sends a notification, unless a function that runs at that moment of the wire
// returns an error. It waits while the peer does not read.
func (c *Conn) Notify(ctx context.Context, method string, params []byte, check func() error) error {
	if err := c.Post(ctx, method, params, check); err != nil {
		return err
	}
	return c.Drain(ctx, method)
}

// Drain waits while the peer does not read.
func (c *Conn) Drain(ctx context.Context, method string) error {
	if err := c.out.wait(ctx, c.limits.MaxQueuedBytes); err != nil {
		return &callError{method, err}
	}
	return nil
}

// Post sends a notification as Notify does, without waiting.
func (c *Conn) Post(ctx context.Context, method string, params []byte, check func() error) error {
	if err := context.Cause(ctx); err != nil {
		return &callError{method, err}
	}
	c.wire.Lock()
	defer c.wire.Unlock()
	err := c.EndError(method)
	if err == nil && check != nil {
		err = check()
	}
	if err == nil {
		c.Queue(method, params)
	}
	return err
}

// Queue sends a notification as Post does. The caller has locked the wire.
func (c *Conn) Queue(method string, params []byte) {
	c.receiver.Sent(method, params, "")
	c.out.queue(false, func(out []byte) []byte { return appendCall(out, "", method, params) })
}

// Locked calls a function while nothing is sent and no request is answered.
func (c *Conn) Locked(call func()) {
	c.wire.Lock()
	defer c.wire.Unlock()
	call()
}

// IsAnswered returns whether a request was answered. The caller has locked the wire.
func (r *Request) IsAnswered() bool { return r.isAnswered }

// EndError returns the error of a method after the end of the connection; nil before it.
func (c *Conn) EndError(method string) error {
	select {
	case <-c.ctx.Done():
		return c.calls.endError(method)
	default:
		return nil
	}
}

func (c *Conn) refuse(id string, code int, text string) {
	refusal := acp.NewError(code, text, nil)
	c.wire.Lock()
	defer c.wire.Unlock()
	c.out.queue(true, func(out []byte) []byte { return appendError(out, id, refusal) })
}

func (c *Conn) report(err error, method string) { c.receiver.Report(err, method) }

// ReportUnlessEnded reports the error of a handler, unless it says that the connection has ended.
func (c *Conn) ReportUnlessEnded(err error, method string) {
	closed := (*acp.ClosedError)(nil)
	if !errors.As(err, &closed) && !(c.ctx.Err() != nil && errors.Is(err, context.Canceled)) {
		c.report(err, method)
	}
}

// Go runs a handler in a goroutine, whose end the connection waits for.
func (c *Conn) Go(run func()) {
	c.running.add(1)
	go func() {
		defer c.running.add(-1)
		run()
	}()
}

// tasks counts what runs.
type tasks struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when nothing runs; nil before somebody waits
}

func (t *tasks) add(count int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count += count; t.count == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// wait waits until nothing runs, or a time is over, or a context ends.
func (t *tasks) wait(ctx context.Context, most time.Duration) {
	t.mu.Lock()
	if t.count == 0 {
		t.mu.Unlock()
		return
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	idle := t.idle
	t.mu.Unlock()
	limit := time.NewTimer(most)
	defer limit.Stop()
	select {
	case <-idle:
	case <-limit.C:
	case <-ctx.Done():
	}
}

func (c *Conn) read() {
	// A function of the application that takes reports may end this goroutine.
	defer c.Close(errExited)
	lines := newLineReader(c.stream, c.limits.MaxLineBytes)
	for {
		found, err := lines.next()
		if c.ctx.Err() != nil {
			// No handler begins behind the end.
			return
		}
		if err == nil {
			err = c.receive(found)
		}
		if errors.Is(err, io.EOF) {
			// Nothing can answer calls any more; what was received is still handled.
			reason, isRegular := c.endReason()
			c.calls.fail(reason)
			c.running.wait(c.ctx, c.limits.EndGrace)
			if isRegular {
				reason = nil
			}
			c.Close(reason)
			return
		}
		if err != nil {
			c.Close(err)
			return
		}
	}
}

// endReason returns why the stream has ended, if it knows: how a process did; and whether
// the end is a regular one all the same.
func (c *Conn) endReason() (reason error, isRegular bool) {
	if known, ok := c.stream.(interface{ EndReason() (error, bool) }); ok {
		return known.EndReason()
	}
	return nil, true
}

// messageIn returns where a message starts behind other text; zero if there is none.
func messageIn(line []byte) int {
	if at := bytes.Index(line, messageStart); at > 0 {
		return at
	}
	at := 0
	for tried := 0; tried < mostTried && at < len(line); tried++ {
		next := bytes.Index(line[at+1:], objectStart)
		if next < 0 {
			break
		}
		at += 1 + next
		if version, _ := codec.Text(codec.Get(line[at:], "jsonrpc")); version == "2.0" && codec.IsJSON(line[at:]) {
			return at
		}
	}
	return 0
}

// receiveNoise takes a line that is not JSON, or that is too long.
func (c *Conn) receiveNoise(l line) error {
	if !c.answersNoise {
		if at := messageIn(l.text); at > 0 {
			// The log of an agent stands before its message.
			c.noise.count(1, 0)
			c.noise.reportFirst("JSON", l.text[:at])
			return c.receive(line{text: l.text[at:], isLong: l.isLong, isCut: l.isCut})
		}
	}
	return c.noise.line(l)
}

func (c *Conn) receive(l line) error {
	if l.isLong || !utf8.Valid(l.text) {
		return c.receiveNoise(l)
	}
	m, isObject := parse(l.text, c.nullIDs, &c.methods)
	if !isObject && !codec.IsJSON(l.text) {
		return c.receiveNoise(l)
	}
	if m.kind == kindInvalid || m.kind == kindBroken {
		return c.noise.value(l.text, m)
	}
	c.noise.inRow = 0
	switch {
	case m.kind == kindRequest:
		c.serve(m)
	case m.kind == kindResponse:
		c.calls.settle(m)
	case m.method == MethodCancelRequest:
		c.CancelID(codec.Get(m.params, "requestId"))
	default:
		c.receiver.Notification(m.method, m.params)
	}
	return nil
}

// Close ends the connection, unless it has ended: calls fail, and the contexts of handlers
// end. What is queued is still written, for a short time.
func (c *Conn) Close(cause error) {
	c.end.Do(func() {
		c.err = cause
		c.calls.fail(cause)
		c.cancel(c.calls.endError(""))
		go func() {
			c.out.close()
			select {
			case <-c.out.done:
			case <-time.After(flushGrace):
			}
			if err := c.stream.Close(); err != nil && cause == nil {
				c.report(err, "")
			}
			c.running.wait(context.Background(), c.limits.EndGrace)
			close(c.done)
		}()
	})
}
