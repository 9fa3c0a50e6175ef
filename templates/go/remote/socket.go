package remote

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// textMessage is the kind of a text message in every library.
const textMessage = 1

// A Socket is an open WebSocket of any library; the README has those of coder/websocket and
// of gorilla/websocket. Two further methods are used if it has them: SetReadLimit(int64),
// and Ping(context.Context) error, which waits for the answer.
type Socket interface {
	// ReadMessage waits for the next message, whose kind is 1 for text. The error is
	// io.EOF when the other side has closed the socket in the regular way.
	ReadMessage() (kind int, data []byte, err error)

	// WriteMessage sends a message.
	WriteMessage(kind int, data []byte) error

	// Close closes the socket, and ends a read or a write that is waiting.
	Close() error
}

// WebSocket returns an open WebSocket as the stream of a connection: each text message is
// one of the protocol. After some silence, the other side has to answer a ping.
func WebSocket(socket Socket) io.ReadWriteCloser {
	s := newSocketStream(defaultMessageBytes, 2*defaultKeepAlive, defaultIdle)
	s.calls = nil
	s.start(socket)
	return s
}

type socketStream struct {
	maxBytes         int
	heartbeat, stall time.Duration
	beat             *time.Timer
	unread           []byte
	begun            splitter

	mu     sync.Mutex
	socket Socket
	calls  openCalls // of a client, for its agent; nil otherwise
	reads  int       // odd while a message is waited for
	err    error     // why this side has closed it
}

func newSocketStream(maxBytes int, heartbeat, stall time.Duration) *socketStream {
	s := &socketStream{maxBytes: maxBytes, heartbeat: heartbeat, stall: stall, calls: openCalls{}}
	s.beat = time.AfterFunc(forever, s.ping)
	return s
}

func (s *socketStream) start(socket Socket) {
	if limited, ok := socket.(interface{ SetReadLimit(int64) }); ok {
		limited.SetReadLimit(int64(s.maxBytes))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.socket = socket; s.err != nil {
		go func() { _ = socket.Close() }()
	}
}

// Read implements io.Reader.
func (s *socketStream) Read(p []byte) (int, error) {
	for len(s.unread) == 0 {
		s.turn()
		s.beat.Reset(s.heartbeat)
		kind, data, err := s.socket.ReadMessage()
		s.beat.Stop()
		s.turn()
		if err == nil && len(data) > s.maxBytes {
			err = errors.New("a message is too long")
			s.end(lostError{err})
		}
		if err != nil {
			return 0, s.reason(err)
		}
		// Other kinds have no meaning here.
		if kind == textMessage && len(data) > 0 {
			s.note(data, true)
			s.unread = appendLine(nil, data)
		}
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

// Write implements io.Writer.
func (s *socketStream) Write(p []byte) (int, error) {
	err := s.begun.split(p, func(line []byte) error {
		defer time.AfterFunc(s.stall, func() { s.end(errStalled) }).Stop()
		// Until it is written, the call is open, and the server does not end.
		defer s.note(line, false)
		return s.socket.WriteMessage(textMessage, line)
	})
	if err != nil {
		return 0, s.reason(err)
	}
	return len(p), nil
}

// note notes the calls of a client, and their answers.
func (s *socketStream) note(text []byte, isReceived bool) {
	if s.calls == nil {
		return
	}
	e := rpc.ReadEnvelope(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if isReceived {
		s.calls.add(e, "")
	} else if e.IsResponse {
		s.calls.take(e)
	}
}

// reason returns why the connection has ended, for an error of the socket.
func (s *socketStream) reason(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && err != io.EOF {
		return lostError{err}
	}
	return cmp.Or(s.err, err)
}

// Close implements io.Closer.
func (s *socketStream) Close() error {
	if socket := s.close(io.EOF); socket != nil {
		// The other side may have closed it before.
		_ = socket.Close()
	}
	return nil
}

func (s *socketStream) end(err error) {
	if socket := s.close(err); socket != nil {
		go func() { _ = socket.Close() }()
	}
}

// close returns the socket when it has to be closed.
func (s *socketStream) close(err error) Socket {
	s.beat.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil
	}
	s.err = err
	return s.socket
}

func (s *socketStream) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls) > 0
}

// turn is called before a message is waited for, and afterwards.
func (s *socketStream) turn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
}

func (s *socketStream) readCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// ping asks a silent side for a sign of life. Its answer is only read while a message is
// waited for.
func (s *socketStream) ping() {
	reads := s.readCount()
	pinger, ok := s.socket.(interface{ Ping(context.Context) error })
	if !ok || reads%2 == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.heartbeat)
	defer cancel()
	if err := pinger.Ping(ctx); s.readCount() != reads {
		return
	} else if err != nil {
		s.end(errSilent)
	} else {
		s.beat.Reset(s.heartbeat)
	}
}
