package acp

import (
	"cmp"
	"context"
	"time"
)

// WhileBusy is what an agent does with a prompt while another prompt of its session runs,
// which in version 2 includes its turn.
type WhileBusy int

const (
	// WhileBusyParallel starts the handler at once.
	WhileBusyParallel WhileBusy = iota

	// WhileBusyQueue starts the handler when the prompts before it were answered. In version
	// 2, the turns of a session are queued in any case.
	WhileBusyQueue

	// WhileBusyRefuse answers with CodeInvalidRequest.
	WhileBusyRefuse
)

// PromptMessages are the messages of prompts that have an idempotencyKey.
type PromptMessages interface {
	// FindMessage returns the id of the message of a prompt in an open session; empty if there is none.
	FindMessage(session, key string) (message string)

	// KeepMessage remembers a message as long as its session.
	KeepMessage(session, key, message string)
}

// Options are the options of an agent or a client. The zero value has the defaults.
type Options struct {
	// Extensions handle methods that the protocol does not have; see HandleRequest.
	Extensions []Extension

	// OnError takes errors that the other side must not see, and malformed input. The
	// method is empty for an error of the connection. By default, slog logs them, and
	// of malformed input only the beginning. To know the connection of an error, make an agent
	// or a client for each connection.
	OnError func(err error, method string)

	// OnNotes takes the repairs of received messages, and the unknown values in them.
	OnNotes func(notes []Note, method string)

	// WhileBusy is what an agent does with prompts of a session that has not ended the last one.
	WhileBusy WhileBusy

	// OnAuthRequired lets a client sign in when a call was answered with CodeAuthRequired. When
	// it returns nil, the call is sent once more; otherwise its error is that of the call. Calls
	// that fail while it runs wait for it as well, except for those under its context. That ends
	// with the connection, and the agent is the *ConnectedAgent of the package of the client.
	OnAuthRequired func(ctx context.Context, agent Peer, required *Error) error

	// SessionStore remembers each prompt that has an idempotencyKey, so that another connection or
	// process recognizes it as well; a sessions.Store does. Without one, each connection of an
	// agent remembers its own. It is for version 2.
	SessionStore PromptMessages

	// DisableStates lets a client keep no states of its sessions: those that it returns
	// are empty.
	DisableStates bool

	// Limits are the limits of each connection.
	Limits Limits
}

// Limits are far above what a regular peer reaches. Those that are zero are the defaults.
type Limits struct {
	// MaxInFlight is how many requests of the peer may be unanswered; further ones are
	// answered with CodeTooManyRequests. So are those of a peer that reads nothing of
	// 64 MiB of answers. By default, 4096.
	MaxInFlight int

	// MaxInvalidInRow is how many malformed messages in a row end the connection. By
	// default, 1000.
	MaxInvalidInRow int

	// MaxLineBytes is the length of the longest line that is read. By default, 32 MiB.
	MaxLineBytes int

	// MaxQueuedBytes is how many bytes wait to be written before a call or a
	// notification waits as well. By default, 1 MiB.
	MaxQueuedBytes int

	// Stall is how long the other side may read nothing while more than 1 MiB is unsent.
	// Then the connection ends; it also does when 256 MiB are unsent. By default, 60 s; below
	// zero, neither ends it.
	Stall time.Duration

	// CancelGrace is how long a cancelled request may still take, and how long the end of
	// a turn waits for handlers. By default, 30 s.
	CancelGrace time.Duration

	// EndGrace is how long handlers may take, and requests may still be answered, after
	// the peer has ended its side, and how long the end of a connection waits for handlers
	// whose contexts have ended. By default, 1 s.
	EndGrace time.Duration
}

// WithDefaults returns the limits with the defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	l.MaxInFlight = cmp.Or(l.MaxInFlight, 4096)
	l.MaxInvalidInRow = cmp.Or(l.MaxInvalidInRow, 1000)
	l.MaxLineBytes = cmp.Or(l.MaxLineBytes, 32<<20)
	l.MaxQueuedBytes = cmp.Or(l.MaxQueuedBytes, 1<<20)
	l.Stall = cmp.Or(l.Stall, time.Minute)
	l.CancelGrace = cmp.Or(l.CancelGrace, 30*time.Second)
	l.EndGrace = cmp.Or(l.EndGrace, time.Second)
	return l
}

// Stats counts what a connection has received and could not use.
type Stats struct {
	// Malformed is the number of lines and values that are not messages, and of lines
	// that are too long.
	Malformed int

	// Ignored is the number of responses that no call waits for.
	Ignored int
}
