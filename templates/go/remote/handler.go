package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

const allowedMethods = "GET, POST, DELETE"

// unknownConnection is what clients show as the reason.
const unknownConnection = "Unknown " + connectionID + ": the server was restarted, or the connection ended"

// A Handler serves agents over HTTP at one path of a server. Its zero fields are the
// defaults; it must not be copied, and its fields not be changed, after the first request.
type Handler struct {
	// Serve serves an agent over a stream until the connection ends, as the method Serve
	// of an agent does. It is called for each connection; see CallerOf for the context.
	Serve func(ctx context.Context, stream io.ReadWriteCloser) error

	// Authenticate returns the name of the caller of a request; without one, the answer
	// is 401. It is called for every request, and a connection belongs to the caller that
	// has opened it. By default, whoever reaches the server may call.
	Authenticate func(*http.Request) (principal string, err error)

	// Challenge is the header WWW-Authenticate of a refusal. By default, Bearer.
	Challenge string

	// AllowedHosts are the accepted values of the header Host, with or without a port;
	// "*" is any. By default, the names of this machine: a page can give its own name the
	// address of any machine.
	AllowedHosts []string

	// AllowedOrigins are the origins of pages that may call, besides those of the server
	// itself, such as https://app.example; "*" is any but null, without cookies.
	// By default, none.
	AllowedOrigins []string

	// Upgrade opens the WebSocket of a request with a library of your choice; see Socket.
	// The library need not check the origin. By default, connections are over HTTP only.
	Upgrade func(http.ResponseWriter, *http.Request) (Socket, error)

	// MaxConnections is how many connections there may be. By default, 1000.
	MaxConnections int

	// MaxMessageBytes is the length of the longest message. By default, 32 MiB.
	MaxMessageBytes int

	// MaxBufferedBytes is how much a client may leave unread before its agent waits. By
	// default, 16 MiB.
	MaxBufferedBytes int

	// ReplayBytes is how much of what was sent is kept for clients that lose a stream. By
	// default, 1 MiB.
	ReplayBytes int

	// IdleTimeout is how long a connection may have no stream, or its client read
	// nothing, and how long the first message of a WebSocket may take. By default, 60 s.
	IdleTimeout time.Duration

	// KeepAlive is the time between two signs of life on a stream, and the silence before
	// a ping on a WebSocket. By default, 15 s.
	KeepAlive time.Duration

	// NewID returns the id of a connection. By default, it is random.
	NewID func() string

	// OnError takes the errors of Serve, Authenticate and Upgrade, of which clients see
	// nothing. By default, slog logs the first ones.
	OnError func(error)

	mu         sync.Mutex
	conns      map[string]served // by their ids
	isDraining bool
	hasEnded   bool // connections, to drain
	logged     int
	unread     atomic.Int64 // what bodies that have not ended hold, beyond ownBytes each
}

// served is the stream of an agent.
type served interface {
	io.ReadWriteCloser
	isBusy() bool
	end(error)
}

// A Caller is who has opened a connection.
type Caller struct {
	// Principal is the name that Authenticate has returned.
	Principal string

	// ConnectionID is the id of the connection.
	ConnectionID string

	// Request is the request that has opened it, whose body was read.
	Request *http.Request
}

type callerKey struct{}

// CallerOf returns who has opened a connection, from the context of Serve. That context has
// the values of the context of the request; nil for another context.
func CallerOf(ctx context.Context) *Caller {
	caller, _ := ctx.Value(callerKey{}).(*Caller)
	return caller
}

// Connections returns the number of connections.
func (h *Handler) Connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.conns)
}

// Drain accepts no new connections, waits until no request is running or the context ends,
// and closes all connections. Clients that come later are told when to try again. Call it
// before the method Shutdown of the server, which waits for open streams.
func (h *Handler) Drain(ctx context.Context) {
	h.mu.Lock()
	h.isDraining = true
	h.mu.Unlock()
	pollUntil(ctx, func() bool {
		for _, one := range h.all() {
			if one.isBusy() {
				return false
			}
		}
		return true
	})
	ended := h.all()
	h.mu.Lock()
	h.hasEnded = h.hasEnded || len(ended) > 0
	hasEnded := h.hasEnded
	h.mu.Unlock()
	for _, one := range ended {
		one.end(io.EOF)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	pollUntil(ctx, func() bool { return h.Connections() == 0 })
	if hasEnded {
		// Clients come back at once, to learn that their connection has ended.
		time.Sleep(2 * firstDelay)
	}
}

func (h *Handler) all() (all []served) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range h.conns {
		all = append(all, one)
	}
	return all
}

func pollUntil(ctx context.Context, holds func() bool) {
	tick := time.NewTicker(drainPoll)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	principal, ok := h.admit(w, r)
	if !ok {
		return
	}
	if h.Upgrade != nil && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		h.serveSocket(w, r, principal)
		return
	}
	if len(r.Header.Get(sessionID)) > mostIDBytes {
		reply(w, http.StatusBadRequest, sessionID+" is too long")
		return
	}
	id := r.Header.Values(connectionID)
	if len(id) == 0 && r.Method == http.MethodPost {
		h.connect(w, r, principal)
		return
	}
	var c *httpConn
	if len(id) > 0 {
		h.mu.Lock()
		c, _ = h.conns[id[0]].(*httpConn)
		h.mu.Unlock()
		// A connection of somebody else does not exist.
		if c == nil || len(id) > 1 || c.hasEnded() || c.caller.Principal != principal {
			reply(w, http.StatusNotFound, unknownConnection)
			return
		}
	}
	switch {
	case r.Method != http.MethodPost && r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", allowedMethods)
		reply(w, http.StatusMethodNotAllowed, "Method not allowed")
	case c == nil:
		reply(w, http.StatusBadRequest, "Missing "+connectionID)
	case r.Method == http.MethodPost:
		h.receive(w, r, c)
	case r.Method == http.MethodGet:
		openStream(w, r, c)
	default:
		c.end(io.EOF)
		w.WriteHeader(http.StatusAccepted)
	}
}

// connect handles the first request of a client, whose response is the answer of the agent.
func (h *Handler) connect(w http.ResponseWriter, r *http.Request, principal string) {
	if !h.join(w, "", nil) {
		return
	}
	text, e, ok := h.readMessage(w, r)
	if !ok {
		return
	}
	if !e.IsRequest || e.ID == "null" {
		reply(w, http.StatusBadRequest, "Missing "+connectionID+", or a first request with an id")
		return
	}
	c := newHTTPConn(h, &Caller{principal, h.newID(), r})
	if !h.join(w, c.caller.ConnectionID, c) {
		c.end(errClosed)
		return
	}
	c.receive(text, e, "", 0)
	go func() {
		defer h.leave(c.caller.ConnectionID)
		h.run(c, c.caller)
	}()
	var answer []byte
	select {
	case answer = <-c.answer:
	case <-r.Context().Done():
	}
	if answer == nil {
		c.end(errGone)
		reply(w, http.StatusServiceUnavailable, "")
		return
	}
	if rpc.ReadEnvelope(answer).IsFailure {
		c.end(io.EOF)
	} else {
		w.Header().Set(connectionID, c.caller.ConnectionID)
		w.Header().Set(eventOrder, ofConnection)
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = w.Write(answer)
}

// receive handles any further message.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, c *httpConn) {
	if !c.in.hasRoom(r.Context(), patience) {
		w.Header().Set("Retry-After", "1")
		reply(w, http.StatusServiceUnavailable, "The agent has not read what came before")
		return
	}
	text, e, ok := h.readMessage(w, r)
	if !ok {
		return
	}
	session, header := sessionIn(e.Params), r.Header.Get(sessionID)
	number, isNumber := numberOf(r.Header.Get(messageNumber))
	if len(r.Header.Values(messageNumber)) > 0 && (!isNumber || number == 0) {
		reply(w, http.StatusBadRequest, messageNumber+" is not a number from 1 on")
	} else if len(session) > mostIDBytes {
		reply(w, http.StatusBadRequest, sentences.SessionIDTooLong)
	} else if session != "" && header != "" && session != header {
		reply(w, http.StatusBadRequest, "Mismatched "+sessionID)
	} else if !c.receive(text, e, header, number) {
		reply(w, http.StatusNotFound, unknownConnection)
	} else {
		w.WriteHeader(http.StatusAccepted)
	}
}

func openStream(w http.ResponseWriter, r *http.Request, c *httpConn) {
	if !strings.Contains(r.Header.Get("Accept"), eventType) {
		reply(w, http.StatusNotAcceptable, "Accept "+eventType)
		return
	}
	header := r.Header.Values(lastEventID)
	last, isNumber := numberOf(r.Header.Get(lastEventID))
	if len(header) > 0 && !isNumber {
		reply(w, http.StatusBadRequest, lastEventID+" is not a number of this server")
		return
	}
	q, status, text := c.open(r, r.Header.Get(sessionID), last, len(header) > 0)
	if q == nil {
		if status == http.StatusGone {
			c.end(errMissed)
		}
		reply(w, status, text)
		return
	}
	c.follow(w, r, q)
}

// readMessage reads the message in the body of a request.
func (h *Handler) readMessage(w http.ResponseWriter, r *http.Request) (text []byte, e rpc.Envelope, ok bool) {
	// A page can send other types without asking first.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != jsonType {
		reply(w, http.StatusUnsupportedMediaType, "Send "+jsonType)
		return nil, e, false
	}
	if r.ContentLength > int64(h.maxMessage()) {
		reply(w, http.StatusRequestEntityTooLarge, sentences.MessageTooLong)
		return nil, e, false
	}
	control := http.NewResponseController(w)
	// It need not be supported: then the server has its own limit.
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body := &countedBody{Reader: http.MaxBytesReader(w, r.Body, int64(h.maxMessage())), h: h}
	text, err := io.ReadAll(body)
	h.unread.Add(-body.held)
	_ = control.SetReadDeadline(time.Time{})
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		reply(w, http.StatusRequestEntityTooLarge, sentences.MessageTooLong)
	case errors.Is(err, errUnread):
		w.Header().Set("Retry-After", "1")
		reply(w, http.StatusServiceUnavailable, sentences.TooManyMessages)
	case errors.Is(err, os.ErrDeadlineExceeded):
		reply(w, http.StatusRequestTimeout, sentences.MessageTooSlow)
	case err != nil || !utf8.Valid(text):
		reply(w, http.StatusBadRequest, sentences.NotJSON)
	default:
		e = rpc.ReadEnvelope(text)
		if e.IsObject {
			return text, e, true
		}
		reply(w, http.StatusBadRequest, "Send one message per request, as JSON")
	}
	return nil, e, false
}

// A countedBody is a body that stops when all bodies that have not ended hold too much.
type countedBody struct {
	io.Reader
	h          *Handler
	size, held int64
}

var errUnread = errors.New("too many messages have not ended")

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.size += int64(n)
	more := max(0, b.size-ownBytes) - b.held
	b.held += more
	if b.h.unread.Add(more) > 4*int64(b.h.maxMessage()) {
		return n, errUnread
	}
	return n, err
}

// serveSocket serves the WebSocket of an admitted request until it ends.
func (h *Handler) serveSocket(w http.ResponseWriter, r *http.Request, principal string) {
	caller := &Caller{principal, h.newID(), r}
	s := newSocketStream(h.maxMessage(), h.keepAlive(), h.idle())
	if !h.join(w, caller.ConnectionID, s) {
		s.end(errClosed)
		return
	}
	defer h.leave(caller.ConnectionID)
	w.Header().Set(connectionID, caller.ConnectionID)
	socket, err := h.Upgrade(w, r)
	if err != nil {
		s.end(err)
		h.report(err)
		return
	}
	s.start(socket)
	// A client that says nothing takes the place of another.
	defer time.AfterFunc(h.idle(), func() {
		if s.readCount() < 2 {
			s.end(errGone)
		}
	}).Stop()
	h.run(s, caller)
}

// join adds a connection, if there is one, or answers the request when there can be no
// further one.
func (h *Handler) join(w http.ResponseWriter, id string, s served) bool {
	h.mu.Lock()
	text := ""
	if h.isDraining {
		text = sentences.ServerEnds
	} else if len(h.conns) >= cmp.Or(h.MaxConnections, defaultConnections) {
		text = "Too many connections"
	} else if h.conns == nil {
		h.conns = map[string]served{}
	}
	if text == "" && s != nil {
		h.conns[id] = s
	}
	h.mu.Unlock()
	if text != "" {
		w.Header().Set("Retry-After", "5")
		reply(w, http.StatusServiceUnavailable, text)
	}
	return text == ""
}

func (h *Handler) leave(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, id)
}

// run serves an agent until its connection has ended.
func (h *Handler) run(s served, caller *Caller) {
	ctx := context.WithValue(context.WithoutCancel(caller.Request.Context()), callerKey{}, caller)
	rpc.Run(func() error { return h.Serve(ctx, s) }, func(err error) {
		s.end(io.EOF)
		if lost := (lostError{}); err != nil && !errors.As(err, &lost) {
			h.report(err)
		}
	})
}

func (h *Handler) report(err error) {
	if h.OnError != nil {
		rpc.Guard(func() { h.OnError(err) }, func(failed error) { slog.Error("acp: OnError: " + failed.Error()) })
		return
	}
	h.mu.Lock()
	h.logged++
	isLogged := h.logged <= mostLogged
	h.mu.Unlock()
	if isLogged {
		slog.Error("acp: " + err.Error())
	}
}

func (h *Handler) newID() string {
	if h.NewID != nil {
		return h.NewID()
	}
	var id [16]byte
	_, _ = rand.Read(id[:])
	return hex.EncodeToString(id[:])
}

func (h *Handler) idle() time.Duration      { return cmp.Or(h.IdleTimeout, defaultIdle) }
func (h *Handler) keepAlive() time.Duration { return cmp.Or(h.KeepAlive, defaultKeepAlive) }
func (h *Handler) maxBuffered() int         { return cmp.Or(h.MaxBufferedBytes, defaultBufferedBytes) }
func (h *Handler) maxMessage() int          { return cmp.Or(h.MaxMessageBytes, defaultMessageBytes) }
