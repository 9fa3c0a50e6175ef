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
	table    *StateTable
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

// The kinds of messages that version 1 has rules for.
const (
	userMessage  = "user_message"
	agentMessage = "agent_message"
)

// An item is a message, a tool call, or what one kind of update reports.
type item struct {
	kind   string // the tag of the update that reports it
	target *StateTarget
	fields fields
	count  int      // of the updates that have replaced it
	list   [][]byte // what is appended to
	text   []byte   // the last block if it is plain text, without the end
	shown  any      // nil after a change
}

// A chunk is what an update appends, as texts.
type chunk struct{ id, value, meta []byte }

// apply changes the state by an update. One that the profile does not have is ignored.
func (s *state) apply(update []byte) {
	tag, _ := s.names.Text(codec.Get(update, "sessionUpdate"))
	for _, change := range s.table.updates[tag] {
		s.fold(change, update)
	}
}

// fold makes a change by an update. A malformed update is ignored.
func (s *state) fold(change StateChange, update []byte) {
	target := s.table.targets[change.Target]
	c := change.read(update)
	id, hasID := s.names.Text(c.id)
	switch {
	case change.ID != nil && !hasID && !target.IsIDOptional, change.ID == nil && change.Action == "append":
	case change.Action == "remove" && change.Field != nil:
		s.clear(target, c)
	case change.Action == "remove":
		s.remove(itemKey{target.Tag, id})
	case change.Action == "append" && target.IsIDOptional && target.Tag == userMessage:
		s.addUserChunk(c)
	case change.Action == "append":
		s.agentSpoke(target)
		s.addChunk(target, c)
	case target.IsValue:
		if !codec.IsNull(c.value) {
			s.keep(target, id, fields{change.Value[0]: c.value})
		}
	case target.IsUpdate && change.Action == "replace":
		s.keep(target, id, s.fieldsOf(update))
	default:
		s.report(target, id, s.fieldsOf(update), change.Action == "replace")
	}
}

// read returns the values that a change needs.
func (change StateChange) read(update []byte) (c chunk) {
	if len(change.ID) > 1 {
		c.id = codec.Get(update, change.ID...)
	}
	codec.Members(update, func(name, value []byte) {
		if len(change.ID) == 1 && string(name) == change.ID[0] {
			c.id = value
		}
		if len(change.Value) == 1 && string(name) == change.Value[0] {
			c.value = value
		}
		if string(name) == "_meta" {
			c.meta = value
		}
	})
	return c
}

// report applies an update that reports an item as a whole, or changes it.
func (s *state) report(target *StateTarget, id string, change fields, isWhole bool) {
	if list := change[target.List]; !codec.IsNull(list) && list[0] != '[' {
		return
	}
	s.agentSpoke(target)
	p := s.item(target, id)
	if isWhole {
		*p = item{kind: p.kind, target: target, fields: fields{}}
	}
	s.patch(p, change)
}

// item returns an item, which is new if it does not exist.
func (s *state) item(target *StateTarget, id string) *item {
	key := itemKey{target.Tag, id}
	p := s.items[key]
	if p == nil {
		p = s.add(target)
		s.items[key] = p
	}
	return p
}

func (s *state) add(target *StateTarget) *item {
	p := &item{kind: target.Tag, target: target, fields: fields{}}
	for name, value := range target.Defaults {
		p.fields[name] = []byte(value)
	}
	if target.HasOrder {
		s.timeline = append(s.timeline, p)
	} else {
		s.others = append(s.others, p)
	}
	return p
}

func (s *state) remove(key itemKey) {
	p := s.items[key]
	isSame := func(one *item) bool { return one == p }
	s.timeline, s.others = slices.DeleteFunc(s.timeline, isSame), slices.DeleteFunc(s.others, isSame)
	delete(s.items, key)
}

// keep takes an update in place of the one before it.
func (s *state) keep(target *StateTarget, id string, update fields) {
	p := s.item(target, id)
	*p = item{kind: p.kind, target: target, fields: update, count: p.count + 1}
}

// patch changes an item: absence keeps a property, null resets it unless it keeps null, a
// value replaces it.
func (s *state) patch(p *item, change fields) {
	keeps := p.target.KeepsNull
	p.shown = nil
	for name, value := range change {
		isNull := codec.IsNull(value)
		switch {
		case isNull && (keeps == "all" || keeps == name):
		case name == "_meta" && s.table.Merges && !isNull:
			p.fields.set(name, s.merge(p.fields[name], value))
		case name == p.target.List:
			p.setList(value)
		case isNull && p.target.Defaults[name] != "":
			p.fields[name] = []byte(p.target.Defaults[name])
		case isNull:
			delete(p.fields, name)
		default:
			p.fields.set(name, value)
		}
		if name == p.target.Bytes {
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

// addChunk appends to an item. A chunk without an id continues the last item of the
// timeline if that is an open message of its kind.
func (s *state) addChunk(target *StateTarget, c chunk) {
	id, hasID := s.names.Text(c.id)
	isFirst := target.IsIDOptional
	isValid := codec.IsObject(c.value) || target.Bytes != "" && !codec.IsNull(c.value)
	var p *item
	switch last := len(s.timeline) - 1; {
	case !isValid:
		return
	case hasID:
		p = s.items[itemKey{target.Tag, id}]
	case last >= 0 && s.timeline[last] == s.newest && s.newest.target == target:
		p = s.newest
	}
	if p == nil {
		p = s.add(target)
		s.identify(p, id, hasID)
		if isFirst {
			s.newest = p
			if p.kind == agentMessage {
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
	name := p.target.ID
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

// clear empties the list of an item: of the current message for a chunk without an id.
func (s *state) clear(target *StateTarget, c chunk) {
	p := s.current
	if id, ok := codec.Text(c.id); ok {
		p = s.items[itemKey{target.Tag, id}]
	}
	if p == nil {
		return
	}
	if target.IsIDOptional {
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
	if p.target.Joins {
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
	if p.target.List != "" {
		whole[p.target.List] = p.content()
	} else if len(p.list) > 0 {
		whole[p.target.Bytes] = p.output()
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
	output := p.fields[p.target.Bytes]
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
