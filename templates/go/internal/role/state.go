package role

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// A state is what the updates of a session add up to. Its items are texts, since which of
// them have a type depends on the profile.
type state struct {
	version  int
	names    *codec.Cache
	timeline []*item
	others   []*item
	items    map[itemKey]*item

	// Of version 1: the prompts that the agent may report, the message that a chunk without
	// an id may continue, and the one that `agent_message_clear` without an id clears.
	prompts         []*prompt
	newest, current *item
}

type itemKey struct{ kind, id string }

// An item is a message, a tool call, or what one kind of update reports.
type item struct {
	kind   string
	fields fields
	list   [][]byte // what is appended to
	text   []byte   // the last block if it is plain text, without the end
	shown  any      // nil after a change
}

// kinds are the updates that report an item: the properties with its id, and with what is
// appended to. Items without a list are not in the timeline.
var kinds = map[string]struct{ id, list string }{
	"user_message":        {"messageId", "content"},
	"agent_message":       {"messageId", "content"},
	"agent_thought":       {"messageId", "content"},
	"session_message":     {"messageId", "content"},
	"tool_call":           {"toolCallId", "content"},
	"tool_call_update":    {"toolCallId", "content"},
	"compaction_update":   {"compactionId", "summary"},
	"terminal_update":     {id: "terminalId"},
	"subagent_update":     {id: "sessionId"},
	"session_info_update": {},
}

// chunks are the updates that append something to an item, with its kind.
var chunks = map[string]string{
	"user_message_chunk":       "user_message",
	"agent_message_chunk":      "agent_message",
	"agent_thought_chunk":      "agent_thought",
	"session_message_chunk":    "session_message",
	"tool_call_content_chunk":  "tool_call_update",
	"compaction_summary_chunk": "compaction_update",
	"terminal_output_chunk":    "terminal_update",
}

// replacing are the updates that take the place of the one before them.
var replacing = []string{
	"plan", "plan_update", "available_commands_update", "config_option_update", "current_mode_update", "usage_update", "state_update",
}

// initial are the values of properties that are not reported, or null.
func (s *state) initial(kind, name string) []byte {
	switch {
	case s.version > 1 && kind == "tool_call_update" && name == "kind":
		return []byte(`"other"`)
	case s.version > 1 && kind == "tool_call_update" && name == "status":
		return []byte(`"pending"`)
	case kind == "compaction_update" && name == "status":
		return []byte(`"in_progress"`)
	}
	return nil
}

// only is the version that has an update, for those that not both have.
var only = map[string]int{
	"tool_call": 1, "plan": 1, "current_mode_update": 1,
	"user_message": 2, "agent_message": 2, "agent_thought": 2, "tool_call_content_chunk": 2, "terminal_update": 2,
	"terminal_output_chunk": 2, "state_update": 2,
}

// A chunk is what an update appends, as texts.
type chunk struct{ id, value, meta []byte }

// apply changes the state by an update. Those that the profile does not have may be
// malformed, and are ignored then.
func (s *state) apply(update []byte) {
	var tag string
	var c chunk
	codec.Members(update, func(name, value []byte) {
		switch string(name) {
		case "sessionUpdate":
			tag, _ = s.names.Text(value)
		case "messageId", "toolCallId", "compactionId", "terminalId":
			c.id = value
		case "content", "data":
			c.value = value
		case "_meta":
			c.meta = value
		}
	})
	if version := only[tag]; version != 0 && version != s.version {
		return
	}
	s.agentSpoke(tag)
	switch kind := chunks[tag]; {
	case tag == "user_message_chunk" && s.version == 1:
		s.addUserChunk(c)
	case kind != "":
		s.addChunk(kind, c)
	case tag == "agent_message_clear":
		s.clear(c)
	case tag == "plan_removed":
		id, _ := codec.Text(codec.Get(update, "planId"))
		s.remove(itemKey{"plan_update", id})
	case slices.Contains(replacing, tag):
		s.replace(tag, s.fieldsOf(update))
	default:
		s.report(tag, s.fieldsOf(update))
	}
}

// report applies an update that reports an item, or changes it.
func (s *state) report(tag string, change fields) {
	kind, isKind := kinds[tag]
	id, hasID := s.names.Text(change[kind.id])
	list := change[kind.list]
	if !isKind || kind.id != "" && !hasID || !codec.IsNull(list) && list[0] != '[' {
		return
	}
	if tag != "tool_call" {
		s.patch(s.item(itemKey{tag, id}), change)
		return
	}
	p := s.item(itemKey{"tool_call_update", id})
	*p = item{kind: p.kind, fields: fields{}}
	s.patch(p, change)
}

// item returns an item, which is new if it does not exist.
func (s *state) item(key itemKey) *item {
	p := s.items[key]
	if p == nil {
		p = s.add(key.kind)
		s.items[key] = p
	}
	return p
}

func (s *state) add(kind string) *item {
	p := &item{kind: kind, fields: fields{}}
	for _, name := range []string{"kind", "status"} {
		p.fields.set(name, s.initial(kind, name))
	}
	if kinds[kind].list != "" {
		s.timeline = append(s.timeline, p)
	} else {
		s.others = append(s.others, p)
	}
	return p
}

func (s *state) remove(key itemKey) {
	p := s.items[key]
	s.others = slices.DeleteFunc(s.others, func(one *item) bool { return one == p })
	delete(s.items, key)
}

func (s *state) replace(tag string, change fields) {
	key := itemKey{kind: tag}
	if tag == "plan_update" {
		var ok bool
		if key.id, ok = codec.Text(codec.Get(change["plan"], "planId")); !ok {
			return
		}
	}
	p := s.item(key)
	if cost, isSent := change["cost"]; tag == "usage_update" && s.version > 1 && codec.IsNull(cost) {
		// An absent cost keeps the last one, null removes it.
		change.set("cost", nil)
		if !isSent {
			change.set("cost", p.fields["cost"])
		}
	}
	*p = item{kind: tag, fields: change}
}

// patch changes an item: absence keeps a property, null removes it, a value replaces it.
// The updates of tool calls in version 1 do not have null.
func (s *state) patch(p *item, change fields) {
	list := kinds[p.kind].list
	keepsNull := s.version == 1 && p.kind == "tool_call_update"
	p.shown = nil
	for name, value := range change {
		isNull := codec.IsNull(value)
		switch {
		case isNull && (keepsNull || name == "_meta" && s.version == 1 && p.kind == "session_info_update"):
		case name == "_meta" && s.version > 1 && !isNull:
			p.fields.set(name, s.merge(p.fields[name], value))
		case name == list:
			p.setList(value)
		case isNull:
			p.fields.set(name, s.initial(p.kind, name))
		default:
			p.fields.set(name, value)
		}
		if name == "output" && p.kind == "terminal_update" {
			p.list = nil
		}
	}
}

// merge changes metadata by top-level key, where null removes one.
func (s *state) merge(before, change []byte) []byte {
	merged := s.fieldsOf(before)
	for name, value := range s.fieldsOf(change) {
		if codec.IsNull(value) {
			value = nil
		}
		merged.set(name, value)
	}
	return merged.object()
}

// addChunk appends to an item. In version 1, a chunk of a message without an id continues
// the last item of the timeline if that is an open message of its kind.
func (s *state) addChunk(kind string, c chunk) {
	id, hasID := s.names.Text(c.id)
	isFirst := s.version == 1 && kinds[kind].id == "messageId" && kind != "session_message"
	isValid := codec.IsObject(c.value) || kind == "terminal_update" && !codec.IsNull(c.value)
	var p *item
	switch last := len(s.timeline) - 1; {
	case !isValid, !hasID && !isFirst:
		return
	case hasID:
		p = s.items[itemKey{kind, id}]
	case last >= 0 && s.timeline[last] == s.newest && s.newest.kind == kind:
		p = s.newest
	}
	if p == nil {
		p = s.add(kind)
		s.identify(p, id, hasID)
		if isFirst {
			s.newest = p
			if kind == "agent_message" {
				s.current = p
			}
		}
	}
	if isFirst {
		p.describe(c)
	}
	p.append(c.value)
}

// identify gives an item an id, or takes it away.
func (s *state) identify(p *item, id string, hasID bool) {
	name := kinds[p.kind].id
	if before, ok := codec.Text(p.fields[name]); ok {
		delete(s.items, itemKey{p.kind, before})
	}
	p.shown = nil
	p.fields.set(name, nil)
	if hasID {
		p.fields.set(name, codec.Quote(id))
		s.items[itemKey{p.kind, id}] = p
	}
}

func (s *state) clear(c chunk) {
	p := s.current
	if id, ok := codec.Text(c.id); ok {
		p = s.items[itemKey{"agent_message", id}]
	}
	if p == nil {
		return
	}
	if s.version == 1 {
		p.describe(c)
	}
	p.setList(nil)
}

// describe takes the metadata of a chunk, as version 1 does.
func (p *item) describe(c chunk) {
	if !codec.IsNull(c.meta) {
		p.fields.set("_meta", c.meta)
		p.shown = nil
	}
}

func (p *item) setList(value []byte) {
	p.list, p.text, p.shown = codec.Items(value), nil, nil
	if last := len(p.list) - 1; last >= 0 {
		block := p.list[last]
		p.list = p.list[:last:last]
		p.append(block)
	}
}

// append appends a value. In messages, plain text continues the plain text before it.
func (p *item) append(value []byte) {
	p.shown = nil
	var text []byte
	if p.kind != "tool_call_update" {
		text = plainText(value)
	}
	if text != nil && p.text != nil {
		p.text = append(p.text, text[1:len(text)-1]...)
		return
	}
	p.list, p.text = p.blocks(), nil
	if text == nil {
		p.list = append(p.list, value)
	} else {
		p.text = bytes.Clone(text[:len(text)-1])
	}
}

// plainText returns the text of a block that has nothing else; nil for another one.
func plainText(block []byte) (text []byte) {
	isPlain := true
	codec.Members(block, func(name, value []byte) {
		switch string(name) {
		case "text":
			text = value
		case "type":
			isPlain = isPlain && string(value) == `"text"`
		default:
			isPlain = isPlain && codec.IsNull(value) && (string(name) == "annotations" || string(name) == "_meta")
		}
	})
	if !isPlain || len(text) == 0 || text[0] != '"' {
		return nil
	}
	return text
}

// blocks returns the list with the last text.
func (p *item) blocks() [][]byte {
	if p.text == nil {
		return p.list
	}
	return append(p.list, slices.Concat([]byte(`{"type":"text","text":`), p.text, []byte(`"}`)))
}

// update returns the update that reports the item as a whole.
func (p *item) update() []byte {
	whole := maps.Clone(p.fields)
	whole["sessionUpdate"] = codec.Quote(p.kind)
	if name := kinds[p.kind].list; name != "" {
		whole[name] = p.content()
	} else if len(p.list) > 0 {
		whole["output"] = p.output()
	}
	return whole.object()
}

// content returns the text of the list.
func (p *item) content() []byte {
	return slices.Concat([]byte("["), bytes.Join(p.blocks(), []byte(",")), []byte("]"))
}

// output returns the output of a terminal with what was appended to it. Chunks are encoded
// one by one.
func (p *item) output() []byte {
	output := p.fields["output"]
	var all []byte
	for _, one := range append([][]byte{codec.Get(output, "data")}, p.list...) {
		text, _ := codec.Text(one)
		data, _ := base64.StdEncoding.DecodeString(text)
		all = append(all, data...)
	}
	return codec.Set(output, codec.Quote(base64.StdEncoding.EncodeToString(all)), "data")
}

// fields are the properties of an object as texts.
type fields map[string]json.RawMessage

func (s *state) fieldsOf(object []byte) fields {
	f := fields{}
	codec.Members(object, func(name, value []byte) { f[s.names.String(name)] = value })
	return f
}

// set changes a property; nil removes it.
func (f fields) set(name string, value []byte) {
	if f[name] = value; value == nil {
		delete(f, name)
	}
}

func (f fields) object() []byte {
	// Its values are JSON.
	object, _ := codec.Marshal(func(e *codec.Encoder) { codec.PrintMembers(e, f, codec.PrintRaw) })
	return object
}
