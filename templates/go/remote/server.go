package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// A lostError says why the other side is lost, which is nothing to report.
type lostError struct{ error }

func (e lostError) Unwrap() error { return e.error }

var (
	errClosed  = lostError{errors.New("the connection is closed")}
	errGone    = lostError{errors.New(sentences.NoStream)}
	errStalled = lostError{errors.New("the other side reads nothing")}
	errSilent  = lostError{errors.New("the other side is silent")}
	errMissed  = lostError{errors.New("the client has missed messages that are kept no longer")}
)

// A queue has the messages of one stream that wait for its reader.
type queue struct {
	changed *sync.Cond // with the lock of the connection
	waiting []message
	reader  *http.Request // nil while the stream is closed; a later one takes over
	timer   *time.Timer   // runs until the stream is given up, if it is not opened
	isMoved bool          // its messages go to the stream of the connection
}

// httpConn is the stream of an agent whose client sends requests and reads events.
type httpConn struct {
	in      *inbox
	handler *Handler
	caller  *Caller
	answer  chan []byte // has the answer to the first request; closed without one
	begun   splitter

	mu          sync.Mutex
	main        *queue
	sessions    map[string]*queue
	replay      replay
	calls       openCalls
	progress    *sync.Cond
	isAnswered  bool // the first request
	isClosed    bool
	count       int // of the agent's messages
	lastNumber  int // of the client's messages
	buffered    int
	sent        int
	openStreams int
	idle        *time.Timer
}

func newHTTPConn(h *Handler, caller *Caller) *httpConn {
	c := &httpConn{
		in: newInbox(h.maxBuffered()), handler: h, caller: caller, answer: make(chan []byte, 1), sessions: map[string]*queue{},
		replay: replay{limit: cmp.Or(h.ReplayBytes, defaultReplayBytes), dropped: map[*queue]int{}}, calls: openCalls{},
	}
	c.main, c.progress = c.newQueue(), sync.NewCond(&c.mu)
	c.idle = time.AfterFunc(h.idle(), c.endIdle)
	return c
}

func (c *httpConn) newQueue() *queue { return &queue{changed: sync.NewCond(&c.mu)} }

// Read reads messages of the client.
func (c *httpConn) Read(p []byte) (int, error) { return c.in.Read(p) }

// Write queues messages for the client, and waits while too much is unread.
func (c *httpConn) Write(p []byte) (int, error) {
	_ = c.begun.split(p, func(line []byte) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.send(line)
		return nil
	})
	c.mu.Lock()
	for c.isBehind() {
		before := c.sent
		if !await(context.Background(), c.progress, c.handler.idle(), func() bool { return c.sent > before || !c.isBehind() }) {
			c.mu.Unlock()
			c.end(errStalled)
			return 0, errStalled
		}
	}
	defer c.mu.Unlock()
	if c.isClosed {
		return 0, errClosed
	}
	return len(p), nil
}

// Close ends the connection. What is queued is still sent on open streams.
func (c *httpConn) Close() error {
	c.end(errClosed)
	return nil
}

// isBusy returns whether requests are unanswered, or the client may lack what was sent: it
// waits to be read, or the client is away and comes back to learn what it has missed.
func (c *httpConn) isBusy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.isClosed && (len(c.calls) > 0 || c.buffered > 0 || c.count > 0 && c.openStreams == 0)
}

func (c *httpConn) hasEnded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isClosed
}

func (c *httpConn) isBehind() bool { return c.buffered > c.handler.maxBuffered() && !c.isClosed }

// end ends the connection for the agent and, behind the messages that wait, for the client.
func (c *httpConn) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return
	}
	c.isClosed = true
	c.idle.Stop()
	c.in.end(err)
	if !c.isAnswered {
		close(c.answer)
	}
	for _, q := range c.sessions {
		c.giveUp(q)
		q.changed.Broadcast()
	}
	c.main.changed.Broadcast()
	c.progress.Broadcast()
}

func (c *httpConn) endIdle() {
	c.mu.Lock()
	isIdle := c.openStreams == 0
	c.mu.Unlock()
	if isIdle {
		c.end(errGone)
	}
}

// receive delivers a message of the client, unless one with its number, which is 0 if it has
// none, came before. The session is the one of its header, which the message itself precedes. It returns false
// when the connection has ended.
func (c *httpConn) receive(text []byte, e rpc.Envelope, session string, number int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return false
	}
	if number > 0 {
		if number <= c.lastNumber {
			return true
		}
		c.lastNumber = number
	}
	c.calls.add(e, cmp.Or(sessionIn(e.Params), session))
	c.in.put(text)
	c.touch()
	return true
}

// touch begins the time without an open stream anew, after which the connection ends.
func (c *httpConn) touch() {
	if c.idle.Stop(); c.openStreams == 0 && !c.isClosed {
		c.idle.Reset(c.handler.idle())
	}
}

func (c *httpConn) send(line []byte) {
	if c.isClosed {
		return
	}
	// A line break outside of strings would end an event.
	text := bytes.ReplaceAll(line, []byte{'\r'}, []byte{' '})
	e := rpc.ReadEnvelope(text)
	session := sessionIn(e.Params)
	if e.IsResponse {
		session, _ = c.calls.take(e)
		if !c.isAnswered {
			c.isAnswered = true
			c.answer <- text
			return
		}
	}
	c.count++
	c.push(c.queueFor(session), message{c.count, text})
	c.buffered += len(text)
}

func (c *httpConn) push(q *queue, messages ...message) {
	q.waiting = append(q.waiting, messages...)
	q.changed.Broadcast()
}

// queueOf returns the queue of a session, or of the connection; nil if there are too many.
func (c *httpConn) queueOf(session string) *queue {
	if session == "" {
		return c.main
	}
	q := c.sessions[session]
	if q == nil && len(c.sessions) < mostStreams {
		q = c.newQueue()
		c.sessions[session] = q
	}
	return q
}

// queueFor returns the queue for a message. A client may leave the stream of a session
// closed: after some time, what waits for it goes to the stream of the connection.
func (c *httpConn) queueFor(session string) *queue {
	q := c.queueOf(session)
	if q == nil || q.isMoved {
		return c.main
	}
	if q != c.main && q.reader == nil && q.timer == nil {
		q.timer = time.AfterFunc(unopenedTime, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.giveUp(q)
		})
	}
	return q
}

// giveUp moves the messages of a stream that was not opened.
func (c *httpConn) giveUp(q *queue) {
	if q.timer != nil {
		q.timer.Stop()
		q.isMoved = true
		c.push(c.main, q.waiting...)
		q.waiting = nil
	}
}

// open opens the stream of a session, or that of the connection, for a request. It takes a
// lost stream over behind the last number that the client has received. The status is 0,
// or why the stream cannot be opened.
func (c *httpConn) open(r *http.Request, session string, last int, isAgain bool) (q *queue, status int, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if q = c.queueOf(session); q == nil {
		return nil, http.StatusTooManyRequests, "Too many streams"
	}
	if isAgain {
		again, isKnown := c.replay.takeAfter(q, last)
		if !isKnown {
			return nil, http.StatusGone, sentences.MessagesGone
		}
		for _, one := range again {
			c.buffered += len(one.text)
		}
		q.waiting = append(again, q.waiting...)
	} else if q.reader != nil {
		return nil, http.StatusConflict, sentences.StreamIsOpen
	}
	if q.timer != nil {
		q.timer.Stop()
		q.timer, q.isMoved = nil, false
	}
	q.reader = r
	q.changed.Broadcast()
	c.openStreams++
	c.touch()
	return q, 0, ""
}

// follow writes the messages of a stream until the client leaves, another request takes
// the stream over, or the connection has ended.
func (c *httpConn) follow(w http.ResponseWriter, r *http.Request, q *queue) {
	defer c.leave(r, q)
	header := w.Header()
	header.Set("Content-Type", eventType)
	header.Set(eventOrder, ofConnection)
	// Proxies neither change nor hold the stream.
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(w)
	// The first comment sends the headers through every proxy.
	for piece := []byte(": open\n\n"); piece != nil; piece = c.next(r, q) {
		// It need not be supported: then the server has its own limit.
		_ = control.SetWriteDeadline(time.Now().Add(c.handler.idle()))
		_, err := w.Write(piece)
		if err == nil {
			err = control.Flush()
		}
		if errors.Is(err, http.ErrNotSupported) {
			c.handler.report(err)
		}
		if err != nil {
			return
		}
	}
}

func (c *httpConn) leave(r *http.Request, q *queue) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if q.reader == r {
		q.reader = nil
	}
	c.openStreams--
	c.touch()
}

// next waits for the next piece of a stream; nil when it has ended.
func (c *httpConn) next(r *http.Request, q *queue) (piece []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	isDone := func() bool { return q.reader != r || c.isClosed || r.Context().Err() != nil }
	await(r.Context(), q.changed, c.handler.keepAlive(), func() bool { return len(q.waiting) > 0 || isDone() })
	if q.reader != r || r.Context().Err() != nil {
		return nil
	}
	taken := 0
	for ; taken < len(q.waiting) && len(piece) < pieceBytes; taken++ {
		one := q.waiting[taken]
		piece = fmt.Appendf(piece, "id: %d\ndata: %s\n\n", one.number, one.text)
		c.replay.add(q, one)
		c.buffered -= len(one.text)
	}
	clear(q.waiting[:taken])
	q.waiting = q.waiting[taken:]
	c.sent += taken
	c.progress.Broadcast()
	if taken == 0 && !c.isClosed {
		return []byte(":\n\n")
	}
	return piece
}
