package acptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"
)

// An Agent is a fake agent, for tests of clients. Its fields are set before it is connected.
type Agent struct {
	// Version is that of the protocol; 1 if it is zero.
	Version int

	// Capabilities is what the agent advertises; nothing if it is nil.
	Capabilities any

	// Turn does the work on a prompt and returns the stop reason. By default, it says "Hello".
	Turn func(*Turn) string

	peer
	ctx      context.Context // of the connection
	sessions int
	turns    sync.Map // the running ones
}

// Connect starts the agent, and returns the stream of its client.
func (a *Agent) Connect() io.ReadWriteCloser {
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	a.stream, a.handle, a.ctx = here, a.take, ctx
	go func() {
		defer cancel()
		a.serve()
	}()
	return there
}

// A Turn is the work on a prompt.
type Turn struct {
	// Session is the id of the session, and Prompt the text of the prompt.
	Session, Prompt string

	// Context ends when the client cancels the turn, or leaves.
	Context context.Context

	agent  *Agent
	cancel context.CancelFunc
}

// Text sends a message of the agent.
func (t *Turn) Text(text string) {
	update := object{"sessionUpdate": "agent_message_chunk", "content": object{"type": "text", "text": text}}
	if t.agent.Version > 1 {
		update["messageId"] = "message"
	}
	t.Update(update)
}

// Update sends an update, which is a value for encoding/json.
func (t *Turn) Update(update any) {
	_ = t.agent.Notify("session/update", object{"sessionId": t.Session, "update": update})
}

// Ask asks for permission. It returns the option that the user has selected: "allow" or "reject",
// and nothing if there is none.
func (t *Turn) Ask(title string) string {
	params := object{"sessionId": t.Session, "options": []object{
		{"optionId": "allow", "name": "Allow", "kind": "allow_once"},
		{"optionId": "reject", "name": "Reject", "kind": "reject_once"},
	}}
	if t.agent.Version > 1 {
		params["title"] = title
	} else {
		params["toolCall"] = object{"toolCallId": "call", "title": title}
	}
	var answer struct{ Outcome struct{ OptionID string } }
	_ = t.agent.Call(t.Context, "session/request_permission", params, &answer)
	return answer.Outcome.OptionID
}

func (a *Agent) take(method string, params json.RawMessage) func() (any, error) {
	var given struct {
		SessionID string
		Prompt    []struct{ Text string }
	}
	_ = json.Unmarshal(params, &given)
	switch method {
	case "initialize":
		return func() (any, error) { return a.hello(), nil }
	case "session/new":
		a.sessions++
		id := fmt.Sprintf("session-%d", a.sessions)
		return func() (any, error) { return object{"sessionId": id}, nil }
	case "session/list":
		return func() (any, error) { return object{"sessions": []object{}}, nil }
	case "session/load", "session/resume", "session/close", "authenticate":
		return func() (any, error) { return object{}, nil }
	case "session/cancel":
		a.turns.Range(func(one, _ any) bool {
			if turn := one.(*Turn); turn.Session == given.SessionID {
				turn.cancel()
			}
			return true
		})
	case "session/prompt":
		turn := &Turn{Session: given.SessionID, agent: a}
		for _, block := range given.Prompt {
			turn.Prompt += block.Text
		}
		turn.Context, turn.cancel = context.WithCancel(a.ctx)
		a.turns.Store(turn, true)
		return func() (any, error) { return a.prompt(turn, params), nil }
	}
	return nil
}

func (a *Agent) hello() object {
	info := object{"name": "fake", "version": "1.0.0"}
	if a.Version > 1 {
		capabilities := a.Capabilities
		if capabilities == nil {
			capabilities = object{"session": object{}}
		}
		return object{"protocolVersion": a.Version, "info": info, "capabilities": capabilities}
	}
	hello := object{"protocolVersion": 1, "agentInfo": info}
	if a.Capabilities != nil {
		hello["agentCapabilities"] = a.Capabilities
	}
	return hello
}

// prompt takes a turn, and returns the answer to its prompt.
func (a *Agent) prompt(turn *Turn, params json.RawMessage) object {
	run := a.Turn
	if run == nil {
		run = func(turn *Turn) string { turn.Text("Hello"); return "end_turn" }
	}
	work := func() string {
		defer turn.cancel()
		reason := run(turn)
		if turn.Context.Err() != nil {
			reason = "cancelled"
		}
		a.turns.Delete(turn)
		return reason
	}
	if a.Version <= 1 {
		return object{"stopReason": work()}
	}
	var given struct{ Prompt json.RawMessage }
	_ = json.Unmarshal(params, &given)
	turn.Update(object{"sessionUpdate": "user_message", "messageId": "prompt", "content": given.Prompt})
	turn.Update(object{"sessionUpdate": "state_update", "state": "running"})
	go func() {
		reason := work()
		turn.Update(object{"sessionUpdate": "state_update", "state": "idle", "stopReason": reason})
	}()
	return object{"messageId": "prompt"}
}
