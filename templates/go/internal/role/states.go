package role

import (
	"encoding/json"
	"sync"

	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// optionsKey is the key of the configuration options.
var optionsKey = itemKey{kind: "config_option_update"}

// subagentUpdate is the tag of the update that announces a subagent.
const subagentUpdate = "subagent_update"

// mostCalls is how many calls without an answer are remembered.
const mostCalls = 1000

// mostEarly is how many sessions have a state before the answer with their id has come.
const mostEarly = 100

// states are the states of the sessions that a client has opened. Nil keeps none.
type states struct {
	table   *StateTable
	version int

	mu    sync.Mutex
	names codec.Cache
	open  map[string]*state
	// early are those of sessions that are updated while opening calls of new ones, whose
	// ids are not known, are unanswered.
	early   map[string]*state
	opening int
	// calls has what the answer to a call does, by its id.
	calls *recent[string, func(end callEnd)]
	// reopening has, for the sessions that are opened again, how often each list had been
	// reported when that was asked for.
	reopening map[string]map[string]int
}

func newStates(table *StateTable, version int) *states {
	return &states{
		table: table, version: version, reopening: map[string]map[string]int{}, open: map[string]*state{}, early: map[string]*state{},
		calls: newRecent[string, func(callEnd)](mostCalls),
	}
}

func (s *states) create() *state {
	return &state{table: s.table, names: &s.names, items: map[itemKey]*item{}}
}

// sent takes a call of this side.
func (s *states) sent(m *Method, id string, params []byte) {
	if s == nil || id == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session := sessionOf(params)
	switch known := s.open[session]; {
	case m.has(startsTurn) && s.version == 1 && known != nil:
		known.addPrompt(id, params)
		s.calls.set(id, func(end callEnd) { known.endPrompt(id, end) })
	case m.has(createsSession) || m.has(forksSession):
		s.opening++
		s.calls.set(id, func(callEnd) {
			if s.opening--; s.opening == 0 {
				clear(s.early)
			}
		})
	case m.has(loadsSession) || m.has(resumesSession):
		// A replay begins with an empty state. When the call fails, it is as before.
		own := known
		if known == nil || m.has(loadsSession) || !codec.IsNull(codec.Get(params, "replayFrom")) {
			own = s.create()
		}
		s.open[session] = own
		s.reopening[session] = own.counts(m.Name)
		s.calls.set(id, func(end callEnd) {
			delete(s.reopening, session)
			if end != kept && s.open[session] == own {
				if s.open[session] = known; known == nil {
					delete(s.open, session)
				}
			}
		})
	}
}

// answered takes the answer to a call, behind its result.
func (s *states) answered(id string, end callEnd) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if call := s.calls.values[id]; call != nil {
		s.calls.remove(id)
		call(end)
	}
}

// notSentAgain takes the end of a prompt whose sign-in has failed.
func (s *states) notSentAgain(params []byte, end callEnd) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.open[sessionOf(params)]; known != nil {
		if at := known.findPrompt(params); at >= 0 {
			known.endPrompt(known.prompts[at].id, end)
		}
	}
}

// update takes the params of an update of a session.
func (s *states) update(session string, params []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.open[session]
	if known == nil && s.opening > 0 {
		if known = s.early[session]; known == nil && len(s.early) < mostEarly {
			known = s.create()
			s.early[session] = known
		}
	}
	if known == nil {
		return
	}
	update := codec.Get(params, "update")
	known.apply(update)
	if tag, _ := codec.Text(codec.Get(update, "sessionUpdate")); tag != subagentUpdate {
		return
	}
	if child := sessionOf(update); s.open[child] == nil {
		s.open[child] = s.create()
	}
}

// result takes the result of a call: what opens a session, or changes it, is in its state.
func (s *states) result(m *Method, params, result []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session := sessionOf(params)
	known := s.open[session]
	switch {
	case m.has(createsSession) || m.has(forksSession):
		session = sessionOf(result)
		if session != "" && s.open[session] == nil {
			if known = s.early[session]; known == nil {
				known = s.create()
			}
			s.open[session] = known
			known.message(m.Name, "result", result, map[string]int{})
		}
	case m.has(endsSession):
		s.drop(session)
	case known != nil:
		known.message(m.Name, "params", params, nil)
		known.message(m.Name, "result", result, s.reopening[session])
	}
}

// forget drops the state of a session.
func (s *states) forget(session string) {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.drop(session)
	}
}

// drop drops the state of a session, and those of its subagents.
func (s *states) drop(session string) {
	known := s.open[session]
	delete(s.open, session)
	if known != nil {
		for key := range known.items {
			if key.kind == subagentUpdate {
				s.drop(key.id)
			}
		}
	}
}

// optionsOf returns the configuration options that a session has reported; nil if they are not known.
func (s *states) optionsOf(session string) []byte {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.open[session]; known != nil && known.items[optionsKey] != nil {
		return known.items[optionsKey].fields["configOptions"]
	}
	return nil
}

// request takes the params of a request of the agent, such as one about a tool call.
func (s *states) request(m *Method, params []byte) {
	if s == nil || s.table.messages[m.Name] == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.open[sessionOf(params)]; known != nil {
		known.message(m.Name, "params", params, nil)
	}
}

// message applies what a message says as the updates that would say the same. Of a result
// that opens a session, an absent or empty list replaces only one that was not reported
// since the request was sent.
func (s *state) message(method, part string, message []byte, before map[string]int) {
	for _, change := range s.table.messages[method] {
		if change.Part != part {
			continue
		}
		target := s.table.targets[change.Target]
		known := s.items[itemKey{kind: target.Tag}]
		value := codec.Get(message, change.From...)
		if before != nil && change.IsList && known != nil && len(codec.Items(value)) == 0 {
			if before[change.Target] != known.count {
				continue
			}
			value = []byte("[]")
		}
		switch {
		case codec.IsNull(value):
		case change.Tag == "":
			s.keep(target, "", fields{change.From[len(change.From)-1]: value})
		case change.As == "":
			s.apply(codec.Set(value, codec.Quote(change.Tag), "sessionUpdate"))
		case known == nil || !isSame(known.fields[change.As], value):
			s.apply(fields{"sessionUpdate": codec.Quote(change.Tag), change.As: value}.object())
		}
	}
}

// counts returns how often each list that the result of a method can have was reported.
func (s *state) counts(method string) map[string]int {
	counts := map[string]int{}
	for _, change := range s.table.messages[method] {
		if known := s.items[itemKey{kind: s.table.targets[change.Target].Tag}]; known != nil && change.IsList {
			counts[change.Target] = known.count
		}
	}
	return counts
}

// An Item is an item of the state of a session.
type Item struct {
	// Kind is the tag of the update that reports the whole item, "availableModes" or "turnUsage".
	Kind string

	// HasOrder says that the item is one of the timeline.
	HasOrder bool

	// Update is the update, and the others are what it says of a message.
	Update, Content []byte
	ID              string
	Meta            map[string]json.RawMessage
}

func (p *item) public() Item {
	shown := Item{Kind: p.kind, HasOrder: p.target.HasOrder, Update: p.update(), Content: p.content()}
	shown.ID, _ = codec.Text(p.fields[p.target.ID])
	_ = json.Unmarshal(p.fields["_meta"], &shown.Meta)
	return shown
}

// Last is the state of a session that was open last. The states guard it.
type Last struct{ state *state }

// State returns the items of the state of a session, or of its last one: those with an order, and
// others. A function decodes those that have changed; it returns nil for what it cannot decode.
func (c *Conn) State(session string, last *Last, decode func(Item) any) (timeline, others []any) {
	if c.states == nil {
		return nil, nil
	}
	c.states.mu.Lock()
	defer c.states.mu.Unlock()
	if open := c.states.open[session]; open != nil {
		last.state = open
	}
	known := last.state
	if known == nil || decode == nil {
		return nil, nil
	}
	shown := func(items []*item) (all []any) {
		for _, one := range items {
			if one.shown == nil {
				one.shown = decode(one.public())
			}
			if one.shown != nil {
				all = append(all, one.shown)
			}
		}
		return all
	}
	return shown(known.timeline), shown(known.others)
}
