package profile

import (
	"encoding/json"
	"fmt"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/role"
)

// State returns what was reported of the session up to now, and what the client has sent.
// It does not change afterwards. It is empty for a session that this connection has not
// opened; that of a closed one is the last.
func (s *Session) State() *State {
	timeline, others := s.conn.State(string(s.ID), &s.last, showItem)
	state := &State{}
	for _, one := range timeline {
		state.Timeline = append(state.Timeline, one.(Entry))
	}
	for _, one := range others {
		state.add(one)
	}
	return state
}

// turnUsage is the text of the usage that the end of a turn has reported.
type turnUsage []byte

// An Entry is an item of a session. One of its fields is set. The entries of two states
// are equal unless something has changed in between.
type Entry struct {
	Message  *Message
	ToolCall *ToolCallUpdate

	// Update reports another item as a whole, such as a compaction.
	Update SessionUpdate
}

// A Message is a message of the user or of the agent.
type Message struct {
	Kind MessageKind

	// ID is empty if the agent has not sent one.
	ID MessageID

	// Content are its blocks. Adjacent chunks of plain text are one block.
	Content []ContentBlock

	// Meta is the metadata that was reported last.
	Meta map[string]json.RawMessage
}

// MessageKind is who a message is of, or that it is a thought.
type MessageKind string

// The kinds of messages.
const (
	MessageKindUser    MessageKind = "user_message"
	MessageKindAgent   MessageKind = "agent_message"
	MessageKindThought MessageKind = "agent_thought"
)

// Text returns the text of the message, without what is not text.
func (m *Message) Text() (text string) {
	for _, block := range m.Content {
		if block, ok := block.(*TextContent); ok {
			text += block.Text
		}
	}
	return text
}

// showItem decodes an item of a state; nil if the profile cannot.
func showItem(item role.Item) any {
	switch kind := MessageKind(item.Kind); kind {
	case MessageKindUser, MessageKindAgent, MessageKindThought:
		prompt, _, err := schemaPromptRequest.Decode(fmt.Appendf(nil, `{"sessionId":"","prompt":%s}`, item.Content))
		if err != nil {
			return nil
		}
		return Entry{Message: &Message{kind, MessageID(item.ID), prompt.Prompt, item.Meta}}
	}
	if item.Kind == "turnUsage" {
		return turnUsage(codec.Get(item.Update, "usage"))
	}
	value := decodeItem(item.Kind, fmt.Appendf(nil, `{"sessionId":"","update":%s}`, item.Update))
	update, isUpdate := value.(SessionUpdate)
	if call, ok := value.(*SessionUpdateToolCallUpdate); ok {
		return Entry{ToolCall: (*ToolCallUpdate)(call)}
	}
	if isUpdate && item.HasOrder {
		return Entry{Update: update}
	}
	return value
}
