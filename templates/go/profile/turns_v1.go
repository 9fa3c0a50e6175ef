package profile

import (
	"context"

	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// An AgentSession is a session as the handlers of an agent use it.
type AgentSession struct {
	// ID is its id.
	ID SessionID

	conn  *role.Conn
	scope *role.Scope
}

func newAgentSession(conn *role.Conn, id SessionID, scope *role.Scope) *AgentSession {
	return &AgentSession{id, conn, scope}
}

// Update sends an update.
func (s *AgentSession) Update(ctx context.Context, update SessionUpdate) error {
	params := &SessionNotification{SessionID: s.ID, Update: update}
	return role.Update(ctx, s.conn, schemaSessionNotification, params, s.scope)
}

func (s *AgentSession) messageChunk(block ContentBlock) SessionUpdate {
	return &SessionUpdateAgentMessageChunk{Content: block}
}

func (s *AgentSession) thoughtChunk(block ContentBlock) SessionUpdate {
	return &SessionUpdateAgentThoughtChunk{Content: block}
}

// Plan sends the plan of the agent.
func (s *AgentSession) Plan(ctx context.Context, entries ...PlanEntry) error {
	return s.Update(ctx, &Plan{Entries: entries})
}

func toolCallStart(call ToolCallUpdate) SessionUpdate {
	return &ToolCall{
		ToolCallID: call.ToolCallID,
		Title:      call.Title.Or(""),
		Content:    call.Content,
		Kind:       call.Kind,
		Locations:  call.Locations,
		RawInput:   call.RawInput,
		RawOutput:  call.RawOutput,
		Status:     call.Status,
		Meta:       call.Meta,
		Extra:      call.Extra,
	}
}

func (c *OpenToolCall) permissionRequest(options []PermissionOption) *RequestPermissionRequest {
	return &RequestPermissionRequest{SessionID: c.session.ID, ToolCall: c.known, Options: options}
}

// TurnEnd is the end of a turn, which has the reason why the agent stopped.
type TurnEnd = PromptResponse

// Wait waits for the end of the turn.
func (t *Turn) Wait() (*TurnEnd, error) {
	end, err := t.turn.Wait()
	if err != nil {
		return nil, err
	}
	return role.Result(t.turn.Turn, schemaPromptResponse, end.Response)
}

func updateOf(params any) SessionUpdate { return params.(*SessionNotification).Update }
