package profile

import (
	"context"

	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// A Session is a session as a client uses it.
type Session struct {
	// ID is its id at the agent.
	ID SessionID

	conn *role.Conn
	// key is that of its prompts, after version 1.
	key string
	// last is what it knows of its state when the connection knows it no longer.
	last role.Last
}

// Session returns a session that was opened.
func (a *ConnectedAgent) Session(id SessionID) *Session {
	s := &Session{ID: id, conn: a.conn}
	s.keep()
	return s
}

func (s *Session) keep() { s.conn.State(string(s.ID), &s.last, nil) }

// A Continuation is a session that was continued, or a new one in its place.
type Continuation struct {
	// How is "resume" if the session continues, "load" if the agent has replayed its
	// messages as well, and "new" if neither was possible.
	How string

	// Session is open.
	Session *Session

	// Reasons is why other ways have failed, in the order in which they were tried: what
	// the agent has not advertised, or its answer.
	Reasons []error
}

// Continue opens a session again, for a client that has its messages: it is resumed, else
// loaded, else a new one is opened with the params. When the user has to sign in, or the
// connection has ended, no other way is tried. An empty id stands for a new session.
func (a *ConnectedAgent) Continue(ctx context.Context, id SessionID, params *NewSessionRequest) (*Continuation, error) {
	return a.continueSession(ctx, id, params, false)
}

// Replay opens a session again as Continue does, for a client that needs its messages:
// loading it is tried first.
func (a *ConnectedAgent) Replay(ctx context.Context, id SessionID, params *NewSessionRequest) (*Continuation, error) {
	return a.continueSession(ctx, id, params, true)
}

func (a *ConnectedAgent) continueSession(ctx context.Context, id SessionID, params *NewSessionRequest, replays bool) (*Continuation, error) {
	text, err := schemaNewSessionRequest.Encode(params)
	if err != nil {
		return nil, err
	}
	found, err := a.conn.Continue(ctx, string(id), text, replays)
	if err != nil {
		return nil, err
	}
	return &Continuation{found.How, a.Session(SessionID(found.ID)), found.Reasons}, nil
}

// Prompt sends a prompt and waits for the end of its turn. Before it returns a result or an
// error, the handlers of the turn's updates have ended, for which it waits for
// [acp.Limits.CancelGrace] at most. When the context ends, the agent is asked to stop, and Prompt
// returns at once.
func (s *Session) Prompt(ctx context.Context, prompt ...ContentBlock) (*TurnEnd, error) {
	return s.start(ctx, prompt, false).Wait()
}

// Start sends a prompt, for a loop over the updates of its turn.
func (s *Session) Start(ctx context.Context, prompt ...ContentBlock) *Turn {
	return s.start(ctx, prompt, true)
}

// Cancel asks the agent to stop the work of the session.
func (s *Session) Cancel(ctx context.Context) error { return s.conn.CancelTurn(ctx, string(s.ID)) }

// SetOption sets the option of a category, such as "model", whatever id the agent has given it. The
// value is a string, or a bool. An error is an [*acp.InvalidError] unless the session has reported
// one such option, with this value.
func (s *Session) SetOption(ctx context.Context, category string, value any) error {
	return role.SetOption(ctx, s.conn, string(s.ID), category, value, schemaSetSessionConfigOptionResponse)
}

// Path returns the place of the session: the ids from the session that was opened to this one,
// which may be a subagent of a subagent. The states of subagents begin when they are announced.
func (s *Session) Path() (path []SessionID) {
	for _, id := range s.conn.Path(string(s.ID)) {
		path = append(path, SessionID(id))
	}
	return path
}

// Forget lets go of the session on this side, as if it was closed, but without a message: the
// connection no longer keeps its state. It is for agents that cannot close sessions, and for sessions that go on
// without this client.
func (s *Session) Forget() { s.conn.Forget(string(s.ID)) }

func (s *Session) start(ctx context.Context, prompt []ContentBlock, isRead bool) *Turn {
	params, err := schemaPromptRequest.Encode(&PromptRequest{SessionID: s.ID, Prompt: prompt})
	if err == nil && s.key != "" {
		params = role.WithKey(params, s.key)
	}
	return &Turn{turn: s.conn.StartTurn(ctx, string(s.ID), params, err, isRead)}
}

// A Turn is the work on a prompt. One goroutine at a time may use it.
type Turn struct {
	turn   *role.Loop
	update SessionUpdate
}

// Next waits for the next update. It returns false when the turn has ended.
func (t *Turn) Next() bool {
	found, ok := t.turn.Next()
	if ok {
		t.update = updateOf(found)
	}
	return ok
}

// Update returns the update that Next has found.
func (t *Turn) Update() SessionUpdate { return t.update }

// Follow returns the turn for another loop, which begins with the next update. In the handler
// of one of its updates, give it the context of the handler and use what it returns: the turn
// itself waits for that handler, for [acp.Limits.CancelGrace].
func (t *Turn) Follow(ctx context.Context) *Turn { return &Turn{turn: t.turn.Follow(ctx)} }

// Close asks the agent to stop, unless the turn has ended. Use it with defer.
func (t *Turn) Close() { t.turn.Stop() }
