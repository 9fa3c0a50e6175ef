package profile

import (
	"context"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// Session returns the session that the message names. Of a prompt, it refuses updates
// behind the end of the turn.
func (c *AgentCall) Session() *AgentSession {
	return newAgentSession(c.call.Conn, SessionID(c.call.SessionID()), c.call.Scope())
}

// Session returns a session, for updates outside of a prompt.
func (c *ConnectedClient) Session(id SessionID) *AgentSession {
	return newAgentSession(c.conn, id, nil)
}

// Message sends a block of a message of the agent.
func (s *AgentSession) Message(ctx context.Context, block ContentBlock) error {
	return s.Update(ctx, s.messageChunk(block))
}

// Text sends a text of a message of the agent.
func (s *AgentSession) Text(ctx context.Context, text string) error {
	return s.Message(ctx, &TextContent{Text: text})
}

// Thought sends a text of a thought of the agent.
func (s *AgentSession) Thought(ctx context.Context, text string) error {
	return s.Update(ctx, s.thoughtChunk(&TextContent{Text: text}))
}

// ToolCall reports a tool call. Without an id, it gets one.
func (s *AgentSession) ToolCall(ctx context.Context, call ToolCallUpdate) (*OpenToolCall, error) {
	if call.ToolCallID == "" {
		call.ToolCallID = ToolCallID(role.NewID("call_"))
	}
	c := &OpenToolCall{ID: call.ToolCallID, session: s}
	c.known.ToolCallID = call.ToolCallID
	c.learn(call)
	return c, s.Update(ctx, toolCallStart(call))
}

// An OpenToolCall is a tool call that was reported. One goroutine at a time may use it.
type OpenToolCall struct {
	// ID is its id in the session.
	ID ToolCallID

	session *AgentSession
	known   ToolCallUpdate
}

// Update reports what has changed. The id is filled in.
func (c *OpenToolCall) Update(ctx context.Context, change ToolCallUpdate) error {
	change.ToolCallID = c.ID
	c.learn(change)
	update := SessionUpdateToolCallUpdate(change)
	return c.session.Update(ctx, &update)
}

// Status reports the status.
func (c *OpenToolCall) Status(ctx context.Context, status ToolCallStatus) error {
	return c.Update(ctx, ToolCallUpdate{Status: acp.Some(status)})
}

// Text adds a text to the content.
func (c *OpenToolCall) Text(ctx context.Context, text string) error {
	return c.Update(ctx, ToolCallUpdate{Content: acp.Some(c.contentWith(text))})
}

// Fail reports that the tool call has failed, and adds the reason to its content.
func (c *OpenToolCall) Fail(ctx context.Context, reason string) error {
	return c.Update(ctx, ToolCallUpdate{Status: acp.Some(ToolCallStatusFailed), Content: acp.Some(c.contentWith(reason))})
}

// Run reports that the tool call runs, and its end: completed, or failed with the text of
// the error. The end is reported even if the context has ended. It returns the error.
func (c *OpenToolCall) Run(ctx context.Context, work func(context.Context) error) error {
	if err := c.Status(ctx, ToolCallStatusInProgress); err != nil {
		return err
	}
	if err := work(ctx); err != nil {
		// The failure of the work matters more than that of its report.
		_ = c.Fail(context.WithoutCancel(ctx), err.Error())
		return err
	}
	return c.Status(context.WithoutCancel(ctx), ToolCallStatusCompleted)
}

// Ask asks the user for permission. It returns the option that allows the tool call; nil if
// it was rejected or cancelled. By default, the options are to allow or to reject it once.
func (c *OpenToolCall) Ask(ctx context.Context, options ...PermissionOption) (*PermissionOption, error) {
	if len(options) == 0 {
		options = []PermissionOption{
			{OptionID: "allow", Name: "Allow", Kind: PermissionOptionKindAllowOnce},
			{OptionID: "reject", Name: "Reject", Kind: PermissionOptionKindRejectOnce},
		}
	}
	question := c.permissionRequest(options)
	response, err := role.Ask(ctx, c.session.conn, schemaRequestPermissionRequest, question, schemaRequestPermissionResponse)
	if err != nil {
		return nil, err
	}
	// An unknown outcome, or an option that was not offered or is of an unknown kind, is not an approval.
	selected, _ := response.Outcome.(*SelectedPermissionOutcome)
	for i, option := range options {
		isAllowed := option.Kind == PermissionOptionKindAllowOnce || option.Kind == PermissionOptionKindAllowAlways
		if selected != nil && option.OptionID == selected.OptionID && isAllowed {
			return &options[i], nil
		}
	}
	return nil, nil
}

func (c *OpenToolCall) contentWith(text string) []ToolCallContent {
	known := c.known.Content.Or(nil)
	return append(known[:len(known):len(known)], &Content{Content: &TextContent{Text: text}})
}

// learn keeps what was reported, for the question whether the tool call is allowed.
func (c *OpenToolCall) learn(change ToolCallUpdate) {
	keep(&c.known.Content, change.Content)
	keep(&c.known.Kind, change.Kind)
	keep(&c.known.Locations, change.Locations)
	keep(&c.known.RawInput, change.RawInput)
	keep(&c.known.RawOutput, change.RawOutput)
	keep(&c.known.Title, change.Title)
}

func keep[T any](known *acp.Opt[T], change acp.Opt[T]) {
	if !change.IsZero() {
		*known = change
	}
}
