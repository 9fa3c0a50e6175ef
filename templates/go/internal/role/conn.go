package role

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
)

// A Conn is a role that is connected: it checks and dispatches what the peer sends.
type Conn struct {
	role     *Role
	protocol *Protocol
	rpc      *rpc.Conn
	facts    *facts
	gates    atomic.Pointer[Gates] // nil before the handshake
	isUsed   atomic.Bool
	updates  *updates
	prompt   string
	cancel   string
	update   string
	sessions *sessions
	// states are nil for agents, and for clients that disable them.
	states *states
	// turns are those that an agent runs, after version 1.
	turns *agentTurns
	// resumptions are nil for clients, and in version 1.
	resumptions *resumptions

	notified codec.Cache // the ids of sessions, for the reader

	mu      sync.Mutex
	signIn  *signIn // nil while none is running
	signIns int     // those that have succeeded
}

// NewConn returns a connection that has not started.
func (r *Role) NewConn(stream io.ReadWriteCloser) *Conn {
	p := r.protocol
	known := &sessions{version: p.Version}
	c := &Conn{
		role: r, protocol: p, sessions: known, facts: newFacts(p, known),
		prompt: p.named(startsTurn, request), cancel: p.named(cancelsTurn, notification), update: p.named(updatesSession, notification),
	}
	// A client does not answer the log of an agent that writes to its output.
	c.rpc = rpc.NewConn(stream, c, r.options.Limits, p.Version == 1, r.side == Agent)
	c.updates = &updates{conn: c.rpc, lanes: map[string]*lane{}}
	if c.isClient() && !r.options.DisableStates {
		c.states = newStates(p.states, p.Version)
	}
	c.turns = &agentTurns{conn: c, sessions: known}
	if r.side == Agent && p.Version > 1 {
		c.resumptions = &resumptions{conn: c, open: map[*resumption]bool{}, held: map[string]*heldUpdates{}}
	}
	return c
}

func (c *Conn) isClient() bool { return c.role.side == Client }

// Start starts to read and to write.
func (c *Conn) Start() { c.rpc.Start() }

// Close ends the connection, and may wait for its end and that of its handlers.
func (c *Conn) Close(waits bool) error {
	c.rpc.Close(nil)
	if waits {
		<-c.rpc.Done()
	}
	return c.rpc.Err()
}

// Done is closed when the connection and its handlers have ended, or a grace is over.
func (c *Conn) Done() <-chan struct{} { return c.rpc.Done() }

// Err returns why the connection has ended; nil if it has in the regular way.
func (c *Conn) Err() error { return c.rpc.Err() }

// Stats returns what was received and could not be used.
func (c *Conn) Stats() acp.Stats { return c.rpc.Stats() }

// Serve starts the connection and waits for its end, or for that of a context.
func (c *Conn) Serve(ctx context.Context) error {
	c.Start()
	select {
	case <-c.rpc.Done():
	case <-ctx.Done():
		c.rpc.Close(context.Cause(ctx))
		<-c.rpc.Done()
	}
	return c.rpc.Err()
}

// Supports returns whether the peer advertised a capability.
func (c *Conn) Supports(capability acp.Capability) bool {
	gates := c.gates.Load()
	return gates != nil && gates.supports(capability, c.role.other)
}

// Report implements rpc.Receiver.
func (c *Conn) Report(err error, method string) { c.role.report(err, method) }

// openTurns returns the turns of a session, in a list that nobody changes.
func (c *Conn) openTurns(session string) []*Turn {
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	return c.sessions.find(session).turns
}

// runningTurns returns the turns that updates of a session are part of.
func (c *Conn) runningTurns(session string) []*Turn {
	turns := c.openTurns(session)
	if slices.ContainsFunc(turns, (*Turn).isOver) {
		turns = slices.DeleteFunc(slices.Clone(turns), (*Turn).isOver)
	}
	return turns
}

// cancelPrompts ends the prompts of a session in version 1, and its turns in later
// versions, with those of its subagents. The questions of the agent are withdrawn, except for
// those of listed background work if the session stays open. It returns channels that are
// closed when these turns have ended.
func (c *Conn) cancelPrompts(params []byte, isClosing bool) []<-chan struct{} {
	session := sessionOf(params)
	isReached := func(other string) bool { return c.sessions.reaches(session, other, isClosing) }
	c.rpc.Withdraw(func(method string, given []byte) []byte {
		other := sessionOf(given)
		question := c.protocol.find(c.role.other, request, method)
		if question == nil || !isReached(other) || !isClosing && c.sessions.backgroundOf(other) != nil {
			return nil
		}
		return question.CancelledResult
	})
	c.rpc.CancelTurn(func(method string, given []byte) bool {
		return isReached(sessionOf(given)) && c.CancelledResult(method, rpc.ByTurn) != nil
	})
	return c.turns.cancel(session, isClosing)
}
