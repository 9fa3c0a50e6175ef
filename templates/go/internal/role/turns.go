package role

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/rpc"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// Work is the work on a prompt. It returns the reason why it stopped; empty for the end of
// the turn.
type Work func(context.Context) (stopReason string, err error)

// agentTurns runs the turns of each session one after the other, and reports its state.
// Since version 2, a prompt is answered before its work begins.
type agentTurns struct {
	conn     *Conn
	sessions *sessions
}

// sessionTurns are those of a session, guarded by the table of sessions.
type sessionTurns struct {
	queue     []*agentTurn
	isRunning bool          // whether it was reported as running; only run changes it
	done      chan struct{} // closed when the session is idle
}

// agentTurn is the place of a prompt among the turns of its session. It is taken before
// the handler runs, so that the order is that of the wire and no cancellation is missed.
type agentTurn struct {
	request *rpc.Request
	ctx     context.Context
	cancel  context.CancelFunc
	scope   *Scope

	// Guarded by the table of sessions.
	work   Work // nil if the handler has not started the turn
	isGone bool // whether it is too late to start it
}

func (t *agentTurns) reserve(session string, r *rpc.Request) *agentTurn {
	turn := &agentTurn{request: r, scope: &Scope{conn: t.conn}}
	turn.ctx, turn.cancel = context.WithCancel(t.conn.rpc.Context())
	t.sessions.mu.Lock()
	defer t.sessions.mu.Unlock()
	one := t.sessions.of(session)
	if one.running == nil {
		s := &sessionTurns{done: make(chan struct{})}
		one.running = s
		t.conn.rpc.Go(func() { t.run(session, s) })
	}
	one.running.queue = append(one.running.queue, turn)
	return turn
}

// cancel cancels the turns of a session and of those that its cancellation reaches. It returns
// channels that are closed when these sessions are idle.
func (t *agentTurns) cancel(session string, isClosing bool) (ended []<-chan struct{}) {
	t.sessions.mu.Lock()
	defer t.sessions.mu.Unlock()
	for id, s := range t.sessions.known {
		if s.running != nil && slices.Contains(t.sessions.path(id, isClosing), session) {
			for _, one := range s.running.queue {
				one.cancel()
			}
			ended = append(ended, s.running.done)
		}
	}
	return ended
}

// isRunning returns whether a session is running, or is going to be.
func (t *agentTurns) isRunning(session string) bool {
	t.sessions.mu.Lock()
	defer t.sessions.mu.Unlock()
	s := t.sessions.find(session).running
	return s != nil && (s.isRunning || slices.ContainsFunc(s.queue, func(one *agentTurn) bool { return one.work != nil }))
}

// run runs the turns of a session until none is left.
func (t *agentTurns) run(session string, s *sessionTurns) {
	idle := ""
	for {
		var turn *agentTurn
		t.sessions.mu.Lock()
		if len(s.queue) > 0 {
			turn = s.queue[0]
		} else if !s.isRunning {
			t.sessions.find(session).running = nil
			t.sessions.mu.Unlock()
			break
		}
		t.sessions.mu.Unlock()
		if turn == nil {
			t.setState(session, s, `"idle",`+idle, false)
			continue
		}
		wait(t.conn.rpc.Context(), turn.request.Done())
		if t.begin(turn) {
			if !s.isRunning {
				t.setState(session, s, `"running"`, true)
			}
			idle = t.runOne(turn)
		}
		turn.cancel()
		t.sessions.mu.Lock()
		s.queue = slices.DeleteFunc(s.queue, func(one *agentTurn) bool { return one == turn })
		isNextNew := len(s.queue) > 0 && s.queue[0].ctx.Err() == nil
		t.sessions.mu.Unlock()
		if s.isRunning && idle == cancelledTurnEnd && isNextNew {
			// The end of cancelled work precedes new work.
			t.setState(session, s, `"idle",`+idle, false)
		}
	}
	close(s.done)
}

// setState reports the state of a session, which it has from that moment of the wire.
func (t *agentTurns) setState(session string, s *sessionTurns, state string, isRunning bool) {
	set := func() error {
		t.sessions.mu.Lock()
		defer t.sessions.mu.Unlock()
		s.isRunning = isRunning
		return nil
	}
	// Whoever is not connected any more does not miss it.
	_ = t.report(t.conn.rpc.Context(), session, state, set)
	_ = set()
}

// begin returns whether there is work to begin.
func (t *agentTurns) begin(turn *agentTurn) bool {
	t.sessions.mu.Lock()
	defer t.sessions.mu.Unlock()
	turn.isGone = true
	return turn.work != nil
}

// start gives a turn its work.
func (t *agentTurns) start(turn *agentTurn, work Work) bool {
	t.sessions.mu.Lock()
	defer t.sessions.mu.Unlock()
	if turn == nil || turn.isGone || turn.work != nil {
		return false
	}
	turn.work = work
	return true
}

// report sends the state of a session, unless a function that runs at that moment of the wire
// returns an error.
func (t *agentTurns) report(ctx context.Context, session, state string, check func() error) error {
	update := []byte(`{"sessionUpdate":"state_update","state":` + state + `}`)
	if background := t.sessions.backgroundOf(session); background != nil {
		update = codec.Set(update, background, "background")
	}
	return t.send(ctx, session, update, check)
}

var errChanged = errors.New("the state has changed")

// reportState sends the state that a session has at that moment of the wire, if a function
// returns no error then.
func (t *agentTurns) reportState(ctx context.Context, session string, check func() error) {
	for err := errChanged; errors.Is(err, errChanged); {
		isRunning, state := t.isRunning(session), `"idle"`
		if isRunning {
			state = `"running"`
		}
		err = t.report(ctx, session, state, func() error {
			if err := check(); err != nil {
				return err
			}
			if t.isRunning(session) != isRunning {
				return errChanged
			}
			return nil
		})
	}
}

func (t *agentTurns) send(ctx context.Context, session string, update []byte, check func() error) error {
	return t.conn.notify(ctx, t.conn.update, codec.Set(inSession(session), update, "update"), check)
}

const cancelledTurnEnd = `"stopReason":"cancelled"`

// runOne runs a turn, and returns the properties of the idle state that ends it.
func (t *agentTurns) runOne(turn *agentTurn) string {
	defer turn.scope.end()
	if turn.ctx.Err() != nil {
		return cancelledTurnEnd
	}
	type outcome struct {
		reason string
		err    error
	}
	ended := make(chan outcome, 1)
	t.conn.rpc.Go(func() {
		var reason string
		rpc.Run(func() (err error) {
			reason, err = turn.work(turn.ctx)
			return err
		}, func(err error) { ended <- outcome{reason, err} })
	})
	var found outcome
	select {
	case found = <-ended:
	case <-turn.ctx.Done():
		select {
		case <-ended:
		case <-time.After(t.conn.rpc.Limits().CancelGrace):
		}
	}
	switch {
	case turn.ctx.Err() != nil:
		return cancelledTurnEnd
	case found.err != nil:
		return t.failure(found.err)
	case found.reason == "":
		return `"stopReason":"end_turn"`
	}
	return `"stopReason":` + string(codec.Quote(found.reason))
}

func (t *agentTurns) failure(err error) string {
	var shown *acp.Error
	if !errors.As(err, &shown) {
		// The text of another error may contain data that the client must not see.
		t.conn.role.report(err, t.conn.prompt)
		shown = acp.NewError(acp.CodeInternalError, "Internal error", nil)
	}
	text, _ := json.Marshal(shown)
	return `"stopReason":"error","error":` + string(text)
}

// StartTurn sends the prompt of the user as a message, and starts the work on it, which
// begins when the prompt was answered and earlier turns have ended. It returns the id of
// the message.
func (c *Call) StartTurn(work func(context.Context, *Scope) (string, error)) (messageID string, err error) {
	turn := c.turn
	if turn != nil && turn.ctx.Err() != nil {
		// A prompt that was cancelled before it is part of the conversation fails.
		return "", acp.NewError(acp.CodeRequestCancelled, "Request cancelled", nil)
	}
	run := func(ctx context.Context) (string, error) { return work(ctx, turn.scope) }
	if !c.Conn.turns.start(turn, run) {
		return "", errors.New(c.Method + " cannot start a turn: it is not a prompt, has started one, or was answered")
	}
	messageID = NewID("msg_")
	update := codec.Set([]byte(`{"sessionUpdate":"user_message"}`), codec.Quote(messageID), "messageId")
	// Whoever is not connected any more does not miss it.
	_ = c.Conn.turns.send(c.Conn.rpc.Context(), c.SessionID(), codec.Set(update, codec.Get(c.params, "prompt"), "content"), nil)
	return messageID, nil
}

// NewID returns a random id.
func NewID(prefix string) string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	return prefix + hex.EncodeToString(id[:])
}

// A Scope is what updates of a session belong to: a turn, whose end they must not follow.
// Nil is none.
type Scope struct {
	conn     *Conn
	request  *rpc.Request // of a prompt in version 1
	hasEnded bool         // guarded by the wire
}

// ofTurns are the updates of version 1 that are part of a turn.
var ofTurns = []string{
	"agent_message_chunk", "agent_message_clear", "agent_thought_chunk", "plan", "plan_removed", "plan_update", "tool_call",
	"tool_call_update", "user_message_chunk",
}

// Scope returns the turn that a call belongs to.
func (c *Call) Scope() *Scope {
	s := &Scope{conn: c.Conn}
	if c.request != nil && c.Method == c.Conn.prompt && c.Conn.protocol.Version == 1 {
		s.request = c.request
	}
	return s
}

func (s *Scope) end() { s.conn.rpc.Locked(func() { s.hasEnded = true }) }

// check refuses an update of a turn that has ended.
func (s *Scope) check(params []byte) error {
	if s == nil || !s.hasEnded && (s.request == nil || !s.request.IsAnswered()) {
		return nil
	}
	tag, _ := codec.Text(codec.Get(params, "update", "sessionUpdate"))
	if !s.hasEnded && !slices.Contains(ofTurns, tag) {
		return nil
	}
	return errors.New(sentences.AfterTurn(tag))
}
