package role

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// mostEchoes is how many prompts of a session may be echoed.
const mostEchoes = 100

// separator stands around a block that is not text, in the content of a prompt.
const separator = "\xff"

// A prompt of version 1 is a message of the user that the agent may report as chunks as
// well, in whatever pieces. These are compared with its content, until the prompt has ended;
// the oldest prompt can only be echoed until the agent has said something, which answers it.
type prompt struct {
	id       string // of the call
	params   []byte // of the call, in the bytes that are sent
	message  *item
	blocks   [][]byte // until the content is needed
	content  string
	rest     string // what the chunks have not echoed
	chunks   []chunk
	isClosed bool
	// isRefused is whether it was refused once, and may be sent again after a sign-in.
	isRefused bool
}

// A callEnd is what the end of a call does to the state.
type callEnd int

const (
	kept callEnd = iota
	refused
	// returning is the end of a call that is sent again if the client signs in.
	returning
)

// addPrompt adds the message of a prompt that is sent; of one that is sent again, it is there.
func (s *state) addPrompt(id string, params []byte) {
	if at := s.findPrompt(params); at >= 0 {
		s.prompts[at].id = id
		return
	}
	content := codec.Get(params, "prompt")
	p := &prompt{id: id, params: params, message: s.add(s.table.targets["userMessage"]), blocks: codec.Items(content)}
	p.message.setList(content)
	s.current = nil
	if s.prompts = append(s.prompts, p); len(s.prompts) > mostEchoes {
		s.prompts = s.prompts[1:]
	}
}

// endPrompt ends a prompt that was answered: later chunks without an id start a message. A
// refused prompt leaves nothing, unless the agent has reported it, or something behind it.
func (s *state) endPrompt(id string, end callEnd) {
	at := slices.IndexFunc(s.prompts, func(one *prompt) bool { return one.id == id })
	if at >= 0 && end == returning && !s.prompts[at].isRefused {
		s.prompts[at].isRefused = true
		return
	}
	if at >= 0 && end != kept {
		message := s.prompts[at].message
		from := slices.Index(s.timeline, message)
		isUnreported := func(p *item) bool {
			return slices.ContainsFunc(s.prompts, func(one *prompt) bool { return one.message == p && one.chunks == nil })
		}
		if from >= 0 && !slices.ContainsFunc(s.timeline[from:], func(p *item) bool { return !isUnreported(p) }) {
			s.timeline = slices.Delete(s.timeline, from, from+1)
		}
	}
	if at >= 0 {
		s.prompts = slices.Delete(s.prompts, at, at+1)
	}
	s.newest, s.current = nil, nil
}

// findPrompt returns the index of the prompt with params, which are the same bytes; -1 if there is none.
func (s *state) findPrompt(params []byte) int {
	return slices.IndexFunc(s.prompts, func(one *prompt) bool { return &one.params[0] == &params[0] })
}

// agentSpoke takes the target of an update: what the agent says answers the oldest prompt.
func (s *state) agentSpoke(target *StateTarget) {
	if len(s.prompts) > 0 && (target.IsIDOptional || target.Name == "toolCall") {
		s.prompts[0].isClosed = true
	}
}

// addUserChunk adds a chunk of a message of the user: of a prompt, which it only
// identifies, or of another message. When a chunk shows that the ones before it were not an
// echo, all of them are of that message.
func (s *state) addUserChunk(c chunk) {
	defer s.closeAgent()
	chunks := []chunk{c}
	id, hasID := codec.Text(c.id)
	at := slices.IndexFunc(s.prompts, func(one *prompt) bool {
		if one.chunks == nil || one.isClosed {
			return false
		}
		first, _ := codec.Text(one.chunks[0].id)
		return first == id
	})
	isKnown := hasID && s.items[itemKey{userMessage, id}] != nil
	if at >= 0 {
		begun := s.prompts[at]
		if begun.take(chunks) {
			s.echo(begun.message, chunks)
			return
		}
		chunks = append(begun.chunks, c)
		begun.chunks, begun.rest = nil, begun.content
		s.identify(begun.message, "", false)
		begun.message.fields.set("_meta", nil)
	}
	for i, one := range s.prompts {
		if (at >= 0 || !isKnown) && i != at && one.chunks == nil && !one.isClosed && one.take(chunks) {
			s.echo(one.message, chunks)
			return
		}
	}
	for _, one := range chunks {
		s.addChunk(s.table.targets["userMessage"], one)
	}
}

// closeAgent closes the messages of the agent, behind one of the user.
func (s *state) closeAgent() {
	s.current = nil
	if s.newest != nil && s.newest.kind != userMessage {
		s.newest = nil
	}
}

// echo gives the message of a prompt the id and the metadata of what echoes it.
func (s *state) echo(message *item, chunks []chunk) {
	if id, ok := codec.Text(chunks[0].id); ok {
		s.identify(message, id, true)
	}
	for _, one := range chunks {
		message.describe(one)
	}
}

// take continues the echo with chunks, if all of them fit.
func (p *prompt) take(chunks []chunk) bool {
	if p.blocks != nil {
		var content strings.Builder
		for _, block := range p.blocks {
			content.WriteString(flat(block))
		}
		p.content, p.rest, p.blocks = content.String(), content.String(), nil
	}
	rest, fits := p.rest, true
	for _, one := range chunks {
		if rest, fits = strings.CutPrefix(rest, flat(one.value)); !fits {
			return false
		}
	}
	p.rest, p.chunks = rest, append(p.chunks, chunks...)
	p.isClosed = rest == ""
	return true
}

// flat returns the text of a block, or what stands for another one. Properties that are
// null count as absent.
func flat(block []byte) string {
	kind, _ := codec.Text(codec.Get(block, "type"))
	if text, ok := codec.Text(codec.Get(block, "text")); ok && kind == "text" {
		return text
	}
	var value any
	if json.Unmarshal(block, &value) != nil {
		return separator + string(block) + separator
	}
	canonical, _ := json.Marshal(withoutNulls(value))
	return separator + string(canonical) + separator
}

func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, one := range value {
			if value[name] = withoutNulls(one); one == nil {
				delete(value, name)
			}
		}
	case []any:
		for i, one := range value {
			value[i] = withoutNulls(one)
		}
	}
	return value
}
