package remote

import (
	"net/http"
	"strconv"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// The headers of the wire, which the page "Remote agents" of the manual documents. The last
// three are additions: who does not know them ignores them.
const (
	connectionID = "Acp-Connection-Id"
	sessionID    = "Acp-Session-Id"

	// eventOrder announces, with the value ofConnection, that the ids of events number all
	// messages of the connection across its streams, from 1 on.
	eventOrder   = "Acp-Event-Order"
	ofConnection = "connection"

	// messageNumber numbers the messages of a client behind initialize from 1 on. One that
	// is sent again is taken once.
	messageNumber = "Acp-Message-Number"

	// lastEventID is the last event that a client has received from a stream that it opens
	// again; noEvent if it has none.
	lastEventID = "Last-Event-Id"
	noEvent     = "0"

	jsonType  = "application/json"
	eventType = "text/event-stream"
)

// The statuses that end a connection, those of a refused stream that a session can do
// without, and those after which a message is sent again.
var (
	finalStatuses      = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone}
	streamlessStatuses = []int{http.StatusNotFound, http.StatusTooManyRequests}
	passingStatuses    = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}
)

// The defaults of options.
const (
	defaultMessageBytes  = 32 << 20
	defaultBufferedBytes = 16 << 20
	defaultReplayBytes   = 1 << 20
	defaultConnections   = 1000
	defaultIdle          = time.Minute
	defaultKeepAlive     = 15 * time.Second
	defaultReconnect     = 30 * time.Second
	defaultSilence       = time.Minute
)

// The limits and times that no option changes.
const (
	mostIDBytes     = 1024     // of an id in a header
	mostHeaderBytes = 32 << 10 // of all headers: those of the first request are kept
	ownBytes        = 64 << 10 // of each body, besides what all may hold together
	mostStreams     = 1024     // of sessions; messages of others go to the connection's own
	pieceBytes      = 64 << 10 // of a stream
	keptOverhead    = 128      // memory of a kept message besides its text
	mostUnread      = 1 << 20  // by the program, before reading stops
	mostShown       = 500      // of the text of a refusal, in bytes
	mostLogged      = 20       // errors that strangers may cause

	bodyTime     = time.Minute            // for the body of a request
	unopenedTime = 300 * time.Millisecond // then a session's messages go to the connection's stream
	patience     = 5 * time.Second        // with an agent that does not read
	farewell     = 2 * time.Second        // for the end of a connection
	leaving      = time.Second            // for its attempts
	drainPoll    = 20 * time.Millisecond
	firstDelay   = 100 * time.Millisecond // between two attempts to reach a server
	lastDelay    = 5 * time.Second
	forever      = 365 * 24 * time.Hour
)

// sessionIn returns the session that params or a result name, if any.
func sessionIn(value []byte) string {
	session, _ := codec.Text(codec.Get(value, "sessionId"))
	return session
}

// numberOf returns the number of an event or a message.
func numberOf(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 53)
	return int(n), err == nil
}

// openCalls are the unanswered requests of one side: their ids, with the sessions that they
// name.
type openCalls map[string]string

// add notes a message if it is a request.
func (o openCalls) add(e rpc.Envelope, session string) {
	if e.IsRequest {
		o[e.ID] = session
	}
}

// take removes the request of a response.
func (o openCalls) take(e rpc.Envelope) (session string, ok bool) {
	session, ok = o[e.ID]
	delete(o, e.ID)
	return session, ok
}
