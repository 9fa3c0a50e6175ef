package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"mime"
	"net/http"
	"time"
)

// eventStream is the stream of a session, or that of the connection, which is opened again
// behind the last event when it was lost.
type eventStream struct {
	session string
	decided chan struct{} // closed when the server has accepted or refused it
	refusal error
	retry   retry
	lastID  string

	isLater   bool // than the first attempt
	isOpen    bool // or was it
	isRegular bool // the server itself has ended it
}

// opened opens the stream of a session, or that of the connection, and waits until the
// server has accepted it.
func (s *httpStream) opened(session string) error {
	s.mu.Lock()
	stream := s.open(session)
	s.mu.Unlock()
	select {
	case <-stream.decided:
		return stream.refusal
	case <-s.ctx.Done():
		return errClosed
	}
}

func (s *httpStream) open(session string) *eventStream {
	stream := s.streams[session]
	if stream == nil {
		stream = &eventStream{session: session, decided: make(chan struct{}), retry: retry{limit: s.options.Reconnect}}
		if s.ctx.Err() == nil {
			s.streams[session] = stream
			s.following.Add(1)
			go s.follow(stream)
		}
	}
	return stream
}

// follow reads a stream until it has ended for good.
func (s *httpStream) follow(stream *eventStream) {
	defer s.following.Done()
	err := s.read(stream)
	for !isFinal(err) && (s.isOrdered.Load() || stream.lastID != "") {
		if !stream.retry.wait(s.ctx, err) {
			stream.isRegular = false
			err = lostError{errors.Join(errors.New("the server cannot be reached any more"), err)}
			break
		}
		err = s.read(stream)
	}
	canDoWithout := s.forget(stream)
	if !stream.isOpen {
		stream.refusal = err
		close(stream.decided)
	} else if !stream.isRegular {
		s.finish(err)
	} else if !canDoWithout {
		// The server may have ended the connection, and then knows it no longer.
		s.finish(io.EOF)
	}
}

// forget forgets a stream, and returns whether the connection goes on after its regular
// end. A server that numbers its messages ends all streams, and each has its last messages;
// others end that of a closed session.
func (s *httpStream) forget(stream *eventStream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, stream.session)
	if s.isOrdered.Load() {
		return len(s.streams) > 0
	}
	for _, session := range s.calls {
		if session == stream.session {
			return false
		}
	}
	return stream.session != ""
}

// read opens a stream and reads until it ends.
func (s *httpStream) read(stream *eventStream) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	silence := time.AfterFunc(s.options.MaxSilence, cancel)
	defer silence.Stop()
	header := http.Header{"Accept": {eventType}}
	if stream.session != "" {
		header.Set(sessionID, stream.session)
	}
	if stream.isLater {
		header.Set(lastEventID, cmp.Or(stream.lastID, noEvent))
	}
	stream.isLater = true
	wasOrdered := s.isOrdered.Load()
	response, err := s.do(ctx, http.MethodGet, header, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind != eventType {
		return fmt.Errorf("a stream was answered with the type %q", kind)
	}
	isAnnounced := response.Header.Get(eventOrder) == ofConnection
	if isAnnounced {
		s.isOrdered.Store(true)
	}
	stream.retry.deadline = time.Time{}
	if stream.isRegular = false; !stream.isOpen {
		stream.isOpen = true
		if stream.session == "" {
			s.in.put(s.first)
		}
		close(stream.decided)
	}
	arrived := func() {
		// Other servers need not send signs of life.
		if silence.Stop(); isAnnounced {
			silence.Reset(s.options.MaxSilence)
		}
	}
	arrived()
	err = readEvents(response.Body, s.options.MaxMessageBytes, arrived, func(id string, data []byte) error {
		stream.lastID = cmp.Or(id, stream.lastID)
		stream.retry.delay = 0
		return s.receive(id, data, stream.session, wasOrdered || isAnnounced)
	})
	stream.isRegular = err == nil
	return err
}

// isFinal returns whether no further attempt can help.
func isFinal(err error) bool {
	var refused *HTTPError
	if errors.As(err, &refused) {
		return refused.Status < http.StatusInternalServerError
	}
	return errors.As(err, &lostError{})
}

// readEvents reads server-sent events, and leaves out comments and what the end cuts off.
// The data of an event belongs to the function that takes it.
func readEvents(from io.Reader, limit int, arrived func(), take func(id string, data []byte) error) error {
	var line, data []byte
	id := ""
	for in := bufio.NewReaderSize(&lineFeeds{from: from}, pieceBytes); ; {
		part, err := in.ReadSlice('\n')
		arrived()
		if line = append(line, part...); len(line)+len(data) > limit+len("data: \r\n") {
			return lostError{errors.New("an event of the server is too long")}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte{'\n'})
		field, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch {
		case string(field) == "data":
			// Further lines of data are further lines of JSON.
			data = append(append(data, value...), '\n')
		case string(field) == "id":
			id = string(value)
		case len(line) == 0 && len(data) > 0:
			if err := take(id, data[:len(data)-1]); err != nil {
				return err
			}
			id, data = "", nil
		}
		line = line[:0]
	}
}

// lineFeeds reads lines that end with CR, LF or both as lines that end with LF.
type lineFeeds struct {
	from    io.Reader
	afterCR bool
}

func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if !l.afterCR && bytes.IndexByte(p[:n], '\r') < 0 {
		return n, err
	}
	kept := p[:0]
	for _, char := range p[:n] {
		isCR := char == '\r'
		if isCR {
			char = '\n'
		} else if char == '\n' && l.afterCR {
			l.afterCR = false
			continue
		}
		l.afterCR = isCR
		kept = append(kept, char)
	}
	return len(kept), err
}

// retry has the attempts to reach a server again, until a time after the first failure.
type retry struct {
	limit, delay time.Duration
	deadline     time.Time
}

// wait waits for the next attempt, each time longer, and for a random part of the time, so
// that the clients of a server that was restarted do not come at once. It waits at least as
// long as the server asks for with the refusal in err. It returns whether there is a further
// attempt.
func (r *retry) wait(ctx context.Context, err error) bool {
	now := time.Now()
	if r.deadline.IsZero() {
		r.deadline = now.Add(r.limit)
	}
	r.delay = min(max(2*r.delay, firstDelay), lastDelay)
	pause := r.delay - time.Duration(rand.Int63n(int64(r.delay/2)))
	var refused *HTTPError
	if errors.As(err, &refused) {
		pause = max(pause, refused.RetryAfter)
	}
	if now.Add(pause).After(r.deadline) {
		return false
	}
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}
