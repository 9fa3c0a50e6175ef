package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// Options are those of a connection over HTTP. Their zero values are the defaults.
type Options struct {
	// Header has the headers of every request, such as Authorization. A token that is
	// renewed is the matter of the Client, such as one of golang.org/x/oauth2.
	Header http.Header

	// Client sends the requests. Its Timeout is not used, since streams stay open; it
	// follows no redirect, which would get the headers, and keeps cookies, by which
	// proxies find the process of a connection.
	Client *http.Client

	// Reconnect is how long lost streams and messages are tried again, with servers that
	// number their messages. By default, 30 s.
	Reconnect time.Duration

	// MaxSilence is how long nothing may arrive on a stream of such a server. By default,
	// 60 s.
	MaxSilence time.Duration

	// MaxMessageBytes is the length of the longest message that is received. By default,
	// 32 MiB.
	MaxMessageBytes int
}

// An HTTPError is the refusal of a request.
type HTTPError struct {
	// Status is that of the response.
	Status int

	// Body is the beginning of its text.
	Body string

	// RetryAfter is how long the server asks to wait before the next request; 0 if it does not.
	RetryAfter time.Duration
}

func (e *HTTPError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("the server of the agent has answered %d: %s", e.Status, e.Body), ": ")
}

// isRefusal returns whether an error is the refusal of a request with one of some statuses.
func isRefusal(err error, statuses ...int) bool {
	var refused *HTTPError
	return errors.As(err, &refused) && (len(statuses) == 0 || slices.Contains(statuses, refused.Status))
}

var headerValue = regexp.MustCompile(`^[!-~](?:[ -~]*[!-~])?$`)

func isHeaderValue(session string) bool {
	return len(session) <= mostIDBytes && headerValue.MatchString(session)
}

// HTTP returns the stream of a connection to an agent at the address of its server, which
// the first message opens. With a Handler, or another server that numbers its messages,
// lost streams are opened again, and messages whose response was lost are sent again; each
// arrives once and in its order. With others, a lost stream ends the connection.
func HTTP(url string, options *Options) io.ReadWriteCloser {
	s := &httpStream{
		in: newInbox(mostUnread), url: url,
		next: 1, held: map[int][]byte{}, streams: map[string]*eventStream{}, calls: openCalls{}, asked: openCalls{},
	}
	if options != nil {
		s.options = *options
	}
	o := &s.options
	o.Reconnect = cmp.Or(o.Reconnect, defaultReconnect)
	o.MaxSilence = cmp.Or(o.MaxSilence, defaultSilence)
	o.MaxMessageBytes = cmp.Or(o.MaxMessageBytes, defaultMessageBytes)
	if o.Client != nil {
		s.client = *o.Client
	} else {
		s.own = http.DefaultTransport.(*http.Transport).Clone()
		s.client.Transport = s.own
	}
	s.client.Timeout = 0
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if s.client.Jar == nil {
		s.client.Jar, _ = cookiejar.New(nil)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

type httpStream struct {
	in        *inbox
	url       string
	options   Options
	client    http.Client
	own       *http.Transport // nil for that of the user
	ctx       context.Context
	cancel    context.CancelFunc
	begun     splitter
	count     int // of the client's messages
	following sync.WaitGroup
	id        atomic.Value // of the connection: a string, absent before the answer to initialize
	isOrdered atomic.Bool  // the server numbers the messages of the connection
	first     []byte       // the answer to initialize, before what the stream of the connection has

	mu        sync.Mutex
	next      int // the number of the next message
	held      map[int][]byte
	heldBytes int
	streams   map[string]*eventStream // by session
	calls     openCalls               // of the client
	asked     openCalls               // of the agent, for the headers of the answers
}

// Read reads messages of the agent.
func (s *httpStream) Read(p []byte) (int, error) { return s.in.Read(p) }

// Write sends messages, one after the other: HTTP keeps no order between two requests.
func (s *httpStream) Write(p []byte) (int, error) {
	if err := s.begun.split(p, s.send); err != nil {
		s.finish(err)
		return 0, err
	}
	return len(p), nil
}

// Close ends the connection.
func (s *httpStream) Close() error {
	s.finish(io.EOF)
	s.following.Wait()
	if s.id.Load() != nil {
		ctx, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		// The server may be gone, or this request cut, and then the agent would wait for the client.
		for again := (retry{limit: leaving}); ; {
			response, err := s.do(ctx, http.MethodDelete, nil, nil)
			if err == nil {
				_ = response.Body.Close()
			}
			if err == nil || !again.wait(ctx, err) {
				break
			}
		}
	}
	if s.own != nil {
		s.own.CloseIdleConnections()
	}
	return nil
}

// finish ends both directions. No stream is opened afterwards.
func (s *httpStream) finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	s.in.end(err)
}

// do sends a request with the headers of the connection. Another answer than success is an
// *HTTPError.
func (s *httpStream) do(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url, bytes.NewReader(body))
	if err != nil {
		return nil, lostError{err}
	}
	for _, one := range []http.Header{s.options.Header, header} {
		for name, values := range one {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if id, ok := s.id.Load().(string); ok {
		request.Header.Set(connectionID, id)
	}
	response, err := s.client.Do(request)
	if err != nil || response.StatusCode/100 == 2 {
		return response, err
	}
	defer func() { _ = response.Body.Close() }()
	// The status alone says enough.
	text, _ := io.ReadAll(io.LimitReader(response.Body, mostShown))
	return nil, &HTTPError{response.StatusCode, strings.TrimSpace(string(text)), readDelay(response.Header.Get("Retry-After"))}
}

// readDelay returns the time of Retry-After: seconds or a date (RFC 9110, 10.2.3); else 0.
func readDelay(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 24); err == nil {
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, time.Until(date))
}

// ---- Messages of the client

func (s *httpStream) send(line []byte) error {
	line = bytes.Clone(line)
	if s.id.Load() == nil {
		return s.initialize(line)
	}
	e := rpc.ReadEnvelope(line)
	session := sessionIn(e.Params)
	s.mu.Lock()
	if e.IsResponse {
		session, _ = s.asked.take(e)
	} else {
		s.calls.add(e, session)
	}
	s.mu.Unlock()
	err := s.post(line, session, e.IsRequest)
	// The server may not know the session; a connection that it does not know has no stream.
	isOfSession := isHeaderValue(session) && isRefusal(err, http.StatusNotFound)
	if !isOfSession && (!e.IsRequest || !isRefusal(err) || isRefusal(err, finalStatuses...)) {
		return err
	}
	if !e.IsRequest {
		return nil
	}
	// Only this request has failed.
	s.mu.Lock()
	s.calls.take(e)
	s.mu.Unlock()
	s.in.put(rpc.FailureText(e.ID, acp.NewError(acp.CodeInternalError, err.Error(), nil)))
	return nil
}

// initialize sends the first request, whose response is its answer.
func (s *httpStream) initialize(line []byte) error {
	response, err := s.do(s.ctx, http.MethodPost, http.Header{"Content-Type": {jsonType}}, line)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, int64(s.options.MaxMessageBytes)))
	if err != nil {
		return err
	}
	if e := rpc.ReadEnvelope(answer); !e.IsResponse || e.ID != rpc.ReadEnvelope(line).ID {
		return errors.New("the server has not answered initialize: is this the address of an agent?")
	}
	s.isOrdered.Store(response.Header.Get(eventOrder) == ofConnection)
	if id := response.Header.Get(connectionID); id != "" {
		s.id.Store(id)
		s.first = answer
		return s.opened("")
	}
	s.in.put(answer)
	return nil
}

// post sends a message, and sends it again when its response was lost, where the server
// takes it only once.
func (s *httpStream) post(line []byte, session string, isRequest bool) error {
	header := http.Header{"Content-Type": {jsonType}}
	if isHeaderValue(session) {
		header.Set(sessionID, session)
		// Some servers know a session only after it was loaded, and all have a limit of
		// streams: its messages come in the stream of the connection.
		if err := s.opened(session); err != nil && !isRefusal(err, streamlessStatuses...) {
			return err
		}
	}
	limit := forever
	isOrdered := s.isOrdered.Load()
	if isOrdered {
		limit = s.options.MaxSilence
		s.count++
		header.Set(messageNumber, fmt.Sprint(s.count))
	}
	err := s.persist(line, header, limit, isOrdered)
	if isRequest && header.Get(sessionID) != "" && isRefusal(err, http.StatusNotFound) {
		// Some servers look for the session of the header before they read that it is to be loaded.
		header.Del(sessionID)
		err = s.persist(line, header, limit, isOrdered)
	}
	return err
}

// persist sends a message again whose response was lost, where the server takes it once.
func (s *httpStream) persist(line []byte, header http.Header, limit time.Duration, isOrdered bool) error {
	for again := (retry{limit: s.options.Reconnect}); ; {
		err := s.postOnce(line, header, limit)
		isPassing := err != nil && (!isRefusal(err) || isRefusal(err, passingStatuses...))
		if !isPassing || !isOrdered || !again.wait(s.ctx, err) {
			return err
		}
	}
}

func (s *httpStream) postOnce(line []byte, header http.Header, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	response, err := s.do(ctx, http.MethodPost, header, line)
	if err == nil {
		// After its body, the next request can have the same connection.
		_, _ = io.CopyN(io.Discard, response.Body, mostShown)
		_ = response.Body.Close()
	}
	if err == nil && s.isOrdered.Load() && response.StatusCode != http.StatusAccepted {
		// Something between, such as a page to sign in, has answered in place of the server.
		return fmt.Errorf("a message was answered with %d in place of 202", response.StatusCode)
	}
	return err
}

// ---- Messages of the agent

// receive takes an event of a stream, and waits while too much is unread.
func (s *httpStream) receive(id string, data []byte, session string, isNumbered bool) error {
	if err := s.deliver(id, data, session, isNumbered); err != nil {
		return err
	}
	s.in.hasRoom(s.ctx, forever)
	return nil
}

// deliver delivers the message of an event: in the order of the numbers and once, if they
// number messages.
func (s *httpStream) deliver(id string, data []byte, session string, isNumbered bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// All others are notifications.
	if bytes.Contains(data, []byte(`"id"`)) {
		s.note(rpc.ReadEnvelope(data), session)
	}
	number, _ := numberOf(id)
	if !isNumbered || number == 0 {
		s.in.put(data)
		return nil
	}
	// It may have been sent again.
	if number < s.next || s.held[number] != nil {
		return nil
	}
	s.held[number] = data
	s.heldBytes += len(data) + keptOverhead
	for due := s.held[s.next]; due != nil; due = s.held[s.next] {
		s.in.put(due)
		delete(s.held, s.next)
		s.heldBytes -= len(due) + keptOverhead
		s.next++
	}
	if s.heldBytes > defaultMessageBytes {
		return lostError{errors.New(sentences.MessagesMissing)}
	}
	return nil
}

// note notes what a message of the agent means for streams.
func (s *httpStream) note(e rpc.Envelope, session string) {
	if !e.IsResponse {
		s.asked.add(e, cmp.Or(sessionIn(e.Params), session))
	} else if _, ok := s.calls.take(e); ok {
		// At once: what the agent sent before this answer is in the stream.
		if created := sessionIn(e.Result); isHeaderValue(created) {
			s.open(created)
		}
	}
}
