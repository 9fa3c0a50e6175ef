package profile

import (
	"context"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// An AgentSession is a session as the handlers of an agent use it.
type AgentSession struct {
	// ID is its id.
	ID SessionID

	conn  *role.Conn
	scope *role.Scope

	mu sync.Mutex
	// kind and message are those of the message that the next chunk continues.
	kind    string
	message MessageID
}

func newAgentSession(conn *role.Conn, id SessionID, scope *role.Scope) *AgentSession {
	return &AgentSession{ID: id, conn: conn, scope: scope}
}

// StartTurn starts the work on a prompt, and returns the answer to it. The work begins when
// the prompt was answered and earlier turns of the session have ended. It returns the
// reason why it stopped; empty for the end of the turn. The state of the session is
// reported before and after it.
func (c *AgentCall) StartTurn(work func(context.Context, *AgentSession) (stopReason string, err error)) (*PromptResponse, error) {
	id := SessionID(c.call.SessionID())
	message, err := c.call.StartTurn(func(ctx context.Context, scope *role.Scope) (string, error) {
		reason, err := work(ctx, newAgentSession(c.call.Conn, id, scope))
		if err == nil && reason != "" {
			err = checkStopReason(reason)
		}
		return reason, err
	})
	if err != nil {
		return nil, err
	}
	return &PromptResponse{MessageID: MessageID(message)}, nil
}

// checkStopReason returns an error for a reason that cannot stand in the state that reports it.
func checkStopReason(reason string) error {
	state := codec.Set([]byte(`{"sessionUpdate":"state_update","state":"idle"}`), codec.Quote(reason), "stopReason")
	_, err := schemaUpdateSessionNotification.Encode(&UpdateSessionNotification{Update: &Unknown{Raw: state}})
	return err
}

// Update sends an update.
func (s *AgentSession) Update(ctx context.Context, update SessionUpdate) error {
	params := &UpdateSessionNotification{SessionID: s.ID, Update: update}
	return role.Update(ctx, s.conn, schemaUpdateSessionNotification, params, s.scope)
}

func (s *AgentSession) messageChunk(block ContentBlock) SessionUpdate {
	return &SessionUpdateAgentMessageChunk{MessageID: s.messageID("message"), Content: block}
}

func (s *AgentSession) thoughtChunk(block ContentBlock) SessionUpdate {
	return &SessionUpdateAgentThoughtChunk{MessageID: s.messageID("thought"), Content: block}
}

// messageID returns the id of the message that a chunk belongs to.
func (s *AgentSession) messageID(kind string) MessageID {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kind != kind {
		s.kind, s.message = kind, MessageID(role.NewID("msg_"))
	}
	return s.message
}

// Plan sends the plan of the agent.
func (s *AgentSession) Plan(ctx context.Context, entries ...PlanEntry) error {
	plan := &PlanItems{PlanID: "plan", Entries: entries}
	return s.Update(ctx, &PlanUpdate{Plan: plan})
}

func toolCallStart(call ToolCallUpdate) SessionUpdate {
	update := SessionUpdateToolCallUpdate(call)
	return &update
}

func (c *OpenToolCall) permissionRequest(options []PermissionOption) *RequestPermissionRequest {
	subject := &ToolCallPermissionSubject{ToolCall: ToolCallUpdate{ToolCallID: c.ID, Kind: c.known.Kind}}
	return &RequestPermissionRequest{
		SessionID: c.session.ID,
		Title:     c.known.Title.Or("Tool call"),
		Options:   options,
		Subject:   acp.Some[RequestPermissionSubject](subject),
	}
}

// WithKey returns the session for a prompt that may have to be sent again, on another connection
// as well, without becoming a second message. The key is a new random string, which each retry
// repeats.
func (s *Session) WithKey(key IdempotencyKey) *Session {
	own := &Session{ID: s.ID, conn: s.conn, key: string(key)}
	own.keep()
	return own
}

// TurnEnd is the end of a turn.
type TurnEnd struct {
	// Response is the response to the prompt; nil if the turn was cancelled before the
	// prompt was accepted.
	Response *PromptResponse

	// Update is the update that reports the session as idle.
	Update SessionUpdate

	// StopReason is why the agent stopped; empty if it gave no reason.
	StopReason string
}

// Wait waits for the end of the turn.
func (t *Turn) Wait() (*TurnEnd, error) {
	end, err := t.turn.Wait()
	if err != nil {
		return nil, err
	}
	found := &TurnEnd{nil, updateOf(end.Update), end.StopReason()}
	if end.Response != nil {
		found.Response, err = role.Result(t.turn.Turn, schemaPromptResponse, end.Response)
	}
	return found, err
}

func updateOf(params any) SessionUpdate { return params.(*UpdateSessionNotification).Update }
