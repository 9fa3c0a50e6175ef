package acptest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"strings"
)

// A Client is a fake client, for tests of agents. Its fields are set before it is connected.
type Client struct {
	// Version is that of the protocol; 1 if it is zero.
	Version int

	// Capabilities is what the client advertises; nothing if it is nil.
	Capabilities any

	// Permission answers a question of the agent with the id of an option; an empty one cancels.
	// By default, the first option that allows is selected.
	Permission func(params json.RawMessage) string

	// Elicitation answers a form with its content, which is a value for encoding/json; nil
	// declines, as the client does by default.
	Elicitation func(params json.RawMessage) any

	peer
	updates chan update
}

// An update is one of a session.
type update struct {
	session string
	text    json.RawMessage
}

// mostUpdates is how many updates are kept for a turn before the agent has to wait.
const mostUpdates = 10_000

// Connect starts an agent, such as the Serve method of one, and completes the handshake. The agent
// ends with the context, or when the client is closed.
func (c *Client) Connect(ctx context.Context, serve func(context.Context, io.ReadWriteCloser) error) error {
	here, there := net.Pipe()
	c.stream, c.handle, c.updates = here, c.take, make(chan update, mostUpdates)
	go func() { _ = serve(ctx, there) }()
	go c.serve()
	info := object{"name": "fake", "version": "1.0.0"}
	hello := object{"protocolVersion": max(c.Version, 1)}
	names := [2]string{"clientInfo", "clientCapabilities"}
	if c.Version > 1 {
		names = [2]string{"info", "capabilities"}
		hello["capabilities"] = object{}
	}
	hello[names[0]] = info
	if c.Capabilities != nil {
		hello[names[1]] = c.Capabilities
	}
	return c.Call(ctx, "initialize", hello, nil)
}

// NewSession opens a session and returns its id.
func (c *Client) NewSession(ctx context.Context, cwd string) (string, error) {
	var opened struct{ SessionID string }
	params := object{"cwd": cwd, "mcpServers": []object{}}
	err := c.Call(ctx, "session/new", params, &opened)
	return opened.SessionID, err
}

// A PromptTurn is what has come of a prompt.
type PromptTurn struct {
	StopReason string

	// Text is that of the chunks of messages of the agent.
	Text string

	// Updates are all updates of the session since the prompt.
	Updates []json.RawMessage
}

// Prompt sends a prompt and waits for the end of its turn.
func (c *Client) Prompt(ctx context.Context, session, text string) (*PromptTurn, error) {
	var answer struct{ StopReason string }
	params := object{"sessionId": session, "prompt": []object{{"type": "text", "text": text}}}
	answered := make(chan error, 1)
	go func() { answered <- c.Call(ctx, "session/prompt", params, &answer) }()
	turn := &PromptTurn{}
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case err := <-answered:
			if err != nil {
				return nil, err
			}
			if c.Version <= 1 {
				// What precedes the answer has been received.
				for len(c.updates) > 0 {
					turn.take(session, <-c.updates)
				}
				turn.StopReason = answer.StopReason
				return turn, nil
			}
			answered = nil
		case one := <-c.updates:
			if turn.take(session, one) && c.Version > 1 {
				return turn, nil
			}
		}
	}
}

// take takes an update. It returns whether the session is idle.
func (t *PromptTurn) take(session string, one update) bool {
	if one.session != session {
		return false
	}
	var known struct {
		SessionUpdate, State, StopReason string
		Content                          struct{ Text string }
	}
	_ = json.Unmarshal(one.text, &known)
	t.Updates = append(t.Updates, one.text)
	if known.SessionUpdate == "agent_message_chunk" {
		t.Text += known.Content.Text
	}
	t.StopReason = known.StopReason
	return known.State == "idle"
}

func (c *Client) take(method string, params json.RawMessage) func() (any, error) {
	switch method {
	case "session/update":
		var given struct {
			SessionID string
			Update    json.RawMessage
		}
		_ = json.Unmarshal(params, &given)
		c.updates <- update{given.SessionID, given.Update}
	case "session/request_permission":
		return func() (any, error) {
			option := c.permit(params)
			if option == "" {
				return object{"outcome": object{"outcome": "cancelled"}}, nil
			}
			return object{"outcome": object{"outcome": "selected", "optionId": option}}, nil
		}
	case "elicitation/create":
		return func() (any, error) {
			if c.Elicitation != nil {
				if content := c.Elicitation(params); content != nil {
					return object{"action": "accept", "content": content}, nil
				}
			}
			return object{"action": "decline"}, nil
		}
	}
	return nil
}

func (c *Client) permit(params json.RawMessage) string {
	if c.Permission != nil {
		return c.Permission(params)
	}
	var given struct {
		Options []struct{ OptionID, Kind string }
	}
	_ = json.Unmarshal(params, &given)
	for _, option := range given.Options {
		if strings.HasPrefix(option.Kind, "allow") {
			return option.OptionID
		}
	}
	return ""
}
